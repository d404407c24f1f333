"""A city's counters and the supplies they come from and go to (rulebook 6.15 and 6.16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.core.ledger import Move
from games.core.steps import Step
from games.revolution.factions import EVERYBODY, NEUTRAL, Counts
from games.revolution.pieces import HERE, SUPPLY, placed, taken


class City(NamedTuple):
    """Counters in a city, and everybody's supply."""

    counters: Counts
    supply: Counts
    place: str = HERE

    def has(self, faction: str) -> int:
        return self.counters.get(faction, 0)

    def left(self, faction: str) -> int:
        """Return a faction's counters in supply; 0 if it is not in play."""
        return self.supply.get(faction, 0)

    def after(self, steps: Iterable[Step]) -> City:
        """Return the city after the moves of the steps."""
        moves = [move for step in steps for move in step.all_moves()]
        return self._replace(
            counters=_after(self.counters, moves, self.place), supply=_after(self.supply, moves, SUPPLY)
        )

    def leave(self, factions: Iterable[str]) -> tuple[Move, ...]:
        """Return the moves of all counters of the factions to supply."""
        return tuple(move for f in factions for move in taken(f, self.has(f), place=self.place))

    def enter(self, chain: Sequence[str], count: int) -> tuple[Move, ...]:
        """Return the moves of up to `count` counters from supply, earlier factions of the chain first."""
        moves: tuple[Move, ...] = ()
        for faction in chain:
            coming = min(count, self.left(faction))
            moves += placed(faction, coming, place=self.place)
            count -= coming
        return moves


def _after(counts: Counts, moves: Iterable[Move], place: str) -> dict[str, int]:
    """Return the counts at the place after the moves: for all keys of `counts`, neutrals and newcomers."""
    total = {f: counts.get(f, 0) for f in EVERYBODY}
    for move in moves:
        total[move.owner] += move.count * ((move.target == place) - (move.source == place))
    return {f: n for f, n in total.items() if f in counts or f == NEUTRAL or n}
