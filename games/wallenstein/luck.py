"""Luck of a throw: its result compared with the odds before it.

The expected value uses the tower's chances as estimated from earlier throws only, so that no throw affects
its own odds. The actual value follows from the fallen cubes by the rules; rulings of the table are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from games.wallenstein.battle import CONQUERED, HELD, Kind, resolve
from games.wallenstein.battles import clash_of, pending
from games.wallenstein.learning import THUMB, Prior, learned
from games.wallenstein.pieces import PEASANTS
from games.wallenstein.state import State
from games.wallenstein.tower import odds


@dataclass(frozen=True, slots=True)
class Side:
    """A player in a battle. Attackers win by conquering the province, defenders by holding it."""

    faction: str
    chance: float
    won: bool
    expected: float  # mean number of own cubes left after the battle
    strays: float  # its standard deviation
    left: int

    @property
    def luck(self) -> float:
        """Actual wins minus expected wins of this battle."""
        return self.won - self.chance


@dataclass(frozen=True, slots=True)
class Weighed:
    """A throw with its odds: the fate of the province, the chance of that fate, and each player's result."""

    kind: Kind
    province: str
    fate: str
    chance: float
    sides: tuple[Side, ...]  # attacker before defender; peasants are left out


def weigh(state: State, fallen: Mapping[str, int], prior: Prior = THUMB) -> Weighed | None:
    """Compare the fallen cubes with the odds in `state`; return None if no throw is pending.

    `prior` is the estimate of the tower when the game began.
    """
    throw = pending(state, retention=learned(state.falls, prior))
    if throw is None or state.frames[-1].phase != "throw":
        return None
    chances = odds(throw)
    result = resolve(throw.battle(Counter(throw.lying) + Counter(fallen)), throw.reading)
    sides = (
        Side(
            faction=faction,
            chance=chances.province[fate],
            won=result.province == fate,
            expected=expected,
            strays=strays,
            left=result.survivors if result.province == fate else 0,
        )
        for faction, fate, expected, strays in (
            (throw.sides.attacker, CONQUERED, chances.attacker_left, chances.attacker_strays),
            (throw.sides.defender, HELD, chances.defender_left, chances.defender_strays),
        )
        if faction != PEASANTS
    )
    return Weighed(
        kind=throw.kind,
        province=clash_of(state).province,
        fate=result.province,
        chance=chances.province[result.province],
        sides=tuple(sides),
    )
