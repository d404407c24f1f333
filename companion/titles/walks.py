"""The walk: comparing the real table with the app stop by stop. Each game defines its stops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from companion import wording
from games.core.game import AnyGame
from games.core.ledger import SUPPLY, Holding, Ledger

T = TypeVar("T")
Kind = tuple[str, str]  # owner, piece


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a stop, and the pieces counted there."""

    place: str
    title: str
    allowed: frozenset[str] = frozenset()  # pieces that can be added
    offered: tuple[Kind, ...] = ()  # listed even if the count is 0
    owner: str = ""  # counts only pieces of this owner, at a place shared by all players
    also: tuple[str, ...] = ()  # further places that are counted together with this one
    against: str = ""  # counter-place of a correction, if it is not the supply
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """A group of places that is compared together: a region, a player."""

    slug: str
    title: str
    spots: tuple[Spot, ...]
    owner: str = ""  # faction of a stop about one player
    note: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """All stops; ``common`` are pieces shown without their owner."""

    stops: tuple[Stop, ...]
    common: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """The count of one kind of piece at a place, according to the app."""

    spot: Spot
    owner: str
    piece: str
    count: int
    name: str
    kind: str = ""  # name of the piece, where ``name`` is that of the owner
    token: str = ""

    @property
    def key(self) -> str:
        return f"{self.owner} {self.piece} {self.spot.place}"


@dataclass(frozen=True, slots=True)
class Counted:
    """A place with its counted lines."""

    spot: Spot
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Counting:
    """The walk of a game, counted in one state."""

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
        """Return the counts of a stop; ``added`` are keys of lines that players have added."""
        return [Counted(spot, tuple(self._lines(spot, added))) for spot in stop.spots]

    def lines(self, stop: Stop, added: Iterable[str] = ()) -> list[Line]:
        return [line for counted in self.counted(stop, added) for line in counted.lines]

    def all_lines(self, added: Iterable[str] = ()) -> dict[str, Line]:
        return {line.key: line for stop in self.walk.stops for line in self.lines(stop, added)}

    def _lines(self, spot: Spot, added: Iterable[str]) -> Iterator[Line]:
        kinds = [(h.owner, h.piece) for h in self._holdings(spot)]
        kinds += spot.offered
        if not self._is_bounded(spot):
            kinds += [(owner, piece) for owner, piece, place in map(split_key, added) if place == spot.place]
        for owner, piece in sorted(dict.fromkeys(kinds), key=lambda kind: self._rank(spot, kind)):
            yield self._line(spot, owner, piece)

    def _rank(self, spot: Spot, kind: Kind) -> tuple[int, bool, int, str]:
        """Return the sort key of a kind: piles from the bottom up, else by player, common pieces last."""
        pile = self.state.ledger.pile(spot.place)
        owners = (*self.state.setup.factions, *self.game.neutrals)
        depth = pile.index(kind) if kind in pile else len(pile)
        index = spot.offered.index(kind) if kind in spot.offered else len(spot.offered)
        return depth, kind[1] in self.walk.common, owners.index(kind[0]), f"{index:02} {kind[1]}"

    def _holdings(self, spot: Spot) -> list[Holding]:
        holdings = [h for place in (spot.place, *spot.also) for h in self.state.ledger.at(place)]
        if self._is_bounded(spot):
            return [h for h in holdings if (h.owner, h.piece) in spot.offered]
        return [h for h in holdings if spot.owner in ("", h.owner)]

    def _is_bounded(self, spot: Spot) -> bool:
        """Return True if only offered kinds count: the place also holds other pieces, not counted here."""
        return spot.place == SUPPLY or bool(spot.also)

    def _line(self, spot: Spot, owner: str, piece: str) -> Line:
        places = (spot.place, *spot.also)
        count = sum(self.state.ledger.count(owner, piece, place) for place in places)
        piece_name = wording.capital(wording.name(self.game, "piece", piece))
        if piece in self.walk.common:
            return Line(spot, owner, piece, count, piece_name)
        if spot.owner == owner:
            return Line(spot, owner, piece, count, piece_name, token=owner)
        is_only_piece = spot.allowed == {piece}
        owner_name = wording.name(self.game, "faction", owner)
        return Line(spot, owner, piece, count, owner_name, "" if is_only_piece else piece_name, owner)

    def addable(self, spot: Spot) -> list[Kind]:
        """Return the kinds of this game that can be added at a spot."""
        backs = self.game.places.backs
        owners = [*self.state.setup.factions, *self.game.neutrals]
        return [
            (owner, piece)
            for owner in owners
            if spot.owner in ("", owner) or owner in self.game.neutrals
            for piece in sorted(spot.allowed)
            if (owner, backs.get(piece, piece)) in self._owned
            and piece == self.game.places.piece_at(piece, spot.place)
        ]

    def addable_at(self, place: str) -> list[Kind]:
        """Return the kinds that can be added at a place, over all its spots."""
        return [
            kind
            for stop in self.walk.stops
            for spot in stop.spots
            if spot.place == place
            for kind in self.addable(spot)
        ]

    def places(self) -> list[str]:
        """Return the places of all stops."""
        return [place for stop in self.walk.stops for place in _places(stop)]

    def distance(self, first: str, second: str) -> int:
        """Return the distance of two places on the walk: 100 per stop between them, plus 1 per place."""
        index = {place: (i, j) for i, s in enumerate(self.walk.stops) for j, place in enumerate(_places(s))}
        (stop, place), (stop2, place2) = index.get(first, (99, 0)), index.get(second, (99, 0))
        return abs(stop - stop2) * 100 + abs(place - place2)


def split_key(key: str) -> tuple[str, str, str]:
    """Split the key of a line into owner, piece and place."""
    owner, _, remainder = key.partition(" ")
    piece, _, place = remainder.partition(" ")
    return owner, piece, place


def _places(stop: Stop) -> list[str]:
    return [spot.place for spot in stop.spots]


def chunks(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Split a sequence into parts of nearly equal length, none longer than ``most``."""
    parts = -(-len(items) // most) if items else 0
    size, longer = divmod(len(items), parts) if parts else (0, 0)
    result, start = [], 0
    for part in range(parts):
        step = size + (part < longer)
        result.append(items[start : start + step])
        start += step
    return result
