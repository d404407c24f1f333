"""Odds with every event and option that affects a battle, against enumeration, simulation and rules.

Basic odds are in `test_tower`; here are the palace guard, uncommitted armies, cubes in the cup and the table
options.
"""

from __future__ import annotations

import itertools
import random
from bisect import bisect
from collections import Counter, defaultdict
from dataclasses import replace
from math import prod, sqrt
from typing import Any

import pytest

from games.core.actions import Correct
from games.wallenstein.actions import Throw as Entered
from games.wallenstein.battle import Sides, resolve
from games.wallenstein.battles import pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.options import Reading
from games.wallenstein.state import State, in_cup, in_tower, owner_of
from games.wallenstein.tower import FATES, Odds, Retention, Throw, falling, odds
from tests.wallenstein import slow
from tests.wallenstein.positions import THERE, armies_at, enter, fallen, table, thrown, turning

READINGS = [
    Reading(saved_by_peasants=saved, nothing_fell=nothing)
    for saved in ("keep", "place-one", "destroy")
    for nothing in ("destroy", "attack-fails")
]
KINDS = {
    "player": Sides("red", "blue"),
    "neutral": Sides("red", "peasants"),
    "revolt": Sides("peasants", "blue"),
}


def random_throw(generator: random.Random, most: int) -> Throw:
    """Return a random throw of any kind with a few cubes anywhere and random options."""
    kind = generator.choice(["player", "player", "player", "neutral", "revolt"])
    piles: list[Counter[str]] = [Counter(), Counter(), Counter(), Counter()]
    for _ in range(generator.randrange(most + 1)):
        generator.choice(piles)[generator.choice(["red", "blue", "peasants", "peasants", "yellow"])] += 1
    in_the_tower, cup, thrown_in, lying = piles
    return Throw(
        kind=kind,
        sides=KINDS[kind],
        unrest=generator.randrange(4),
        in_tower=in_the_tower,
        cup=cup,
        thrown=thrown_in,
        retention=Retention(generator.random(), generator.random()),
        lying=lying,
        uncommitted=0 if kind == "neutral" else generator.choice([0, 0, 2]),
        guards=generator.random() < 0.5,
        reading=generator.choice(READINGS),
    )


def enumerated_odds(throw: Throw) -> dict[str, Any]:
    retention = {"fresh": throw.retention.fresh, "stuck": throw.retention.stuck}
    cubes = slow.cubes_of([throw.thrown, throw.cup], throw.in_tower, retention)
    cubes += [(colour, 0.0) for colour, count in throw.lying.items() for _ in range(count)]
    return slow.odds(
        throw.kind,
        cubes,
        throw.sides.attacker,
        throw.sides.defender,
        throw.unrest,
        guarded=throw.guards,
        uncommitted=throw.uncommitted,
        saved_by_peasants=throw.reading.saved_by_peasants,
        nothing_fell=throw.reading.nothing_fell,
    )


def assert_same(computed: Odds, expected: dict[str, Any]) -> None:
    close = pytest.approx
    assert (computed.attacker, computed.defender, computed.none) == close(
        tuple(expected["win"].values()), abs=1e-12
    )
    left = expected["expected_survivors"]
    assert (computed.attacker_left, computed.defender_left) == close(
        (left["attacker"], left["defender"]), abs=1e-12
    )
    strays = expected["strays"]
    deviations = (computed.attacker_strays, computed.defender_strays)
    assert deviations == close((strays["attacker"].real, strays["defender"].real), abs=1e-6)
    chances = {fate: expected["province"].get(fate, 0.0) for fate in computed.province}
    assert computed.province == close(chances, abs=1e-12)
    assert set(expected["province"]) <= set(computed.province)


def test_odds_with_options_match_full_enumeration() -> None:
    generator = random.Random(1630)
    seen: set[tuple[object, ...]] = set()
    for _ in range(400):
        throw = random_throw(generator, most=8)
        assert_same(odds(throw), enumerated_odds(throw))
        seen.add((throw.kind, throw.unrest > 1, throw.guards, throw.reading, throw.uncommitted > 0))
    assert len(seen) > 60, "too few combinations"


