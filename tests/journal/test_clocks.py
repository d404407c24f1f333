"""What the clocks of a table show: the same as its report, and what has gone on since the last entry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.charts.course import read_course, times_of
from companion.journal import breaks
from companion.journal.clocks import Clock, clock_of, in_minutes
from companion.journal.submit import undo
from companion.management.clock import Clock as Told
from companion.models import Table
from companion.results.pauses import breaks_of
from tests.tables.sitting import Sitting, correction, enter, play

pytestmark = pytest.mark.django_db

BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def shown(table: Table) -> Clock:
    return clock_of(table, breaks_of(table))


def think(told: Told, sitting: Sitting, faction: str, number: float) -> None:
    told.passes(number * 60)
    enter(sitting, faction, correction(1, faction))


def test_an_evening_as_it_goes() -> None:
    told = Told(BEGAN)
    with told.running():
        sitting = play(2)
        told.passes(90)
        clock = shown(sitting.fresh())
        assert (clock.waited, clock.played, clock.thinking) == (minutes(1.5), minutes(1.5), {})
        think(told, sitting, "blue", 2)
        think(told, sitting, "yellow", 5)
        told.passes(60)
        clock = shown(sitting.fresh())
        assert clock.thinking == {"blue": minutes(3.5), "yellow": minutes(5)}
        assert (clock.waited, clock.played) == (minutes(1), minutes(9.5))
        assert clock.thinking == times_of(read_course(sitting.fresh())).players


def test_a_break_stops_all_clocks() -> None:
    told = Told(BEGAN)
    with told.running():
        sitting = play(2)
        think(told, sitting, "blue", 2)
        told.passes(180)
        breaks.begin(table=sitting.table, access=sitting.host)
        for _ in range(3):
            clock = shown(sitting.fresh())
            assert (clock.waited, clock.played, clock.stands) == (minutes(3), minutes(5), True)
            told.passes(900)
        breaks.end(table=sitting.table, access=sitting.host)
        told.passes(60)
        clock = shown(sitting.fresh())
        assert (clock.waited, clock.played, clock.stands) == (minutes(4), minutes(6), False)
        think(told, sitting, "yellow", 1)
        assert shown(sitting.fresh()).thinking == {"blue": minutes(2), "yellow": minutes(5)}


def test_an_entry_ends_a_break_and_took_no_time_of_it() -> None:
    told = Told(BEGAN)
    with told.running():
        sitting = play(2)
        told.passes(60)
        breaks.begin(table=sitting.table, access=sitting.host)
        think(told, sitting, "blue", 45)
        clock = shown(sitting.fresh())
        assert (clock.thinking, clock.stands) == ({"blue": minutes(1)}, False)


def test_undo_neither_loses_nor_shifts_anything() -> None:
    told = Told(BEGAN)
    with told.running():
        sitting = play(2)
        think(told, sitting, "blue", 2)
        think(told, sitting, "yellow", 5)
        told.passes(60)
        before = shown(sitting.fresh())
        undo(table=sitting.table, access=sitting.host)
        undo(table=sitting.table, access=sitting.host)
        assert shown(sitting.fresh()) == before
        think(told, sitting, "blue", 1)
        assert shown(sitting.fresh()).thinking == {"blue": minutes(4), "yellow": minutes(5)}


def test_a_table_that_was_left_alone_does_not_go_on_all_night() -> None:
    told = Told(BEGAN)
    with told.running():
        sitting = play(2)
        think(told, sitting, "blue", 2)
        told.passes(10 * 3600)
        clock = shown(sitting.fresh())
        assert (clock.waited, clock.played) == (timedelta(hours=10), minutes(22))
        assert clock.most == clock.played
        think(told, sitting, "yellow", 1)
        assert shown(sitting.fresh()).played == minutes(2), "they slept"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (59, "0 min"), (60, "1 min"), (3599, "59 min"), (3600, "1 h 0 min"), (8000, "2 h 13 min")],
)
def test_minutes(seconds: int, text: str) -> None:
    assert in_minutes(timedelta(seconds=seconds)) == text
