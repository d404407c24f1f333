"""What people enter in Robber Knights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action
from games.core.codec import Count
from games.raubritter.land import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay(Action):
    """Set-up: the two A tiles a player does not keep, and where they lie in the rectangle."""

    type: ClassVar[str] = "lay"
    tiles: tuple[str, ...]
    at: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Action):
    """Lay a tile from the hand."""

    type: ClassVar[str] = "place"
    tile: str
    at: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """Knights of the castle just laid: how many, which way, how many stay on each tile."""

    type: ClassVar[str] = "march"
    knights: Count
    direction: str | None = None  # None: nobody moves on
    left: tuple[Count, ...] = ()
    castle: Cell | None = None  # the one just laid, if not given


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Action):
    """End the turn before three tiles are laid."""

    type: ClassVar[str] = "end"


ACTIONS: tuple[type[Action], ...] = (Lay, Place, March, End)
