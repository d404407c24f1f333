"""Luck: the result of a throw compared with its odds."""

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
    result = weigh(state, fallen, PRIOR)
    assert result is not None
    return result


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


def test_conquest_is_luck_for_attacker_and_bad_luck_for_defender() -> None:
    state = thrown(2, 3, tower={"peasants": 2})
    throw = pending(state, retention=PRIOR.retention)
    assert throw is not None
    result, chances = weighed(state, blue=2, red=1), odds(throw)
    blue, red = result.sides
    assert (result.kind, result.province, result.fate) == ("player", THERE, "conquered")
    assert result.chance == blue.chance == chances.province["conquered"]
    assert red.chance == chances.province["held"]
    assert (blue.faction, blue.won, blue.left) == ("blue", True, 1)
    assert (red.faction, red.won, red.left) == ("red", False, 0)
    assert (blue.expected, red.expected) == (chances.attacker_left, chances.defender_left)
    assert blue.luck == 1 - blue.chance
    assert red.luck == -red.chance


def test_destroyed_province_is_bad_luck_for_both_sides() -> None:
    result = weighed(thrown(2, 2), blue=1, red=1)
    assert result.fate == "destroyed"
    assert [side.won for side in result.sides] == [False, False]
    assert all(side.luck < 0 for side in result.sides)


def test_defender_keeps_fallen_cubes_minus_losses() -> None:
    result = weighed(thrown(2, 3, 2), blue=1, red=2)
    assert [(side.won, side.left) for side in result.sides] == [(False, 0), (True, 1)]


def test_peasants_are_not_listed_as_a_side() -> None:
    assert [side.faction for side in weighed(POSITIONS["neutral"](), blue=2).sides] == ["blue"]
    (owner,) = weighed(revolt(), blue=2, peasants=1).sides
    assert (owner.faction, owner.won, owner.left) == ("blue", True, 1)


def test_only_throws_are_weighed() -> None:
    state = turning(
        table({"regensburg": ("blue", 4), THERE: ("red", 3)}), "blue", "movement-a", "regensburg"
    ).state
    assert weigh(state, {}) is None
    (prompt,) = WALLENSTEIN.prompts(state)
    battle = enter(state, replace(prompt.example, target=THERE)).state
    assert battle.frames[-1].phase == "battle"
    assert weigh(battle, {}) is None


def test_luck_ignores_rulings() -> None:
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


# Expected values


@pytest.mark.parametrize("kind", POSITIONS)
def test_expected_luck_over_all_outcomes_is_zero(kind: str) -> None:
    """Its variance matches the reported standard deviation."""
    state = POSITIONS[kind]()
    throw = pending(state, retention=PRIOR.retention)
    assert throw is not None
    colours = [colour for colour, count in in_tower(state).items() if count]
    counts = [falling(throw, colour) for colour in colours]
    outcomes = []
    for out in itertools.product(*(range(len(distribution)) for distribution in counts)):
        chance = prod(chances[number] for chances, number in zip(counts, out, strict=True))
        outcomes.append((chance, weighed(state, **dict(zip(colours, out, strict=True)))))
    for number, side in enumerate(outcomes[0][1].sides):
        sides = [(chance, result.sides[number]) for chance, result in outcomes]
        assert sum(chance * outcome.luck for chance, outcome in sides) == pytest.approx(0, abs=1e-12)
        variance = sum(chance * outcome.luck**2 for chance, outcome in sides)
        assert variance == pytest.approx(side.chance * (1 - side.chance))
        assert sum(chance * outcome.left for chance, outcome in sides) == pytest.approx(side.expected)
        left = sum(chance * (outcome.left - side.expected) ** 2 for chance, outcome in sides)
        assert left == pytest.approx(side.strays**2)
    assert sum(chance for chance, result in outcomes if result.fate == "conquered") == pytest.approx(
        odds(throw).province.get("conquered", 0)
    )


# Complete games


def test_odds_use_earlier_throws_only() -> None:
    throws = [(state, action) for state, action in played(3, 1, 0.4, 0.1) if isinstance(action, Throw)]
    assert [state.falls.throws for state, _action in throws] == list(range(len(throws)))
    state, action = throws[-1]
    result = weigh(state, action.fallen)
    throw = pending(state, retention=learned(state.falls))
    assert result is not None
    assert throw is not None
    assert result.chance == odds(throw).province[result.fate]
    assert result != weigh(replace(state, falls=Falls()), action.fallen)
    assert result != weigh(state, action.fallen, PRIOR)


def test_odds_are_calibrated_over_many_games() -> None:
    """Wins and surviving armies match the odds within four standard deviations."""
    throwers = []
    for seed in range(8):
        for state, action in played(4, seed, 0.5, 0.2):
            if isinstance(action, Throw):
                result = weigh(state, action.fallen, Prior(Retention(0.5, 0.8), 10_000, 10_000))
                assert result is not None
                throwers.append(result.sides[0])
    assert len(throwers) > 150
    strays = sqrt(sum(side.chance * (1 - side.chance) for side in throwers))
    assert abs(sum(side.luck for side in throwers)) < 4 * strays
    left = sqrt(sum(side.strays**2 for side in throwers))
    assert abs(sum(side.left - side.expected for side in throwers)) < 4 * left
