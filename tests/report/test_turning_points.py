"""Turning points of short courses that were worked out by hand."""

from __future__ import annotations

from fractions import Fraction

from companion.charts.course import Moment
from companion.report.turning_points import (
    MOST_TURNS,
    LeadChange,
    Swing,
    lead_changes,
    swings,
    turning_points_of,
)


def course(*points: tuple[int, int, int], phase: str = "turn") -> list[Moment]:
    """Return moments from tuples of round, points of red and points of blue."""
    return [
        Moment(number, round_, phase, {"red": Fraction(red), "blue": Fraction(blue)})
        for number, (round_, red, blue) in enumerate(points)
    ]


def test_lead_change_is_at_the_entry_after_which_the_lead_lasts() -> None:
    moments = course((1, 3, 1), (2, 3, 4), (2, 5, 4), (2, 5, 6), (2, 5, 8))
    assert [(t.moment.number, t.leader, t.behind) for t in lead_changes(moments)] == [(3, "blue", "red")]


def test_lead_lost_within_the_round_is_no_lead_change() -> None:
    assert not lead_changes(course((1, 3, 1), (2, 3, 4), (2, 5, 4)))


def test_tie_is_no_lead_change_but_breaking_it_is() -> None:
    moments = course((1, 3, 1), (2, 3, 3), (3, 3, 4))
    assert [(t.moment.number, t.leader) for t in lead_changes(moments)] == [(2, "blue")]


def test_swings_are_sorted_by_change_relative_to_the_others() -> None:
    moments = course((1, 0, 0), (1, 9, 8), (2, 9, 4), (2, 11, 4))
    assert [(s.moment.number, s.faction, s.change) for s in swings(moments)] == [
        (2, "blue", -4),
        (3, "red", 2),
        (1, "red", 9),
    ]


def test_points_given_during_setup_are_no_swing() -> None:
    assert not swings(course((0, 0, 0), (0, 8, 0), (0, 8, 9), phase="setup"))


def test_largest_turning_points_are_chosen_in_chronological_order() -> None:
    moments = course(*((n, 3 * n, 5 * n if n % 2 else 0) for n in range(1, 12)))
    turns = turning_points_of(moments)
    assert len(turns) == MOST_TURNS
    numbers = [turn.moment.number for turn in turns]
    assert numbers == sorted(set(numbers))
    assert [t.moment.number for t in turns if isinstance(t, LeadChange)] == [8, 9, 10], "the last three"
    omitted = [s for s in swings(moments) if s.moment.number not in numbers]
    included = [t for t in turns if isinstance(t, Swing)]
    assert min(abs(t.relative) for t in included) >= max(abs(s.relative) for s in omitted)


def test_game_without_points_has_no_turning_points() -> None:
    assert not turning_points_of(course((1, 0, 0), (2, 0, 0)))
