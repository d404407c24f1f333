"""Calculator examples of the API contract, verbatim, and properties of every answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import pytest

from games.core.calculators import Calculator, Counts, Flag, Group, Input, Number, Order, Pick, Rows, Settings
from games.wallenstein import CALCULATORS
from games.wallenstein.calculators import (
    BattleBody,
    HungerBody,
    MajoritiesBody,
    ScoreBody,
    TowerBody,
    WinnerBody,
)
from games.wallenstein.options import DIGEST, OPTIONS, read_reading
from games.wallenstein.pieces import FACTIONS, REGIONS
from tests.core.rendering import faults, is_known_rule
from tests.wallenstein.asking import WORDS, acts, ask, flat, messages, moves, steps_of, texts

TOWER = {
    "in_tower": {"red": 7, "blue": 7, "peasants": 10},
    "cup": {},
    "thrown": {"red": 4, "blue": 3},
    "attacker": "red",
    "defender": "blue",
    "unrest": 0,
    "kind": "player",
    "retention": {"fresh": 0.333, "stuck": 0.667},
}

# Examples

EXAMPLES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "battle",
        {"attacker": 3, "defender": 4, "peasants": 1, "unrest": 0, "kind": "player", "uncommitted": 0},
        {
            "winner": "defender",
            "survivors": 2,
            "back_to_supply": {"attacker": 3, "defender": 2, "peasants": 1},
            "stay_in_cup": {"peasants": 0},
            "province": "held",
        },
    ),
    (
        "hunger",
        {"grain": 5, "loss": 2, "provinces": 5},
        {"grain": 3, "shortage": 2, "revolts": 1, "extra_rebels": 2},
    ),
    (
        "majorities",
        {"palace": {"red": 2, "blue": 2}, "church": {"red": 1}, "trading_house": {"blue": 1, "black": 1}},
        {"points": {"red": 4, "blue": 2, "black": 0}},
    ),
    (
        "score",
        {
            "regions": {
                "brandenburg": {
                    "provinces": {"red": 3},
                    "palace": {"red": 1},
                    "church": {"red": 1},
                    "trading_house": {},
                }
            }
        },
        {"points": {"red": 10}, "parts": {"red": {"provinces": 3, "buildings": 2, "majorities": 5}}},
    ),
    (
        "winner",
        {"points": {"red": 1}, "palaces": {}, "churches": {}, "trading_houses": {}},
        {"winners": ["red"]},
    ),
]


@pytest.mark.parametrize(("name", "body", "expected"), EXAMPLES, ids=[name for name, _, _ in EXAMPLES])
def test_contract_example_gives_the_documented_answer(
    name: str, body: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert ask(name, **body) == expected


def test_tower_answer_has_the_documented_fields() -> None:
    answer = ask("tower", **TOWER)
    assert list(answer) == ["win", "expected_survivors"]
    assert list(answer["win"]) == ["attacker", "defender", "none"]
    assert list(answer["expected_survivors"]) == ["attacker", "defender"]
    assert sum(answer["win"].values()) == pytest.approx(1, abs=1e-12)


def test_calculators_are_those_of_the_contract() -> None:
    names = {"battle", "hunger", "majorities", "score", "tower", "winner"}
    assert set(CALCULATORS.by_name) == names
    assert len(CALCULATORS.calculators) == len(names)
    assert (CALCULATORS.slug, CALCULATORS.name) == ("wallenstein", "Wallenstein")


# Defaults


@pytest.mark.parametrize(
    ("name", "short", "full"),
    [
        ("battle", {"kind": "revolt", "defender": 2}, {"kind": "revolt", "attacker": 0, "defender": 2, "peasants": 0}),
        ("hunger", {"provinces": 2}, {"provinces": 2, "grain": 0, "loss": 0}),
        ("majorities", {"palace": {"red": 1}}, {"palace": {"red": 1}, "church": {"red": 0}, "trading_house": {}}),
        ("score", {"regions": {"bayern": {"palace": {"red": 1}}}}, {"regions": {"bayern": {"palace": {"red": 1}, "church": {}}}}),
        ("winner", {"points": {"red": 1}, "palaces": {"blue": 2}}, {"points": {"red": 1, "blue": 0}, "palaces": {"blue": 2}}),
    ],
)  # fmt: skip
def test_missing_fields_count_as_zero(name: str, short: dict[str, Any], full: dict[str, Any]) -> None:
    assert ask(name, **short) == ask(name, **full)


def test_every_player_of_the_body_is_in_the_answer() -> None:
    counts = {"red": 0, "black": 0}
    for building in ("palace", "church", "trading_house"):
        assert ask("majorities", **{building: counts})["points"] == counts
    answer = ask("score", regions={"sachsen": {"provinces": {"red": 0}}, "bayern": {"church": {"blue": 0}}})
    assert answer["points"] == {"red": 0, "blue": 0}
    nothing = {"provinces": 0, "buildings": 0, "majorities": 0}
    assert answer["parts"] == {"red": nothing, "blue": nothing}


def test_body_without_players_gets_an_empty_answer() -> None:
    assert ask("majorities", palace={}) == {"points": {}}
    assert ask("score", regions={}) == {"points": {}, "parts": {}}
    assert texts(steps_of("score", regions={})) == ["Nobody owns a province or a building: no points."]


# Steps


def bodies() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield bodies that together produce every message."""
    yield from ((name, body) for name, body, _ in EXAMPLES)
    yield from ((c.name, dict(c.example)) for c in CALCULATORS.calculators)
    for cubes in ((4, 2, 1), (2, 4, 1), (2, 2, 0), (0, 0, 0), (1, 0, 2), (0, 0, 2), (3, 2, 2)):
        for unrest in (0, 1, 2):
            attacker, defender, peasants = cubes
            options = {"saved_by_peasants": ("keep", "place-one", "destroy")[unrest]}
            fallen = {"unrest": 0 if attacker == 1 else unrest, "peasants": peasants}
            yield (
                "battle",
                {"kind": "player", "attacker": attacker, "defender": defender, **fallen, "options": options},
            )
            yield "battle", {"kind": "neutral", "attacker": attacker, **fallen}
            yield "battle", {"kind": "revolt", "defender": defender, **fallen, "uncommitted": 2}
    yield "battle", {"kind": "player", "options": {"nothing_fell": "attack-fails"}}
    yield "tower", {**TOWER, "kind": "neutral", "thrown": {"red": 2, "peasants": 1}}
    yield "tower", {**TOWER, "kind": "revolt", "thrown": {"blue": 2, "peasants": 1}, "unrest": 2}
    yield "tower", {**TOWER, "unrest": 2}
    for grain, loss, provinces in ((0, 0, 0), (5, 0, 5), (5, 6, 3), (0, 0, 1), (0, 0, 20)):
        body = {"grain": grain, "loss": loss, "provinces": provinces}
        yield "hunger", body
        yield "hunger", {**body, "options": {"grain_below_zero": True}}
    yield "majorities", {"palace": {"red": 1, "blue": 1}}
    yield "score", {"regions": {}}
    yield "score", {"regions": {"bayern": {"provinces": {"red": 10}}, "sachsen": {"palace": {"red": 2}}}}
    yield "winner", {"points": {"red": 3, "blue": 3, "black": 1}}


