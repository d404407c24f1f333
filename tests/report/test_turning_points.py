"""Turning points on courses short enough to choose them by hand."""

from __future__ import annotations

from fractions import Fraction

from companion.charts.course import Moment
from companion.report.turning_points import MOST_TURNS, Swing, Taking, chosen, swings, takings


def course(*points: tuple[int, int, int], phase: str = "turn") -> list[Moment]:
    """Rounds, and what red and blue have then."""
    return [
        Moment(number, round_, phase, {"red": Fraction(red), "blue": Fraction(blue)})
        for number, (round_, red, blue) in enumerate(points)
    ]


def test_the_entry_that_took_the_lead_and_kept_it_to_the_end_of_the_round() -> None:
    moments = course((1, 3, 1), (2, 3, 4), (2, 5, 4), (2, 5, 6), (2, 5, 8))
    assert [(t.moment.number, t.leader, t.behind) for t in takings(moments)] == [(3, "blue", "red")]


def test_a_lead_that_is_lost_within_the_round_is_none() -> None:
    assert not takings(course((1, 3, 1), (2, 3, 4), (2, 5, 4)))


def test_drawing_level_takes_no_lead_but_going_ahead_from_there_does() -> None:
    moments = course((1, 3, 1), (2, 3, 3), (3, 3, 4))
    assert [(t.moment.number, t.leader) for t in takings(moments)] == [(2, "blue")]


def test_a_swing_is_what_somebody_gained_more_than_the_others() -> None:
    moments = course((1, 0, 0), (1, 9, 8), (2, 9, 4), (2, 11, 4))
    assert [(s.moment.number, s.faction, s.change) for s in swings(moments)] == [
        (2, "blue", -4),
        (3, "red", 2),
        (1, "red", 9),
    ]


def test_what_is_dealt_out_turns_nothing() -> None:
    assert not swings(course((0, 0, 0), (0, 8, 0), (0, 8, 9), phase="setup"))


def test_few_are_chosen_and_told_in_their_order() -> None:
    moments = course(*((n, 3 * n, 5 * n if n % 2 else 0) for n in range(1, 12)))
    turns = chosen(moments)
    assert len(turns) == MOST_TURNS
    numbers = [turn.moment.number for turn in turns]
    assert numbers == sorted(set(numbers))
    assert [t.moment.number for t in turns if isinstance(t, Taking)] == [8, 9, 10], "the last three"
    left = [s for s in swings(moments) if s.moment.number not in numbers]
    taken = [t for t in turns if isinstance(t, Swing)]
    assert min(abs(t.against) for t in taken) >= max(abs(s.against) for s in left)


def test_a_game_without_points_has_none() -> None:
    assert not chosen(course((1, 0, 0), (2, 0, 0)))
