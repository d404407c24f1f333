"""The cases of the digest, part 7, that calculators answer, by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from games.signoria import CALCULATORS
from games.signoria.initiative import new_stack
from tests.signoria.asking import Desk

F = TypeVar("F", bound=Callable[..., None])
DESK = Desk(CALCULATORS)
COVERED: set[str] = set()

Y, R, B, P = "yellow", "red", "blue", "purple"
EMPTY = {"face_up": [], "face_down": 0}


def vector(number: str) -> Callable[[F], F]:
    """Mark a test with the digest case it covers."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=number)])


# 7.1: worked examples of the rulebook


@vector("EX-1")
def test_first_stack_gives_the_drawn_order() -> None:
    drawn = [Y, B, R, P]
    stack = list(new_stack(drawn))
    assert stack == [P, R, B, Y]
    assert DESK.ask("initiative", track={"0": stack}, moves=[], top=9)["order"] == drawn


@vector("EX-2")
def test_die_one_on_space_five_costs_four() -> None:
    assert DESK.ask("die-cost", space=5, die=1) == {"florins": 4}
    assert DESK.texts("die-cost", space=5, die=1) == ["The space shows 5, the die 1: pay 5 − 1 = 4 florins."]


@vector("EX-5")
def test_six_points_move_a_disc_six_spaces() -> None:
    answer = DESK.ask("initiative", track={"0": [P, R, B, Y]}, moves=[[R, 6]], top=9)
    assert answer["track"] == {"0": [P, B, Y], "6": [R]}


@vector("EX-6")
def test_one_point_moves_a_disc_onto_the_next_stack() -> None:
    answer = DESK.ask("initiative", track={"2": [B, R], "3": [Y]}, moves=[[R, 1]], top=9)
    assert answer["track"] == {"2": [B], "3": [Y, R]}


@vector("EX-13")
def test_end_score_of_the_rulebook_example() -> None:
    fields = {
        "political": {"face_up": [4, 3, 2], "face_down": 0},
        "church": {"face_up": [5, 3], "face_down": 1},
        "military": {"face_up": [5, 5], "face_down": 0},
        "marriage": {"face_up": [4], "face_down": 1},
    }
    answer = DESK.ask("end-score", men=[9, 7, 3, 13], fields=fields)
    parts = {"men": 14, "political": 9, "church": 9, "military": 0, "marriage": 0}
    assert answer == {"points": 32, "parts": parts}
    assert DESK.texts("end-score", men=[9, 7, 3, 13], fields=fields) == [
        "The men on career tracks are worth 14 points together.",
        "A man on 9 is worth half of it, rounded down: 4 points.",
        "A man on 7 is worth half of it, rounded down: 3 points.",
        "A man on 3 is worth half of it, rounded down: 1 point.",
        "A man on 13 is worth half of it, rounded down: 6 points.",
        "The political field has 3 tiles: 9 face up + 0 face down = 9 points.",
        "The church field has 3 tiles: 8 face up + 1 face down = 9 points.",
        "The military field has 2 tiles; it takes 3 to score, so 0 points.",
        "The marriage field has 2 tiles; it takes 3 to score, so 0 points.",
        "Men, political, church, military, marriage: 14, 9, 9, 0, 0; 32 points in all.",
    ]


@vector("EX-14")
def test_die_three_on_space_five_costs_two() -> None:
    assert DESK.ask("die-cost", space=5, die=3) == {"florins": 2}


@vector("EX-17")
@pytest.mark.parametrize(("members", "limit"), [(1, 16), (2, 19), (3, 22)])
def test_members_raise_the_limit(members: int, limit: int) -> None:
    dice = [6, 6, 6, limit - 18] if limit > 18 else [6, 6, limit - 12]
    assert DESK.ask("threshold", dice=dice, members=members) == {
        "total": limit,
        "limit": limit,
        "rewarded": True,
    }


# 7.2: derived cases


@vector("DX-1")
def test_die_prices_on_space_five() -> None:
    prices = [DESK.ask("die-cost", space=5, die=die)["florins"] for die in range(1, 7)]
    assert prices == [4, 3, 2, 1, 0, 0]
    assert DESK.texts("die-cost", space=5, die=6) == [
        "The space shows 5, the die 6: a die that is not lower is free."
    ]
    assert DESK.texts("die-cost", space=5, die=4) == ["The space shows 5, the die 4: pay 5 − 4 = 1 florin."]


@vector("DX-2")
def test_total_of_thirteen_is_within_the_limit() -> None:
    assert DESK.ask("threshold", dice=[6, 4, 3], members=0) == {"total": 13, "limit": 13, "rewarded": True}


@vector("DX-3")
def test_total_of_fourteen_needs_a_threshold_member() -> None:
    dice = [6, 4, 3, 1]
    assert DESK.ask("threshold", dice=dice, members=0) == {"total": 14, "limit": 13, "rewarded": False}
    assert DESK.ask("threshold", dice=dice, members=1) == {"total": 14, "limit": 16, "rewarded": True}
    assert DESK.texts("threshold", dice=dice, members=1) == [
        "The dice show 6, 4, 3, 1: 14 in all.",
        "The limit is 13 and 3 more for 1 member on the threshold space: 16.",
        "Your dice total 14; your limit is 16. You get the reward of this round.",
    ]


@vector("DX-4")
def test_empty_dice_are_within_the_limit() -> None:
    assert DESK.ask("threshold", dice=[], members=0) == {"total": 0, "limit": 13, "rewarded": True}
    assert DESK.texts("threshold", dice=[], members=0)[0] == "No dice were taken: 0 in all."