@pytest.mark.parametrize(("name", "body"), list(bodies()))
def test_steps_are_complete_and_renderable(name: str, body: dict[str, Any]) -> None:
    steps = steps_of(name, **body)
    assert steps
    for step in flat(steps):
        assert is_known_rule(WORDS, step.rule)
        assert set(step.options) <= {option.name for option in OPTIONS}
    for message in messages(steps):
        assert list(faults(WORDS, message)) == []
    for move in moves(steps):
        assert move.count > 0
        assert {move.source, move.target} <= {"here", "cup", "supply"}
        assert f"faction:{move.owner}" in CALCULATORS.texts.names
        assert f"piece:{move.piece}" in CALCULATORS.texts.names


REFUSALS = {"green", "unknown-colour", "unknown-region", "not-a-chance", "no-defender", "no-attacker"}
REFUSALS |= {"against-oneself", "bystander", "too-many-cubes", "nobody-plays"}


def test_every_message_code_is_used() -> None:
    used = {message.code for name, body in bodies() for message in messages(steps_of(name, **body))}
    used.add("more-peasants")  # nested in another message
    defined = {code for code in CALCULATORS.texts.messages if "." not in code and code != "place"}
    assert used | REFUSALS == defined


def test_steps_show_the_arithmetic() -> None:
    body = {"kind": "player", "attacker": 3, "defender": 4, "peasants": 1, "unrest": 1}
    assert texts(steps_of("battle", **body)) == [
        "With 1 unrest marker on the province the peasants fight for Defender.",
        "Attacker 3 against Defender 4 and 1 of the peasants, 5 together.",
        "Defender wins 5 to 3 and puts 2 armies back on the province.",
        "Defender’s side loses 3, the peasants first: 1 of them, then armies: 2.",
    ]
    hungry = steps_of("hunger", grain=5, loss=2, provinces=5)
    assert texts(hungry) == [
        "Grain 5 minus 2 leaves 3.",
        "Provinces 5, grain 3: 2 are missing.",
        "Shortage 2: 1 province revolts, with 2 peasant armies more than it has unrest markers.",
    ]
    assert acts(hungry) == [
        "Move the grain marker to 3.",
        "Shuffle your province cards without the blank ones and draw 1.",
    ]
    winner = {"points": {"red": 60, "blue": 60, "black": 9}, "palaces": {"red": 4, "blue": 4, "black": 9}}
    assert texts(steps_of("winner", **winner, churches={"blue": 1})) == [
        "Most points, 60 each: Red, Blue.",
        "Most palaces, 4 each: Red, Blue.",
        "Blue wins: most churches, 1.",
    ]


