"""Odds of the tower, compared with full enumeration and with simulated throws."""

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
    """Return the calculator's odds; defaults are a battle of red against blue and the rule of thumb."""
    named = {"kind": "player", "attacker": "red", "defender": "blue", "retention": THUMB}
    return ask("tower", **{**named, **body})


def enumerated_odds(body: dict[str, Any]) -> dict[str, Any]:
    cubes = slow.cubes_of([body["thrown"], body["cup"]], body["in_tower"], body["retention"])
    return slow.odds(body["kind"], cubes, body["attacker"], body["defender"], body["unrest"])


def is_same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return all(
        first[part] == pytest.approx(second[part], abs=1e-12) for part in ("win", "expected_survivors")
    )


def random_battle(generator: random.Random, most: int) -> dict[str, Any]:
    """Return a random battle with a few cubes of all colours, thrown in, in the cup and inside."""
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


# Full enumeration


def test_odds_match_full_enumeration() -> None:
    generator = random.Random(1)
    for _ in range(150):
        body = random_battle(generator, most=9)
        assert is_same(odds(**body), enumerated_odds(body)), body


def test_one_cube_against_none() -> None:
    answer = odds(thrown={"red": 1}, retention={"fresh": 0.25, "stuck": 0.5})
    assert answer["win"] == {"attacker": 0.75, "defender": 0, "none": 0.25}
    assert answer["expected_survivors"] == {"attacker": 0.75, "defender": 0}


def test_stuck_cubes_change_the_odds() -> None:
    """Rule of thumb: 5 against 3, first alone, then with 4 stuck cubes of the defender; no peasants."""
    empty = odds(thrown={"red": 5, "blue": 3}, unrest=2)
    assert [round(100 * empty["win"][side]) for side in ("attacker", "none", "defender")] == [74, 18, 8]
    stuck = odds(thrown={"red": 5, "blue": 3}, in_tower={"blue": 4}, unrest=2)
    assert [round(100 * stuck["win"][side]) for side in ("attacker", "none", "defender")] == [39, 24, 37]


def test_without_a_retention_the_rule_of_thumb_holds() -> None:
    body = {"kind": "player", "attacker": "red", "defender": "blue", "thrown": {"red": 3, "blue": 2}}
    assert ask("tower", **body) == ask("tower", **body, retention=THUMB)
    assert (RULE_OF_THUMB.fresh, RULE_OF_THUMB.stuck) == (1 / 3, 2 / 3)


# Simulation

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


def simulate(body: dict[str, Any], times: int, seed: int) -> tuple[Counter[str], dict[str, list[int]]]:
    """Simulate throws; return the wins per side and the nonzero numbers of survivors per side."""
    chance = random.Random(seed).random
    cubes = slow.cubes_of([body["thrown"], body["cup"]], body["in_tower"], body["retention"])
    results: dict[tuple[int, int, int], dict[str, Any]] = {}
    wins: Counter[str] = Counter()
    left: dict[str, list[int]] = {"attacker": [], "defender": []}
    for _ in range(times):
        out = [colour for colour, stays in cubes if chance() >= stays]
        key = (out.count("red"), out.count("blue"), out.count("peasants"))
        if key not in results:
            results[key] = slow.battle_after_fall(body["kind"], out, "red", "blue", body["unrest"])
        result = results[key]
        wins[slow.side_of(body["kind"], result["winner"])] += 1
        if result["survivors"]:
            left[result["winner"]].append(result["survivors"])
    return wins, left


def assert_simulation_agrees(body: dict[str, Any], times: int, seed: int) -> None:
    """Assert agreement within five standard errors (about one failure in a million; the seed is fixed)."""
    answer = odds(**body)
    wins, left = simulate(body, times, seed)
    for side, p in answer["win"].items():
        assert abs(wins[side] / times - p) <= 5 * sqrt(p * (1 - p) / times), side
    for side, mean in answer["expected_survivors"].items():
        assert abs(sum(left[side]) / times - mean) <= 5 * standard_error(left[side], times), side


def standard_error(numbers: Sequence[int], times: int) -> float:
    """Return the standard error of a mean; values missing from the list are 0."""
    mean = sum(numbers) / times
    return sqrt((sum(n * n for n in numbers) / times - mean**2) / times)


@pytest.mark.parametrize("case", CASES)
def test_odds_match_100_000_simulated_throws(case: str) -> None:
    assert_simulation_agrees(CASES[case], 100_000, seed=1618)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_odds_match_1_000_000_simulated_throws(case: str) -> None:
    assert_simulation_agrees(CASES[case], 1_000_000, seed=1648)


@pytest.mark.long
def test_odds_match_full_enumeration_of_more_cubes() -> None:
    generator = random.Random(2)
    for _ in range(60):
        body = random_battle(generator, most=14)
        assert is_same(odds(**body), enumerated_odds(body)), body


# General properties


def test_probabilities_sum_to_one() -> None:
    generator = random.Random(3)
    for _ in range(300):
        answer = odds(**random_battle(generator, most=60))
        assert sum(answer["win"].values()) == pytest.approx(1, abs=1e-12)
        assert all(-1e-15 <= p <= 1 + 1e-12 for p in answer["win"].values())
        assert all(n >= 0 for n in answer["expected_survivors"].values())