@pytest.mark.long
def test_odds_with_options_match_full_enumeration_of_more_cubes() -> None:
    generator = random.Random(1631)
    for _ in range(120):
        throw = random_throw(generator, most=13)
        assert_same(odds(throw), enumerated_odds(throw))


def test_throw_battle_matches_slow_implementation() -> None:
    """`Throw.battle` with `resolve` gives the same result as the slow implementation."""
    generator = random.Random(3)
    for _ in range(500):
        throw = random_throw(generator, most=6)
        out = Counter({c: generator.randrange(4) for c in ("red", "blue", "peasants", "yellow")})
        result = resolve(throw.battle(out), throw.reading)
        expected = slow.battle_after_fall(
            throw.kind,
            list(out.elements()),
            throw.sides.attacker,
            throw.sides.defender,
            throw.unrest,
            guarded=throw.guards,
            uncommitted=throw.uncommitted,
            saved_by_peasants=throw.reading.saved_by_peasants,
            nothing_fell=throw.reading.nothing_fell,
        )
        assert (result.winner, result.province) == (expected["winner"], expected["province"])
        assert (result.survivors, result.stay_in_cup) == (
            expected["survivors"],
            expected["stay_in_cup"]["peasants"],
        )


# Simulation

GUARDED = Throw(
    kind="player",
    sides=KINDS["player"],
    unrest=2,
    in_tower={"red": 3, "blue": 2, "peasants": 2},
    cup={"blue": 1},
    thrown={"red": 4, "blue": 2, "peasants": 1},
    retention=Retention(0.3, 0.7),
    guards=True,
    reading=Reading(saved_by_peasants="destroy", nothing_fell="attack-fails"),
)
CASES = {
    "a guard in spite of unrest": GUARDED,
    "no guard": replace(GUARDED, guards=False),
    "peasants alone": replace(GUARDED, unrest=0, thrown={"red": 3, "peasants": 2}, in_tower={"peasants": 3}),
    "a revolt that may fail with nothing": replace(
        GUARDED, kind="revolt", sides=KINDS["revolt"], thrown={"blue": 2, "peasants": 1}, in_tower={}
    ),
    "an empty province, angry peasants": replace(
        GUARDED, kind="neutral", sides=KINDS["neutral"], thrown={"red": 4, "peasants": 2}, guards=False
    ),
}


def assert_simulation_agrees(throw: Throw, times: int, seed: int) -> None:
    """Simulate counts per colour and pile; assert agreement within five standard errors."""
    chance = random.Random(seed).random
    fresh, stuck = 1 - throw.retention.fresh, 1 - throw.retention.stuck
    thrown_in = Counter(throw.thrown) + Counter(throw.cup)
    piles = [(colour, cumulative(count, fresh)) for colour, count in thrown_in.items()]
    piles += [(colour, cumulative(count, stuck)) for colour, count in throw.in_tower.items()]
    outs = Counter(tuple(bisect(steps, chance()) for _colour, steps in piles) for _ in range(times))
    fates: Counter[str] = Counter()
    left: dict[str, list[tuple[int, int]]] = {"attacker": [], "defender": []}
    for out, count in outs.items():
        cubes: Counter[str] = Counter()
        for (colour, _steps), number in zip(piles, out, strict=True):
            cubes[colour] += number
        result = resolve(throw.battle(cubes), throw.reading)
        fates[result.province] += count
        if result.survivors:
            left[result.winner].append((result.survivors, count))
    computed = odds(throw)
    for fate, p in computed.province.items():
        assert abs(fates[fate] / times - p) <= 5 * sqrt(p * (1 - p) / times), fate
    for side, mean, strays in (
        ("attacker", computed.attacker_left, computed.attacker_strays),
        ("defender", computed.defender_left, computed.defender_strays),
    ):
        actual = sum(number * count for number, count in left[side]) / times
        assert abs(actual - mean) <= 5 * strays / sqrt(times), side


def cumulative(cubes: int, chance: float) -> list[float]:
    """Return the cumulative distribution of the fallen cubes, computed cube by cube."""
    counts: dict[int, float] = {0: 1.0}
    for _ in range(cubes):
        more: dict[int, float] = defaultdict(float)
        for count, p in counts.items():
            more[count] += p * (1 - chance)
            more[count + 1] += p * chance
        counts = more
    return list(itertools.accumulate(counts[n] for n in range(cubes)))


