"""Odds of the tower: against every fate of every cube, and against cubes thrown one by one."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from games.wallenstein.tower import RULE_OF_THUMB, binomial, total
from tests.wallenstein import slow
from tests.wallenstein.asking import ask

THUMB = {"fresh": 1 / 3, "stuck": 2 / 3}
COLOURS = (*slow.COLOURS, "peasants")


def odds(**body: Any) -> dict[str, Any]:
    """With the contract's names, against a player and with the rule of thumb where nothing else is said."""
    named = {"kind": "player", "attacker": "red", "defender": "blue", "retention": THUMB}
    return ask("tower", **{**named, **body})


def by_fates(body: dict[str, Any]) -> dict[str, Any]:
    cubes = slow.cubes_of([body["thrown"], body["cup"]], body["in_tower"], body["retention"])
    return slow.odds(body["kind"], cubes, body["attacker"], body["defender"], body["unrest"])


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[part] == pytest.approx(other[part], abs=1e-12) for part in ("win", "expected_survivors"))


def small(generator: random.Random, most: int) -> dict[str, Any]:
    """A battle with a few cubes of all colours, thrown in, in the cup and inside."""
    kind = generator.choice(["player", "player", "neutral", "revolt"])
    attacker, defender = generator.sample(slow.COLOURS, 2)
    fighting = {"player": [attacker, defender, "peasants"], "neutral": [attacker, "peasants"]}
    piles: dict[str, Counter[str]] = {"thrown": Counter(), "cup": Counter(), "in_tower": Counter()}
    for _ in range(generator.randrange(most + 1)):
        pile = generator.choice(list(piles))
        colours = fighting.get(kind, [defender, "peasants"])
        if pile != "thrown" and generator.random() < 0.3:
            colours = list(COLOURS)
        piles[pile][generator.choice(colours)] += 1
    retention = {"fresh": generator.random(), "stuck": generator.random()}
    named = {"kind": kind, "attacker": attacker, "defender": defender, "unrest": generator.randrange(4)}
    return {**named, **piles, "retention": retention}


# Every fate of every cube


def test_the_same_as_all_fates_together() -> None:
    generator = random.Random(1)
    for _ in range(150):
        body = small(generator, most=9)
        assert same(odds(**body), by_fates(body)), body


def test_one_cube_against_none() -> None:
    answer = odds(thrown={"red": 1}, retention={"fresh": 0.25, "stuck": 0.5})
    assert answer["win"] == {"attacker": 0.75, "defender": 0, "none": 0.25}
    assert answer["expected_survivors"] == {"attacker": 0.75, "defender": 0}


def test_memory_of_the_tower() -> None:
    """The figures of the rule of thumb: 5 against 3, then with 4 cubes of the defender inside; peasants ignored."""
    empty = odds(thrown={"red": 5, "blue": 3}, unrest=2)
    assert [round(100 * empty["win"][side]) for side in ("attacker", "none", "defender")] == [74, 18, 8]
    stuck = odds(thrown={"red": 5, "blue": 3}, in_tower={"blue": 4}, unrest=2)
    assert [round(100 * stuck["win"][side]) for side in ("attacker", "none", "defender")] == [39, 24, 37]


def test_without_a_retention_the_rule_of_thumb_holds() -> None:
    body = {"kind": "player", "attacker": "red", "defender": "blue", "thrown": {"red": 3, "blue": 2}}
    assert ask("tower", **body) == ask("tower", **body, retention=THUMB)
    assert (RULE_OF_THUMB.fresh, RULE_OF_THUMB.stuck) == (1 / 3, 2 / 3)


# Thrown one by one

