"""Template data beside the map: support boxes, charts, and the supplies of the factions."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString

from companion.titles.revolution import geometry
from companion.titles.revolution.geometry import translate
from companion.titles.revolution.names import name, place_name
from games.revolution.bishoprics import COLUMNS
from games.revolution.board import SupportBox
from games.revolution.influence import SPACES
from games.revolution.pieces import COUNTER
from games.revolution.state import State, army_supply, holder, supply, treasury, used_place


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a support box."""

    x: int
    kind: str
    owner: str = ""
    is_used: bool = False

    @property
    def owner_name(self) -> str:
        return name("faction", self.owner)

    @property
    def used_class(self) -> str:
        return " used" if self.is_used else ""

    @property
    def transform(self) -> str:
        return translate(self.x, geometry.CELL_TOP)


@dataclass(frozen=True, slots=True)
class Support:
    """A support box."""

    slug: str
    top: int
    cells: tuple[Cell, ...]
    provinces: tuple[str, ...]

    @property
    def name(self) -> str:
        return name("box", self.slug)

    @property
    def transform(self) -> str:
        return translate(0, self.top)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a chart (allegiance, bishoprics, universities) with a marker in one column."""

    name: str
    top: int
    holder: str
    column: int = 0
    word: str = ""
    columns: int = len(SPACES)

    @property
    def holder_name(self) -> str:
        return name("faction", self.holder)

    @property
    def cells(self) -> list[bool]:
        """Return for each column of allegiance whether it has the marker."""
        return [column == self.column for column in SPACES]

    @property
    def transform(self) -> str:
        return translate(0, self.top)

    @property
    def dots(self) -> list[SafeString]:
        """Return the attributes of a dot per column."""
        lefts = [self._left(column) for column in range(1, self.columns + 1)]
        return [geometry.attributes(cx=left, cy=geometry.MIDDLE, r=geometry.DOT_RADIUS) for left in lefts]

    @property
    def marker(self) -> SafeString:
        return geometry.attributes(cx=self._left(self.column), cy=geometry.MIDDLE, r=geometry.MARKER_RADIUS)

    @property
    def token(self) -> SafeString:
        """Return the attributes of the holder's token on the marker."""
        half = geometry.MARKER_TOKEN // 2
        x, y = self._left(self.column) - half, geometry.MIDDLE - half
        return geometry.square(geometry.MARKER_TOKEN, x=x, y=y)

    def _left(self, column: int) -> int:
        """Return the x position of a column; charts with fewer columns are spread to the same width."""
        return geometry.RAIL_LEFT + geometry.RAIL_WIDTH * (column - 1) // (self.columns - 1)


@dataclass(frozen=True, slots=True)
class Purse:
    """Counters, coins and armies of a faction beside the board."""

    faction: str
    supply: int
    treasury: int
    armies: int

    @property
    def name(self) -> str:
        return name("faction", self.faction)


def support(state: State, box: SupportBox, index: int) -> Support:
    return Support(
        slug=box.slug,
        top=geometry.SUPPORT_HEIGHT * index,
        cells=tuple(
            _cell(state, place, kind, geometry.CELL_WIDTH * i)
            for i, (place, kind) in enumerate(box.places.items())
        ),
        provinces=tuple(name("province", slug) for slug in box.provinces),
    )


def _cell(state: State, place: str, kind: str, x: int) -> Cell:
    for location, is_used in ((place, False), (used_place(place), True)):
        owners = [line.owner for line in state.ledger.at(location) if line.piece == COUNTER]
        if owners:
            return Cell(x, kind, owners[0], is_used)
    return Cell(x, kind)


def _top(index: int) -> int:
    return geometry.ROW_HEIGHT * (index + 1)


def allegiance(state: State) -> list[Row]:
    return [
        Row(name("city", city), _top(i), state.cities[city] or "", column=column)
        for i, (city, column) in enumerate(state.allegiance.items())
    ]


def bishoprics(state: State) -> list[Row]:
    return [
        Row(
            name("province", slug),
            _top(i),
            state.provinces[slug] or "",
            column=COLUMNS.index(column) + 1,
            word=name("column", column),
            columns=len(COLUMNS),
        )
        for i, (slug, column) in enumerate(state.bishoprics.items())
    ]


def universities(state: State) -> list[Row]:
    return [
        Row(place_name(place), _top(i), holder(state, place) or "", word=name("university", standing))
        for i, (place, standing) in enumerate(state.universities.items())
    ]


def purse(state: State, faction: str) -> Purse:
    return Purse(faction, supply(state, faction), treasury(state, faction), army_supply(state, faction))