@pytest.mark.parametrize("case", CASES)
def test_odds_match_50_000_simulated_throws(case: str) -> None:
    assert_simulation_agrees(CASES[case], 50_000, seed=1618)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_odds_match_1_000_000_simulated_throws(case: str) -> None:
    assert_simulation_agrees(CASES[case], 1_000_000, seed=1648)


# Comparison with the rules: every possible outcome is entered


def odds_by_entries(state: State, retention: Retention) -> tuple[dict[str, float], dict[str, float]]:
    """Enter every possible outcome; return the chance of each owner and the mean number of armies left."""
    throw = pending(state, retention=retention)
    assert throw is not None
    colours = [colour for colour, count in in_tower(state).items() if count]
    chances = [falling(replace(throw, lying={}), colour) for colour in colours]
    fates: dict[str, float] = defaultdict(float)
    left: dict[str, float] = defaultdict(float)
    (prompt,) = WALLENSTEIN.prompts(state)
    for out in itertools.product(*(range(len(distribution)) for distribution in chances)):
        chance = prod(distribution[count] for distribution, count in zip(chances, out, strict=True))
        cubes = {colour: count for colour, count in zip(colours, out, strict=True) if count}
        after = enter(state, Entered(faction=prompt.faction, fallen=cubes)).state
        owner = owner_of(after, THERE)
        fates[owner or "nobody"] += chance
        for colour, count in armies_at(after).items():
            left[colour] += chance * count
    return fates, left


def chances_by_owner(computed: Odds, throw: Throw) -> dict[str, float]:
    owners = {
        "conquered": throw.sides.attacker,
        "held": throw.sides.defender,
        "destroyed": "nobody",
        "neutral": "nobody",
    }
    chances: dict[str, float] = defaultdict(float)
    for fate, chance in computed.province.items():
        chances[owners[fate]] += chance
    return dict(chances)


# Events with the numbers of unrest markers to test.
EVENTS = {
    "palace-guards": (1, 2),
    "angry-peasants": (0,),
    "battle-weary-peasants": (2,),
    "church-peace": (0,),
}
OPTIONS = [
    {"guards_fight": guards, "saved_by_peasants": saved, "nothing_fell": nothing}
    for guards in (False, True)
    for saved in ("keep", "place-one", "destroy")
    for nothing in ("destroy", "attack-fails")
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options.values())))
def test_odds_match_rules_applied_to_every_outcome(options: dict[str, Any]) -> None:
    generator = random.Random(str(options))
    for event, unrests in EVENTS.items():
        for unrest in unrests:
            defenders = generator.choice([None, 1, 2, 2])
            state = thrown(
                generator.randrange(1, 3),
                defenders,
                generator.randrange(defenders + 1) if defenders else None,
                event=event,
                options=options,
                unrest={THERE: unrest} if defenders else {},
                buildings={THERE: ["palace"]} if defenders else {},
                tower={"peasants": 1, generator.choice(["blue", "red"]): 1},
                cup={generator.choice(["blue", "peasants", "yellow"]): 1},
            )
            assert_odds_match_rules(state, Retention(generator.random(), generator.random()))


def assert_odds_match_rules(state: State, retention: Retention) -> None:
    throw = pending(state, retention=retention)
    assert throw is not None
    computed = odds(throw)
    fates, left = odds_by_entries(state, retention)
    expected = {owner: fates.get(owner, 0.0) for owner in chances_by_owner(computed, throw)}
    assert chances_by_owner(computed, throw) == pytest.approx(expected, abs=1e-12)
    assert sum(fates.values()) == pytest.approx(1)
    assert left.get("blue", 0.0) == pytest.approx(computed.attacker_left, abs=1e-12)
    if throw.kind == "player" and throw.reading.saved_by_peasants != "place-one":
        stayed = throw.uncommitted * computed.province["held"]
        assert left.get("red", 0.0) == pytest.approx(computed.defender_left + stayed, abs=1e-12)


