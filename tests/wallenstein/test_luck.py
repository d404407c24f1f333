"""Luck: what became of a throw against what was to be expected."""

from __future__ import annotations

import itertools
from dataclasses import replace
from math import prod, sqrt
from typing import Any

import pytest

from games.core.actions import Ruling
from games.wallenstein.actions import Throw
from games.wallenstein.battles import pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import Falls, Prior, learned
from games.wallenstein.luck import Weighed, weigh
from games.wallenstein.state import State, in_tower
from games.wallenstein.tower import Retention, falling, odds
from tests.wallenstein.positions import THERE, enter, table, thrown, turning
from tests.wallenstein.towers import played

PRIOR = Prior(Retention(0.2, 0.5), 60, 60, throws=9)


def weighed(state: State, **fallen: int) -> Weighed:
    found = weigh(state, fallen, PRIOR)
    assert found is not None
    return found


def revolt() -> State:
    state = table({THERE: ("blue", 3)}, unrest={THERE: 1}, tower={"peasants": 1, "blue": 1})
    state = turning(state, "blue", "collect-gold", THERE).state
    (prompt,) = WALLENSTEIN.prompts(state)
    return enter(state, replace(prompt.example, armies=2)).state


POSITIONS: dict[str, Any] = {
    "player": lambda: thrown(3, 2, 1, tower={"red": 1, "peasants": 1}, cup={"blue": 1}),
    "neutral": lambda: thrown(2, tower={"peasants": 1}),
    "revolt": revolt,
}


# One throw


def test_a_conquest_is_the_attackers_luck_and_the_defenders_bad_luck() -> None:
    state = thrown(2, 3, tower={"peasants": 2})
    throw = pending(state, retention=PRIOR.retention)
    assert throw is not None
    found, chances = weighed(state, blue=2, red=1), odds(throw)
    blue, red = found.sides
    assert (found.kind, found.province, found.fate) == ("player", THERE, "conquered")
    assert found.chance == blue.chance == chances.province["conquered"]
    assert red.chance == chances.province["held"]
    assert (blue.faction, blue.won, blue.left) == ("blue", True, 1)
    assert (red.faction, red.won, red.left) == ("red", False, 0)
    assert (blue.expected, red.expected) == (chances.attacker_left, chances.defender_left)
    assert blue.luck == 1 - blue.chance
    assert red.luck == -red.chance


def test_a_destroyed_province_is_nobodys_luck() -> None:
    found = weighed(thrown(2, 2), blue=1, red=1)
    assert found.fate == "destroyed"
    assert [side.won for side in found.sides] == [False, False]
    assert all(side.luck < 0 for side in found.sides)


def test_a_defender_keeps_what_fell_and_was_not_lost() -> None:
    found = weighed(thrown(2, 3, 2), blue=1, red=2)
    assert [(side.won, side.left) for side in found.sides] == [(False, 0), (True, 1)]


def test_peasants_have_no_luck() -> None:
    assert [side.faction for side in weighed(POSITIONS["neutral"](), blue=2).sides] == ["blue"]
    (owner,) = weighed(revolt(), blue=2, peasants=1).sides
    assert (owner.faction, owner.won, owner.left) == ("blue", True, 1)


def test_nothing_is_weighed_but_a_throw() -> None:
    state = turning(
        table({"regensburg": ("blue", 4), THERE: ("red", 3)}), "blue", "movement-a", "regensburg"
    ).state
    assert weigh(state, {}) is None
    (prompt,) = WALLENSTEIN.prompts(state)
    battle = enter(state, replace(prompt.example, target=THERE)).state
    assert battle.frames[-1].phase == "battle"
    assert weigh(battle, {}) is None


def test_cubes_have_the_luck_and_not_the_ruling() -> None:
    state = thrown(2, 3)
    fate = {"province": "destroyed", "armies": 0}
    ruled = Throw(
        faction="blue",
        fallen={"blue": 2},
        rulings={f"battle:{THERE}": Ruling(result=fate, reason="it was late")},
    )
    assert not [
        line for line in enter(state, ruled).state.ledger.at(f"province:{THERE}") if line.piece == "army"
    ]
    assert weighed(state, **ruled.fallen).fate == "conquered"


# On average


@pytest.mark.parametrize("kind", POSITIONS)
def test_over_all_that_can_fall_luck_comes_to_nothing(kind: str) -> None:
    """And strays as far as its standard deviation says."""
    state = POSITIONS[kind]()
    throw = pending(state, retention=PRIOR.retention)
    assert throw is not None
    colours = [colour for colour, count in in_tower(state).items() if count]
    counts = [falling(throw, colour) for colour in colours]
    outcomes = []
    for out in itertools.product(*(range(len(one)) for one in counts)):
        chance = prod(one[number] for one, number in zip(counts, out, strict=True))
        outcomes.append((chance, weighed(state, **dict(zip(colours, out, strict=True)))))
    for number, side in enumerate(outcomes[0][1].sides):
        sides = [(chance, found.sides[number]) for chance, found in outcomes]
        assert sum(chance * one.luck for chance, one in sides) == pytest.approx(0, abs=1e-12)
        variance = sum(chance * one.luck**2 for chance, one in sides)
        assert variance == pytest.approx(side.chance * (1 - side.chance))
        assert sum(chance * one.left for chance, one in sides) == pytest.approx(side.expected)
        left = sum(chance * (one.left - side.expected) ** 2 for chance, one in sides)
        assert left == pytest.approx(side.strays**2)
    assert sum(chance for chance, found in outcomes if found.fate == "conquered") == pytest.approx(
        odds(throw).province.get("conquered", 0)
    )


# A whole game


def test_odds_know_what_the_tower_had_shown_and_no_more() -> None:
    throws = [(state, action) for state, action in played(3, 1, 0.4, 0.1) if isinstance(action, Throw)]
    assert [state.falls.throws for state, _action in throws] == list(range(len(throws)))
    state, action = throws[-1]
    found = weigh(state, action.fallen)
    throw = pending(state, retention=learned(state.falls))
    assert found is not None
    assert throw is not None
    assert found.chance == odds(throw).province[found.fate]
    assert found != weigh(replace(state, falls=Falls()), action.fallen)
    assert found != weigh(state, action.fallen, PRIOR)


def test_odds_of_many_games_come_true() -> None:
    """Whoever threw won as often as was told, within four standard deviations; so did armies stay alive."""
    first = []
    for seed in range(8):
        for state, action in played(4, seed, 0.5, 0.2):
            if isinstance(action, Throw):
                found = weigh(state, action.fallen, Prior(Retention(0.5, 0.8), 10_000, 10_000))
                assert found is not None
                first.append(found.sides[0])
    assert len(first) > 150
    strays = sqrt(sum(side.chance * (1 - side.chance) for side in first))
    assert abs(sum(side.luck for side in first)) < 4 * strays
    left = sqrt(sum(side.strays**2 for side in first))
    assert abs(sum(side.left - side.expected for side in first)) < 4 * left
