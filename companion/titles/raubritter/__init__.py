"""Robber Knights: template data of the land and entry forms."""

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
from django.utils.translation import gettext, gettext_noop, ngettext

from companion import wording
from companion.titles.base import Button, PositionEditor, Screen
from companion.titles.pad import Pad
from companion.titles.raubritter.demo import DEMO
from companion.titles.raubritter.walk import walk
from companion.titles.title import Title
from companion.web.tokens import colours
from games.core.codec import Json
from games.core.prompts import Choice, Joint, Prompt
from games.raubritter import RAUBRITTER
from games.raubritter.calculators import CALCULATORS
from games.raubritter.guide import GUIDE
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
from games.raubritter.pad import PAD, SHEET
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
from players.automaton import Automaton
from players.raubritter import CHANCE, SENSE

SIDE = 48  # side of a tile, in SVG units
LARGE, SMALL = 64, 48  # side of a tappable cell, in pixels
FEW = 5  # maximal number of columns with large cells
EDGE = 24  # margin for row and column labels, in pixels; also in the style sheet

# Order of tiles in forms, three to a row; castles first, since they matter most.
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
    """A knight in a stack with its position; the top one is larger."""

    faction: str
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


@lru_cache(maxsize=4096)
def _picture(tile: str | None, knights: Sequence[str]) -> SafeString:
    """Render a tile with its knights as SVG; cached, since few combinations occur."""
    terrain, building = TYPES[tile] if tile else (None, None)
    stack = _stack(knights)
    context = {"tile": tile, "terrain": terrain, "building": building, "knights": stack}
    return render_to_string("raubritter/tile.html", {**context, "shade": 40 - 9 * len(stack)})


def _stack(knights: Sequence[str]) -> list[Knight]:
    """Return the knights with positions, from the bottom up; only corrections stack more than four."""
    visible = knights[-STACK_LIMIT:]
    lower = [Knight(faction, 34, 35 - 9 * i, 8) for i, faction in enumerate(visible[:-1])]
    top = [Knight(faction, 31, 30 - 9 * len(lower), 14) for faction in visible[-1:]]
    return lower + top


def _joined(fragments: Iterable[SafeString]) -> SafeString:
    return mark_safe("".join(fragments))  # noqa: S308 - every fragment is a SafeString


@dataclass(frozen=True, slots=True)
class Land:
    """A rectangle of the table, rendered as one SVG picture."""

    columns: range
    rows: range
    tiles: tuple[Tile, ...]
    locked: tuple[str, ...]  # sides on which the land cannot grow
    edge: int  # margin for row and column labels
    pixels: int = SIDE  # side of a cell in pixels, for pictures of fixed size

    @property
    def width(self) -> int:
        return SIDE * len(self.columns)

    @property
    def height(self) -> int:
        return SIDE * len(self.rows)

    @property
    def view_box(self) -> str:
        margin = 2  # right and below, so that border lines are not clipped
        return (
            f"{-self.edge} {-self.edge} {self.width + self.edge + margin} {self.height + self.edge + margin}"
        )

    @property
    def size(self) -> tuple[int, ...]:
        """Return width and height in pixels."""
        return tuple(int(units) * self.pixels // SIDE for units in self.view_box.split()[2:])

    @property
    def font(self) -> int:
        return self.edge * 2 // 3

    @property
    def grid(self) -> str:
        """Return the grid lines as an SVG path."""
        across = [f"M0 {SIDE * i}h{self.width}" for i in range(len(self.rows) + 1)]
        down = [f"M{SIDE * i} 0v{self.height}" for i in range(len(self.columns) + 1)]
        return "".join([*across, *down])

    @property
    def ground(self) -> SafeString:
        """Return the pictures of all tiles at their positions."""
        return _joined(
            format_html(
                '<g class="t {}" transform="translate({})">{}</g>', tile.owner, tile.shift, tile.picture
            )
            for tile in self.tiles
        )

    @property
    def list_items(self) -> SafeString:
        """Return the tiles as list items, the accessible form of the picture."""
        rows = [(tile.at, tile.at, tile.text) for tile in self.tiles]
        return format_html_join("", '<li id="lies-{}"><b>{}</b> <span>{}</span></li>', rows)

    @property
    def labels(self) -> SafeString:
        """Return the column letters and row numbers along the edges."""
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
        """Return the sides on which the land cannot grow as an SVG path."""
        sides = {
            "north": f"M0 0h{self.width}",
            "east": f"M{self.width} 0v{self.height}",
            "south": f"M0 {self.height}h{self.width}",
            "west": f"M0 0v{self.height}",
        }
        return "".join(sides[side] for side in self.locked)


def _land(state: State, columns: range, rows: range) -> list[Tile]:
    """Return the tiles within some columns and rows, row by row."""
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


def _around(state: State) -> tuple[range, range]:
    """Return the columns and rows of the board: the land and the adjacent cells where tiles may be placed."""
    land = land_of(state)
    if state.frames[-1].phase == "setup" or not land:
        return _box([*_occupied(state), *starting_cells(state)])
    beside = filter(has_label, legal_cells(land, state.setup.players))
    return _box([*_occupied(state), *beside])


def _within_reach(state: State) -> tuple[range, range]:
    """Return columns and rows of the position editor: land, starting cells and one more on each side."""
    columns, rows = _box([*_occupied(state), *starting_cells(state)])
    wider = [(x, y) for x in (columns[0] - 1, columns[-1] + 1) for y in (rows[0] - 1, rows[-1] + 1)]
    return _box([*filter(has_label, wider), *_occupied(state), *starting_cells(state)])


def _box(cells: Iterable[Cell]) -> tuple[range, range]:
    xs, ys = zip(*cells, strict=True)
    return range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)


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