@vector("DX-5")
def test_three_moves_set_the_next_order() -> None:
    body = {"track": {"0": [P, R, B, Y]}, "moves": [[R, 2], [B, 2], [Y, 1]], "top": 9}
    answer = DESK.ask("initiative", **body)
    assert answer == {"track": {"0": [P], "1": [Y], "2": [R, B]}, "order": [B, R, Y, P]}
    assert list(new_stack(answer["order"])) == [P, Y, R, B]
    assert DESK.texts("initiative", **body) == [
        "Red has 2 progress points: the disc moves from space 0 to 2.",
        "Blue has 2 progress points: the disc moves from space 0 to 2.",
        "On space 2 Blue’s disc lies on top of Red.",
        "Yellow has 1 progress point: the disc moves from space 0 to 1.",
        "A higher space plays first, on one space the upper disc: Blue, Red, Yellow, Purple.",
        "Space 2, from the top: Blue, Red.",
        "Space 1, from the top: Yellow.",
        "Space 0, from the top: Purple.",
    ]


@vector("DX-6")
def test_disc_moves_out_of_the_middle_of_a_stack() -> None:
    answer = DESK.ask("initiative", track={"0": [P, R, B, Y]}, moves=[[R, 1]], top=9)
    assert answer["track"] == {"0": [P, B, Y], "1": [R]}


@vector("DX-7")
def test_disc_at_the_top_keeps_its_position() -> None:
    body = {"track": {"0": [P, Y], "9": [R, B]}, "moves": [[R, 2]], "top": 9}
    answer = DESK.ask("initiative", **body)
    assert answer == {"track": {"0": [P, Y], "9": [R, B]}, "order": [B, R, Y, P]}
    text = "Red’s disc is already at the top, on space 9: 2 progress points are lost."
    assert DESK.texts("initiative", **body)[0] == text


@vector("DX-10")
def test_sixth_space_does_not_move_a_disc_at_the_top() -> None:
    answer = DESK.ask("initiative", track={"5": [Y], "6": [R, B]}, moves=[[R, 1]], top=6)
    assert answer["track"] == {"5": [Y], "6": [R, B]}


@vector("DX-14")
def test_die_one_on_space_four_costs_three() -> None:
    assert DESK.ask("die-cost", space=4, die=1) == {"florins": 3}


@vector("DX-23")
def test_two_tiles_score_nothing_and_three_do() -> None:
    two = DESK.ask("end-score", men=[], fields={"church": {"face_up": [5, 5], "face_down": 0}})
    three = DESK.ask("end-score", men=[], fields={"church": {"face_up": [5, 5], "face_down": 1}})
    assert (two["points"], three["points"]) == (0, 11)


@vector("DX-24")
def test_three_face_down_tiles_score_three() -> None:
    answer = DESK.ask("end-score", men=[], fields={"marriage": {"face_up": [], "face_down": 3}})
    assert answer["parts"] == {"men": 0, "political": 0, "church": 0, "military": 0, "marriage": 3}


@vector("DX-25")
def test_each_man_is_rounded_down_separately() -> None:
    answer = DESK.ask("end-score", men=[13, 9, 7, 3, 1], fields=dict.fromkeys(("political", "church"), EMPTY))
    assert answer["parts"]["men"] == answer["points"] == 14


@vector("DX-26")
def test_move_after_restacking_counts_for_the_next_round() -> None:
    order = DESK.ask("initiative", track={"0": [P, R, B, Y]}, moves=[[R, 2], [B, 2], [Y, 1]], top=9)["order"]
    later = DESK.ask("initiative", track={"0": list(new_stack(order))}, moves=[[Y, 3]], top=9)
    assert order == [B, R, Y, P]  # fixed before the reward
    assert later["track"] == {"0": [P, R, B], "3": [Y]}
    assert later["order"] == [Y, B, R, P]  # takes effect one round later


@vector("DX-27")
def test_higher_disc_wins_a_tie() -> None:
    points = {R: 70, B: 70, Y: 61, P: 58}
    body = {"points": points, "stack": [P, R, Y, B]}
    assert DESK.ask("winner", **body) == {"ranking": [B, R, Y, P]}
    assert DESK.texts("winner", **body) == [
        "Blue is first with 70 points.",
        "Red is second with 70 points.",
        "Yellow is third with 61 points.",
        "Purple is fourth with 58 points.",
        "Level at 70 points; the higher disc in the stack is ahead: Blue, Red.",
    ]


@vector("DX-28")
def test_fourth_member_is_rejected_unless_allowed() -> None:
    sentence = "At most 3 of your members raise the threshold; the limit is never above 22."
    assert DESK.refused("threshold", dice=[6, 6, 6, 6], members=4) == ("illegal", "5.12", sentence)
    # allowed by the table option
    answer = DESK.ask("threshold", dice=[6, 6, 6, 6], members=4, options={"threshold_above_22": True})
    assert answer == {"total": 24, "limit": 25, "rewarded": True}


# Coverage

CALCULATOR_VECTORS = {"EX-1", "EX-2", "EX-5", "EX-6", "EX-13", "EX-14", "EX-17"} | {
    f"DX-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 10, 14, 23, 24, 25, 26, 27, 28)
}


def test_every_calculator_vector_is_covered() -> None:
    assert COVERED == CALCULATOR_VECTORS
