"""Template data of the board: tiles with their knights, the land, and what the players have left.

Symbols of terrains, buildings, tiles and knights are in ``static/raubritter/tiles.svg``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from companion import wording
from games.raubritter import RAUBRITTER
from games.raubritter.knights import STACK_LIMIT
from games.raubritter.land import (
    BOARD_MAX,
    Cell,
    cell_of,
    has_label,
    label,
    legal_cells,
    locked_edges,
    place_of,
    span,
)
from games.raubritter.scoring import controller
from games.raubritter.setup import starting_cells
from games.raubritter.state import State, knights_left, knights_on, land_of, tile_at, tiles_left
from games.raubritter.tiles import POINTS, TYPES

SIDE = 48  # side of a tile, in SVG units; also in raubritter.js
TILE_VIEW_BOX = f"0 0 {SIDE} {SIDE}"
RADIUS = 4  # of the corners of a tile
LARGE, SMALL = 64, 48  # side of a tappable cell, in pixels; also in the style sheet
FEW = 5  # maximal number of columns with large cells
EDGE = 24  # margin for row and column labels around tappable cells, in pixels; also in the style sheet
EDGES_PER_WIDTH = 18  # on the board, the margin scales with the width: legible with ten columns on a phone
MARGIN = 2  # right of and below the land, so that border lines are not clipped


def name(kind: str, slug: str) -> str:
    return wording.name(RAUBRITTER, kind, slug)


# Tiles

# The dark background of an occupied tile: a border, and a panel behind the knights that starts at ``top``.
BORDER = "M5 1h38a4 4 0 0 1 4 4v38a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4zM4 4v40h40V4z"
PANEL = "M30 47V{top}a3 3 0 0 1 3-3H47V43a4 4 0 0 1-4 4z"
LAYER = 9  # vertical distance of two knights in a stack
INSET = 2.5  # of the line that shows who controls the tile


@dataclass(frozen=True, slots=True)
class Symbol:
    """A square symbol on a tile."""

    id: str
    x: int
    y: int
    size: int


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile with its knights."""

    cell: Cell
    type: str | None  # None: knights without a tile, possible only through corrections
    knights: tuple[str, ...]  # from the bottom up
    shift: str = ""  # SVG translation within a larger picture

    view_box = TILE_VIEW_BOX

    @property
    def at(self) -> str:
        return label(self.cell)

    @property
    def place(self) -> str:
        return place_of(self.cell)

    @property
    def owner(self) -> str:
        return controller(self.knights) or ""

    @property
    def points(self) -> int:
        """Return the points for controlling the tile."""
        building = TYPES[self.type].building if self.type else None
        return POINTS[building] if building else 0

    @property
    def picture(self) -> SafeString:
        return _picture(self.type, self.knights)

    @property
    def text(self) -> str:
        tile_name = name("tile", self.type) if self.type else gettext("no tile")
        return f"{tile_name}: {_stack_text(self.knights)}"


def tile_on(state: State, cell: Cell, shift: str = "") -> Tile:
    return Tile(cell, tile_at(state, cell), tuple(knights_on(state, cell)), shift)


@lru_cache(maxsize=4096)
def _picture(tile: str | None, knights: Sequence[str]) -> SafeString:
    """Render a tile with its knights as SVG; cached, since few combinations occur."""
    terrain, building = TYPES[tile] if tile else (None, None)
    stack = _stack(knights)
    context = {
        "tile": tile,
        "side": SIDE,
        "terrain": terrain,
        "building": Symbol(building, x=-3, y=6, size=40) if building else None,
        "inset": str(INSET),  # not a float, which would be localized
        "inner_side": f"{SIDE - 2 * INSET:g}",
        "background": BORDER + PANEL.format(top=40 - LAYER * len(stack)),
        "knights": stack,
    }
    return render_to_string("raubritter/tile.html", context)


def _stack(knights: Sequence[str]) -> list[Symbol]:
    """Return the knights from the bottom up, the top one larger; only corrections stack more than four."""
    visible = knights[-STACK_LIMIT:]
    lower = [Symbol(faction, x=34, y=35 - LAYER * i, size=8) for i, faction in enumerate(visible[:-1])]
    top = [Symbol(faction, x=31, y=30 - LAYER * len(lower), size=14) for faction in visible[-1:]]
    return lower + top


