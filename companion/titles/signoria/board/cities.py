"""Cities with their two tiles and the figures below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString

from companion.titles.signoria.board import svg
from companion.titles.signoria.names import name
from games.signoria.pieces import MEMBERS, city_place, tile_place
from games.signoria.state import State, printed, tile_above

KINDS = ("mission", "marriage")  # of the tiles, from the left
WIDTH, HEAD, ROW, GAP = 320, 20, 40, 3
MARGIN = 2
PIECE_TOP, PIECE_HEIGHT, TEXT_TOP = 3, 31, 20
TILES_LEFT, TILE, TILE_STEP, TILE_SYMBOL = 74, 34, 38, 17
SPACES_LEFT, SPACES_WIDTH, SPACE, SPACE_STEP = 152, 168, 19, 21
TOKEN = 14


@dataclass(frozen=True, slots=True)
class Tile:
    """An alliance tile, or the empty space for one."""

    piece: str | None
    x: int
    kind: str
    place: str

    box: ClassVar[SafeString] = svg.box(TILE, PIECE_HEIGHT, 4)
    text_at: ClassVar[SafeString] = svg.at(TILE // 2, TEXT_TOP)

    @property
    def moved(self) -> SafeString:
        return svg.moved(self.x, PIECE_TOP)

    @property
    def css(self) -> str:
        return "tile" if self.piece else "tile none"

    @property
    def description(self) -> str:
        return name("piece", self.piece) if self.piece else ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A man or woman below a city: the token of the owner above the symbol of the member."""

    owner: str
    member: str

    @property
    def token(self) -> SafeString:
        return svg.token(self.owner, TOKEN, x=(SPACE - TOKEN) / 2, y=2)

    @property
    def symbol(self) -> SafeString:
        return svg.symbol(self.member, TOKEN, x=(SPACE - TOKEN) / 2, y=2 + TOKEN)


@dataclass(frozen=True, slots=True)
class Space:
    """A figure space below a city."""

    number: int
    x: int
    place: str
    figure: Figure | None = None

    box: ClassVar[SafeString] = svg.box(SPACE, PIECE_HEIGHT, 4)
    text_at: ClassVar[SafeString] = svg.at(SPACE / 2, TEXT_TOP)

    @property
    def moved(self) -> SafeString:
        return svg.moved(self.x, PIECE_TOP)


@dataclass(frozen=True, slots=True)
class City:
    """A city with its two tiles and its figures."""

    slug: str
    y: int
    is_used: bool
    tiles: tuple[Tile, ...]
    spaces: tuple[Space, ...]

    strip: ClassVar[SafeString] = svg.box(WIDTH, ROW - GAP, 4)
    name_at: ClassVar[SafeString] = svg.at(6, 23)
    unused_at: ClassVar[SafeString] = svg.at(80, 23)

    @property
    def name(self) -> str:
        return name("city", self.slug)

    @property
    def moved(self) -> SafeString:
        return svg.moved(0, self.y)

    @property
    def css(self) -> str:
        return "city" if self.is_used else "city unused"


def all_cities(state: State) -> list[City]:
    return [_city(state, city, i) for i, city in enumerate(printed(state).figures["cities"])]


def _city(state: State, city: str, index: int) -> City:
    slots = [
        (number, figure)
        for number, spaces in printed(state).city_spaces(city).items()
        for figure in _figures(state, city_place(city, number), spaces)
    ]
    step = min(SPACE_STEP, SPACES_WIDTH // max(1, len(slots)))
    spaces = tuple(
        Space(number, SPACES_LEFT + step * i, city_place(city, number) if figure else "", figure)
        for i, (number, figure) in enumerate(slots)
    )
    tiles = tuple(
        Tile(tile_above(state, kind, city), TILES_LEFT + TILE_STEP * i, kind, tile_place(kind, city))
        for i, kind in enumerate(KINDS)
    )
    return City(city, HEAD + ROW * index, city in state.cities, tiles, spaces)


def _figures(state: State, place: str, spaces: int) -> list[Figure | None]:
    """Return the figures on the spaces with a number; None for each empty space."""
    free = spaces if printed(state).shared else spaces * len(MEMBERS)
    standing: list[Figure | None] = [
        Figure(line.owner, line.piece)
        for line in state.ledger.at(place)
        if line.piece in MEMBERS
        for _time in range(line.count)
    ]
    return standing + [None] * max(0, free - len(standing))


def tile_symbols() -> list[SafeString]:
    """Return the symbols above the two columns of tiles."""
    left = TILES_LEFT + (TILE - TILE_SYMBOL) // 2
    return [svg.symbol(kind, TILE_SYMBOL, x=left + TILE_STEP * i) for i, kind in enumerate(KINDS)]


def view_box(state: State) -> str:
    height = HEAD + ROW * len(printed(state).figures["cities"])
    return f"{-MARGIN} 0 {WIDTH + 2 * MARGIN} {height}"
