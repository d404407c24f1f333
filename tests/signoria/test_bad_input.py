"""Bodies that calculators reject: the rows of the digest, part 10, and malformed input."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.errors import BadInput
from games.signoria import CALCULATORS
from tests.signoria.asking import Desk

DESK = Desk(CALCULATORS)

COUNT = "Please enter a whole number, 0 or more."
COLOURS = "yellow, red, blue, purple"
TRACK = {"0": ["red", "blue"]}
GOOD: dict[str, dict[str, Any]] = {
    "die-cost": {"space": 5, "die": 1},
    "initiative": {"track": TRACK, "moves": [["red", 1]], "top": 9},
    "threshold": {"dice": [6, 4, 3], "members": 0},
    "end-score": {"men": [9], "fields": {"church": {"face_up": [2, 3], "face_down": 1}}},
    "winner": {"points": {"red": 1, "blue": 2}, "stack": ["red", "blue"]},
}
# The other fields default to 0 or empty.
REQUIRED = {"space", "die", "track", "top", "stack"}


# Digest, part 10


@pytest.mark.parametrize("die", [0, 7, 1000])
def test_b6_die_face_outside_one_to_six_is_rejected(die: int) -> None:
    refusal = ("bad-input", "5.1", "A die shows 1 to 6.")
    assert DESK.refused("die-cost", space=5, die=die) == refusal
    assert DESK.refused("threshold", dice=[1, die], members=0) == refusal


def test_b3_fifth_die_is_rejected() -> None:
    sentence = "You have taken 4 dice. You have to pass."
    assert DESK.refused("threshold", dice=[1, 1, 1, 1, 1], members=0) == ("illegal", "5.1", sentence)
    assert DESK.ask("threshold", dice=[1, 1, 1, 1], members=0)["total"] == 4


def test_b36_dice_above_the_limit_get_no_reward() -> None:
    sentence = "Your dice total 15; your limit is 13. No reward this round."
    assert DESK.texts("threshold", dice=[6, 6, 3], members=0)[-1] == sentence


@pytest.mark.parametrize("value", [0, 1, 6])
def test_b42_face_up_value_outside_two_to_five_is_rejected(value: int) -> None:
    refusal = DESK.refused("end-score", men=[], fields={"military": {"face_up": [2, value, 3]}})
    assert refusal == ("bad-input", "6.1", "A face-up tile shows 2 to 5.")


# Further cases


@pytest.mark.parametrize("space", [0, 7])
def test_action_space_number_outside_one_to_six_is_rejected(space: int) -> None:
    assert DESK.refused("die-cost", space=space, die=1) == (
        "bad-input",
        "5.1",
        "An action space shows 1 to 6.",
    )


@pytest.mark.parametrize("number", [0, 14])
def test_career_number_outside_1_to_13_is_rejected(number: int) -> None:
    refusal = DESK.refused("end-score", men=[3, number], fields={})
    assert refusal == ("bad-input", "6.1", "A career space shows 1 to 13.")


@pytest.mark.parametrize("space", ["", "x", "-1", "1.5", "01", "+1", " 1", "１", "1" * 60])
def test_malformed_initiative_space_is_rejected(space: str) -> None:
    kind, rule, sentence = DESK.refused("initiative", track={space: ["red"]}, moves=[], top=9)
    assert (kind, rule) == ("bad-input", "5.5")
    assert sentence == f"“{space[:40]}” is not a space of the initiative track; the bottom one is 0."


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            {"track": {"7": ["red"]}, "moves": [], "top": 6},
            "The last space of the track is 6; there is no space 7.",
        ),
        ({"track": {"0": ["red", "red"]}, "moves": [], "top": 6}, "Red’s disc is on the track twice."),
        ({"track": {"0": ["red"], "1": ["red"]}, "moves": [], "top": 6}, "Red’s disc is on the track twice."),
        (
            {"track": TRACK, "moves": [["purple", 1]], "top": 6},
            "Purple’s disc is not on the initiative track.",
        ),
        ({"track": {}, "moves": [], "top": 6}, "Name at least one player."),
        ({"track": {"0": []}, "moves": [], "top": 6}, "Name at least one player."),
    ],
)
def test_impossible_initiative_track_is_rejected(body: dict[str, Any], sentence: str) -> None:
    assert DESK.refused("initiative", **body) == ("bad-input", "5.5", sentence)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"points": {"green": 1}, "stack": ["red"]}, f"“green” must be one of {COLOURS}."),
        ({"points": {"red": 1}, "stack": []}, "Red’s disc is missing from the stack."),
        ({"points": {"red": 1, "blue": 2}, "stack": ["blue"]}, "Red’s disc is missing from the stack."),
        ({"points": {"red": 1}, "stack": ["red", "blue", "red"]}, "Red’s disc is in the stack twice."),
        ({"points": {}, "stack": []}, "Name at least one player."),
    ],
)
def test_impossible_stack_is_rejected(body: dict[str, Any], sentence: str) -> None:
    assert DESK.refused("winner", **body) == ("bad-input", "6.2", sentence)


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        *[("die-cost", {"space": bad}, COUNT) for bad in (-1, 1.5, 5.0, "5", None, True, [5], 10**30)],
        ("die-cost", {"die": -1}, COUNT),
        ("die-cost", {"die": 1.5}, COUNT),
        ("initiative", {"top": -1}, COUNT),
        ("initiative", {"top": 8.5}, COUNT),
        ("initiative", {"moves": [["red", -1]]}, COUNT),
        ("initiative", {"moves": [["red", 0.5]]}, COUNT),
        ("initiative", {"moves": [["red"]]}, "“moves[0]” must be a list of the right length."),
        ("initiative", {"moves": [["red", 1, 1]]}, "“moves[0]” must be a list of the right length."),
        ("initiative", {"moves": [["green", 1]]}, f"“moves[0][0]” must be one of {COLOURS}."),
        ("initiative", {"moves": {"red": 1}}, "“moves” must be a list of the right length."),
        ("initiative", {"track": {"0": ["green"]}}, f"“track.0[0]” must be one of {COLOURS}."),
        ("initiative", {"track": [["red"]]}, "“track” must be a table of names and values."),
        ("initiative", {"track": {"0": "red"}}, "“track.0” must be a list of the right length."),
        ("threshold", {"dice": [6, -4]}, COUNT),
        ("threshold", {"dice": [6, 2.5]}, COUNT),
        ("threshold", {"dice": 6}, "“dice” must be a list of the right length."),
        ("threshold", {"members": -1}, COUNT),
        ("threshold", {"members": 0.5}, COUNT),
        ("end-score", {"men": [-3]}, COUNT),
        ("end-score", {"men": [3.5]}, COUNT),
        ("end-score", {"fields": {"diplomacy": {}}}, "There is no field “diplomacy” here."),
        ("end-score", {"fields": {"church": {"sideways": 1}}}, "There is no field “sideways” here."),
        ("end-score", {"fields": {"church": {"face_up": [2.5]}}}, COUNT),
        ("end-score", {"fields": {"church": {"face_down": -1}}}, COUNT),
        ("end-score", {"fields": {"church": 3}}, "“church” must be a table of names and values."),
        ("winner", {"points": {"red": -1}}, COUNT),
        ("winner", {"points": {"red": 0.5}}, COUNT),
        ("winner", {"stack": ["red", "green"]}, f"“stack[1]” must be one of {COLOURS}."),
    ],
)
def test_malformed_body_is_rejected(name: str, change: dict[str, Any], sentence: str) -> None:
    kind, _, text = DESK.refused(name, **{**GOOD[name], **change})
    assert (kind, text) == ("bad-input", sentence)


@pytest.mark.parametrize("name", list(GOOD))
def test_unknown_or_missing_field_is_rejected(name: str) -> None:
    assert DESK.ask(name, **GOOD[name])
    assert DESK.refused(name, **GOOD[name], surplus=1)[2] == "There is no field “surplus” here."
    for missing in set(GOOD[name]) & REQUIRED:
        body = {key: value for key, value in GOOD[name].items() if key != missing}
        assert DESK.refused(name, **body)[2] == f"The field “{missing}” is missing."


@pytest.mark.parametrize("name", list(GOOD))
@pytest.mark.parametrize("body", [None, 3, "x", [], [1]])
def test_body_that_is_not_an_object_is_rejected(name: str, body: Any) -> None:
    with pytest.raises(BadInput):
        CALCULATORS.by_name[name].calculate(body)


@pytest.mark.parametrize("name", list(GOOD))
def test_unknown_or_invalid_option_is_rejected(name: str) -> None:
    assert DESK.ask(name, **GOOD[name], options={"threshold_above_22": True})
    assert DESK.refused(name, **GOOD[name], options={"x": 1})[2] == (
        "There is no table option “x”; there are threshold_above_22."
    )
    assert DESK.refused(name, **GOOD[name], options={"threshold_above_22": 1})[0] == "bad-input"
    assert DESK.refused(name, **GOOD[name], options=[])[0] == "bad-input"
