"""Validation of the printed figures of a copy of the game (digest 2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from games.core.codec import Json
from games.core.messages import Message, Name, say
from games.raubritter.tiles import TILES_IN_SET, TYPES

START_ROWS = (1, 2)


def figures_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Return a message for every inconsistency in the tile set, the letters and the starting rows (2.1)."""
    tile_set = figures["tile_set"]
    total = sum(tile_set.values())
    wrong = []
    if total != TILES_IN_SET:
        wrong.append(say("board-set", count=total, needed=TILES_IN_SET))
    lettered = Counter(tile for tiles in figures["letters"].values() for tile in tiles)
    wrong += [
        say("board-letters", tile=Name("tile", tile), count=lettered[tile], needed=tile_set[tile])
        for tile in TYPES
        if lettered[tile] != tile_set[tile]
    ]
    if figures["start"]["rows"] not in START_ROWS:
        wrong.append(say("board-rows"))
    return wrong