def _to_tap(state: State, columns: range, rows: range) -> Land:
    """Return the land as the background of tappable cells."""
    pixels = LARGE if len(columns) <= FEW else SMALL
    tiles = tuple(_land(state, columns, rows))
    return Land(columns, rows, tiles, _locked(state), EDGE * SIDE // pixels, pixels)


@dataclass(frozen=True, slots=True)
class Stock:
    """Knights and tiles that a player has left."""

    faction: str
    name: str
    text: str


def _stock(state: State) -> list[Stock]:
    return [Stock(f, name("faction", f), _stock_text(state, f)) for f in state.order]


def _stock_text(state: State, faction: str) -> str:
    knights, tiles = knights_left(state, faction), tiles_left(state, faction)
    knights_text = ngettext("{count} knight", "{count} knights", knights).format(count=knights)
    tiles_text = ngettext("{count} tile", "{count} tiles", tiles).format(count=tiles)
    return gettext("{knights}, {tiles} left").format(knights=knights_text, tiles=tiles_text)


# --- Prompts ---


@dataclass(frozen=True, slots=True)
class Offer:
    """A type of tile, and the number that a player has left."""

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
    """One of the two starting tiles: its field names, its possible cells and the land behind them."""

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
    """Return the form for two starting tiles and their cells; tiles with letter A come first (3)."""
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
    """Return the form for a tile and its cell (5.1)."""
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
    """A direction from the castle with the adjacent tile; ``legal`` if knights may go there."""

    slug: str
    name: str
    tile: Tile | None
    legal: bool


@dataclass(frozen=True, slots=True)
class Stay:
    """Knights left on a tile; ``full`` if nobody can enter it afterwards."""

    at: str
    count: int
    full: bool


@dataclass(frozen=True, slots=True)
class Split:
    """One way to distribute knights over the tiles of a line."""

    value: str
    stays: tuple[Stay, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A tile on the line, with the points for taking it."""

    tile: Tile
    points: int


@dataclass(frozen=True, slots=True)
class Line:
    """The tiles of a march, its gains, and the ways to distribute the knights."""

    way: str
    title: str
    stops: tuple[Stop, ...]
    taken: tuple[str, ...]  # tiles taken from other players, as text
    splits: tuple[Split, ...]

    @property
    def points(self) -> int:
        return sum(stop.points for stop in self.stops)


@dataclass(frozen=True, slots=True)
class Many:
    """A number of knights, with the button labels for it."""

    count: int
    go: str
    stay: str


March = tuple[int, str | None, tuple[int, ...]]


def _march(state: State, prompt: Prompt) -> dict[str, Any]:
    """Return the form for direction, number and distribution of knights, most valuable first (5.3)."""
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
    # {way} is filled in by JavaScript when a direction is chosen.
    return Many(knights, go.format(count=knights, way="{way}"), stay.format(count=knights))


def _along(castle: Cell, way: str | None, count: int) -> list[Cell]:
    dx, dy = DIRECTIONS[way] if way else (0, 0)
    return [(castle[0] + i * dx, castle[1] + i * dy) for i in range(count)]


def _lines(state: State, faction: str, castle: Cell, marches: Sequence[March]) -> list[Line]:
    """Group the marches by the tiles they cross."""
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
    tile_name = name("tile", tile.type or "")
    return gettext("the {tile} from {faction}").format(tile=tile_name, faction=name("faction", tile.owner))


def _usefulness(stops: Sequence[Stop], march: March) -> tuple[int, int]:
    """Return the sort key of a march: few knights first, then most knights on the most valuable tiles."""
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


# --- Form to action ---

_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def _number(text: str) -> Json:
    """Parse an integer; return other text unchanged, for the rules to refuse."""
    return int(text) if _NUMBER.fullmatch(text) else text


def _numbers(text: str | None, separator: str) -> Json:
    return text if text is None else [_number(part) for part in text.split(separator)]


def _march_action(text: str) -> Json:
    """Parse ``4/east/1.2.1``: number of knights, direction, knights left on each tile."""
    knights, _, route = text.partition("/")
    way, _, left = route.partition("/")
    return {
        "type": "march",
        "knights": _number(knights),
        "direction": way or None,
        "left": _numbers(left, "."),
    }


# --- The screen ---


def _board(state: State) -> Mapping[str, Any]:
    columns, rows = _around(state)
    tiles = tuple(_land(state, columns, rows))
    return {
        # Labels scale with the width, to stay legible with ten columns on a phone.
        "land": Land(columns, rows, tiles, _locked(state), edge=SIDE * len(columns) // 18),
        "extent": _extent(state),
        "stock": _stock(state),
    }


def _prompt(state: State, prompts: Sequence[Prompt]) -> Mapping[str, Any]:
    for prompt in prompts:
        if prompt.action in _FORMS:
            screen = _FORMS[prompt.action](state, prompt)
            break
    else:
        return {"kind": "", "buttons": []}
    if any(prompt.action == "end" for prompt in prompts):
        screen["buttons"].append(Button("end", gettext("End the turn")))
    # A new id per entry keeps the browser from carrying choices over to the next form.
    turn = f"{state.round}.{tiles_left(state, prompt.faction)}"
    return {**screen, "id": f"{prompt.faction}-{turn}-{screen['kind']}-"}


def _parse(form: Mapping[str, str]) -> Json:
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


def _fill(action: Mapping[str, Json]) -> Mapping[str, str]:
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


def _position(state: State, place: str, owner: str) -> Mapping[str, Any]:
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


_FORMS = {"lay": _lay, "place": _place, "march": _march}

SCREEN = Screen(
    folder="raubritter",
    css=("css/raubritter.css",),
    js=("js/raubritter.js",),
    hint=gettext_noop(
        "The land as it should lie on your table. Tap a tile to see who stands there and who controls it."
    ),
    board=_board,
    prompt=_prompt,
    parse=_parse,
    fill=_fill,
    walk=walk,
    position=PositionEditor(phases=("turn",), board=_position),
)

TITLE = Title(
    game=RAUBRITTER,
    screen=SCREEN,
    pad=Pad(PAD, SHEET),
    calculators=CALCULATORS,
    guide=GUIDE,
    automaton=Automaton(RAUBRITTER, CHANCE, SENSE),
    tokens=colours("blue", "yellow", "green", "red"),
    demo=DEMO,
)
