"""The actions of Robber Knights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action
from games.core.codec import Count
from games.raubritter.land import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay(Action):
    """Set-up: the two A tiles a player does not keep, and their cells in the starting rectangle."""

    type: ClassVar[str] = "lay"
    tiles: tuple[str, ...]
    at: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Action):
    """Place a tile from the hand."""

    type: ClassVar[str] = "place"
    tile: str
    at: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """Send knights from the castle just placed: number, direction, and knights left on each tile."""

    type: ClassVar[str] = "march"
    knights: Count
    direction: str | None = None  # None: no knight leaves the castle
    left: tuple[Count, ...] = ()
    castle: Cell | None = None  # None: the castle just placed


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Action):
    """End the turn before three tiles are placed."""

    type: ClassVar[str] = "end"


ACTIONS: tuple[type[Action], ...] = (Lay, Place, March, End)
