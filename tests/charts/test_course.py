"""Course of a game: round ends, lead, and thinking times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from companion.charts.course import Lead, Moment, ends_of_rounds, lead_of, read_course, times_of
from companion.journal.clocks import clock_of
from companion.journal.mending import mend
from companion.journal.submit import undo
from companion.models import Break, Entry, Standing, Table
from companion.report.thinking import times_section
from companion.results.pauses import time_between
from tests.tables.sitting import Sitting, correction, enter, play

BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def course(*points: tuple[int, int, int]) -> list[Moment]:
    """Return moments from tuples of round, points of red and points of blue."""
    return [
        Moment(number, round_, "turn", {"red": Fraction(red), "blue": Fraction(blue)})
        for number, (round_, red, blue) in enumerate(points)
    ]


@pytest.mark.django_db
def test_round_ends_match_stored_standings() -> None:
    table = play(3, 40).table
    moments = read_course(table).moments
    assert [moment.number for moment in moments] == list(range(41))
    stored = {(row.round, row.faction): row.points for row in Standing.objects.filter(table=table)}
    points = {(end.round, faction): p for end in ends_of_rounds(moments) for faction, p in end.points.items()}
    assert points == stored


def test_position_in_an_earlier_round_drops_later_rounds() -> None:
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
def test_lead(moments: list[Moment], lead: Lead) -> None:
    assert lead_of(moments) == lead


def set_entry_times(table: Table, *minutes: float) -> None:
    Table.objects.filter(pk=table.pk).update(started_at=BEGAN)
    table.refresh_from_db()
    for number, minute in enumerate(minutes, start=1):
        Entry.objects.filter(table=table, number=number).update(created_at=BEGAN + timedelta(minutes=minute))


@pytest.mark.django_db
def test_time_before_an_entry_counts_for_its_author() -> None:
    sitting = play(2, 0)
    for faction in ("blue", "yellow", "blue"):
        enter(sitting, faction, correction(1, faction))
    set_entry_times(sitting.table, 2, 7, 8)
    times = times_of(read_course(sitting.fresh()))
    assert times.players == {"blue": timedelta(minutes=3), "yellow": timedelta(minutes=5)}
    assert times.entries == {"blue": 2, "yellow": 1}
    assert times.total == timedelta(minutes=8) == sum(times.rounds.values(), timedelta())
    assert times.phases == {"setup": timedelta(minutes=8)}
    assert times.pauses == timedelta()


@pytest.mark.django_db
def test_pauses_count_for_nobody_and_time_is_never_negative() -> None:
    sitting = play(2, 0)
    for _ in range(4):
        enter(sitting, "blue", correction(1))
    set_entry_times(sitting.table, 1, 61, 60, 62)
    times = times_of(read_course(sitting.fresh()))
    assert times.pauses == timedelta(hours=1)
    assert times.players == {"blue": timedelta(minutes=3)}


@pytest.mark.django_db
def test_time_before_an_undone_entry_counts_for_its_author() -> None:
    """Yellow's five minutes before an undone entry must not count for blue."""
    sitting = play(2, 0)
    for faction in ("blue", "yellow"):
        enter(sitting, faction, correction(1, faction))
    undo(table=sitting.table, access=sitting.host)
    undo(table=sitting.table, access=sitting.host)
    enter(sitting, "blue", correction(2))
    set_entry_times(sitting.table, 2, 7, 8)
    times = times_of(read_course(sitting.fresh()))
    assert times.players == {"blue": timedelta(minutes=3), "yellow": timedelta(minutes=5)}
    assert times.entries == {"blue": 1}, "without undone entries"
    assert times.by_phase == {
        ("blue", "setup"): timedelta(minutes=3),
        ("yellow", "setup"): timedelta(minutes=5),
    }
    assert times.total == timedelta(minutes=8)


def mend_first_entry(sitting: Sitting) -> None:
    table = sitting.fresh()
    to = {"action": correction(3), "faction": None, "reason": "misplayed"}
    mend(table=table, access=sitting.host, number=1, version=table.version, **to)


@pytest.mark.django_db
def test_entries_rewritten_by_a_mend_take_no_time() -> None:
    sitting = play(2, 0)
    for faction in ("blue", "yellow", "blue"):
        enter(sitting, faction, correction(1, faction))
    set_entry_times(sitting.table, 2, 7, 8)
    before = times_of(read_course(sitting.fresh()))
    mend_first_entry(sitting)
    after = times_of(read_course(sitting.fresh()))
    assert sitting.fresh().latest == 6
    assert after == before


# Breaks


def minute(minutes: float) -> datetime:
    return BEGAN + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("breaks", "left"),
    [
        ([], 10),
        ([(12, 15)], 7),
        ([(0, 5), (30, 40)], 10),
        ([(5, 12), (18, 40)], 6),
        ([(5, 40)], 0),
        ([(12, 16), (14, 18)], 4),  # overlapping, as after a change of the system clock
        ([(12, 18), (13, 14)], 4),
        ([(16, None)], 6),
        ([(12, 12)], 10),
    ],
)
def test_time_between_excludes_breaks(breaks: list[tuple[int, int | None]], left: int) -> None:
    times = [(minute(began), None if ended is None else minute(ended)) for began, ended in breaks]
    assert time_between(minute(10), minute(20), times) == timedelta(minutes=left)


def add_break(table: Table, began: float, ended: float | None) -> None:
    Break.objects.create(
        table=table, began_at=minute(began), ended_at=None if ended is None else minute(ended)
    )


@pytest.mark.django_db
def test_breaks_are_subtracted_before_the_pause_limit_applies() -> None:
    sitting = play(2, 0)
    for faction in ("blue", "yellow", "blue"):
        enter(sitting, faction, correction(1, faction))
    set_entry_times(sitting.table, 2, 32, 90)
    add_break(sitting.table, 5, 25)  # leaves 10 of yellow's 30 minutes, which is below the limit
    add_break(sitting.table, 40, 50)  # leaves 48 of blue's 58 minutes, which is above the limit
    course = read_course(sitting.fresh())
    times = times_of(course)
    assert times.players == {"blue": timedelta(minutes=2), "yellow": timedelta(minutes=10)}
    assert times.breaks == timedelta(minutes=30)
    assert times.pauses == timedelta(minutes=48)
    section = times_section(course)
    assert section
    assert "Breaks are left out: 30 min 0 s in all." in section.sentences


@pytest.mark.django_db
def test_undo_and_mend_keep_times_around_a_break() -> None:
    sitting = play(2, 0)
    for faction in ("blue", "yellow", "blue"):
        enter(sitting, faction, correction(1, faction))
    set_entry_times(sitting.table, 2, 12, 14)
    add_break(sitting.table, 5, 9)
    spent = {"blue": timedelta(minutes=4), "yellow": timedelta(minutes=6)}
    assert times_of(read_course(sitting.fresh())).players == spent
    for _ in range(2):
        undo(table=sitting.table, access=sitting.host)
        assert times_of(read_course(sitting.fresh())).players == spent
        assert clock_of(sitting.fresh(), []).since == minute(14)
    enter(sitting, "yellow", correction(2, "yellow"))
    set_entry_times(sitting.table, 2, 12, 14, 15)
    spent["yellow"] += timedelta(minutes=1)
    mend_first_entry(sitting)
    assert times_of(read_course(sitting.fresh())).players == spent
