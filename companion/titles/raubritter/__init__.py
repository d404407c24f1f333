"""Robber Knights on phones and TV: the land, and what a player is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from companion import wording
from companion.titles.base import Button
from companion.titles.raubritter.walk import walk
from companion.titles.walks import Walk
from games.core.codec import Json
from games.core.prompts import Choice, Joint, Prompt
from games.raubritter import RAUBRITTER
from games.raubritter.knights import STACK_LIMIT
from games.raubritter.land import (
    BOARD_MAX,
    DIRECTIONS,
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
from games.raubritter.state import (
    State,
    knights_left,
    knights_on,
    land_of,
    tile_at,
    tiles_left,
    types_left,
)
from games.raubritter.tiles import POINTS, TYPES, is_castle

SIDE = 48  # of a tile, in the units of the pictures
LARGE, SMALL = 64, 48  # the side of a cell to be tapped, in pixels
FEW = 5  # columns that leave room for large cells
EDGE = 24  # beside the cells to be tapped, for letters and numbers; the style sheet knows it too

# Tiles are offered three to a row; castles first, since they matter most.
OFFERED = (
    *("plain-castle", "forest-castle", "plain"),
    *("plain-village", "forest-village", "mountain"),
    *("plain-town", "forest-town", "lake"),
)


def name(kind: str, slug: str) -> str:
    return wording.name(RAUBRITTER, kind, slug)


# --- The land ---


@dataclass(frozen=True, slots=True)
class Knight:
    """A knight in a stack, and where it is drawn; the top one is larger."""

    faction: str
    x: int
    y: int
    size: int


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as it is drawn and told."""

    cell: Cell
    type: str | None  # None: a correction left knights without a tile
    knights: tuple[str, ...]  # from the bottom up
    shift: str = ""  # where it lies in a larger picture

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
        """What it is worth to whoever controls it."""
        building = TYPES[self.type].building if self.type else None
        return POINTS[building] if building else 0

    @property
    def picture(self) -> SafeString:
        return _picture(self.type, self.knights)

    @property
    def text(self) -> str:
        what = name("tile", self.type) if self.type else gettext("no tile")
        return f"{what}: {_stack_told(self.knights)}"


@lru_cache(maxsize=4096)
def _picture(tile: str | None, knights: Sequence[str]) -> SafeString:
    """A tile with its knights as SVG. There are only so many of them, so each is drawn once."""
    terrain, building = TYPES[tile] if tile else (None, None)
    stack = _stack(knights)
    drawing = {"tile": tile, "terrain": terrain, "building": building, "knights": stack}
    return render_to_string("raubritter/tile.html", {**drawing, "shade": 40 - 9 * len(stack)})


def _stack(knights: Sequence[str]) -> list[Knight]:
    """Where knights are drawn, from the bottom up. (Only corrections pile up more than four.)"""
    drawn = knights[-STACK_LIMIT:]
    lower = [Knight(faction, 34, 35 - 9 * i, 8) for i, faction in enumerate(drawn[:-1])]
    top = [Knight(faction, 31, 30 - 9 * len(lower), 14) for faction in drawn[-1:]]
    return lower + top


def _joined(drawn: Iterable[SafeString]) -> SafeString:
    return mark_safe("".join(drawn))  # noqa: S308 - each of them is safe


