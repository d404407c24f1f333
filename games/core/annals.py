"""Annals: the data of a game's report besides points and times.

Control of places, money, and the reasons why pieces came onto the board or left it. The report of a
game without annals has charts of points and times only.
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

# Group -> place -> controlling faction, in board order; places that do not exist yet are omitted.
Control: TypeAlias = Mapping[Name, Mapping[Name, str | None]]

OTHER = "other"  # for steps without a named cause


class Coin(NamedTuple):
    """A piece at a place that counts as money, and its display name."""

    piece: str
    place: str
    name: Name


class Crossing(NamedTuple):
    """Owner, piece and cause of pieces that came onto the board or left it."""

    owner: str
    piece: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Annals(Generic[S]):
    """Functions and tables that a game provides for its report."""

    control: Callable[[S], Control]
    money: tuple[Coin, ...] = ()
    # piece -> kinds of places where it counts as on the board
    board: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # message code of a step, or its rule -> cause of its moves
    causes: Mapping[str, str] = field(default_factory=dict)
    # causes for which pieces leave in one entry and the survivors return in a later one
    returning: frozenset[str] = frozenset()

    def crossings(self, steps: Iterable[Step]) -> Counter[Crossing]:
        """Return the net count of pieces that came onto the board (positive) or left it (negative)."""
        changes: Counter[Crossing] = Counter()
        for cause, move in self._moves_with_cause(steps, OTHER):
            arrives, leaves = self._is_on(move.lands_as, move.target), self._is_on(move.piece, move.source)
            changes[Crossing(move.owner, move.piece, cause)] += move.count * (arrives - leaves)
        return Counter({crossing: change for crossing, change in changes.items() if change})

    def _is_on(self, piece: str, place: str) -> bool:
        return kind_of(place) in self.board.get(piece, ())

    def _moves_with_cause(self, steps: Iterable[Step], outer_cause: str) -> Iterator[tuple[str, Move]]:
        """Yield each move with its cause: that of the innermost enclosing step which has one."""
        for step in steps:
            cause = self._cause(step) or outer_cause
            for move in step.moves:
                yield cause, move
            yield from self._moves_with_cause(step.steps, cause)

    def _cause(self, step: Step) -> str | None:
        if step.rule == CORRECTION:
            return CORRECTION
        return self.causes.get(step.message.code) or self.causes.get(step.rule)


def most(counts: Mapping[str, int]) -> str | None:
    """Return the owner with the highest count; None if tied or if all counts are zero."""
    highest = max(counts.values(), default=0)
    leading = [owner for owner, count in counts.items() if count == highest]
    return leading[0] if highest and len(leading) == 1 else None