def _stack_text(knights: Sequence[str]) -> str:
    owner = controller(knights)
    if owner is None:
        return gettext("no knights")
    runs = [(name("faction", faction), len(list(run))) for faction, run in groupby(reversed(knights))]
    count = len(knights)
    if len(runs) == 1:
        template = ngettext(
            "{faction} controls it with {count} knight", "{faction} controls it with {count} knights", count
        )
    else:
        template = gettext("{faction} controls it; from the top {stack}")
    stack = ", ".join(f"{number} {faction}" for faction, number in runs)
    text = template.format(faction=runs[0][0], count=count, stack=stack)
    return gettext("{stack}; closed").format(stack=text) if count >= STACK_LIMIT else text


# The land


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells."""

    columns: range
    rows: range

    @classmethod
    def around(cls, cells: Iterable[Cell]) -> Area:
        xs, ys = zip(*cells, strict=True)
        return cls(range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1))

    def __contains__(self, cell: Cell) -> bool:
        return cell[0] in self.columns and cell[1] in self.rows

    def index(self, cell: Cell) -> tuple[int, int]:
        """Return column and row of a cell, counted from 0."""
        return self.columns.index(cell[0]), self.rows.index(cell[1])

    @property
    def cells(self) -> list[Cell]:
        return [(x, y) for y in self.rows for x in self.columns]


@dataclass(frozen=True, slots=True)
class Land:
    """The tiles of an area, rendered as one SVG picture."""

    area: Area
    tiles: tuple[Tile, ...]
    locked: tuple[str, ...]  # sides on which the land cannot grow
    edge: int  # margin for row and column labels
    pixels: int = SMALL  # side of a cell, for pictures of fixed size

    @property
    def width(self) -> int:
        return SIDE * len(self.area.columns)

    @property
    def height(self) -> int:
        return SIDE * len(self.area.rows)

    @property
    def view_box(self) -> str:
        return f"{-self.edge} {-self.edge} {self._with_margins(self.width)} {self._with_margins(self.height)}"

    def _with_margins(self, length: int) -> int:
        """Return a width or height of the whole picture."""
        return self.edge + length + MARGIN

    @property
    def pixel_width(self) -> int:
        return self._with_margins(self.width) * self.pixels // SIDE

    @property
    def pixel_height(self) -> int:
        return self._with_margins(self.height) * self.pixels // SIDE

    @property
    def cells_class(self) -> str:
        """Return the CSS classes of the tappable cells on the picture."""
        return "cells large" if self.pixels == LARGE else "cells"

    @property
    def grid(self) -> str:
        """Return the grid lines as an SVG path."""
        across = [f"M0 {SIDE * i}h{self.width}" for i in range(len(self.area.rows) + 1)]
        down = [f"M{SIDE * i} 0v{self.height}" for i in range(len(self.area.columns) + 1)]
        return "".join([*across, *down])

    @property
    def font_size(self) -> int:
        return self.edge * 2 // 3

    @property
    def labels(self) -> SafeString:
        """Return the column letters and row numbers along the edges."""
        middle, baseline = SIDE // 2, self.edge // 4
        letters = [
            (SIDE * i + middle, baseline - self.edge // 2, label((x, 0))[0])
            for i, x in enumerate(self.area.columns)
        ]
        numbers = [
            (-self.edge // 2, SIDE * i + middle + baseline, label((0, y))[1:])
            for i, y in enumerate(self.area.rows)
        ]
        return format_html_join("", '<text x="{}" y="{}">{}</text>', letters + numbers)

    @property
    def ground(self) -> SafeString:
        """Return the pictures of all tiles at their positions."""
        tiles = [(tile.owner, tile.shift, tile.picture) for tile in self.tiles]
        return format_html_join("", '<g class="t {}" transform="translate({})">{}</g>', tiles)

    @property
    def highlights(self) -> SafeString:
        """Return a frame for each tile, shown if the tile has changed."""
        frame = format_html('width="{0}" height="{0}" rx="{1}"', SIDE, RADIUS)
        frames = [(tile.place, tile.shift, frame) for tile in self.tiles]
        return format_html_join(
            "", '<rect class="new" data-place="{}" transform="translate({})" {}/>', frames
        )

    @property
    def walls(self) -> str:
        """Return the sides on which the land cannot grow as an SVG path."""
        sides = {
            "north": f"M0 0h{self.width}",
            "east": f"M{self.width} 0v{self.height}",
            "south": f"M0 {self.height}h{self.width}",
            "west": f"M0 0v{self.height}",
        }
        return "".join(sides[side] for side in self.locked)

    @property
    def list_items(self) -> SafeString:
        """Return the tiles as list items, the accessible form of the picture."""
        tiles = [(tile.at, tile.text) for tile in self.tiles]
        return format_html_join("", '<li id="lies-{0}"><b>{0}</b> <span>{1}</span></li>', tiles)


def chart_of(state: State) -> Mapping[str, Any]:
    """Return the data of ``board.html``."""
    area = _visible_area(state)
    edge = SIDE * len(area.columns) // EDGES_PER_WIDTH
    return {
        "land": Land(area, _tiles(state, area), _locked(state), edge),
        "extent": _extent(state),
        "stock": stock_of(state),
    }


def land_to_tap(state: State, area: Area) -> Land:
    """Return the land as the background of tappable cells."""
    pixels = LARGE if len(area.columns) <= FEW else SMALL
    return Land(area, _tiles(state, area), _locked(state), EDGE * SIDE // pixels, pixels)


def by_row(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def occupied_cells(state: State) -> list[Cell]:
    return [cell for place, _ in state.ledger.piles("cell") if (cell := cell_of(place))]


def _visible_area(state: State) -> Area:
    """Return the land and the adjacent cells where tiles may be placed."""
    land = land_of(state)
    if state.frames[-1].phase == "setup" or not land:
        return Area.around([*occupied_cells(state), *starting_cells(state)])
    beside = filter(has_label, legal_cells(land, state.setup.players))
    return Area.around([*occupied_cells(state), *beside])


def _tiles(state: State, area: Area) -> tuple[Tile, ...]:
    """Return the tiles within an area, row by row."""
    cells = sorted(filter(area.__contains__, occupied_cells(state)), key=by_row)
    return tuple(tile_on(state, cell, _shift(*area.index(cell))) for cell in cells)


def _shift(column: int, row: int) -> str:
    return f"{SIDE * column} {SIDE * row}"


def _locked(state: State) -> tuple[str, ...]:
    return tuple(locked_edges(land_of(state), state.setup.players))


def _extent(state: State) -> str:
    """Return a sentence with the current and the maximal size of the land."""
    columns, rows = span(land_of(state))
    most = BOARD_MAX[state.setup.players]
    if columns >= most and rows >= most:
        template = gettext("The land spans {columns} × {rows}, as far as it may.")
    elif columns >= most:
        template = gettext("The land spans {columns} × {rows}; it may not grow wider.")
    elif rows >= most:
        template = gettext("The land spans {columns} × {rows}; it may not grow higher.")
    else:
        template = gettext("The land spans {columns} × {rows}; it may grow to {most} × {most}.")
    return template.format(columns=columns, rows=rows, most=most)


# Stock


@dataclass(frozen=True, slots=True)
class Stock:
    """Knights and tiles that a player has left."""

    faction: str
    name: str
    text: str


def stock_of(state: State) -> list[Stock]:
    return [Stock(f, name("faction", f), _stock_text(state, f)) for f in state.order]


def _stock_text(state: State, faction: str) -> str:
    knights, tiles = knights_left(state, faction), tiles_left(state, faction)
    knights_text = ngettext("{count} knight", "{count} knights", knights).format(count=knights)
    tiles_text = ngettext("{count} tile", "{count} tiles", tiles).format(count=tiles)
    return gettext("{knights}, {tiles} left").format(knights=knights_text, tiles=tiles_text)
