"""Bad input to the calculators: rows of the digest (part 10) and malformed bodies."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.errors import BadInput, Illegal, Refused
from games.revolution import CALCULATORS
from tests.core.rendering import faults, is_known_rule
from tests.revolution.asking import FIVE, GAME, ask, counters, refused

SUPPLY = counters("C 5, H 5, N 5, B 5, R 5, X 5")
TAXES = {"provinces": [2], "cities": 3, "rate": 3, "supply": 9}
PROVINCES = {p: {"limit": 5, "counters": 3} for p in ("artois", "cleve", "namur")}
POINTS = {"catholics": 9, "habsburgs": 8, "burghers": 7}
THREE = ["catholics", "habsburgs", "burghers"]
COLUMN = {"space": 1, "counters": {}, "supply": {}, "players": 5}
SCORE = {"faction": "nobility", "players": 5, "provinces": [1]}
INFLUENCE = {"space": 2, "order": list(FIVE), "spent": {}}

# Row of the digest, calculator, body, section, sentence

ROWS: list[tuple[int, str, dict[str, Any], str, str]] = [
    (1, "allegiance", {**COLUMN, "players": 1}, "3.0", "Revolution is for 2 to 5 players."),
    (1, "score", {**SCORE, "players": 6}, "3.0", "Revolution is for 2 to 5 players."),
    (3, "score", {**SCORE, "players": 2}, "3.1", "The Nobility is not used with 2 or 4 players."),
    (3, "score", {**SCORE, "players": 4}, "3.3", "The Nobility is not used with 2 or 4 players."),
    (
        5,
        "allegiance",
        {**COLUMN, "counters": {"burghers": 4}, "supply": {"burghers": 30}},
        "3.5",
        "Blue has 32 counters; you entered 34. Please recount.",
    ),
    (
        5,
        "allegiance",
        {**COLUMN, "counters": {"reformers": 1}, "supply": {"reformers": 40}, "players": 4},
        "3.5",
        "Orange has 40 counters; you entered 41. Please recount.",
    ),
    (
        5,
        "conflict",
        {"limit": 5, "counters": {"catholics": 57}},
        "3.5",
        "Yellow has 56 counters; you entered 57. Please recount.",
    ),
    (
        5,
        "siege",
        {"besieger": "catholics", "counters": {"habsburgs": 30}, "supply": {"habsburgs": 27}},
        "3.5",
        "Red has 56 counters; you entered 57. Please recount.",
    ),
    (
        6,
        "conflict",
        {"limit": 5, "counters": {"neutral": 48}},
        "2.2.3",
        "There are only 47 neutral counters.",
    ),
    (6, "control", {"counters": {"neutral": 48}}, "2.2.3", "There are only 47 neutral counters."),
    (
        6,
        "siege",
        {"besieger": "catholics", "counters": {"neutral": 3}, "supply": {"neutral": 45}},
        "2.2.3",
        "There are only 47 neutral counters.",
    ),
    (
        6,
        "neutrals",
        {"round": 1, "supply": 48, "provinces": {}},
        "2.2.3",
        "There are only 47 neutral counters.",
    ),
    (
        6,
        "neutrals",
        {"round": 1, "supply": 33, "provinces": {}, "options": {"neutral_pool": 32}},
        "2.2.3",
        "There are only 32 neutral counters.",
    ),
    *(
        (18, "taxes", {**TAXES, "rate": rate}, "6.1", "Choose one rate from 1 to 3 for all your cities.")
        for rate in (0, 4, -1, 1.5, None, True, "1", [1, 2, 2])
    ),
    (19, "taxes", TAXES, "6.1", "Rate 3 needs 11 counters; you have 9 in supply."),
    (24, "recruit-cost", {"faction": "reformers", "armies": 4}, "6.4", "At most 3 new armies per round."),
    (
        51,
        "neutrals",
        {"round": 2, "supply": 2, "provinces": PROVINCES, "order_choice": ["cleve"]},
        "6.12",
        "Choose exactly 2 different provinces.",
    ),
    (
        51,
        "neutrals",
        {"round": 2, "supply": 5, "provinces": PROVINCES, "order_choice": ["cleve", "cleve", "atlantis"]},
        "6.12",
        "Choose exactly 2 different provinces.",
    ),
    (
        51,
        "neutrals",
        {"round": 0, "supply": 2, "provinces": PROVINCES},
        "5.4",
        "Choose exactly 2 different provinces.",
    ),
    *(
        (
            52,
            "influence",
            {**INFLUENCE, "spent": {"catholics": coins}},
            "6.16",
            "Enter a whole number of coins, 0 or more.",
        )
        for coins in (-1, 0.5, "1", None, True)
    ),
    *(
        (
            55,
            "turn-order",
            {"points": POINTS, "order": THREE, "choices": choices},
            "6.20",
            f"Choose a place from 1 to {most}.",
        )
        for choices, most in (([2, 0], 2), ([-1, 0], 2), ([0, 3], 3), ([0, -1], 3))
    ),
    *(
        (
            56,
            "neutrals",
            {"round": 1, "supply": 5, "provinces": {"zeeland": zeeland}},
            "2.3.1",
            "Enter the limit printed in the shield of Zeeland.",
        )
        for zeeland in ({"counters": 1}, {"limit": -1, "counters": 1}, {"limit": 1.5, "counters": 1})
    ),
    *(
        (57, "score", {**SCORE, "provinces": [1, card]}, "5.8", "A province card shows 0, 0.5 or 1.")
        for card in (2, 0.25, -0.5, "1", None, True)
    ),
]


@pytest.mark.parametrize(
    ("name", "body", "rule", "sentence"),
    [row[1:] for row in ROWS],
    ids=[f"{row[0]}-{row[1]}" for row in ROWS],
)
def test_digest_row_is_refused(name: str, body: dict[str, Any], rule: str, sentence: str) -> None:
    assert refused(name, body) == (rule, sentence)
    assert is_known_rule(GAME, rule)


# Errors without a row in the digest

ALLIANCES: list[list[list[str]]] = [
    [["catholics", "reformers"]],
    [["catholics"]],
    [[]],
    [["catholics", "habsburgs", "nobility"]],
    [["catholics", "habsburgs"], ["habsburgs", "catholics"]],
]
ALLIED: list[tuple[str, dict[str, Any]]] = [
    ("battle", {"armies": {}}),
    ("siege", {"besieger": "catholics", "counters": {}, "supply": {}}),
]
SENTENCES: list[tuple[str, dict[str, Any], str]] = [
    ("influence", {**INFLUENCE, "space": 0}, "The chart has columns 1 to 7."),
    ("influence", {**INFLUENCE, "space": 8}, "The chart has columns 1 to 7."),
    ("allegiance", {**COLUMN, "space": 8}, "The chart has columns 1 to 7."),
    (
        "influence",
        {**INFLUENCE, "order": ["catholics", "catholics"]},
        "The play order names each faction once, out of catholics, habsburgs, nobility, burghers, reformers.",
    ),
    (
        "turn-order",
        {"points": {}, "order": ["catholics", "neutral"]},
        "The play order names each faction once, out of catholics, habsburgs, nobility, burghers, reformers.",
    ),
    (
        "influence",
        {**INFLUENCE, "order": ["catholics"], "spent": {"reformers": 1}},
        "Reformers: not in the play order.",
    ),
    ("turn-order", {"points": {"nobility": 3}, "order": THREE}, "Nobility: not in the play order."),
    (
        "turn-order",
        {"points": POINTS, "order": THREE, "choices": [0]},
        "Choose 2 places, one for each card after the first.",
    ),
    (
        "turn-order",
        {"points": POINTS, "order": THREE, "choices": [0, 1, 2]},
        "Choose 2 places, one for each card after the first.",
    ),
    *(
        (
            name,
            {**body, "allies": allies},
            "Only the two factions of one player are allied: Catholics with Habsburgs, Burghers with Reformers.",
        )
        for name, body in ALLIED
        for allies in ALLIANCES
    ),
    (
        "conflict",
        {"limit": 5, "counters": {"spaniards": 1}},
        "There is no “spaniards” here; there are catholics, habsburgs, nobility, burghers, reformers, neutral.",
    ),
    ("battle", {"armies": {"catholics": 100}}, "No faction has more than 8 armies. Please recount."),
    ("neutrals", {"round": 6, "supply": 5, "provinces": {}}, "Rounds go from 0 to 5."),
    (
        "siege",
        {"besieger": "neutral", "counters": {}, "supply": {}},
        "“besieger” must be one of catholics, habsburgs, nobility, burghers, reformers, water-beggars.",
    ),
    (
        "recruit-cost",
        {"faction": "neutral", "armies": 1},
        "“faction” must be one of catholics, habsburgs, nobility, burghers, reformers.",
    ),
    *(
        (
            "taxes",
            {**TAXES, "provinces": [value]},
            "“provinces[0]” must be a number of 0 or more with at most two decimals.",
        )
        for value in (-0.5, -1, 0.125, 1e300, float("nan"), float("inf"), 1000.5)
    ),
    ("taxes", {**TAXES, "provinces": [1001]}, "A number here can be at most 1000."),
    ("taxes", {**TAXES, "provinces": [10**400]}, "A number here can be at most 1000."),
    (
        "turn-order",
        {"points": POINTS, "order": THREE, "choices": [0.5, 0]},
        "Please enter a whole number.",
    ),
    (
        "turn-order",
        {"points": {"catholics": -1}, "order": THREE},
        "“points.catholics” must be a number of 0 or more with at most two decimals.",
    ),
    ("taxes", {**TAXES, "provinces": ["1"]}, "“provinces[0]” must be a number."),
    ("taxes", {**TAXES, "provinces": [True]}, "“provinces[0]” must be a number."),
]


@pytest.mark.parametrize(("name", "body", "sentence"), SENTENCES)
def test_other_error_is_refused(name: str, body: dict[str, Any], sentence: str) -> None:
    assert refused(name, body)[1] == sentence


# Malformed input to every calculator


def malformed(body: Any) -> list[Any]:
    """Return bodies with one error each: unknown field, negative number, fraction, or wrong type."""
    if isinstance(body, dict):
        changed = [{**body, "nonsense": 1}]
        return changed + [{**body, key: value} for key in body for value in malformed(body[key])]
    if isinstance(body, list):
        return [
            [*body[:i], value, *body[i + 1 :]] for i in range(len(body)) for value in malformed(body[i])
        ] + [7]
    if isinstance(body, bool):
        return [1, "yes", None]
    if isinstance(body, str):
        return ["nonsense", 1, None]
    return [-1, body + 0.125, str(body), None, [], 10**9]


UNCHECKED_FIELDS = ("order_choice", "choices")  # unknown names are ignored; null means none


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_every_calculator_refuses_malformed_bodies(calculator: Any) -> None:
    example = calculator.example
    kept = {key: example[key] for key in UNCHECKED_FIELDS if key in example}
    bodies = [
        {**body, **kept} for body in malformed({key: example[key] for key in example if key not in kept})
    ]
    not_objects: list[Any] = [
        [],
        None,
        3,
        "x",
        {**example, "options": []},
        {**example, "options": {"x": 1}},
    ]
    for body in [*bodies, *not_objects]:
        with pytest.raises(Refused) as refusal:
            calculator.calculate(body)
        assert isinstance(refusal.value, BadInput | Illegal)
        assert list(faults(GAME, refusal.value.message)) == []


def test_unknown_options_and_values_are_refused() -> None:
    body: dict[str, Any] = {"counters": {}, "options": {"house_rule": True}}
    assert refused("control", body)[1].startswith(
        "There is no table option “house_rule”; there are placement"
    )
    body = {"counters": {}, "options": {"neutral_pool": 48}}
    assert refused("control", body)[1].startswith("The table option “neutral_pool” must be one of 0, 1, 2")


def test_missing_fields_default_to_none() -> None:
    assert ask("conflict", limit=3, counters={}) == {"left": {}, "removed": {}}
    assert ask("battle", armies={}) == {"left": {}, "lost": {}, "standoff": False}
    assert ask("control", counters={}) == {"holder": None}
    assert ask("influence", space=4, order=[], spent={}) == {"space": 4}
    assert ask("neutrals", round=1, supply=3, provinces={}) == {"placed": {}}
    assert ask("neutrals", round=1, supply=9, provinces={"p": {"limit": 4}}) == {"placed": {"p": 4}}
    assert ask("turn-order", points={}, order=THREE) == {"laying": THREE}
    assert ask("turn-order", points={}, order=[], choices=[]) == {"laying": [], "order": []}
    assert ask("new-units")["allowance"] == 0
    assert ask("new-units", supply=9) == {
        "allowance": 7,
        "parts": {"cities": 0, "towns": 0, "countryside": 0, "support": 0},
    }
    assert ask("taxes") == {"collected": 0}
    assert ask("taxes", provinces=[2], supply=1) == {"collected": 1}
    assert ask("recruit-cost", faction="burghers") == {"cost": 0}
    assert ask("score", faction="nobility", players=3)["points"] == 0
    for space in range(1, 8):
        answer = ask("allegiance", space=space, counters={}, supply={}, players=3)
        assert answer == {"counters": {"neutral": 0}, "supply": {"neutral": 0}}
    for besieger in (*FIVE, "water-beggars"):
        answer = ask("siege", besieger=besieger, counters={}, supply={})
        assert answer == {"counters": {"neutral": 0}, "supply": {"neutral": 0}}
