"""The land: cells, the area it may cover, and legal placements (digest 3 and 5.1)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TypeAlias

from games.core.errors import Illegal
from games.core.messages import Message, say

Cell: TypeAlias = tuple[int, int]  # x grows to the east, y to the south

BOARD_MAX: Mapping[int, int] = {2: 7, 3: 9, 4: 10}
TILES_AT_START = 2  # of each player
DIRECTIONS: Mapping[str, Cell] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}

# Cell (0, 0) is labelled K11, so that every cell the land can reach has a valid label.
_LABEL_OFFSET = 10
_LABELLED = range(-_LABEL_OFFSET, _LABEL_OFFSET + 1)
_PLACE = re.compile(r"cell:(-?\d{1,2}),(-?\d{1,2})")


def place_of(cell: Cell) -> str:
    return f"cell:{cell[0]},{cell[1]}"


@lru_cache(maxsize=1024)
def cell_of(place: str) -> Cell | None:
    match = _PLACE.fullmatch(place)
    if not match:
        return None
    cell = (int(match[1]), int(match[2]))
    return cell if place_of(cell) == place and has_label(cell) else None


def has_label(cell: Cell) -> bool:
    """Return whether the cell has a label; only corrections can move the land beyond labelled cells."""
    return cell[0] in _LABELLED and cell[1] in _LABELLED


def label(cell: Cell) -> str:
    """Return the label shown to players: a letter for the column, a number for the row."""
    return f"{chr(ord('A') + _LABEL_OFFSET + cell[0])}{_LABEL_OFFSET + 1 + cell[1]}"


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS.values()]


def span(cells: Collection[Cell]) -> tuple[int, int]:
    """Return the number of columns and rows the land covers, gaps included (A-06)."""
    if not cells:
        return (0, 0)
    xs, ys = zip(*cells, strict=True)
    return (max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)


def area(land: Collection[Cell], players: int) -> tuple[range, range]:
    """Return the columns and rows the land may still cover; a full width or height locks its edges (3, 5.1).

    A land that a correction made too wide may be filled but not extended.
    """
    xs, ys = zip(*land, strict=True)
    return _reach(min(xs), max(xs), BOARD_MAX[players]), _reach(min(ys), max(ys), BOARD_MAX[players])


def _reach(low: int, high: int, most: int) -> range:
    return range(min(low, high - most + 1), max(high, low + most - 1) + 1)


def why_not_cell(land: Collection[Cell], cell: Cell, players: int) -> Message | None:
    """Return why a tile may not be placed: the cell is occupied, shares no edge, or is out of bounds (5.1)."""
    if cell in land:
        return say("occupied")
    if not land:
        return None
    if not any(n in land for n in neighbours(cell)):
        return say("no-edge")
    columns, rows = area(land, players)
    if cell[0] not in columns or cell[1] not in rows:
        return too_wide(players)
    return None


def too_wide(players: int) -> Message:
    return say("too-wide", players=players, most=BOARD_MAX[players])


def refuse_cell(land: Collection[Cell], cell: Cell, players: int) -> None:
    message = why_not_cell(land, cell, players)
    if message:
        raise Illegal(message, rule="5.1")


def legal_cells(land: Collection[Cell], players: int) -> list[Cell]:
    """Return every cell on which a tile may be placed, row by row (5.1)."""
    if not land:
        return [(x, y) for y in _LABELLED for x in _LABELLED]
    columns, rows = area(land, players)
    beside = {n for cell in land for n in neighbours(cell)}.difference(land)
    return sorted(
        (c for c in beside if c[0] in columns and c[1] in rows), key=lambda cell: (cell[1], cell[0])
    )


def locked_edges(land: Collection[Cell], players: int) -> list[str]:
    """Return the sides on which the land cannot grow any more (5.1)."""
    columns, rows = span(land)
    most = BOARD_MAX[players]
    return [*(("east", "west") if columns >= most else ()), *(("north", "south") if rows >= most else ())]


def rectangles(count: int, players: int) -> list[tuple[int, int]]:
    """Return (columns, rows) of every full rectangle of ``count`` cells that fits the area (A-10)."""
    most = BOARD_MAX[players]
    return [
        (count // rows, rows) for rows in range(1, most + 1) if count % rows == 0 and count // rows <= most
    ]
