"""Clocks of a running game: as in its report, plus the time since the last entry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.charts.course import read_course, times_of
from companion.journal import breaks
from companion.journal.clocks import Clock, clock_of, in_minutes
from companion.journal.submit import undo
from companion.management.clock import Clock as FakeClock
from companion.models import Table
from companion.results.pauses import breaks_of
from tests.tables.sitting import Sitting, correction, enter, play

pytestmark = pytest.mark.django_db

BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def read_clock(table: Table) -> Clock:
    return clock_of(table, breaks_of(table))


def think(fake: FakeClock, sitting: Sitting, faction: str, number: float) -> None:
    fake.advance(number * 60)
    enter(sitting, faction, correction(1, faction))


def test_clocks_agree_with_the_report_during_a_game() -> None:
    fake = FakeClock(BEGAN)
    with fake.patched():
        sitting = play(2)
        fake.advance(90)
        clock = read_clock(sitting.fresh())
        assert (clock.waited, clock.played, clock.thinking) == (minutes(1.5), minutes(1.5), {})
        think(fake, sitting, "blue", 2)
        think(fake, sitting, "yellow", 5)
        fake.advance(60)
        clock = read_clock(sitting.fresh())
        assert clock.thinking == {"blue": minutes(3.5), "yellow": minutes(5)}
        assert (clock.waited, clock.played) == (minutes(1), minutes(9.5))
        assert clock.thinking == times_of(read_course(sitting.fresh())).players


def test_break_stops_all_clocks() -> None:
    fake = FakeClock(BEGAN)
    with fake.patched():
        sitting = play(2)
        think(fake, sitting, "blue", 2)
        fake.advance(180)
        breaks.begin(table=sitting.table, access=sitting.host)
        for _ in range(3):
            clock = read_clock(sitting.fresh())
            assert (clock.waited, clock.played, clock.is_stopped) == (minutes(3), minutes(5), True)
            fake.advance(900)
        breaks.end(table=sitting.table, access=sitting.host)
        fake.advance(60)
        clock = read_clock(sitting.fresh())
        assert (clock.waited, clock.played, clock.is_stopped) == (minutes(4), minutes(6), False)
        think(fake, sitting, "yellow", 1)
        assert read_clock(sitting.fresh()).thinking == {"blue": minutes(2), "yellow": minutes(5)}


def test_entry_that_ends_a_break_is_not_charged_for_it() -> None:
    fake = FakeClock(BEGAN)
    with fake.patched():
        sitting = play(2)
        fake.advance(60)
        breaks.begin(table=sitting.table, access=sitting.host)
        think(fake, sitting, "blue", 45)
        clock = read_clock(sitting.fresh())
        assert (clock.thinking, clock.is_stopped) == ({"blue": minutes(1)}, False)


def test_undo_keeps_thinking_times() -> None:
    fake = FakeClock(BEGAN)
    with fake.patched():
        sitting = play(2)
        think(fake, sitting, "blue", 2)
        think(fake, sitting, "yellow", 5)
        fake.advance(60)
        before = read_clock(sitting.fresh())
        undo(table=sitting.table, access=sitting.host)
        undo(table=sitting.table, access=sitting.host)
        assert read_clock(sitting.fresh()) == before
        think(fake, sitting, "blue", 1)
        assert read_clock(sitting.fresh()).thinking == {"blue": minutes(4), "yellow": minutes(5)}


def test_clock_stops_after_the_length_of_a_pause() -> None:
    fake = FakeClock(BEGAN)
    with fake.patched():
        sitting = play(2)
        think(fake, sitting, "blue", 2)
        fake.advance(10 * 3600)
        clock = read_clock(sitting.fresh())
        assert (clock.waited, clock.played) == (timedelta(hours=10), minutes(22))
        assert clock.longest == clock.played
        think(fake, sitting, "yellow", 1)
        assert read_clock(sitting.fresh()).played == minutes(2), "a pause counts for nobody"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (59, "0 min"), (60, "1 min"), (3599, "59 min"), (3600, "1 h 0 min"), (8000, "2 h 13 min")],
)
def test_durations_are_shown_in_hours_and_minutes(seconds: int, text: str) -> None:
    assert in_minutes(timedelta(seconds=seconds)) == text