@dataclass(frozen=True, slots=True)
class Land:
    """A part of the table, drawn as one picture."""

    columns: range
    rows: range
    tiles: tuple[Tile, ...]
    locked: tuple[str, ...]  # the sides where the land cannot grow
    edge: int  # room for letters and numbers
    pixels: int = SIDE  # the side of a cell, where the picture does not fill its place

    @property
    def width(self) -> int:
        return SIDE * len(self.columns)

    @property
    def height(self) -> int:
        return SIDE * len(self.rows)

    @property
    def view_box(self) -> str:
        margin = 2  # right and below, so that no line is cut in half
        return (
            f"{-self.edge} {-self.edge} {self.width + self.edge + margin} {self.height + self.edge + margin}"
        )

    @property
    def size(self) -> tuple[int, ...]:
        """Width and height in pixels."""
        return tuple(int(units) * self.pixels // SIDE for units in self.view_box.split()[2:])

    @property
    def font(self) -> int:
        return self.edge * 2 // 3

    @property
    def grid(self) -> str:
        """The lines between the cells, as a path."""
        across = [f"M0 {SIDE * i}h{self.width}" for i in range(len(self.rows) + 1)]
        down = [f"M{SIDE * i} 0v{self.height}" for i in range(len(self.columns) + 1)]
        return "".join([*across, *down])

    @property
    def ground(self) -> SafeString:
        """The pictures of the tiles, each where it lies."""
        return _joined(
            format_html(
                '<g class="t {}" transform="translate({})">{}</g>', tile.owner, tile.shift, tile.picture
            )
            for tile in self.tiles
        )

    @property
    def told(self) -> SafeString:
        """The tiles in words."""
        rows = [(tile.at, tile.at, tile.text) for tile in self.tiles]
        return format_html_join("", '<li id="lies-{}"><b>{}</b> <span>{}</span></li>', rows)

    @property
    def labels(self) -> SafeString:
        """The letters of the columns, the numbers of the rows, along the edge."""
        middle, lower = SIDE // 2, self.edge // 4
        letters = [
            (SIDE * i + middle, lower - self.edge // 2, label((x, 0))[0]) for i, x in enumerate(self.columns)
        ]
        numbers = [
            (-self.edge // 2, SIDE * i + middle + lower, label((0, y))[1:]) for i, y in enumerate(self.rows)
        ]
        return format_html_join("", '<text x="{}" y="{}">{}</text>', letters + numbers)

    @property
    def walls(self) -> str:
        """The sides where the land cannot grow, as a path."""
        sides = {
            "north": f"M0 0h{self.width}",
            "east": f"M{self.width} 0v{self.height}",
            "south": f"M0 {self.height}h{self.width}",
            "west": f"M0 0v{self.height}",
        }
        return "".join(sides[side] for side in self.locked)


def _land(state: State, columns: range, rows: range) -> list[Tile]:
    """The tiles of a part of the table, row by row."""
    return [
        _tile(state, cell, _shift(cell, columns, rows))
        for cell in sorted(_occupied(state), key=_by_row)
        if cell[0] in columns and cell[1] in rows
    ]


def _occupied(state: State) -> list[Cell]:
    return [cell for place, _ in state.ledger.piles("cell") if (cell := cell_of(place))]


def _tile(state: State, cell: Cell, shift: str = "") -> Tile:
    return Tile(cell, tile_at(state, cell), tuple(knights_on(state, cell)), shift)


def _shift(cell: Cell, columns: range, rows: range) -> str:
    return f"{SIDE * columns.index(cell[0])} {SIDE * rows.index(cell[1])}"


def _by_row(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def _stack_told(knights: Sequence[str]) -> str:
    owner = controller(knights)
    if owner is None:
        return gettext("no knights")
    runs = [(name("faction", faction), len(list(run))) for faction, run in groupby(reversed(knights))]
    count = len(knights)
    if len(runs) == 1:
        told = ngettext(
            "{faction} controls it with {count} knight", "{faction} controls it with {count} knights", count
        )
    else:
        told = gettext("{faction} controls it; from the top {stack}")
    stack = ", ".join(f"{number} {faction}" for faction, number in runs)
    told = told.format(faction=runs[0][0], count=count, stack=stack)
    return gettext("{stack}; closed").format(stack=told) if count >= STACK_LIMIT else told


def _around(state: State) -> tuple[range, range]:
    """The columns and rows to be shown: the land and the cells beside it that it may still reach."""
    land = land_of(state)
    if state.frames[-1].phase == "setup" or not land:
        return _box([*_occupied(state), *starting_cells(state)])
    beside = filter(has_label, legal_cells(land, state.setup.players))
    return _box([*_occupied(state), *beside])


def _within_reach(state: State) -> tuple[range, range]:
    """For a position: the land and a cell around it, as far as cells have names; at first the middle."""
    columns, rows = _box([*_occupied(state), *starting_cells(state)])
    wider = [(x, y) for x in (columns[0] - 1, columns[-1] + 1) for y in (rows[0] - 1, rows[-1] + 1)]
    return _box([*filter(has_label, wider), *_occupied(state), *starting_cells(state)])


def _box(cells: Iterable[Cell]) -> tuple[range, range]:
    xs, ys = zip(*cells, strict=True)
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


def _locked(state: State) -> tuple[str, ...]:
    return tuple(locked_edges(land_of(state), state.setup.players))


def _extent(state: State) -> str:
    """How large the land is, and how large it may become."""
    columns, rows = span(land_of(state))
    most = BOARD_MAX[state.setup.players]
    if columns >= most and rows >= most:
        told = gettext("The land spans {columns} × {rows}, as far as it may.")
    elif columns >= most:
        told = gettext("The land spans {columns} × {rows}; it may not grow wider.")
    elif rows >= most:
        told = gettext("The land spans {columns} × {rows}; it may not grow higher.")
    else:
        told = gettext("The land spans {columns} × {rows}; it may grow to {most} × {most}.")
    return told.format(columns=columns, rows=rows, most=most)


def _to_tap(state: State, columns: range, rows: range) -> Land:
    """The land below the cells that are tapped."""
    pixels = LARGE if len(columns) <= FEW else SMALL
    tiles = tuple(_land(state, columns, rows))
    return Land(columns, rows, tiles, _locked(state), EDGE * SIDE // pixels, pixels)


@dataclass(frozen=True, slots=True)
class Stock:
    """What a player has not laid yet."""

    faction: str
    name: str
    text: str


def _stock(state: State) -> list[Stock]:
    return [Stock(f, name("faction", f), _stock_told(state, f)) for f in state.order]


def _stock_told(state: State, faction: str) -> str:
    knights, tiles = knights_left(state, faction), tiles_left(state, faction)
    some_knights = ngettext("{count} knight", "{count} knights", knights).format(count=knights)
    some_tiles = ngettext("{count} tile", "{count} tiles", tiles).format(count=tiles)
    return gettext("{knights}, {tiles} left").format(knights=some_knights, tiles=some_tiles)


# --- What is asked ---


@dataclass(frozen=True, slots=True)
class Offer:
    """A type of tile and how many of it a player has left."""

    type: str
    name: str
    left: int

    @property
    def is_single(self) -> bool:
        return self.left == 1


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell that can be tapped."""

    value: str
    at: str
    column: int
    row: int
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One of the two starting tiles: the names of its fields, the cells it may lie on, the land below them."""

    title: str
    tile: str
    at: str
    spots: list[Spot]
    land: Land


def _offers(state: State, faction: str, tiles: Iterable[str]) -> list[Offer]:
    left = types_left(state, faction)
    return [Offer(tile, name("tile", tile), left[tile]) for tile in tiles]


def _spots(cells: Iterable[Cell], columns: range, rows: range, chosen: Cell | None = None) -> list[Spot]:
    return [
        Spot(f"{x},{y}", label((x, y)), columns.index(x), rows.index(y), chosen=(x, y) == chosen)
        for x, y in cells
    ]


def _options(prompt: Prompt, field: str) -> tuple[Any, ...]:
    return next(f.options for f in prompt.fields if isinstance(f, Choice | Joint) and field in f.names)


def _lay(state: State, prompt: Prompt) -> dict[str, Any]:
    """3: two tiles, and where they lie; the tiles that show an A come first."""
    columns, rows = _box(starting_cells(state))
    cells = sorted({cell for pair in _options(prompt, "at") for cell in pair}, key=_by_row)
    tiles = {tile for pair in _options(prompt, "tiles") for tile in pair}
    letter_a = [t for t in state.setup.figures["letters"]["A"] if t in tiles and not is_castle(t)]
    titles = (gettext("First tile"), gettext("Second tile"))
    return {
        "kind": "lay",
        "likely": _offers(state, prompt.faction, letter_a),
        "others": _offers(state, prompt.faction, (t for t in OFFERED if t in tiles and t not in letter_a)),
        "parts": [
            Part(
                title,
                f"tile{i}",
                f"at{i}",
                _spots(cells, columns, rows, chosen=cells[i - 1]),
                _to_tap(state, columns, rows),
            )
            for i, title in enumerate(titles, start=1)
        ],
        "buttons": [Button("lay", gettext("Lay the two tiles"), needs_choice=True)],
    }


def _place(state: State, prompt: Prompt) -> dict[str, Any]:
    """5.1: a tile, and where it lies."""
    cells = _options(prompt, "at")
    columns, rows = _box([*land_of(state), *cells])
    return {
        "kind": "place",
        "offers": _offers(state, prompt.faction, (t for t in OFFERED if t in _options(prompt, "tile"))),
        "land": _to_tap(state, columns, rows),
        "spots": _spots(cells, columns, rows),
        "say": gettext("Place the {tile} at {cell}"),
        "buttons": [Button("place", gettext("Place the tile"), needs_choice=True)],
    }


# --- The march ---


@dataclass(frozen=True, slots=True)
class Way:
    """A direction from the castle and the tile that lies there; it can be chosen if knights may go there."""

    slug: str
    name: str
    tile: Tile | None
    legal: bool


@dataclass(frozen=True, slots=True)
class Stay:
    """How many knights stay on a tile; nobody can enter it afterwards if it is full."""

    at: str
    count: int
    full: bool


@dataclass(frozen=True, slots=True)
class Split:
    """One way to leave so many knights along a line."""

    value: str
    stays: tuple[Stay, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A tile on the line, and the points it brings."""

    tile: Tile
    points: int


@dataclass(frozen=True, slots=True)
class Line:
    """The tiles of a march, what it wins, and the ways to leave knights on them."""

    way: str
    title: str
    stops: tuple[Stop, ...]
    taken: tuple[str, ...]  # what is taken from whom
    splits: tuple[Split, ...]

    @property
    def points(self) -> int:
        return sum(stop.points for stop in self.stops)


@dataclass(frozen=True, slots=True)
class Many:
    """A number of knights, and what the button says of it."""

    count: int
    go: str
    stay: str


March = tuple[int, str | None, tuple[int, ...]]


def _march(state: State, prompt: Prompt) -> dict[str, Any]:
    """5.3: which way, how many, how many stay on each tile; the most valuable first."""
    castle: Cell = tuple(state.frames[-1].data["castle"])
    marches: tuple[March, ...] = _options(prompt, "left")
    lines = _lines(state, prompt.faction, castle, [march for march in marches if march[0]])
    return {
        "kind": "march",
        "castle": _tile(state, castle),
        "stays": any(way is None and knights for knights, way, _ in marches),
        "ways": [
            _way(state, castle, way, legal=any(line.way == way for line in lines)) for way in DIRECTIONS
        ],
        "many": [_many(knights) for knights in sorted({march[0] for march in marches})],
        "lines": sorted(lines, key=lambda line: (-line.points, len(line.stops))),
        "none": gettext("Send no knights"),
        "buttons": [Button("march", gettext("Send the knights"), needs_choice=True)],
    }


def _way(state: State, castle: Cell, way: str, *, legal: bool) -> Way:
    near = _along(castle, way, 2)[1]
    return Way(way, name("direction", way), _tile(state, near) if tile_at(state, near) else None, legal)


def _many(knights: int) -> Many:
    go = ngettext("Send {count} knight {way}", "Send {count} knights {way}", knights)
    stay = ngettext("Put {count} knight on the castle", "Put {count} knights on the castle", knights)
    # {way} is filled in by the page, once a direction is chosen.
    return Many(knights, go.format(count=knights, way="{way}"), stay.format(count=knights))


def _along(castle: Cell, way: str | None, count: int) -> list[Cell]:
    dx, dy = DIRECTIONS[way] if way else (0, 0)
    return [(castle[0] + i * dx, castle[1] + i * dy) for i in range(count)]


def _lines(state: State, faction: str, castle: Cell, marches: Sequence[March]) -> list[Line]:
    """The marches, those over the same tiles together."""
    groups: dict[tuple[str | None, int], list[March]] = {}
    for march in marches:
        groups.setdefault((march[1], len(march[2])), []).append(march)
    return [_line(state, faction, _along(castle, *key), key[0], group) for key, group in groups.items()]


def _line(
    state: State, faction: str, cells: Sequence[Cell], way: str | None, marches: Sequence[March]
) -> Line:
    stops = tuple(_stop(state, faction, cell) for cell in cells)
    to = gettext("{way} to {cell}").format(way=name("direction", way or ""), cell=label(cells[-1]))
    return Line(
        way=way or "stay",
        title=to[:1].upper() + to[1:] if way else gettext("On the castle"),
        stops=stops,
        taken=tuple(_taken(stop.tile) for stop in stops if stop.tile.owner not in ("", faction)),
        splits=tuple(_split(stops, march) for march in sorted(marches, key=lambda m: _usefulness(stops, m))),
    )


def _stop(state: State, faction: str, cell: Cell) -> Stop:
    tile = _tile(state, cell)
    return Stop(tile, 0 if tile.owner == faction else tile.points)


def _taken(tile: Tile) -> str:
    what = name("tile", tile.type or "")
    return gettext("the {tile} from {faction}").format(tile=what, faction=name("faction", tile.owner))


def _usefulness(stops: Sequence[Stop], march: March) -> tuple[int, int]:
    """Few knights first, then most of them where most is to be held."""
    knights, _, left = march
    return knights, -sum(stay * stop.points for stay, stop in zip(left, stops, strict=True))


def _split(stops: Sequence[Stop], march: March) -> Split:
    knights, way, left = march
    stays = [_stay(count, stop.tile) for count, stop in zip(left, stops, strict=True)]
    on, full = gettext("{count} on {cell}"), gettext("{count} on {cell}, then full")
    return Split(
        value=f"{knights}/{way or ''}/{'.'.join(map(str, left))}",
        stays=tuple(stays),
        text="; ".join((full if stay.full else on).format(count=stay.count, cell=stay.at) for stay in stays),
    )


def _stay(count: int, tile: Tile) -> Stay:
    return Stay(tile.at, count, full=count + len(tile.knights) >= STACK_LIMIT)


# --- What was entered ---

_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def _number(text: str) -> Json:
    """A number if it is one; else the text, which the rules refuse."""
    return int(text) if _NUMBER.fullmatch(text) else text


def _numbers(text: str | None, separator: str) -> Json:
    return text if text is None else [_number(part) for part in text.split(separator)]


def _march_action(text: str) -> Json:
    """``4/east/1.2.1``: how many, which way, how many stay on each tile."""
    knights, _, rest = text.partition("/")
    way, _, left = rest.partition("/")
    return {
        "type": "march",
        "knights": _number(knights),
        "direction": way or None,
        "left": _numbers(left, "."),
    }


# --- The screen ---


class Raubritter:
    """Implements ``companion.titles.Screen``."""

    folder = "raubritter"
    css = ("css/raubritter.css",)
    js = ("js/raubritter.js",)
    phases = ("turn",)

    def board(self, state: State) -> Mapping[str, Any]:
        columns, rows = _around(state)
        tiles = tuple(_land(state, columns, rows))
        return {
            # The letters stay readable when ten columns share the width of a phone.
            "land": Land(columns, rows, tiles, _locked(state), edge=SIDE * len(columns) // 18),
            "extent": _extent(state),
            "stock": _stock(state),
        }

    def prompt(self, state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
        for prompt in prompts:
            if prompt.action in _ASKED:
                asked = _ASKED[prompt.action](state, prompt)
                break
        else:
            return {"kind": "", "buttons": []}
        if any(prompt.action == "end" for prompt in prompts):
            asked["buttons"].append(Button("end", gettext("End the turn")))
        # What was chosen for one entry must not stay chosen for the next.
        turn = f"{state.round}.{tiles_left(state, prompt.faction)}"
        return {**asked, "id": f"{prompt.faction}-{turn}-{asked['kind']}-"}

    def action(self, form: Mapping[str, str]) -> Json:
        kind = form.get("type")
        match kind:
            case "lay":
                tiles = [form.get("tile1"), form.get("tile2")]
                at = [_numbers(form.get(field), ",") for field in ("at1", "at2")]
                return {"type": kind, "tiles": tiles, "at": at}
            case "place":
                return {"type": kind, "tile": form.get("tile"), "at": _numbers(form.get("at"), ",")}
            case "march":
                return _march_action(form.get("march", ""))
            case _:
                return {"type": kind}

    def form(self, action: Mapping[str, Json]) -> Mapping[str, str]:
        match action["type"]:
            case "lay":
                at = [",".join(map(str, cell)) for cell in action["at"]]
                tile1, tile2 = action["tiles"]
                return {"tile1": tile1, "tile2": tile2, "at1": at[0], "at2": at[1]}
            case "place":
                return {"tile": action["tile"], "at": ",".join(map(str, action["at"]))}
            case "march":
                knights, way = str(action["knights"]), action["direction"]
                left = ".".join(map(str, action["left"]))
                return {"way": way or "stay", "many": knights, "march": f"{knights}/{way or ''}/{left}"}
            case _:
                return {}

    def position(self, state: State, place: str, owner: str) -> Mapping[str, Any]:
        columns, rows = _within_reach(state)
        cells = [(x, y) for y in rows for x in columns]
        cell = cell_of(place)
        owner = owner if owner in state.order else state.order[0]
        left = types_left(state, owner)
        return {
            "land": _to_tap(state, columns, rows),
            "spots": _spots(cells, columns, rows, chosen=cell),
            "stock": _stock(state),
            "tile": _tile(state, cell) if cell else None,
            "owner": owner,
            "owners": [(faction, name("faction", faction)) for faction in state.order],
            "offers": [Offer(tile, name("tile", tile), left[tile]) for tile in OFFERED],
        }

    def walk(self, state: State) -> Walk:
        return walk(state)


_ASKED = {"lay": _lay, "place": _place, "march": _march}

SCREEN = Raubritter()