@pytest.mark.parametrize("nothing", ["destroy", "attack-fails"])
@pytest.mark.parametrize("commit", [0, 1, 2])
def test_revolt_odds_match_rules_applied_to_every_outcome(nothing: str, commit: int) -> None:
    state = table(
        {THERE: ("blue", 2)},
        unrest={THERE: 2},
        tower={"peasants": 1},
        cup={"blue": 1},
        options={"nothing_fell": nothing},
    )
    state = turning(state, "blue", "collect-gold", THERE).state
    (prompt,) = WALLENSTEIN.prompts(state)
    state = enter(state, replace(prompt.example, armies=commit)).state
    throw = pending(state)
    assert throw is not None
    computed = odds(throw)
    fates, left = odds_by_entries(state, throw.retention)
    assert computed.province["held"] == pytest.approx(fates.get("blue", 0.0), abs=1e-12)
    assert computed.province["destroyed"] == pytest.approx(fates.get("nobody", 0.0), abs=1e-12)
    stayed = throw.uncommitted * computed.province["held"]
    assert left.get("blue", 0.0) == pytest.approx(computed.defender_left + stayed, abs=1e-12)


def test_cubes_corrected_into_the_cup_count_as_fallen() -> None:
    state = thrown(2, 2, tower={"red": 2})
    correction = Correct(
        faction="blue",
        owner="red",
        piece="army",
        place="cup",
        count=1,
        reason="it lay there",
        against="tower",
    )
    state = enter(state, correction).state
    assert in_cup(state)["red"] == 1
    assert_odds_match_rules(state, Retention(0.4, 0.6))


def test_odds_before_commitment_equal_odds_after_it() -> None:
    """Odds shown for a number of defenders equal those of the throw once it is chosen."""
    table_options = {"guards_fight": True, "saved_by_peasants": "destroy", "nothing_fell": "attack-fails"}
    given: dict[str, Any] = {
        "options": table_options,
        "event": "palace-guards",
        "unrest": {THERE: 2},
        "buildings": {THERE: ["palace"]},
        "tower": {"peasants": 2, "red": 1},
        "cup": {"blue": 1},
    }
    for commit in range(4):
        after = thrown(3, 3, commit, **given)
        start = turning(
            table({"regensburg": ("blue", 4), THERE: ("red", 3)}, **given), "blue", "movement-a", "regensburg"
        )
        (prompt,) = WALLENSTEIN.prompts(start.state)
        before = enter(start.state, replace(prompt.example, target=THERE, armies=3)).state
        foreseen, actual = pending(before, commit), pending(after)
        assert foreseen is not None
        assert actual is not None
        assert odds(foreseen) == odds(actual)
        assert foreseen.guards


def test_guard_fights_only_with_the_guards_fight_option() -> None:
    given: dict[str, Any] = {"event": "palace-guards", "unrest": {THERE: 2}, "buildings": {THERE: ["palace"]}}
    with_guard = pending(thrown(2, 2, options={"guards_fight": True}, **given))
    without = pending(thrown(2, 2, **given))
    assert with_guard is not None
    assert without is not None
    assert odds(with_guard).attacker < odds(without).attacker
    assert odds(replace(without, unrest=1)) == odds(replace(with_guard, unrest=1)), "all peasants help"


def test_province_odds_list_possible_fates_in_order() -> None:
    """Impossible fates are left out."""
    fates = {kind: list(odds(Throw(kind, sides, 0, {}, {}, {})).province) for kind, sides in KINDS.items()}
    assert fates == {
        "player": ["conquered", "held", "destroyed"],
        "neutral": ["conquered", "neutral"],
        "revolt": ["held", "destroyed"],
    }
    assert set().union(*fates.values()) == set(FATES)


def test_throw_is_recorded_in_falls() -> None:
    state = thrown(3, 2, tower={"red": 1, "yellow": 2}, cup={"yellow": 1})
    after = fallen(state, blue=2, red=1, yellow=1).state
    assert state.falls.throws == 0
    assert after.falls.throws == 1
    assert (after.falls.fresh, after.falls.fresh_fell) == (3, 2), "only blue is unambiguous"
    assert sorted((cubes.fresh, cubes.stuck, cubes.fell) for cubes in after.falls.mixed) == [
        (1, 2, 1),
        (2, 1, 1),
    ]
