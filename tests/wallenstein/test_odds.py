"""Odds with every event and option that bites in a battle: against every fate of every cube, and against the rules.

The plain odds are in ``test_tower``; here are the palace guard, armies kept out of the throw, cubes in the cup,
and how a table reads what the rules leave open.
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
from tests.wallenstein.positions import THERE, enter, fallen, table, there, thrown, turning

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


def some(generator: random.Random, most: int) -> Throw:
    """A throw of any kind with a few cubes anywhere, at any table."""
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


def by_fates(throw: Throw) -> dict[str, Any]:
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


def same(found: Odds, expected: dict[str, Any]) -> None:
    close = pytest.approx
    assert (found.attacker, found.defender, found.none) == close(tuple(expected["win"].values()), abs=1e-12)
    left = expected["expected_survivors"]
    assert (found.attacker_left, found.defender_left) == close(
        (left["attacker"], left["defender"]), abs=1e-12
    )
    strays = expected["strays"]
    told = (found.attacker_strays, found.defender_strays)
    assert told == close((strays["attacker"].real, strays["defender"].real), abs=1e-6)
    chances = {fate: expected["province"].get(fate, 0.0) for fate in found.province}
    assert found.province == close(chances, abs=1e-12)
    assert set(expected["province"]) <= set(found.province)


def test_with_every_option_the_same_as_all_fates_together() -> None:
    generator = random.Random(1630)
    seen: set[tuple[object, ...]] = set()
    for _ in range(400):
        throw = some(generator, most=8)
        same(odds(throw), by_fates(throw))
        seen.add((throw.kind, throw.unrest > 1, throw.guards, throw.reading, throw.uncommitted > 0))
    assert len(seen) > 60, "too few combinations"


@pytest.mark.long
def test_with_every_option_the_same_as_all_fates_of_more_cubes() -> None:
    generator = random.Random(1631)
    for _ in range(120):
        throw = some(generator, most=13)
        same(odds(throw), by_fates(throw))


def test_a_throw_fights_the_battle_of_its_rules() -> None:
    """The cubes that fell, put into words once by the throw and once by the slow rules."""
    generator = random.Random(3)
    for _ in range(500):
        throw = some(generator, most=6)
        out = Counter({c: generator.randrange(4) for c in ("red", "blue", "peasants", "yellow")})
        found = resolve(throw.battle(out), throw.reading)
        expected = slow.fought(
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
        assert (found.winner, found.province) == (expected["winner"], expected["province"])
        assert (found.survivors, found.stay_in_cup) == (
            expected["survivors"],
            expected["stay_in_cup"]["peasants"],
        )


# A million throws

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


def agrees(throw: Throw, times: int, seed: int) -> None:
    """Counts are drawn for each colour and pile; each must lie within five standard errors."""
    chance = random.Random(seed).random
    fresh, stuck = 1 - throw.retention.fresh, 1 - throw.retention.stuck
    thrown_in = Counter(throw.thrown) + Counter(throw.cup)
    piles = [(colour, steps_of(count, fresh)) for colour, count in thrown_in.items()]
    piles += [(colour, steps_of(count, stuck)) for colour, count in throw.in_tower.items()]
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
    found = odds(throw)
    for fate, p in found.province.items():
        assert abs(fates[fate] / times - p) <= 5 * sqrt(p * (1 - p) / times), fate
    for side, mean, strays in (
        ("attacker", found.attacker_left, found.attacker_strays),
        ("defender", found.defender_left, found.defender_strays),
    ):
        actual = sum(number * count for number, count in left[side]) / times
        assert abs(actual - mean) <= 5 * strays / sqrt(times), side


def steps_of(cubes: int, chance: float) -> list[float]:
    """The steps between 0, 1, 2, … cubes, counted off the fates of each."""
    counts: dict[int, float] = {0: 1.0}
    for _ in range(cubes):
        more: dict[int, float] = defaultdict(float)
        for count, p in counts.items():
            more[count] += p * (1 - chance)
            more[count + 1] += p * chance
        counts = more
    return list(itertools.accumulate(counts[n] for n in range(cubes)))


@pytest.mark.parametrize("case", CASES)
def test_the_same_as_fifty_thousand_throws(case: str) -> None:
    agrees(CASES[case], 50_000, seed=1618)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_the_same_as_a_million_throws(case: str) -> None:
    agrees(CASES[case], 1_000_000, seed=1648)


# At a table: everything that can fall is entered


def by_entries(state: State, retention: Retention) -> tuple[dict[str, float], dict[str, float]]:
    """Every way the cubes can fall, entered: what becomes of the province, and whose armies stand there."""
    throw = pending(state, retention=retention)
    assert throw is not None
    colours = [colour for colour, count in in_tower(state).items() if count]
    chances = [falling(replace(throw, lying={}), colour) for colour in colours]
    fates: dict[str, float] = defaultdict(float)
    left: dict[str, float] = defaultdict(float)
    (prompt,) = WALLENSTEIN.prompts(state)
    for out in itertools.product(*(range(len(one)) for one in chances)):
        chance = prod(one[count] for one, count in zip(chances, out, strict=True))
        cubes = {colour: count for colour, count in zip(colours, out, strict=True) if count}
        after = enter(state, Entered(faction=prompt.faction, fallen=cubes)).state
        owner = owner_of(after, THERE)
        fates[owner or "nobody"] += chance
        for colour, count in there(after).items():
            left[colour] += chance * count
    return fates, left


def told(found: Odds, throw: Throw) -> dict[str, float]:
    owners = {
        "conquered": throw.sides.attacker,
        "held": throw.sides.defender,
        "destroyed": "nobody",
        "neutral": "nobody",
    }
    chances: dict[str, float] = defaultdict(float)
    for fate, chance in found.province.items():
        chances[owners[fate]] += chance
    return dict(chances)


# With the unrest for which each is looked at.
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
def test_odds_are_what_the_rules_make_of_everything_that_can_fall(options: dict[str, Any]) -> None:
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
            compare(state, Retention(generator.random(), generator.random()))


def compare(state: State, retention: Retention) -> None:
    throw = pending(state, retention=retention)
    assert throw is not None
    found = odds(throw)
    fates, left = by_entries(state, retention)
    expected = {owner: fates.get(owner, 0.0) for owner in told(found, throw)}
    assert told(found, throw) == pytest.approx(expected, abs=1e-12)
    assert sum(fates.values()) == pytest.approx(1)
    assert left.get("blue", 0.0) == pytest.approx(found.attacker_left, abs=1e-12)
    if throw.kind == "player" and throw.reading.saved_by_peasants != "place-one":
        stayed = throw.uncommitted * found.province["held"]
        assert left.get("red", 0.0) == pytest.approx(found.defender_left + stayed, abs=1e-12)


@pytest.mark.parametrize("nothing", ["destroy", "attack-fails"])
@pytest.mark.parametrize("commit", [0, 1, 2])
def test_odds_of_a_revolt_are_what_the_rules_make_of_it(nothing: str, commit: int) -> None:
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
    found = odds(throw)
    fates, left = by_entries(state, throw.retention)
    assert found.province["held"] == pytest.approx(fates.get("blue", 0.0), abs=1e-12)
    assert found.province["destroyed"] == pytest.approx(fates.get("nobody", 0.0), abs=1e-12)
    stayed = throw.uncommitted * found.province["held"]
    assert left.get("blue", 0.0) == pytest.approx(found.defender_left + stayed, abs=1e-12)


def test_what_a_correction_put_into_the_cup_counts_as_it_lies() -> None:
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
    compare(state, Retention(0.4, 0.6))


def test_defenders_who_stay_out_are_counted_before_they_are_committed() -> None:
    """The odds that are told for a number of defenders are those of the throw once it is chosen."""
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
        asked, made = pending(before, commit), pending(after)
        assert asked is not None
        assert made is not None
        assert odds(asked) == odds(made)
        assert asked.guards


def test_a_guard_fights_only_at_tables_that_say_so() -> None:
    given: dict[str, Any] = {"event": "palace-guards", "unrest": {THERE: 2}, "buildings": {THERE: ["palace"]}}
    with_guard = pending(thrown(2, 2, options={"guards_fight": True}, **given))
    without = pending(thrown(2, 2, **given))
    assert with_guard is not None
    assert without is not None
    assert odds(with_guard).attacker < odds(without).attacker
    assert odds(replace(without, unrest=1)) == odds(replace(with_guard, unrest=1)), "all peasants help"


def test_every_fate_has_its_place() -> None:
    """In the order in which they are told; what cannot be is not there."""
    found = {kind: list(odds(Throw(kind, sides, 0, {}, {}, {})).province) for kind, sides in KINDS.items()}
    assert found == {
        "player": ["conquered", "held", "destroyed"],
        "neutral": ["conquered", "neutral"],
        "revolt": ["held", "destroyed"],
    }
    assert set().union(*found.values()) == set(FATES)


def test_what_fell_is_remembered_for_the_tower() -> None:
    state = thrown(3, 2, tower={"red": 1, "yellow": 2}, cup={"yellow": 1})
    after = fallen(state, blue=2, red=1, yellow=1).state
    assert state.falls.throws == 0
    assert after.falls.throws == 1
    assert (after.falls.fresh, after.falls.fresh_fell) == (3, 2), "blue alone is plain"
    assert sorted((one.fresh, one.stuck, one.fell) for one in after.falls.mixed) == [(1, 2, 1), (2, 1, 1)]