def test_score_steps_show_the_majorities() -> None:
    region = {"provinces": {"red": 3, "blue": 1}, "palace": {"red": 1, "blue": 1}, "church": {"red": 2}}
    assert texts(steps_of("score", regions={"oesterreich": region})) == [
        "Majorities in Österreich",
        "Palaces: Red, Blue have most, 1 each: 2 points each.",
        "Churches: Red alone has most, 2: 2 points.",
        "Red has 10 points: 3 from provinces, 3 from buildings, 4 from majorities.",
        "Blue has 4 points: 1 from provinces, 1 from buildings, 2 from majorities.",
    ]


def test_tower_steps_show_odds_per_hundred_battles() -> None:
    body = {
        **TOWER,
        "in_tower": {},
        "thrown": {"red": 1, "blue": 0},
        "retention": {"fresh": 0.25, "stuck": 0.5},
    }
    assert texts(steps_of("tower", **body)) == [
        "With 0 unrest markers on the province the peasants fight for Blue.",
        "Red: 1 thrown in, of which 75 in 100 fall out; 0 inside, of which 50 in 100 fall out.",
        "Blue: 0 thrown in, of which 75 in 100 fall out; 0 inside, of which 50 in 100 fall out.",
        "Peasants: 0 thrown in, of which 75 in 100 fall out; 0 inside, of which 50 in 100 fall out.",
        "Of 100 such battles about 75 go to Red, 0 to Blue, 25 to nobody.",
        "In 100 such battles about 75 cubes of Red and 0 of Blue are left in all.",
    ]


# Forms


def input_names(inputs: Sequence[Input]) -> Iterator[str]:
    for item in inputs:
        yield item.name
        if isinstance(item, Group | Rows):
            yield from input_names(item.inputs)


def fits(item: Input, value: Any) -> bool:
    """Return True if a form with this input could send this value."""
    match item:
        case Number():
            return bool(
                item.low <= value <= item.high and round(value / item.by) * item.by == pytest.approx(value)
            )
        case Pick():
            return value in item.options
        case Counts():
            return set(value) <= set(item.keys) and all(item.low <= n <= item.high for n in value.values())
        case Group():
            return all(fits(inner, value[inner.name]) for inner in item.inputs if inner.name in value)
        case Flag() | Order() | Rows():
            return False


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_form_covers_the_body_and_its_example_is_valid(calculator: Calculator[Any]) -> None:
    names = [item.name for item in calculator.inputs if not isinstance(item, Settings)]
    assert set(names) == {f.name for f in fields(calculator.body)} - {"options"}
    assert set(calculator.example) == set(names)
    inputs = [item for item in calculator.inputs if item.name in names]
    assert all(fits(item, calculator.example[item.name]) for item in inputs)
    assert calculator.calculate(json.loads(json.dumps(calculator.example))).steps
    assert is_known_rule(WORDS, calculator.rule)
    for name in input_names(inputs):
        assert f"input.{name}" in CALCULATORS.texts.messages
    assert f"calculator.{calculator.name}" in CALCULATORS.texts.messages


def test_every_form_choice_has_a_name() -> None:
    for item in (i for c in CALCULATORS.calculators for i in c.inputs):
        if isinstance(item, Pick):
            assert all(f"{item.kind}:{option}" in CALCULATORS.texts.names for option in item.options)
        if isinstance(item, Counts):
            assert all(f"{item.kind}:{key}" in CALCULATORS.texts.names for key in item.keys)


def test_colours_and_regions_are_those_of_the_contract() -> None:
    assert FACTIONS == ("red", "blue", "yellow", "purple", "black")
    assert set(REGIONS) == {"brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen"}
    names = CALCULATORS.texts.names
    assert all(f"faction:{faction}" in names for faction in (*FACTIONS, "peasants"))
    assert all(f"region:{region}" in names for region in REGIONS)


# Options


def test_the_defaults_are_those_of_the_digest() -> None:
    assert read_reading({}) == DIGEST
    assert {option.question for option in OPTIONS} == {"A-09", "A-14", "A-15"}
    assert all(f"option.{option.name}" in CALCULATORS.texts.messages for option in OPTIONS)


@pytest.mark.parametrize("body", [BattleBody, HungerBody, MajoritiesBody, ScoreBody, TowerBody, WinnerBody])
def test_every_calculator_accepts_table_options(body: type[Any]) -> None:
    calculator = next(c for c in CALCULATORS.calculators if c.body is body)
    options = {option.name: option.default for option in OPTIONS}
    assert calculator.calculate({**calculator.example, "options": options}) == calculator.calculate(
        calculator.example
    )
