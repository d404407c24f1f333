"""The course of a game: who led, since when, and who took how long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from companion.models import Entry, Standing, Table
from companion.statistics.course import Lead, Moment, ends_of_rounds, lead_of, moments_of, times_of
from tests.tables.sitting import correction, enter, play

BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def course(*points: tuple[int, int, int]) -> list[Moment]:
    """Rounds, and what red and blue have then."""
    return [
        Moment(number, round_, "turn", {"red": Fraction(red), "blue": Fraction(blue)})
        for number, (round_, red, blue) in enumerate(points)
    ]


@pytest.mark.django_db
def test_moments_end_their_rounds_with_what_the_mirror_keeps() -> None:
    table = play(3, 40).table
    moments = moments_of(table)
    assert [moment.number for moment in moments] == list(range(41))
    kept = {(row.round, row.faction): row.points for row in Standing.objects.filter(table=table)}
    told = {(end.round, faction): p for end in ends_of_rounds(moments) for faction, p in end.points.items()}
    assert told == kept


def test_a_position_that_goes_back_puts_later_rounds_away() -> None:
    ends = ends_of_rounds(course((1, 0, 0), (2, 5, 0), (3, 6, 0), (2, 1, 1), (2, 1, 2)))
    assert [(end.round, end.number) for end in ends] == [(1, 0), (2, 4)]


@pytest.mark.parametrize(
    ("moments", "lead"),
    [
        (course((1, 0, 0)), Lead((), 1, 0)),
        (course((1, 0, 0), (2, 3, 1), (3, 4, 2)), Lead(("red",), 2, 0)),
        (course((1, 3, 0), (2, 3, 4), (3, 9, 4), (4, 9, 5)), Lead(("red",), 3, 2)),
        (course((1, 3, 0), (2, 3, 3)), Lead(("red", "blue"), 2, 1)),
        (course((1, 3, 0), (1, 3, 5), (1, 8, 5), (2, 8, 6)), Lead(("red",), 1, 0)),
        (course((1, -2, 0), (2, -2, -1)), Lead(("blue",), 1, 0)),
    ],
)
def test_who_led(moments: list[Moment], lead: Lead) -> None:
    assert lead_of(moments) == lead


def at_minutes(table: Table, *minutes: float) -> None:
    Table.objects.filter(pk=table.pk).update(started_at=BEGAN)
    table.refresh_from_db()
    for number, minute in enumerate(minutes, start=1):
        Entry.objects.filter(table=table, number=number).update(at=BEGAN + timedelta(minutes=minute))


@pytest.mark.django_db
def test_the_time_before_an_entry_is_of_whoever_made_it() -> None:
    sitting = play(2, 0)
    for faction in ("blue", "yellow", "blue"):
        enter(sitting, faction, correction(1, faction))
    at_minutes(sitting.table, 2, 7, 8)
    times = times_of(sitting.table, moments_of(sitting.table))
    assert times.players == {"blue": timedelta(minutes=3), "yellow": timedelta(minutes=5)}
    assert times.entries == {"blue": 2, "yellow": 1}
    assert times.total == timedelta(minutes=8) == sum(times.rounds.values(), timedelta())
    assert times.phases == {"setup": timedelta(minutes=8)}
    assert times.pauses == timedelta()


@pytest.mark.django_db
def test_pauses_are_nobodys_time_and_clocks_do_not_run_backwards() -> None:
    sitting = play(2, 0)
    for _ in range(4):
        enter(sitting, "blue", correction(1))
    at_minutes(sitting.table, 1, 61, 60, 62)
    times = times_of(sitting.table, moments_of(sitting.table))
    assert times.pauses == timedelta(hours=1)
    assert times.players == {"blue": timedelta(minutes=3)}