CASES: dict[str, dict[str, Any]] = {
    "the contract's": {
        "kind": "player",
        "unrest": 0,
        "in_tower": {"red": 7, "blue": 7, "peasants": 10},
        "cup": {},
        "thrown": {"red": 4, "blue": 3},
        "retention": {"fresh": 0.333, "stuck": 0.667},
    },
    "with unrest and a cup": {
        "kind": "player",
        "unrest": 2,
        "in_tower": {"red": 3, "blue": 1, "peasants": 6, "black": 4},
        "cup": {"red": 1, "blue": 2, "yellow": 2},
        "thrown": {"red": 6, "blue": 5},
        "retention": {"fresh": 0.4, "stuck": 0.8},
    },
    "for an empty province": {
        "kind": "neutral",
        "unrest": 0,
        "in_tower": {"red": 2, "blue": 5, "peasants": 4},
        "cup": {"peasants": 1},
        "thrown": {"red": 4, "peasants": 1},
        "retention": THUMB,
    },
    "a revolt": {
        "kind": "revolt",
        "unrest": 1,
        "in_tower": {"red": 5, "blue": 2, "peasants": 5},
        "cup": {"blue": 1},
        "thrown": {"blue": 4, "peasants": 3},
        "retention": THUMB,
    },
}


def thrown_often(body: dict[str, Any], times: int, seed: int) -> tuple[Counter[str], dict[str, list[int]]]:
    """Who won how often, and what was left on either side each time it was anything."""
    chance = random.Random(seed).random
    cubes = slow.cubes_of([body["thrown"], body["cup"]], body["in_tower"], body["retention"])
    known: dict[tuple[int, int, int], dict[str, Any]] = {}
    wins: Counter[str] = Counter()
    left: dict[str, list[int]] = {"attacker": [], "defender": []}
    for _ in range(times):
        out = [colour for colour, stays in cubes if chance() >= stays]
        key = (out.count("red"), out.count("blue"), out.count("peasants"))
        if key not in known:
            known[key] = slow.fought(body["kind"], out, "red", "blue", body["unrest"])
        result = known[key]
        wins[slow.side_of(body["kind"], result["winner"])] += 1
        if result["survivors"]:
            left[result["winner"]].append(result["survivors"])
    return wins, left


def agrees(body: dict[str, Any], times: int, seed: int) -> None:
    """Within five standard errors, in which one in a million fails by chance; the seed is fixed."""
    answer = odds(**body)
    wins, left = thrown_often(body, times, seed)
    for side, p in answer["win"].items():
        assert abs(wins[side] / times - p) <= 5 * sqrt(p * (1 - p) / times), side
    for side, mean in answer["expected_survivors"].items():
        assert abs(sum(left[side]) / times - mean) <= 5 * error(left[side], times), side


def error(numbers: Sequence[int], times: int) -> float:
    """The standard error of a mean; what is not in the list was 0."""
    mean = sum(numbers) / times
    return sqrt((sum(n * n for n in numbers) / times - mean**2) / times)


@pytest.mark.parametrize("case", CASES)
def test_the_same_as_a_hundred_thousand_throws(case: str) -> None:
    agrees(CASES[case], 100_000, seed=1618)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_the_same_as_a_million_throws(case: str) -> None:
    agrees(CASES[case], 1_000_000, seed=1648)


@pytest.mark.long
def test_the_same_as_all_fates_of_more_cubes() -> None:
    generator = random.Random(2)
    for _ in range(60):
        body = small(generator, most=14)
        assert same(odds(**body), by_fates(body)), body


# What always holds


def test_chances_add_up() -> None:
    generator = random.Random(3)
    for _ in range(300):
        answer = odds(**small(generator, most=60))
        assert sum(answer["win"].values()) == pytest.approx(1, abs=1e-12)
        assert all(-1e-15 <= p <= 1 + 1e-12 for p in answer["win"].values())
        assert all(n >= 0 for n in answer["expected_survivors"].values())


def test_who_attacks_does_not_matter_when_peasants_watch() -> None:
    generator = random.Random(4)
    for _ in range(100):
        body = {**small(generator, most=30), "kind": "player", "unrest": 2}
        one = odds(**body)
        other = odds(**{**body, "attacker": body["defender"], "defender": body["attacker"]})
        for part in ("win", "expected_survivors"):
            assert one[part]["attacker"] == pytest.approx(other[part]["defender"], abs=1e-12)
            assert one[part]["defender"] == pytest.approx(other[part]["attacker"], abs=1e-12)
        assert one["win"]["none"] == pytest.approx(other["win"]["none"], abs=1e-12)


