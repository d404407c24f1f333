"""Battles and revolts: general properties, and comparison with the slow implementation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from games.core.ledger import Ledger, Places
from games.wallenstein.battle import Battle, Sides, battle_steps, resolve
from tests.wallenstein import slow
from tests.wallenstein.asking import acts, ask, flat, moves, steps_of, texts

OWNERS = ("attacker", "defender", "peasants")


def small() -> Iterator[dict[str, Any]]:
    """Yield every battle of a few cubes."""
    for kind, a, d, p, unrest, u in product(
        ("player", "neutral", "revolt"), *[range(4)] * 3, range(3), range(2)
    ):
        if (kind == "neutral" and (d or u)) or (kind == "revolt" and a):
            continue
        yield {"kind": kind, "attacker": a, "defender": d, "peasants": p, "unrest": unrest, "uncommitted": u}


def large(times: int, seed: int) -> Iterator[dict[str, Any]]:
    generator = random.Random(seed)
    for _ in range(times):
        kind = generator.choice(["player", "player", "neutral", "revolt"])
        yield {
            "kind": kind,
            "attacker": 0 if kind == "revolt" else generator.randrange(25),
            "defender": 0 if kind == "neutral" else generator.randrange(25),
            "peasants": generator.randrange(20),
            "unrest": generator.randrange(5),
            "uncommitted": 0 if kind == "neutral" else generator.randrange(9),
        }


def test_battle_matches_slow_implementation() -> None:
    for body in (*small(), *large(3000, seed=1)):
        assert ask("battle", **body) == slow.battle(**body), body


def test_cubes_are_conserved() -> None:
    for body in (*small(), *large(500, seed=2)):
        answer = ask("battle", **body)
        home, stay = answer["back_to_supply"], answer["stay_in_cup"]
        stands = body["uncommitted"] if answer["province"] == "held" else 0
        everything = sum(body[who] for who in OWNERS) + body["uncommitted"]
        assert sum(home.values()) + sum(stay.values()) + answer["survivors"] + stands == everything
        assert min(*home.values(), *stay.values(), answer["survivors"]) >= 0


def test_moves_produce_the_reported_result() -> None:
    """Applied to a ledger, the moves lead to the cup, supplies and province of the answer."""
    for body in (*small(), *large(200, seed=3)):
        answer = ask("battle", **body)
        before = [(who, "army", "cup", body[who]) for who in OWNERS]
        before.append(("defender", "army", "here", body["uncommitted"]))
        ledger = Ledger.of(Places(), before).move(*moves(steps_of("battle", **body)))
        assert {who: ledger.count(who, "army", "supply") for who in OWNERS} == answer["back_to_supply"]
        cup = {holding.owner: holding.count for holding in ledger.at("cup")}
        assert cup == {who: n for who, n in answer["stay_in_cup"].items() if n}
        stands = {holding.owner: holding.count for holding in ledger.at("here")}
        owner = "attacker" if answer["province"] == "conquered" else "defender"
        kept = body["uncommitted"] if answer["province"] == "held" else 0
        assert stands == ({owner: answer["survivors"] + kept} if answer["survivors"] + kept else {})


def test_winner_loses_the_strength_of_the_loser() -> None:
    """Surviving armies and helpers are the difference in strength; none survive a level battle (9.7)."""
    for body in large(500, seed=4):
        answer = ask("battle", **body)
        if body["kind"] != "player" or answer["winner"] == "none":
            assert answer["winner"] != "none" or answer["survivors"] == 0
            continue
        helpers = body["peasants"] if body["unrest"] <= 1 else 0
        difference = abs(body["attacker"] - body["defender"] - helpers)
        green = max(0, helpers - body["attacker"]) if answer["winner"] == "defender" else 0
        assert answer["survivors"] + green == difference


def test_winning_attacker_keeps_at_least_one_army() -> None:
    for body in small():
        answer = ask("battle", **body)
        if answer["province"] == "conquered":
            assert answer["survivors"] >= 1


def test_sides_are_symmetric_when_peasants_watch() -> None:
    other = {"attacker": "defender", "defender": "attacker", "none": "none"}
    for a, d in product(range(8), repeat=2):
        answer = ask("battle", kind="player", attacker=a, defender=d, peasants=3, unrest=2)
        swapped = ask("battle", kind="player", attacker=d, defender=a, peasants=3, unrest=2)
        assert other[answer["winner"]] == swapped["winner"]
        assert answer["survivors"] == swapped["survivors"]


def test_peasants_with_more_cubes_win_a_revolt() -> None:
    assert ask("battle", kind="revolt", defender=2, peasants=3, uncommitted=1) == {
        "winner": "peasants",
        "survivors": 0,
        "back_to_supply": {"attacker": 0, "defender": 3, "peasants": 3},
        "stay_in_cup": {"peasants": 0},
        "province": "destroyed",
    }


# Names of a table


def test_steps_use_the_names_of_the_table() -> None:
    battle = Battle("player", attacker=4, defender=2, peasants=1, uncommitted=2)
    steps = battle_steps(battle, resolve(battle), Sides("blue", "red", "province:passau"))
    assert [(m.owner, m.source, m.target, m.count) for m in moves(steps)] == [
        ("blue", "cup", "supply", 3),
        ("red", "cup", "supply", 2),
        ("peasants", "cup", "supply", 1),
        ("blue", "cup", "province:passau", 1),
        ("red", "province:passau", "supply", 2),
    ]
    assert texts(steps)[2:] == [
        "Blue wins 4 to 3, conquers the province and puts 1 army on it.",
        "The 2 armies Red kept out of the battle go to the supply as well.",
    ]
    assert [act.hand for step in flat(steps) for act in step.acts] == ["blue"]


# Options

SAVED = {"kind": "player", "attacker": 1, "defender": 0, "peasants": 2, "unrest": 1}


def options_of(body: dict[str, Any]) -> list[str]:
    return [option for step in flat(steps_of("battle", **body)) for option in step.options]


def test_place_one_option_puts_an_army_on_a_saved_province() -> None:
    body = {**SAVED, "options": {"saved_by_peasants": "place-one"}}
    assert ask("battle", **body) == ask("battle", **SAVED)
    assert ("defender", "supply", "here", 1) in [
        (m.owner, m.source, m.target, m.count) for m in moves(steps_of("battle", **body))
    ]
    assert options_of(body) == ["saved_by_peasants"]


def test_destroy_option_destroys_a_saved_province() -> None:
    body = {**SAVED, "options": {"saved_by_peasants": "destroy"}}
    assert ask("battle", **body) == {**ask("battle", **SAVED), "province": "destroyed"}
    assert acts(steps_of("battle", **body)) != []


@pytest.mark.parametrize("other", [{"defender": 1}, {"uncommitted": 1}, {"attacker": 2}, {"unrest": 2}])
def test_saved_by_peasants_option_needs_peasants_alone(other: dict[str, int]) -> None:
    for value in ("place-one", "destroy"):
        body = {**SAVED, **other, "options": {"saved_by_peasants": value}}
        assert ask("battle", **body) == ask("battle", **{**SAVED, **other})
        assert options_of(body) == []
        assert not any(move.source == "supply" for move in moves(steps_of("battle", **body)))


@pytest.mark.parametrize("kind", ["player", "revolt"])
def test_attack_fails_option_applies_when_no_cube_fell(kind: str) -> None:
    body: dict[str, Any] = {"kind": kind, "uncommitted": 3}
    assert ask("battle", **body)["province"] == "destroyed"
    assert ask("battle", **body)["back_to_supply"]["defender"] == 3
    spared = {**body, "options": {"nothing_fell": "attack-fails"}}
    assert ask("battle", **spared)["province"] == "held"
    assert ask("battle", **spared)["winner"] == "none"
    assert ask("battle", **spared)["back_to_supply"]["defender"] == 0
    assert options_of(spared) == options_of(body) == ["nothing_fell"]
    level = {**body, "defender": 2, ("attacker" if kind == "player" else "peasants"): 2}
    assert ask("battle", **level, options={"nothing_fell": "attack-fails"}) == ask("battle", **level)


def test_empty_province_stays_neutral_when_no_cube_fell() -> None:
    body = {"kind": "neutral", "options": {"nothing_fell": "attack-fails"}}
    assert ask("battle", **body)["province"] == "neutral"
    assert options_of(body) == []


def test_watching_peasants_do_not_count_for_either_side() -> None:
    body = {"kind": "player", "peasants": 2, "unrest": 2}
    assert ask("battle", **body)["province"] == "destroyed"
    assert ask("battle", **body)["stay_in_cup"] == {"peasants": 2}
