"""Stops of the walk of Robber Knights: the land by rows, then the stock of each player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext

from companion.titles.raubritter.board import name
from companion.titles.walks import Spot, Stop, Walk, chunks
from games.raubritter.land import Cell, cell_of, label, legal_cells, place_of
from games.raubritter.state import State, knights_on
from games.raubritter.tiles import KNIGHT, SUPPLY, TILE, TYPES

MAX_CELLS = 6  # per stop
ALLOWED = frozenset({KNIGHT, *TYPES})


def walk(state: State) -> Walk:
    occupied = sorted(cell for place in state.ledger.occupied("cell") if (cell := cell_of(place)))
    land = [stop for row in sorted({y for _x, y in occupied}) for stop in _row_stops(state, occupied, row)]
    return Walk((*land, *(_left(faction) for faction in state.order)))


def _row_stops(state: State, occupied: list[Cell], row: int) -> list[Stop]:
    """Return the stops of a row from the west; the first includes empty cells that may take a tile."""
    empty = [cell for cell in legal_cells(occupied, state.setup.players) if _nearest(occupied, cell) == row]
    stops = []
    for i, part in enumerate(chunks([cell for cell in occupied if cell[1] == row], MAX_CELLS)):
        shown = [*part, *(empty if i == 0 else ())]
        title = gettext("Row {cells}").format(cells=_span(part))
        slug = f"row-{label(part[0])[1:]}-{i}"  # stable when the row grows
        stops.append(Stop(slug, title, tuple(_cell(state, cell) for cell in shown)))
    return stops


def _nearest(occupied: list[Cell], cell: Cell) -> int:
    """Return the occupied row nearest to an empty cell."""
    return min({y for _x, y in occupied}, key=lambda row: abs(row - cell[1]))


def _span(cells: Sequence[Cell]) -> str:
    first, last = label(cells[0]), label(cells[-1])
    return first if first == last else f"{first}–{last}"


def _cell(state: State, cell: Cell) -> Spot:
    knights = knights_on(state, cell)
    runs = [(name("faction", owner), len(list(run))) for owner, run in groupby(reversed(knights))]
    stack = ", ".join(f"{count} {owner}" for owner, count in runs)
    note = gettext("From the top: {stack}").format(stack=stack) if len(runs) > 1 else ""
    return Spot(place_of(cell), label(cell), ALLOWED, note=note)


def _left(faction: str) -> Stop:
    offered = ((faction, KNIGHT), (faction, TILE))
    spots = (Spot(SUPPLY, gettext("Not laid yet"), offered=offered, owner=faction),)
    return Stop(f"of-{faction}", name("faction", faction), spots, owner=faction)
