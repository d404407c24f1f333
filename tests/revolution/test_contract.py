"""The calculators' contract: exact names, bodies and answers, and the steps that explain them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.core.calculators import Counts, Flag, Group, Input, Keyed, Number, Order, Pick, Rows, Settings
from games.core.codec import to_json
from games.core.messages import Plural
from games.core.steps import read_step, step_json
from games.revolution import CALCULATORS
from games.revolution.options import OPTIONS
from tests.core.rendering import faults, is_known_rule
from tests.revolution.asking import FIVE, GAME, TWO_PLAYERS, ask, flat

CONTRACT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "conflict",
        {"limit": 5, "counters": {"catholics": 3, "habsburgs": 1, "neutral": 2}},
        {
            "left": {"catholics": 3, "habsburgs": 0, "neutral": 2},
            "removed": {"catholics": 0, "habsburgs": 1, "neutral": 0},
        },
    ),
    (
        "battle",
        {"armies": {"catholics": 1, "habsburgs": 2, "burghers": 2}, "allies": []},
        {
            "left": {"catholics": 0, "habsburgs": 1, "burghers": 0},
            "lost": {"catholics": 1, "habsburgs": 1, "burghers": 2},
            "standoff": False,
        },
    ),
    (
        "battle",
        {"armies": {"catholics": 1, "habsburgs": 2, "burghers": 1}, "allies": TWO_PLAYERS},
        {
            "left": {"catholics": 0, "habsburgs": 2, "burghers": 0},
            "lost": {"catholics": 1, "habsburgs": 0, "burghers": 1},
            "standoff": False,
        },
    ),
    (
        "influence",
        {
            "space": 2,
            "order": list(FIVE),
            "spent": {"catholics": 1, "habsburgs": 1, "nobility": 1, "burghers": 2, "reformers": 3},
        },
        {"space": 5},
    ),
    (
        "allegiance",
        {"space": 1, "counters": {"reformers": 1}, "supply": {"catholics": 5, "neutral": 3}, "players": 5},
        {
            "counters": {"catholics": 1, "reformers": 0, "neutral": 0},
            "supply": {"catholics": 4, "reformers": 1, "neutral": 3},
        },
    ),
    ("control", {"counters": {"catholics": 3, "neutral": 2}}, {"holder": "catholics"}),
    ("control", {"counters": {"catholics": 2, "neutral": 2}}, {"holder": None}),
    (
        "new-units",
        {
            "cities": [{"links_held": 0}, {"links_held": 2}],
            "towns": 1,
            "countryside": 8,
            "support": 2,
            "supply": 30,
        },
        {"allowance": 8, "parts": {"cities": 4, "towns": 1, "countryside": 1, "support": 2}},
    ),
    ("recruit-cost", {"faction": "catholics", "armies": 2}, {"cost": 7}),
    ("taxes", {"provinces": [1, 0.5, 0.5], "cities": 3, "rate": 2, "supply": 20}, {"collected": 8}),
    (
        "siege",
        {
            "besieger": "habsburgs",
            "counters": {"burghers": 3},
            "supply": {"habsburgs": 5, "neutral": 9},
            "allies": [],
        },
        {
            "counters": {"habsburgs": 2, "burghers": 0, "neutral": 1},
            "supply": {"habsburgs": 3, "burghers": 3, "neutral": 8},
        },
    ),
    (
        "siege",
        {"besieger": "water-beggars", "counters": {"burghers": 3}, "supply": {}},
        {"counters": {"burghers": 0, "neutral": 0}, "supply": {"burghers": 3, "neutral": 0}},
    ),
    (
        "neutrals",
        {
            "round": 1,
            "supply": 10,
            "order_choice": ["holland"],
            "provinces": {"holland": {"limit": 8, "counters": 5}},
        },
        {"placed": {"holland": 3}},
    ),
    (
        "turn-order",
        {
            "points": {"catholics": 10, "habsburgs": 7.5, "burghers": 8},
            "order": ["burghers", "catholics", "habsburgs"],
            "choices": [0, 1],
        },
        {
            "laying": ["catholics", "burghers", "habsburgs"],
            "order": ["burghers", "habsburgs", "catholics"],
        },
    ),
    (
        "turn-order",
        {"points": {"catholics": 10, "burghers": 8}, "order": ["burghers", "catholics"]},
        {"laying": ["catholics", "burghers"]},
    ),
    (
        "score",
        {
            "faction": "nobility",
            "players": 5,
            "cities": 2,
            "provinces": [1, 0.5],
            "minor_provinces": [0.5],
            "final": False,
            "objective": 7,
        },
        {"points": 6.5, "parts": {"cities": 2, "provinces": 1.5, "minor_provinces": 0, "objective": 3}},
    ),
]
IDS = [f"{name}-{i}" for i, (name, _, _) in enumerate(CONTRACT)]


@pytest.mark.parametrize(("name", "body", "answer"), CONTRACT, ids=IDS)
def test_contract_example(name: str, body: dict[str, Any], answer: dict[str, Any]) -> None:
    assert ask(name, **body) == answer


def test_calculator_names() -> None:
    assert list(CALCULATORS.by_name) == [
        "conflict",
        "battle",
        "influence",
        "allegiance",
        "control",
        "new-units",
        "recruit-cost",
        "taxes",
        "siege",
        "neutrals",
        "turn-order",
        "score",
    ]
    assert CALCULATORS.slug == "revolution"


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_form_example_is_complete_and_accepted(calculator: Any) -> None:
    answer = calculator.calculate(calculator.example)
    assert answer.steps
    entries = [entry for entry in calculator.inputs if not isinstance(entry, Settings)]
    ordered = {entry.order for entry in entries if isinstance(entry, Keyed)}
    assert {_name(entry) for entry in entries} | ordered == set(calculator.example)
    assert is_known_rule(GAME, calculator.rule)


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_every_input_has_a_label(calculator: Any) -> None:
    messages, names = CALCULATORS.texts.messages, CALCULATORS.texts.names
    assert f"calculator.{calculator.name}" in messages
    for entry in _all_inputs(calculator.inputs):
        if isinstance(entry, Settings):
            continue
        assert not _name(entry) or f"input.{_name(entry)}" in messages
        if isinstance(entry, Counts | Order):
            assert all(f"{entry.kind}:{key}" in names for key in entry.keys)
        if isinstance(entry, Pick) and entry.kind:
            assert all(f"{entry.kind}:{option}" in names for option in entry.options)


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_every_answer_has_a_label(calculator: Any) -> None:
    data = calculator.calculate(calculator.example).data
    assert all(f"answer.{key}" in CALCULATORS.texts.messages for key in data)
    assert all(f"part:{part}" in CALCULATORS.texts.names for part in data.get("parts", ()))


def _name(entry: Input) -> str:
    return entry.name


def _all_inputs(inputs: tuple[Input, ...]) -> list[Input]:
    flattened: list[Input] = []
    for entry in inputs:
        assert isinstance(entry, Number | Flag | Pick | Counts | Order | Rows | Keyed | Group | Settings)
        flattened.append(entry)
        if isinstance(entry, Rows | Group):
            flattened += _all_inputs(entry.inputs)
    return flattened


# JSON numbers: integers where whole, otherwise exact decimals


def test_points_are_added_exactly() -> None:
    answer = ask(
        "score",
        faction="burghers",
        players=4,
        cities=0,
        provinces=[0.5, 0.5],
        minor_provinces=[0.1, 0.2],
        final=True,
        objective=0,
    )
    assert answer["points"] == 1.3
    assert answer["parts"] == {"cities": 0, "provinces": 1, "minor_provinces": 0.3, "objective": 0}
    assert [type(answer["parts"][part]) for part in ("provinces", "minor_provinces")] == [int, float]


def test_tenths_of_a_tax_are_added_exactly() -> None:
    assert ask("taxes", provinces=[0.1] * 10, cities=0, supply=9) == {"collected": 1}


@pytest.mark.parametrize("rate", [0, 9, None, "two", 1.5])
def test_rate_is_ignored_without_cities(rate: Any) -> None:
    assert ask("taxes", provinces=[1.5], cities=0, rate=rate, supply=3) == {"collected": 1}


def test_choice_is_ignored_without_shortage() -> None:
    provinces = {"holland": {"limit": 8, "counters": 5}, "zeeland": {"limit": 3, "counters": 1}}
    for supply, choice in ((5, ["atlantis", "holland", "holland"]), (47, []), (0, [])):
        answer = ask("neutrals", round=1, supply=supply, order_choice=choice, provinces=provinces)
        assert sum(answer["placed"].values()) == min(5, supply)


def test_choice_skips_full_and_repeated_provinces() -> None:
    provinces = {
        p: {"limit": 5, "counters": 5 - need} for p, need in (("a", 1), ("b", 3), ("c", 3), ("d", 3))
    }
    body = {"round": 4, "supply": 6, "provinces": provinces}
    answer = ask("neutrals", **body, order_choice=["a", "d", "d", "b", "c"])
    assert answer == {"placed": {"a": 1, "b": 2, "c": 1, "d": 2}}


# Options


def test_every_calculator_accepts_every_option() -> None:
    defaults = {option.name: option.default for option in OPTIONS}
    assert len(defaults) == 14
    for calculator in CALCULATORS.calculators:
        plain = calculator.calculate(calculator.example)
        assert calculator.calculate({**calculator.example, "options": defaults}) == plain
        assert calculator.calculate({**calculator.example, "options": {}}) == plain


# Steps


@pytest.mark.parametrize(("name", "body", "answer"), CONTRACT, ids=IDS)
def test_steps_are_worded_and_have_a_known_rule(
    name: str, body: dict[str, Any], answer: dict[str, Any]
) -> None:
    steps = list(flat(CALCULATORS.by_name[name].calculate(body).steps))
    assert steps
    for step in steps:
        assert is_known_rule(GAME, step.rule)
        assert list(faults(GAME, step.message)) == []
        assert read_step(step_json(step)) == step


def test_answers_are_json() -> None:
    for name, body, _ in CONTRACT:
        data = CALCULATORS.by_name[name].calculate(body).data
        assert to_json(data) == data


def test_conflict_moves_match_removed_counters() -> None:
    answer = CALCULATORS.by_name["conflict"].calculate(CONTRACT[0][1])
    removed: Counter[str] = Counter()
    for step in answer.steps:
        for move in step.all_moves():
            assert (move.piece, move.source, move.target) == ("counter", "here", "supply")
            removed[move.owner] += move.count
    assert removed == Counter({"habsburgs": 1})


def test_every_wording_is_text() -> None:
    assert all(isinstance(wording, str | Plural) for wording in CALCULATORS.texts.messages.values())
    assert all(f"option.{option.name}" in CALCULATORS.texts.messages for option in OPTIONS)
