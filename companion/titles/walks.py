"""The walk along the real table: stop by stop, what should lie there. A game says its stops; the rest is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from companion import wording
from games.core.game import AnyGame
from games.core.ledger import Holding, Ledger
from games.core.positions import SUPPLY

T = TypeVar("T")
Kind = tuple[str, str]  # whose piece, and which


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a stop, and what is counted there."""

    place: str
    title: str
    may_lie: frozenset[str] = frozenset()  # the pieces that can be added
    offered: tuple[Kind, ...] = ()  # counted even if none lies there
    owner: str = ""  # of a place that everybody has a part of: whose
    also: tuple[str, ...] = ()  # places of which only the sum is seen, with this one
    against: str = ""  # where a difference comes from or goes to, if it is not the supply
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """What people look at together: a region, a player."""

    slug: str
    title: str
    spots: tuple[Spot, ...]
    owner: str = ""  # the player it is about, if it is about one
    note: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """All stops; ``common`` are the pieces of which nobody says whose they are."""

    stops: tuple[Stop, ...]
    common: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """Some pieces of an owner at a place, as the app counts them."""

    spot: Spot
    owner: str
    piece: str
    count: int
    name: str
    kind: str = ""  # of the pieces, where the name is their owner's
    token: str = ""

    @property
    def key(self) -> str:
        return f"{self.owner} {self.piece} {self.spot.place}"


@dataclass(frozen=True, slots=True)
class Counted:
    """A place with its lines."""

    spot: Spot
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Counting:
    """The walk at a table, as it stands now."""

    game: AnyGame
    state: Any
    walk: Walk
    _owned: frozenset[Kind] = field(init=False)

    def __post_init__(self) -> None:
        backs = self.game.places.backs
        ledger: Ledger = self.state.ledger
        owned = {(h.owner, backs.get(h.piece, h.piece)) for h in ledger.holdings()}
        players, nobody = self.state.setup.factions, self.game.neutrals
        always = {
            (owner, piece)
            for piece in self.game.uncounted
            for owner in (nobody if piece in self.walk.common else players)
        }
        object.__setattr__(self, "_owned", frozenset(owned | always))

    def stop(self, slug: str) -> Stop | None:
        return next((stop for stop in self.walk.stops if stop.slug == slug), None)

    def counted(self, stop: Stop, added: Iterable[str] = ()) -> list[Counted]:
        """What the app counts at a stop; ``added`` are keys of lines that people have added."""
        return [Counted(spot, tuple(self._lines(spot, added))) for spot in stop.spots]

    def lines(self, stop: Stop, added: Iterable[str] = ()) -> list[Line]:
        return [line for counted in self.counted(stop, added) for line in counted.lines]

    def all_lines(self, added: Iterable[str] = ()) -> dict[str, Line]:
        return {line.key: line for stop in self.walk.stops for line in self.lines(stop, added)}

    def _lines(self, spot: Spot, added: Iterable[str]) -> Iterator[Line]:
        asked = [(h.owner, h.piece) for h in self._lying(spot)]
        asked += spot.offered
        if not self._is_bounded(spot):
            asked += [(owner, piece) for owner, piece, place in map(parts_of, added) if place == spot.place]
        for owner, piece in sorted(dict.fromkeys(asked), key=lambda kind: self._rank(spot, kind)):
            yield self._line(spot, owner, piece)

    def _rank(self, spot: Spot, kind: Kind) -> tuple[int, bool, int, str]:
        """Piles from the bottom up; elsewhere players in their order, then what is nobody's."""
        pile = self.state.ledger.pile(spot.place)
        owners = (*self.state.setup.factions, *self.game.neutrals)
        depth = pile.index(kind) if kind in pile else len(pile)
        at = spot.offered.index(kind) if kind in spot.offered else len(spot.offered)
        return depth, kind[1] in self.walk.common, owners.index(kind[0]), f"{at:02} {kind[1]}"

    def _lying(self, spot: Spot) -> list[Holding]:
        lying = [h for place in (spot.place, *spot.also) for h in self.state.ledger.at(place)]
        if self._is_bounded(spot):
            return [h for h in lying if (h.owner, h.piece) in spot.offered]
        return [h for h in lying if spot.owner in ("", h.owner)]

    def _is_bounded(self, spot: Spot) -> bool:
        """Whether much lies there that is counted elsewhere, or by nobody."""
        return spot.place == SUPPLY or bool(spot.also)

    def _line(self, spot: Spot, owner: str, piece: str) -> Line:
        places = (spot.place, *spot.also)
        count = sum(self.state.ledger.count(owner, piece, place) for place in places)
        what = wording.capital(wording.name(self.game, "piece", piece))
        if piece in self.walk.common:
            return Line(spot, owner, piece, count, what)
        if spot.owner == owner:
            return Line(spot, owner, piece, count, what, token=owner)
        only = spot.may_lie == {piece}
        called = wording.name(self.game, "faction", owner)
        return Line(spot, owner, piece, count, called, "" if only else what, owner)

    def addable(self, spot: Spot) -> list[Kind]:
        """What may lie at a place, of all that there is in the game."""
        backs = self.game.places.backs
        owners = [*self.state.setup.factions, *self.game.neutrals]
        return [
            (owner, piece)
            for owner in owners
            if spot.owner in ("", owner) or owner in self.game.neutrals
            for piece in sorted(spot.may_lie)
            if (owner, backs.get(piece, piece)) in self._owned
            and piece == self.game.places.piece_at(piece, spot.place)
        ]

    def addable_at(self, place: str) -> list[Kind]:
        """What may lie at a place, wherever on the walk it is looked at."""
        return [
            kind
            for stop in self.walk.stops
            for spot in stop.spots
            if spot.place == place
            for kind in self.addable(spot)
        ]

    def places(self) -> list[str]:
        """Those that are looked at on the walk."""
        return [place for stop in self.walk.stops for place in _places(stop)]

    def near(self, one: str, other: str) -> int:
        """How far two places are from each other: by stops, then by the places between them."""
        at = {place: (i, j) for i, s in enumerate(self.walk.stops) for j, place in enumerate(_places(s))}
        (stop, place), (stop2, place2) = at.get(one, (99, 0)), at.get(other, (99, 0))
        return abs(stop - stop2) * 100 + abs(place - place2)


def parts_of(key: str) -> tuple[str, str, str]:
    """Whose piece, which, where: what the key of a line says."""
    owner, _, rest = key.partition(" ")
    piece, _, place = rest.partition(" ")
    return owner, piece, place


def _places(stop: Stop) -> list[str]:
    return [spot.place for spot in stop.spots]


def chunks(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """In parts of about the same length, none longer than that."""
    parts = -(-len(items) // most) if items else 0
    size, longer = divmod(len(items), parts) if parts else (0, 0)
    found, at = [], 0
    for part in range(parts):
        step = size + (part < longer)
        found.append(items[at : at + step])
        at += step
    return found