def test_colours_and_bystanders_do_not_matter() -> None:
    plain = odds(thrown={"red": 4, "blue": 3}, in_tower={"peasants": 3})
    other = odds(
        attacker="black",
        defender="purple",
        thrown={"black": 4, "purple": 3},
        in_tower={"peasants": 3, "red": 7, "yellow": 5},
        cup={"blue": 6},
    )
    assert plain == other


def test_one_more_attacker_never_hurts() -> None:
    generator = random.Random(5)
    for _ in range(100):
        body = {**small(generator, most=20), "kind": "player"}
        more = {**body, "thrown": body["thrown"] + Counter([body["attacker"]])}
        assert odds(**more)["win"]["attacker"] >= odds(**body)["win"]["attacker"] - 1e-12
        assert odds(**more)["win"]["defender"] <= odds(**body)["win"]["defender"] + 1e-12


def test_a_tower_without_chance_is_a_battle() -> None:
    """Everything falls out, or nothing but what is thrown in."""
    generator = random.Random(6)
    for _ in range(200):
        body = small(generator, most=25)
        piles = [
            body["thrown"],
            body["cup"],
            *([body["in_tower"]] if (all_fall := generator.random() < 0.5) else []),
        ]
        out = list(sum(piles, Counter()).elements())
        result = slow.fought(body["kind"], out, body["attacker"], body["defender"], body["unrest"])
        answer = odds(**{**body, "retention": {"fresh": 0, "stuck": 0 if all_fall else 1}})
        assert answer["win"][slow.side_of(body["kind"], result["winner"])] == 1
        assert sum(answer["expected_survivors"].values()) == result["survivors"]


def test_nothing_falls_out_of_a_tower_that_keeps_everything() -> None:
    for kind in ("player", "neutral", "revolt"):
        thrown = {"peasants": 2}
        answer = odds(kind=kind, thrown=thrown, in_tower={"red": 5}, retention={"fresh": 1, "stuck": 1})
        assert answer["win"] == {"attacker": 0, "defender": 0, "none": 1}


def test_peasants_at_the_defenders_side_are_lost_first() -> None:
    """2 against 1 and 3 peasants, nothing left to chance: the defender's cube comes through."""
    answer = odds(thrown={"red": 2, "blue": 1, "peasants": 3}, retention={"fresh": 0, "stuck": 0})
    assert answer["expected_survivors"] == {"attacker": 0, "defender": 1}
    answer = odds(thrown={"red": 2, "blue": 1, "peasants": 3}, unrest=2, retention={"fresh": 0, "stuck": 0})
    assert answer["expected_survivors"] == {"attacker": 1, "defender": 0}


@pytest.mark.parametrize(("kind", "side"), [("neutral", "defender"), ("revolt", "attacker")])
def test_winning_peasants_go_home(kind: str, side: str) -> None:
    answer = odds(kind=kind, thrown={"peasants": 3}, retention={"fresh": 0, "stuck": 0})
    assert answer["win"][side] == 1
    assert answer["expected_survivors"] == {"attacker": 0, "defender": 0}


@pytest.mark.parametrize("named", [{}, {"defender": None}, {"defender": "peasants"}, {"defender": "red"}])
def test_peasants_need_not_be_named(named: dict[str, Any]) -> None:
    body = {"thrown": {"red": 3, "peasants": 1}, "in_tower": {"blue": 3, "peasants": 2}, "retention": THUMB}
    expected = odds(kind="neutral", **body)
    assert ask("tower", kind="neutral", attacker="red", **body, **named) == expected


def test_counts_of_cubes() -> None:
    assert binomial(0, 0.3) == [1]
    assert binomial(2, 0.5) == [0.25, 0.5, 0.25]
    assert total([0.5, 0.5], [0.5, 0.5]) == [0.25, 0.5, 0.25]
    assert sum(binomial(62, 0.123)) == pytest.approx(1, abs=1e-12)


def test_sixty_cubes_take_less_than_twenty_milliseconds() -> None:
    thrown, inside = {"red": 10, "blue": 10}, {"red": 12, "blue": 12, "peasants": 16}
    took = []
    for _ in range(5):
        begin = time.perf_counter()
        odds(thrown=thrown, in_tower=inside)
        took.append(time.perf_counter() - begin)
    assert min(took) < 0.020