def test_sides_are_symmetric_when_peasants_watch() -> None:
    generator = random.Random(4)
    for _ in range(100):
        body = {**random_battle(generator, most=30), "kind": "player", "unrest": 2}
        answer = odds(**body)
        swapped = odds(**{**body, "attacker": body["defender"], "defender": body["attacker"]})
        for part in ("win", "expected_survivors"):
            assert answer[part]["attacker"] == pytest.approx(swapped[part]["defender"], abs=1e-12)
            assert answer[part]["defender"] == pytest.approx(swapped[part]["attacker"], abs=1e-12)
        assert answer["win"]["none"] == pytest.approx(swapped["win"]["none"], abs=1e-12)


def test_colours_and_bystanders_do_not_affect_odds() -> None:
    plain = odds(thrown={"red": 4, "blue": 3}, in_tower={"peasants": 3})
    other = odds(
        attacker="black",
        defender="purple",
        thrown={"black": 4, "purple": 3},
        in_tower={"peasants": 3, "red": 7, "yellow": 5},
        cup={"blue": 6},
    )
    assert plain == other


def test_one_more_attacker_never_lowers_the_odds() -> None:
    generator = random.Random(5)
    for _ in range(100):
        body = {**random_battle(generator, most=20), "kind": "player"}
        more = {**body, "thrown": body["thrown"] + Counter([body["attacker"]])}
        assert odds(**more)["win"]["attacker"] >= odds(**body)["win"]["attacker"] - 1e-12
        assert odds(**more)["win"]["defender"] <= odds(**body)["win"]["defender"] + 1e-12


def test_deterministic_tower_gives_the_battle_result() -> None:
    """With retention 0 everything falls out, with 1 for stuck cubes only those thrown in."""
    generator = random.Random(6)
    for _ in range(200):
        body = random_battle(generator, most=25)
        piles = [
            body["thrown"],
            body["cup"],
            *([body["in_tower"]] if (all_fall := generator.random() < 0.5) else []),
        ]
        out = list(sum(piles, Counter()).elements())
        result = slow.battle_after_fall(body["kind"], out, body["attacker"], body["defender"], body["unrest"])
        answer = odds(**{**body, "retention": {"fresh": 0, "stuck": 0 if all_fall else 1}})
        assert answer["win"][slow.side_of(body["kind"], result["winner"])] == 1
        assert sum(answer["expected_survivors"].values()) == result["survivors"]


def test_full_retention_always_ends_level() -> None:
    for kind in ("player", "neutral", "revolt"):
        thrown = {"peasants": 2}
        answer = odds(kind=kind, thrown=thrown, in_tower={"red": 5}, retention={"fresh": 1, "stuck": 1})
        assert answer["win"] == {"attacker": 0, "defender": 0, "none": 1}


def test_helping_peasants_are_lost_first() -> None:
    """2 against 1 and 3 peasants without randomness: the defender's cube survives."""
    answer = odds(thrown={"red": 2, "blue": 1, "peasants": 3}, retention={"fresh": 0, "stuck": 0})
    assert answer["expected_survivors"] == {"attacker": 0, "defender": 1}
    answer = odds(thrown={"red": 2, "blue": 1, "peasants": 3}, unrest=2, retention={"fresh": 0, "stuck": 0})
    assert answer["expected_survivors"] == {"attacker": 1, "defender": 0}


@pytest.mark.parametrize(("kind", "side"), [("neutral", "defender"), ("revolt", "attacker")])
def test_winning_peasants_leave_no_survivors(kind: str, side: str) -> None:
    answer = odds(kind=kind, thrown={"peasants": 3}, retention={"fresh": 0, "stuck": 0})
    assert answer["win"][side] == 1
    assert answer["expected_survivors"] == {"attacker": 0, "defender": 0}


@pytest.mark.parametrize("named", [{}, {"defender": None}, {"defender": "peasants"}, {"defender": "red"}])
def test_name_given_for_the_peasants_side_is_ignored(named: dict[str, Any]) -> None:
    body = {"thrown": {"red": 3, "peasants": 1}, "in_tower": {"blue": 3, "peasants": 2}, "retention": THUMB}
    expected = odds(kind="neutral", **body)
    assert ask("tower", kind="neutral", attacker="red", **body, **named) == expected


def test_count_distributions() -> None:
    assert binomial(0, 0.3) == [1]
    assert binomial(2, 0.5) == [0.25, 0.5, 0.25]
    assert total([0.5, 0.5], [0.5, 0.5]) == [0.25, 0.5, 0.25]
    assert sum(binomial(62, 0.123)) == pytest.approx(1, abs=1e-12)


def test_odds_of_60_cubes_take_less_than_20_ms() -> None:
    thrown, inside = {"red": 10, "blue": 10}, {"red": 12, "blue": 12, "peasants": 16}
    durations = []
    for _ in range(5):
        begin = time.perf_counter()
        odds(thrown=thrown, in_tower=inside)
        durations.append(time.perf_counter() - begin)
    assert min(durations) < 0.020
