"""Invalid calculator input is rejected with a readable sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.core.errors import BadInput, Refused
from games.wallenstein import CALCULATORS
from tests.core.rendering import faults
from tests.wallenstein.asking import WORDS, rejection

EXAMPLES: dict[str, dict[str, Any]] = {
    c.name: json.loads(json.dumps(c.example)) for c in CALCULATORS.calculators
}
WHOLE = "Please enter a whole number, 0 or more."  # digest 10


def changed(name: str, path: str, value: Any) -> dict[str, Any]:
    """Return an example body with another value at a path such as `thrown.red`."""
    body: dict[str, Any] = json.loads(json.dumps(EXAMPLES[name]))
    *outer, last = path.split(".")
    target = body
    for key in outer:
        target = target[key]
    target[last] = value
    return body


COUNTS = [
    *((("battle", field)) for field in ("attacker", "defender", "peasants", "unrest", "uncommitted")),
    *((("hunger", field)) for field in ("grain", "loss", "provinces")),
    *((("majorities", path)) for path in ("palace.red", "church.red", "trading_house.black")),
    *((("score", f"regions.brandenburg.{what}.red")) for what in ("provinces", "palace", "church")),
    *((("tower", path)) for path in ("unrest", "thrown.red", "cup.yellow", "in_tower.peasants")),
    *((("winner", path)) for path in ("points.red", "palaces.red", "churches.blue", "trading_houses.blue")),
]


@pytest.mark.parametrize("value", [-1, 1.5, 2.0, "3", True, None, [], {}, 10**30])
@pytest.mark.parametrize(("name", "path"), COUNTS)
def test_count_must_be_a_whole_number_not_below_zero(name: str, path: str, value: Any) -> None:
    assert rejection(name, changed(name, path, value)) == WHOLE


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("body", [None, [], "x", 3, True, {"surplus": 1}])
def test_malformed_body_is_rejected(name: str, body: Any) -> None:
    assert rejection(name, body)


@pytest.mark.parametrize("name", EXAMPLES)
def test_unknown_field_is_rejected(name: str) -> None:
    assert rejection(name, {**EXAMPLES[name], "surplus": 1}) == "There is no field “surplus” here."


PLAYERS = [
    ("majorities", "palace"),
    ("majorities", "church"),
    ("majorities", "trading_house"),
    ("score", "regions.brandenburg.provinces"),
    ("score", "regions.brandenburg.trading_house"),
    ("winner", "points"),
    ("winner", "palaces"),
    ("winner", "churches"),
    ("winner", "trading_houses"),
]
PILES = [("tower", "thrown"), ("tower", "cup"), ("tower", "in_tower")]


@pytest.mark.parametrize("colour", ["peasants", "green", "mauve", "Red", ""])
@pytest.mark.parametrize(("name", "path"), PLAYERS)
def test_unknown_player_colour_is_rejected(name: str, path: str, colour: str) -> None:
    message = rejection(name, changed(name, f"{path}.{colour}" if colour else f"{path}.", 0))
    assert message == f"There is no colour “{colour}” here; there are red, blue, yellow, purple, black."


@pytest.mark.parametrize("colour", ["green", "mauve"])
@pytest.mark.parametrize(("name", "path"), PILES)
def test_unknown_cube_colour_is_rejected(name: str, path: str, colour: str) -> None:
    message = rejection(name, changed(name, f"{path}.{colour}", 0))
    assert (
        message
        == f"There is no colour “{colour}” here; there are red, blue, yellow, purple, black, peasants."
    )


@pytest.mark.parametrize(("name", "path"), PLAYERS + PILES)
@pytest.mark.parametrize("value", [[], 3, "red", None])
def test_non_mapping_is_rejected(name: str, path: str, value: Any) -> None:
    assert "must be a table of names and values" in rejection(name, changed(name, path, value))


# Battle


def test_defender_of_an_empty_province_is_rejected() -> None:
    message = "Nobody but the peasants defends an empty province; "
    body = {"kind": "neutral", "attacker": 3, "peasants": 1}
    assert rejection("battle", {**body, "defender": 1}) == message + "1 army of a defender is entered."
    assert rejection("battle", {**body, "uncommitted": 2}) == message + "2 armies of a defender are entered."


def test_attacker_in_a_revolt_is_rejected() -> None:
    message = "In a revolt only the peasants attack; 2 armies of an attacker are entered."
    assert rejection("battle", {"kind": "revolt", "attacker": 2, "defender": 1}) == message


@pytest.mark.parametrize("name", ["battle", "tower"])
@pytest.mark.parametrize("kind", ["siege", "", None, 1, ["player"]])
def test_unknown_kind_is_rejected(name: str, kind: Any) -> None:
    assert rejection(name, changed(name, "kind", kind)) == "“kind” must be one of player, neutral, revolt."


@pytest.mark.parametrize("name", ["battle", "tower"])
def test_missing_kind_is_rejected(name: str) -> None:
    body = {k: v for k, v in EXAMPLES[name].items() if k != "kind"}
    assert rejection(name, body) == "The field “kind” is missing."


# Tower


@pytest.mark.parametrize("field", ["attacker", "defender"])
@pytest.mark.parametrize(
    ("colour", "message"),
    [
        ("green", "Green is the peasants’ colour. Please choose another."),
        ("peasants", "Green is the peasants’ colour. Please choose another."),
        ("mauve", "There is no colour “mauve” here; there are red, blue, yellow, purple, black."),
    ],
)
def test_side_must_be_a_player_colour(field: str, colour: str, message: str) -> None:
    assert rejection("tower", changed("tower", field, colour)) == message


@pytest.mark.parametrize("field", ["attacker", "defender"])
def test_missing_side_is_rejected(field: str) -> None:
    assert rejection("tower", changed("tower", field, None)) == f"The field “{field}” is missing."


def test_attacking_oneself_is_rejected() -> None:
    assert (
        rejection("tower", changed("tower", "defender", "red"))
        == "Red cannot attack a province of their own."
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"thrown": {"red": 4, "yellow": 1}},
            "Yellow does not fight here: 1 cube can only come from the cup.",
        ),
        ({"kind": "neutral"}, "Blue does not fight here: 3 cubes can only come from the cup."),
        ({"kind": "revolt"}, "Red does not fight here: 4 cubes can only come from the cup."),
    ],
)
def test_cubes_thrown_by_a_bystander_are_rejected(change: dict[str, Any], message: str) -> None:
    assert rejection("tower", {**EXAMPLES["tower"], **change}) == message


def test_more_cubes_than_exist_are_rejected() -> None:
    body = {**EXAMPLES["tower"], "thrown": {"red": 20}, "cup": {"red": 22}, "in_tower": {"red": 21}}
    assert rejection("tower", body) == "Red: 63 cubes are entered, but no colour has more than 62."
    assert rejection("tower", changed("tower", "in_tower.black", 1_000)).startswith("Black: 1000 ")


@pytest.mark.parametrize("field", ["fresh", "stuck"])
@pytest.mark.parametrize(
    "value", [-0.01, 1.01, 2, "0.3", "1/3", True, None, [], {}, float("nan"), float("inf"), 1_000]
)
def test_chance_outside_zero_to_one_is_rejected(field: str, value: Any) -> None:
    assert (
        rejection("tower", changed("tower", f"retention.{field}", value))
        == "A chance is a number from 0 to 1."
    )


def test_incomplete_retention_is_rejected() -> None:
    assert (
        rejection("tower", changed("tower", "retention", {"fresh": 0.3})) == "The field “stuck” is missing."
    )
    assert rejection("tower", changed("tower", "retention.warm", 0.3)) == "There is no field “warm” here."
    assert "must be a table" in rejection("tower", changed("tower", "retention", 0.3))


# Score and winner


def test_unknown_region_is_rejected() -> None:
    message = rejection("score", {"regions": {"Brandenburg": {}}})
    assert message == (
        "There is no region “Brandenburg”; there are brandenburg, kurpfalz, bayern, oesterreich, sachsen."
    )
    assert rejection("score", {"regions": {"bayern": {"castle": {}}}}) == "There is no field “castle” here."


def test_winner_without_players_is_rejected() -> None:
    assert rejection("winner", {"points": {}}) == "Please enter the points of at least one player."
    assert rejection("winner", {}) == "Please enter the points of at least one player."


def test_long_names_are_truncated() -> None:
    assert len(rejection("winner", {"points": {"x" * 5000: 1}})) < 200


# Options


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"house_rule": 1}, "There is no table option “house_rule”"),
        ({"grain_below_zero": 1}, "The table option “grain_below_zero” must be one of false, true."),
        ({"saved_by_peasants": "no"}, "must be one of keep, place-one, destroy."),
        ({"nothing_fell": None}, "must be one of destroy, attack-fails."),
        ([], "“options” must be a table of names and values."),
        (None, "“options” must be a table of names and values."),
    ],
)
def test_invalid_options_are_rejected(name: str, options: Any, message: str) -> None:
    assert message in rejection(name, {**EXAMPLES[name], "options": options})


# Random mutations


def mutated(value: Any, generator: random.Random) -> Any:
    """Return a body with one random defect somewhere."""
    wrong = [None, True, -1, 2.5, "x", "", [], {}, [1], {"x": 1}, 10**9, float("nan")]
    if not isinstance(value, dict) or not value or generator.random() < 0.2:
        return generator.choice(wrong)
    key = generator.choice(sorted(value))
    match generator.randrange(5):
        case 0:
            return {k: v for k, v in value.items() if k != key}
        case 1:
            return {**value, generator.choice(["surplus", "red", "green", ""]): generator.choice(wrong)}
        case _:
            return {**value, key: mutated(value[key], generator)}


def random_bodies(times: int) -> Iterator[tuple[str, Any]]:
    generator = random.Random(1)
    for _ in range(times):
        name = generator.choice(sorted(EXAMPLES))
        yield name, mutated(EXAMPLES[name], generator)


def rejection_of(name: str, body: Any) -> Refused | None:
    try:
        assert CALCULATORS.by_name[name].calculate(body).steps
    except Refused as refusal:
        return refusal
    return None


def test_mutated_bodies_are_answered_or_rejected() -> None:
    refusals = [refusal for name, body in random_bodies(3000) if (refusal := rejection_of(name, body))]
    assert len(refusals) > 1500
    for refusal in refusals:
        assert isinstance(refusal, BadInput)
        assert list(faults(WORDS, refusal.message)) == []
