"""Position editor of Robber Knights: tap a cell, then choose its tile and knights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.titles.base import PositionEditor
from companion.titles.raubritter.board import Area, land_to_tap, name, occupied_cells, stock_of, tile_on
from companion.titles.raubritter.forms.tiles import OFFERED, offers_of, spots_of
from games.raubritter.land import cell_of, has_label
from games.raubritter.setup import starting_cells
from games.raubritter.state import State


def position(state: State, place: str, owner: str) -> Mapping[str, Any]:
    """Return the data of ``position.html``; ``owner`` is the player whose tile was added last."""
    area = _editable_area(state)
    cell = cell_of(place)
    owner = owner if owner in state.order else state.order[0]
    return {
        "land": land_to_tap(state, area),
        "spots": spots_of(area.cells, area, chosen=cell),
        "stock": stock_of(state),
        "tile": tile_on(state, cell) if cell else None,
        "owner": owner,
        "owners": [(faction, name("faction", faction)) for faction in state.order],
        "offers": offers_of(state, owner, OFFERED),
    }


def _editable_area(state: State) -> Area:
    """Return the land and the starting cells, with one more column and row on each side."""
    cells = [*occupied_cells(state), *starting_cells(state)]
    inner = Area.around(cells)
    columns, rows = inner.columns, inner.rows
    corners = [(x, y) for x in (columns[0] - 1, columns[-1] + 1) for y in (rows[0] - 1, rows[-1] + 1)]
    return Area.around([*filter(has_label, corners), *cells])


EDITOR = PositionEditor(phases=("turn",), board=position)
