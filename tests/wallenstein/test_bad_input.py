"""Entries that cannot be: each refused with a sentence, never with a stack trace."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.core.errors import BadInput, Refused
from games.wallenstein import CALCULATORS
from tests.core.rendering import faults
from tests.wallenstein.asking import WORDS, refused

EXAMPLES: dict[str, dict[str, Any]] = {
    c.name: json.loads(json.dumps(c.example)) for c in CALCULATORS.calculators
}
WHOLE = "Please enter a whole number, 0 or more."  # digest 10


def changed(name: str, path: str, value: Any) -> dict[str, Any]:
    """An example with another value at a path such as ``thrown.red``."""
    body: dict[str, Any] = json.loads(json.dumps(EXAMPLES[name]))
    *outer, last = path.split(".")
    here = body
    for key in outer:
        here = here[key]
    here[last] = value
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
def test_a_count_is_a_whole_number_not_below_zero(name: str, path: str, value: Any) -> None:
    assert refused(name, changed(name, path, value)) == WHOLE


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("body", [None, [], "x", 3, True, {"surplus": 1}])
def test_something_else_than_a_body(name: str, body: Any) -> None:
    assert refused(name, body)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_field_too_many(name: str) -> None:
    assert refused(name, {**EXAMPLES[name], "surplus": 1}) == "There is no field “surplus” here."


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
def test_nobody_plays_this_colour(name: str, path: str, colour: str) -> None:
    said = refused(name, changed(name, f"{path}.{colour}" if colour else f"{path}.", 0))
    assert said == f"There is no colour “{colour}” here; there are red, blue, yellow, purple, black."


@pytest.mark.parametrize("colour", ["green", "mauve"])
@pytest.mark.parametrize(("name", "path"), PILES)
def test_no_cubes_have_this_colour(name: str, path: str, colour: str) -> None:
    said = refused(name, changed(name, f"{path}.{colour}", 0))
    assert (
        said == f"There is no colour “{colour}” here; there are red, blue, yellow, purple, black, peasants."
    )


@pytest.mark.parametrize(("name", "path"), PLAYERS + PILES)
@pytest.mark.parametrize("value", [[], 3, "red", None])
def test_a_map_is_a_map(name: str, path: str, value: Any) -> None:
    assert "must be a table of names and values" in refused(name, changed(name, path, value))


# Battle


def test_an_empty_province_has_no_defender() -> None:
    said = "Nobody but the peasants defends an empty province; "
    body = {"kind": "neutral", "attacker": 3, "peasants": 1}
    assert refused("battle", {**body, "defender": 1}) == said + "1 army of a defender is entered."
    assert refused("battle", {**body, "uncommitted": 2}) == said + "2 armies of a defender are entered."


def test_a_revolt_has_no_attacker() -> None:
    said = "In a revolt only the peasants attack; 2 armies of an attacker are entered."
    assert refused("battle", {"kind": "revolt", "attacker": 2, "defender": 1}) == said


@pytest.mark.parametrize("name", ["battle", "tower"])
@pytest.mark.parametrize("kind", ["siege", "", None, 1, ["player"]])
def test_there_are_three_kinds(name: str, kind: Any) -> None:
    assert refused(name, changed(name, "kind", kind)) == "“kind” must be one of player, neutral, revolt."


@pytest.mark.parametrize("name", ["battle", "tower"])
def test_the_kind_is_asked_for(name: str) -> None:
    body = {k: v for k, v in EXAMPLES[name].items() if k != "kind"}
    assert refused(name, body) == "The field “kind” is missing."


# Tower


@pytest.mark.parametrize("field", ["attacker", "defender"])
@pytest.mark.parametrize(
    ("colour", "said"),
    [
        ("green", "Green is the peasants’ colour. Please choose another."),
        ("peasants", "Green is the peasants’ colour. Please choose another."),
        ("mauve", "There is no colour “mauve” here; there are red, blue, yellow, purple, black."),
    ],
)
def test_only_players_attack_and_defend(field: str, colour: str, said: str) -> None:
    assert refused("tower", changed("tower", field, colour)) == said


@pytest.mark.parametrize("field", ["attacker", "defender"])
def test_a_side_is_asked_for(field: str) -> None:
    assert refused("tower", changed("tower", field, None)) == f"The field “{field}” is missing."


def test_nobody_attacks_themselves() -> None:
    assert (
        refused("tower", changed("tower", "defender", "red")) == "Red cannot attack a province of their own."
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"thrown": {"red": 4, "yellow": 1}},
            "Yellow does not fight here: 1 cube can only come from the cup.",
        ),
        ({"kind": "neutral"}, "Blue does not fight here: 3 cubes can only come from the cup."),
        ({"kind": "revolt"}, "Red does not fight here: 4 cubes can only come from the cup."),
    ],
)
def test_only_those_who_fight_throw(change: dict[str, Any], said: str) -> None:
    assert refused("tower", {**EXAMPLES["tower"], **change}) == said


def test_nobody_has_so_many_cubes() -> None:
    body = {**EXAMPLES["tower"], "thrown": {"red": 20}, "cup": {"red": 22}, "in_tower": {"red": 21}}
    assert refused("tower", body) == "Red: 63 cubes are entered, but no colour has more than 62."
    assert refused("tower", changed("tower", "in_tower.black", 1_000)).startswith("Black: 1000 ")


@pytest.mark.parametrize("field", ["fresh", "stuck"])
@pytest.mark.parametrize(
    "value", [-0.01, 1.01, 2, "0.3", "1/3", True, None, [], {}, float("nan"), float("inf"), 1_000]
)
def test_a_chance_is_between_zero_and_one(field: str, value: Any) -> None:
    assert (
        refused("tower", changed("tower", f"retention.{field}", value)) == "A chance is a number from 0 to 1."
    )


def test_both_chances_are_asked_for() -> None:
    assert refused("tower", changed("tower", "retention", {"fresh": 0.3})) == "The field “stuck” is missing."
    assert refused("tower", changed("tower", "retention.warm", 0.3)) == "There is no field “warm” here."
    assert "must be a table" in refused("tower", changed("tower", "retention", 0.3))


# Score and winner


def test_there_are_five_regions() -> None:
    said = refused("score", {"regions": {"Brandenburg": {}}})
    assert said == (
        "There is no region “Brandenburg”; there are brandenburg, kurpfalz, bayern, oesterreich, sachsen."
    )
    assert refused("score", {"regions": {"bayern": {"castle": {}}}}) == "There is no field “castle” here."


def test_somebody_plays() -> None:
    assert refused("winner", {"points": {}}) == "Please enter the points of at least one player."
    assert refused("winner", {}) == "Please enter the points of at least one player."


def test_long_names_are_cut() -> None:
    assert len(refused("winner", {"points": {"x" * 5000: 1}})) < 200


# Options


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"house_rule": 1}, "There is no table option “house_rule”"),
        ({"grain_below_zero": 1}, "The table option “grain_below_zero” must be one of false, true."),
        ({"saved_by_peasants": "no"}, "must be one of keep, place-one, destroy."),
        ({"nothing_fell": None}, "must be one of destroy, attack-fails."),
        ([], "“options” must be a table of names and values."),
        (None, "“options” must be a table of names and values."),
    ],
)
def test_options_are_read_strictly(name: str, options: Any, said: str) -> None:
    assert said in refused(name, {**EXAMPLES[name], "options": options})


# Whatever comes


def spoiled(value: Any, generator: random.Random) -> Any:
    """A body in which something, somewhere, is something else."""
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
            return {**value, key: spoiled(value[key], generator)}


def many(times: int) -> Iterator[tuple[str, Any]]:
    generator = random.Random(1)
    for _ in range(times):
        name = generator.choice(sorted(EXAMPLES))
        yield name, spoiled(EXAMPLES[name], generator)


def refusal_of(name: str, body: Any) -> Refused | None:
    try:
        assert CALCULATORS.by_name[name].calculate(body).steps
    except Refused as refusal:
        return refusal
    return None


def test_whatever_comes_is_answered_or_refused() -> None:
    refusals = [refusal for name, body in many(3000) if (refusal := refusal_of(name, body))]
    assert len(refusals) > 1500
    for refusal in refusals:
        assert isinstance(refusal, BadInput)
        assert list(faults(WORDS, refusal.message)) == []
