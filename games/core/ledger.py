"""Ledger: counts of pieces by owner, piece and place, and the moves that change it.

Pieces are never created or destroyed, so a ``Move`` is the only kind of change. ``Places`` lists the
places with special behaviour:

* an *ordered* place is a stack: a move adds on top and takes the topmost pieces of its kind;
* an *unlimited* place (bank, box) is not counted;
* at an *unseen* place pieces are counted by their back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from games.core.errors import NotThere

Pile: TypeAlias = tuple[tuple[str, str], ...]  # (owner, piece) from the bottom up


@dataclass(frozen=True, slots=True)
class Move:
    """Transfer of ``count`` pieces of an owner from one place to another."""

    owner: str
    piece: str
    source: str
    target: str
    count: int = 1
    becomes: str | None = None  # the piece at the target, if it is turned over
    reported: bool = False  # already done on the real table (cubes that fell)

    @property
    def lands_as(self) -> str:
        return self.becomes or self.piece


class Holding(NamedTuple):
    """A row of the ledger: a number of equal pieces of one owner at one place."""

    owner: str
    piece: str
    place: str
    count: int  # type: ignore[assignment] # shadows tuple.count, which is not needed here


# Places that the core knows; a game may lack the bank.
SUPPLY = "supply"
BANK = "bank"


@dataclass(frozen=True, slots=True)
class Places:
    """Kinds of places with special behaviour. A place is ``kind`` or ``kind:name``."""

    ordered: frozenset[str] = frozenset()
    unlimited: frozenset[str] = frozenset()
    unseen: frozenset[str] = frozenset()
    backs: Mapping[str, str] = field(default_factory=dict)  # piece -> back it is counted by

    def is_ordered(self, place: str) -> bool:
        return bool(self.ordered) and kind_of(place) in self.ordered

    def is_unlimited(self, place: str) -> bool:
        return kind_of(place) in self.unlimited

    def is_seen(self, place: str) -> bool:
        return kind_of(place) not in self.unseen

    def piece_at(self, piece: str, place: str) -> str:
        """Return the piece, or its back if the place is unseen."""
        return piece if self.is_seen(place) else self.backs.get(piece, piece)


def kind_of(place: str) -> str:
    return place.partition(":")[0]


class Ledger:
    """Immutable mapping ``(owner, piece, place) -> count``."""

    __slots__ = ("_counts", "_piles", "places")

    def __init__(
        self,
        places: Places,
        counts: Mapping[str, Mapping[tuple[str, str], int]] | None = None,
        piles: Mapping[str, Pile] | None = None,
    ) -> None:
        self.places = places
        self._counts = counts or {}
        self._piles = piles or {}

    @classmethod
    def of(cls, places: Places, holdings: Iterable[tuple[str, str, str, int]]) -> Ledger:
        """Build a ledger from ``(owner, piece, place, count)`` rows; stacks are built in row order."""
        counts: dict[str, dict[tuple[str, str], int]] = {}
        piles: dict[str, Pile] = {}
        for owner, piece, place, count in holdings:
            if count <= 0 or places.is_unlimited(place):
                continue
            if places.is_ordered(place):
                piles[place] = piles.get(place, ()) + ((owner, piece),) * count
            else:
                lines = counts.setdefault(place, {})
                lines[owner, piece] = lines.get((owner, piece), 0) + count
        return cls(places, counts, piles)

    # Queries

    def count(self, owner: str, piece: str, place: str) -> int:
        if self.places.is_ordered(place):
            return self._piles.get(place, ()).count((owner, piece))
        return self._counts.get(place, {}).get((owner, piece), 0)

    def pile(self, place: str) -> Pile:
        """Return the pieces at an ordered place, from the bottom up."""
        return self._piles.get(place, ())

    def at(self, place: str) -> list[Holding]:
        """Return the holdings at a place, sorted."""
        lines: Mapping[tuple[str, str], int] = self._counts.get(place, {})
        if self.places.is_ordered(place):
            lines = Counter(self._piles.get(place, ()))
        return [Holding(owner, piece, place, count) for (owner, piece), count in sorted(lines.items())]

    def occupied(self, kind: str | None = None) -> list[str]:
        """Return the non-empty places (of a kind), sorted."""
        return sorted(p for p in (*self._counts, *self._piles) if kind is None or kind_of(p) == kind)

    def piles(self, kind: str) -> list[tuple[str, Pile]]:
        """Return the non-empty ordered places of a kind with their piles, sorted."""
        return sorted((place, pile) for place, pile in self._piles.items() if kind_of(place) == kind)

    def holdings(self) -> list[Holding]:
        return [holding for place in self.occupied() for holding in self.at(place)]

    def totals(self) -> Counter[tuple[str, str]]:
        """Return the number of pieces at all places together, by owner and piece."""
        totals: Counter[tuple[str, str]] = Counter()
        for owner, piece, _place, count in self.holdings():
            totals[owner, piece] += count
        return totals

    # Changing

    def move(self, *moves: Move) -> Ledger:
        """Return the ledger after these moves. Raise ``NotThere`` if pieces are missing."""
        counts = dict(self._counts)
        piles = dict(self._piles)
        for move in moves:
            if move.count < 0:
                raise NotThere(move)
            self._take(counts, piles, move)
            self._put(counts, piles, move)
        return Ledger(self.places, counts, piles)

    def _take(self, counts: dict[str, Any], piles: dict[str, Pile], move: Move) -> None:
        key = (move.owner, move.piece)
        if self.places.is_unlimited(move.source):
            return
        if self.places.is_ordered(move.source):
            _replace(piles, move.source, _without(piles.get(move.source, ()), key, move))
            return
        lines = dict(counts.get(move.source, {}))
        left = lines.get(key, 0) - move.count
        if left < 0:
            raise NotThere(move)
        _replace(lines, key, left)
        _replace(counts, move.source, lines)

    def _put(self, counts: dict[str, Any], piles: dict[str, Pile], move: Move) -> None:
        key = (move.owner, move.lands_as)
        if self.places.is_unlimited(move.target) or not move.count:
            return
        if self.places.is_ordered(move.target):
            piles[move.target] = piles.get(move.target, ()) + (key,) * move.count
            return
        lines = dict(counts.get(move.target, {}))
        lines[key] = lines.get(key, 0) + move.count
        counts[move.target] = lines

    # Encoding

    def to_json(self) -> dict[str, list[list[Any]]]:
        lines: dict[str, list[list[Any]]] = {
            place: [[h.owner, h.piece, h.count] for h in self.at(place)] for place in sorted(self._counts)
        }
        runs = {place: [[*key, 1] for key in self._piles[place]] for place in sorted(self._piles)}
        return {**lines, **runs}

    @classmethod
    def from_json(cls, places: Places, data: Mapping[str, Iterable[tuple[str, str, int]]]) -> Ledger:
        lines = ((owner, piece, place, n) for place, rows in data.items() for owner, piece, n in rows)
        return cls.of(places, lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and (self._counts, self._piles) == (other._counts, other._piles)

    __hash__ = None  # type: ignore[assignment] # equality is by value, but it is never a key

    def __repr__(self) -> str:
        return f"Ledger({self.to_json()})"


def _without(pile: Pile, key: tuple[str, str], move: Move) -> Pile:
    """Return the pile without its topmost ``move.count`` pieces of that kind."""
    kept = list(pile)
    for _ in range(move.count):
        if key not in kept:
            raise NotThere(move)
        del kept[len(kept) - 1 - kept[::-1].index(key)]
    return tuple(kept)


def _replace(table: dict[Any, Any], key: Any, value: Any) -> None:
    """Set or, if empty, delete a value, so that equal ledgers compare equal."""
    if value:
        table[key] = value
    else:
        table.pop(key, None)
