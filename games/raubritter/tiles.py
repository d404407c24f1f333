"""Pieces: landscape tiles with their terrain and building, and knights (digest 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.core.messages import Message, Name, say

KNIGHTS = 30
TILES_IN_SET = 24
KNIGHT, TILE = "knight", "tile"  # an unseen tile is counted by its back
SUPPLY = "supply"

LEAVE_COST: Mapping[str, int] = {"plain": 1, "forest": 2, "mountain": 3}  # the lake cannot be entered
POINTS: Mapping[str, int] = {"castle": 1, "village": 2, "town": 3}


class TileType(NamedTuple):
    """Terrain and building of a tile."""

    terrain: str
    building: str | None


TYPES: Mapping[str, TileType] = {
    "lake": TileType("lake", None),
    "mountain": TileType("mountain", None),
    "plain": TileType("plain", None),
    "plain-village": TileType("plain", "village"),
    "plain-castle": TileType("plain", "castle"),
    "plain-town": TileType("plain", "town"),
    "forest-village": TileType("forest", "village"),
    "forest-castle": TileType("forest", "castle"),
    "forest-town": TileType("forest", "town"),
}


def is_castle(tile: str) -> bool:
    return TYPES[tile].building == "castle"


def set_has_fewer(tile: str, count: int) -> Message:
    """Return the message that a set has only ``count`` tiles of a type (2.1)."""
    return say("set-has-fewer", tile=Name("tile", tile), tiles=Name("tiles", tile), count=count)
