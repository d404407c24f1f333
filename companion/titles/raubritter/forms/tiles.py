"""Forms for laying tiles: the two starting tiles, and the tiles of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields
from companion.titles.raubritter.board import TILE_VIEW_BOX, Area, Land, by_row, land_to_tap, name
from companion.titles.raubritter.forms.parsing import join_numbers, options, parse_numbers
from games.core.prompts import Prompt
from games.raubritter.land import Cell, label
from games.raubritter.setup import starting_cells
from games.raubritter.state import State, land_of, types_left
from games.raubritter.tiles import is_castle

# Order of tiles in forms, three to a row; castles first, since they matter most.
OFFERED = (
    *("plain-castle", "forest-castle", "plain"),
    *("plain-village", "forest-village", "mountain"),
    *("plain-town", "forest-town", "lake"),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A type of tile, and the number that a player has left."""

    type: str
    name: str
    left: int

    view_box = TILE_VIEW_BOX

    @property
    def is_single(self) -> bool:
        return self.left == 1


def offers_of(state: State, faction: str, tiles: Iterable[str]) -> list[Offer]:
    left = types_left(state, faction)
    return [Offer(tile, name("tile", tile), left[tile]) for tile in tiles]


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell that can be tapped."""

    value: str
    at: str
    css_class: str  # column and row
    chosen: bool = False


def spots_of(cells: Iterable[Cell], area: Area, chosen: Cell | None = None) -> list[Spot]:
    return [
        Spot(join_numbers(cell, ","), label(cell), "x{} y{}".format(*area.index(cell)), cell == chosen)
        for cell in cells
    ]


@dataclass(frozen=True, slots=True)
class Part:
    """One of the two starting tiles: its field names, its possible cells and the land behind them."""

    title: str
    tile: str
    at: str
    spots: list[Spot]
    land: Land


class LayForm(EntryForm):
    """Two starting tiles and their cells; tiles with letter A come first (3)."""

    action = "lay"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        tiles = {tile for pair in options(prompt, "tiles") for tile in pair}
        letter_a = [t for t in state.setup.figures["letters"]["A"] if t in tiles and not is_castle(t)]
        others = [t for t in OFFERED if t in tiles and t not in letter_a]
        return {
            "likely": offers_of(state, prompt.faction, letter_a),
            "others": offers_of(state, prompt.faction, others),
            "parts": self._parts(state, prompt),
            "buttons": [Button(self.action, gettext("Lay the two tiles"), needs_choice=True)],
        }

    def _parts(self, state: State, prompt: Prompt) -> list[Part]:
        area = Area.around(starting_cells(state))
        cells = sorted({cell for pair in options(prompt, "at") for cell in pair}, key=by_row)
        land = land_to_tap(state, area)
        titles = (gettext("First tile"), gettext("Second tile"))
        return [
            Part(title, f"tile{i}", f"at{i}", spots_of(cells, area, chosen=cells[i - 1]), land)
            for i, title in enumerate(titles, start=1)
        ]

    def parse(self, form: Form) -> Fields:
        return {
            "tiles": [form.get("tile1"), form.get("tile2")],
            "at": [parse_numbers(form.get(field), ",") for field in ("at1", "at2")],
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        (tile1, tile2), (at1, at2) = action["tiles"], action["at"]
        return {
            "tile1": tile1,
            "tile2": tile2,
            "at1": join_numbers(at1, ","),
            "at2": join_numbers(at2, ","),
        }


class PlaceForm(EntryForm):
    """A tile and its cell (5.1)."""

    action = "place"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        cells = options(prompt, "at")
        area = Area.around([*land_of(state), *cells])
        tiles = options(prompt, "tile")
        return {
            "offers": offers_of(state, prompt.faction, [t for t in OFFERED if t in tiles]),
            "land": land_to_tap(state, area),
            "spots": spots_of(cells, area),
            "say": gettext("Place the {tile} at {cell}"),
            "buttons": [Button(self.action, gettext("Place the tile"), needs_choice=True)],
        }

    def parse(self, form: Form) -> Fields:
        return {"tile": form.get("tile"), "at": parse_numbers(form.get("at"), ",")}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"tile": action["tile"], "at": join_numbers(action["at"], ",")}
