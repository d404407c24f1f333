"""Annals: what is worth telling of a game afterwards, besides its points.

Who held which place, what money people had, and why pieces came onto the board or left it. A game
that says so gets the charts for it; one without annals has points and times alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from games.core.corrections import RULE as CORRECTION
from games.core.ledger import Move, kind_of
from games.core.messages import Name
from games.core.steps import Step

S = TypeVar("S")

# Group -> place -> who holds it, in the order of the board; a place that is not there yet is left out.
Control: TypeAlias = Mapping[Name, Mapping[Name, str | None]]

OTHER = "other"  # a cause that the game did not name


class Coin(NamedTuple):
    """What counts as money: a piece at a place, and what it is called."""

    piece: str
    place: str
    name: Name


class Crossing(NamedTuple):
    """Pieces that came onto the board or left it, and why."""

    owner: str
    piece: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Annals(Generic[S]):
    """What the report of a game asks of its rules."""

    control: Callable[[S], Control]
    money: tuple[Coin, ...] = ()
    # piece -> the kinds of places where it counts as being on the board
    board: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # the code of a step's message, or else its rule -> the cause of what it moves
    causes: Mapping[str, str] = field(default_factory=dict)
    # causes for which pieces leave in one entry and those that are left come back in another
    returning: frozenset[str] = frozenset()

    def crossings(self, steps: Iterable[Step]) -> Counter[Crossing]:
        """What an entry brought onto the board (above 0) or took off it (below), for each cause."""
        found: Counter[Crossing] = Counter()
        for cause, move in self._told(steps, OTHER):
            comes, goes = self._is_on(move.lands_as, move.target), self._is_on(move.piece, move.source)
            found[Crossing(move.owner, move.piece, cause)] += move.count * (comes - goes)
        return Counter({crossing: change for crossing, change in found.items() if change})

    def _is_on(self, piece: str, place: str) -> bool:
        return kind_of(place) in self.board.get(piece, ())

    def _told(self, steps: Iterable[Step], above: str) -> Iterator[tuple[str, Move]]:
        """Each move with its cause: that of the innermost step which has one."""
        for step in steps:
            cause = self._cause(step) or above
            for move in step.moves:
                yield cause, move
            yield from self._told(step.steps, cause)

    def _cause(self, step: Step) -> str | None:
        if step.rule == CORRECTION:
            return CORRECTION
        return self.causes.get(step.message.code) or self.causes.get(step.rule)


def most(counts: Mapping[str, int]) -> str | None:
    """Who has most of something; nobody where that is shared, or nothing."""
    highest = max(counts.values(), default=0)
    leading = [owner for owner, count in counts.items() if count == highest]
    return leading[0] if highest and len(leading) == 1 else None
