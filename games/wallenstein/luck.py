"""How lucky a throw was: what became of it, against what was to be expected before it.

Expected is what the odds said at the time, with the chances of the tower as they were learned by then: no
throw has a part in its own odds. Actual is what the fallen cubes decide by the rules, whatever a ruling of
the table made of them.
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
    """A player in a battle. Attackers win if they take the province, defenders if they hold it."""

    faction: str
    chance: float
    won: bool
    expected: float  # own cubes left after the battle, on average
    strays: float  # the standard deviation of that
    left: int

    @property
    def luck(self) -> float:
        """In battles: what fell to them beyond their chance."""
        return self.won - self.chance


@dataclass(frozen=True, slots=True)
class Weighed:
    """A throw with its odds: what became of the province, with which chance, and both sides' part in it."""

    kind: Kind
    province: str
    fate: str
    chance: float
    sides: tuple[Side, ...]  # players alone, who throws first; peasants have no luck


def weigh(state: State, fallen: Mapping[str, int], prior: Prior = THUMB) -> Weighed | None:
    """The throw that follows a state, if cubes are to be thrown then; ``prior``: known when the game began."""
    throw = pending(state, retention=learned(state.falls, prior))
    if throw is None or state.frames[-1].phase != "throw":
        return None
    found = odds(throw)
    result = resolve(throw.battle(Counter(throw.lying) + Counter(fallen)), throw.reading)
    sides = (
        Side(
            faction=faction,
            chance=found.province[fate],
            won=result.province == fate,
            expected=expected,
            strays=strays,
            left=result.survivors if result.province == fate else 0,
        )
        for faction, fate, expected, strays in (
            (throw.sides.attacker, CONQUERED, found.attacker_left, found.attacker_strays),
            (throw.sides.defender, HELD, found.defender_left, found.defender_strays),
        )
        if faction != PEASANTS
    )
    return Weighed(
        kind=throw.kind,
        province=clash_of(state).province,
        fate=result.province,
        chance=found.province[result.province],
        sides=tuple(sides),
    )
