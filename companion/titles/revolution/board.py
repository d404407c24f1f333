"""Template data of the board: provinces, settlements, command strips, support boxes, charts.

Land shapes are in ``static/revolution/land.svg`` under the slugs of the provinces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from companion import wording
from games.revolution import REVOLUTION
from games.revolution.bishoprics import COLUMNS
from games.revolution.board import Province, Region, SupportBox
from games.revolution.factions import NEUTRAL
from games.revolution.influence import SPACES
from games.revolution.pieces import BEGGAR, COUNTER
from games.revolution.state import (
    State,
    armies_at,
    army_supply,
    atlas,
    countable,
    counts_at,
    free_boxes,
    holder,
    is_besieged,
    supply,
    treasury,
    used_place,
)
from games.revolution.universities import REFORMED

# Position of a command strip, inside its region or beside it: x, y.
STRIPS: Mapping[str, tuple[int, int]] = {
    "holland": (112, 372),
    "utrecht": (506, 510),
    "north": (716, 424),
    "gelderland": (622, 500),
    "zeeland-generality": (500, 620),
    "flanders": (224, 764),
    "brabant": (418, 850),
    "liege": (556, 944),
    "rhineland": (800, 836),
    "luxembourg-trier": (742, 1098),
}
# Positions of texts on a TV, for provinces too small for the larger font: x, y.
ON_TV: Mapping[str, tuple[int, int]] = {
    "artois": (100, 885),
    "brabant": (408, 712),
    "cleve": (745, 548),
    "drenthe": (735, 248),
    "flanders": (138, 768),
    "gelderland": (604, 430),
    "geldern": (690, 654),
    "holland": (364, 404),
    "juelich": (756, 722),
    "koeln": (872, 656),
    "liege": (512, 900),
    "limburg": (642, 890),
    "maastricht": (590, 796),
    "namur": (420, 968),
    "overijssel": (690, 318),
    "utrecht": (476, 478),
    "venlo": (600, 718),
}
# Provinces whose pieces share a line with the name on a TV -> number of letters of the name (0: all).
IN_ONE_LINE: Mapping[str, int] = {
    "artois": 0,
    "drenthe": 0,
    "geldern": 4,
    "liege": 0,
    "limburg": 4,
    "maastricht": 6,
    "namur": 3,
    "utrecht": 3,
    "venlo": 0,
}
SEALED_RIGHT = ("holland",)  # seal on the right, because a city is on the left
ELSEWHERE = (900, 60)  # for a region that the drawing does not have, possible on a custom board

# Beside the map, in SVG units: heights of rows and boxes; start and step of an allegiance marker's rail.
BOX_HEIGHT, ROW_HEIGHT, CELL_WIDTH = 62, 33, 30
RAIL, STEP = 212, 34
FULL_BOX = 16  # side of a box of a command strip
PER_ROW = 3  # chips per row
FIGURE, SEAL = 13, 16  # width of a digit of fill and limit; distance of the holder's seal from them


def name(kind: str, slug: str) -> str:
    return wording.name(REVOLUTION, kind, slug)


def place_name(place: str) -> str:
    return wording.name(REVOLUTION, "place", place)


@dataclass(frozen=True, slots=True)
class Chip:
    """A number of pieces of an owner, with its position."""

    owner: str
    count: int
    x: int = 0
    y: int = 0

    @property
    def owner_name(self) -> str:
        return name("faction", self.owner)


@dataclass(frozen=True, slots=True)
class Settlement:
    """A city or a town."""

    place: str
    x: int
    y: int
    chips: tuple[Chip, ...]
    holder: str  # controlling faction; empty: nobody
    besiegers: tuple[Chip, ...] = ()
    marks: tuple[str, ...] = ()  # university, commercial town, bishopric
    column: int = 0  # of allegiance; 0: none

    @property
    def name(self) -> str:
        return name(self.place.partition(":")[0], self.place.partition(":")[2])

    @property
    def is_city(self) -> bool:
        return self.place.startswith("city:")


@dataclass(frozen=True, slots=True)
class Land:
    """A province."""

    slug: str
    x: int
    y: int
    holder: str
    fill: int
    limit: int
    chips: tuple[Chip, ...]  # in the countryside
    settlements: tuple[Settlement, ...]
    region: str
    countryside: str  # place
    figures: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return name("province", self.slug)

    @property
    def on_tv(self) -> tuple[int, int]:
        return ON_TV.get(self.slug, (self.x, self.y))

    @property
    def in_one_line(self) -> str:
        """Return the name for a TV if it shares its line with the pieces; else an empty string."""
        if self.slug not in IN_ONE_LINE:
            return ""
        letters = IN_ONE_LINE[self.slug]
        return f"{self.name[:letters]}." if letters else self.name

    @property
    def holder_name(self) -> str:
        return name("faction", self.holder) if self.holder else ""

    @property
    def seal(self) -> int:
        """Return the x position of the holder's seal: left of fill and limit, which are centred."""
        return -(FIGURE * len(f"{self.fill}/{self.limit}") // 2 + SEAL)

    @property
    def seal_on_tv(self) -> str:
        """Return the seal's position on a TV: left of the pieces if they share a line with the name."""
        if self.slug in IN_ONE_LINE:
            return f"{min((chip.x for chip in self.chips), default=0) - SEAL // 2} 18"
        return f"{-self.seal if self.slug in SEALED_RIGHT else self.seal} 17"

    @property
    def region_name(self) -> str:
        return name("region", self.region)

    @property
    def is_over(self) -> bool:
        return self.fill > self.limit


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a command strip."""

    x: int
    owner: str = ""
    kind: str = ""  # army, released, besieging
    is_orange: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """A region's command strip."""

    slug: str
    x: int
    y: int
    boxes: tuple[Box, ...]
    beggars: int
    armies: tuple[Chip, ...]
    released: tuple[Chip, ...]
    free: int

    @property
    def name(self) -> str:
        return name("region", self.slug)

    @property
    def width(self) -> int:
        return FULL_BOX * len(self.boxes)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a support box."""

    x: int
    kind: str
    owner: str = ""
    is_used: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """A support box."""

    slug: str
    top: int
    cells: tuple[Cell, ...]
    provinces: tuple[str, ...]
    factions: tuple[str, ...]

    @property
    def name(self) -> str:
        return name("box", self.slug)


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
    def cells(self) -> list[bool]:
        """Return for each column of allegiance whether it has the marker."""
        return [column == self.column for column in SPACES]

    @property
    def dots(self) -> list[int]:
        return [self._left(column) for column in range(1, self.columns + 1)]

    @property
    def at(self) -> int:
        return self._left(self.column)

    def _left(self, column: int) -> int:
        """Return the x position of a column; charts with fewer columns are spread to the same width."""
        return RAIL + STEP * (len(SPACES) - 1) * (column - 1) // (self.columns - 1)

    @property
    def token(self) -> int:
        return self.at - 10


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


def chart_of(state: State) -> dict[str, Any]:
    """Return the template data of the board."""
    land = atlas(state)
    lands = [_land(state, province) for province in land.provinces.values()]
    return {
        "lands": lands,
        "strips": [_strip(state, region) for region in land.regions.values()],
        "rivers": [slug for slug in land.rivers if slug in DRAWN_RIVERS],
        "support": [_support(state, box, i) for i, box in enumerate(land.support.values())],
        "allegiance": _allegiance(state),
        "bishoprics": _bishoprics(state),
        "universities": _universities(state),
        "reformed": sum(standing == REFORMED for standing in state.universities.values()),
        "purses": [_purse(state, faction) for faction in state.order],
        "neutrals": supply(state, NEUTRAL),
        "beggars": state.ledger.count(NEUTRAL, BEGGAR, "beggars"),
    }


DRAWN_RIVERS = frozenset({"rhine", "maas", "schelde"})


# Provinces and settlements


def _land(state: State, province: Province) -> Land:
    positions = state.setup.figures["map"]
    x, y = positions["provinces"].get(province.slug, ELSEWHERE)
    here = chips_of(state, [province.countryside])
    return Land(
        slug=province.slug,
        x=x,
        y=y,
        holder=state.provinces[province.slug] or "",
        fill=sum(countable(state, province).values()),
        limit=province.limit,
        chips=_laid_out(here),
        settlements=tuple(_settlement(state, place) for place in (*province.cities, *province.towns)),
        region=province.region,
        countryside=province.countryside,
        figures=_figures(province),
    )


def _figures(province: Province) -> tuple[tuple[str, str], ...]:
    """Return the figures of the province card."""
    figures = [
        (gettext("Tax"), wording.number(province.tax)),
        (gettext("Points"), wording.number(province.points)),
    ]
    if province.minor:
        figures.append((gettext("Points at the end"), wording.number(province.minor)))
    return tuple(figures)


def chips_of(state: State, places: Sequence[str]) -> tuple[Chip, ...]:
    """Return the counters at some places together by owner, largest number first."""
    counts = counts_at(state, places)
    return tuple(Chip(owner, n) for owner, n in sorted(counts.items(), key=lambda item: -item[1]) if n)


def _laid_out(chips: Sequence[Chip]) -> tuple[Chip, ...]:
    """Return the chips in centred rows of three."""
    placed = []
    for start in range(0, len(chips), PER_ROW):
        row = chips[start : start + PER_ROW]
        left = -CHIP * len(row) // 2
        placed += [
            Chip(chip.owner, chip.count, left + CHIP * i, CHIP_HEIGHT * (start // PER_ROW))
            for i, chip in enumerate(row)
        ]
    return tuple(placed)


CHIP, CHIP_HEIGHT = 42, 26  # size of a token with its number


def _settlement(state: State, place: str) -> Settlement:
    kind, _, slug = place.partition(":")
    positions = state.setup.figures["map"]["cities" if kind == "city" else "towns"]
    x, y = positions.get(slug, ELSEWHERE)
    siege = place.replace("city:", "siege:", 1)
    besieged = kind == "city" and is_besieged(state, place)
    besiegers = [Chip(owner, n) for owner, n in armies_at(state, siege).items()] if besieged else []
    if besieged and not besiegers:
        besiegers = [Chip(NEUTRAL, state.ledger.count(NEUTRAL, BEGGAR, siege))]
    return Settlement(
        place=place,
        x=x,
        y=y,
        chips=_laid_out(chips_of(state, [place])),
        holder=holder(state, place) or "",
        besiegers=tuple(besiegers),
        marks=_marks(state, place),
        column=state.allegiance.get(slug, 0) if kind == "city" else 0,
    )


def _marks(state: State, place: str) -> tuple[str, ...]:
    land = atlas(state)
    marks = []
    if place in land.universities:
        marks.append("university")
    if place in land.commercial:
        marks.append("commercial")
    return tuple(marks)


# Armies


def _strip(state: State, region: Region) -> Strip:
    x, y = STRIPS.get(region.slug, ELSEWHERE)
    standing = armies_at(state, region.strip)
    released = armies_at(state, region.released)
    besieging = _besieging(state, region)
    filled = [(owner, "army") for owner, n in standing.items() for _ in range(n)]
    filled += [(owner, "besieging") for owner, n in besieging.items() for _ in range(n)]
    filled += [(owner, "released") for owner, n in released.items() for _ in range(n)]
    boxes = []
    for i in range(max(region.boxes, len(filled))):
        owner, kind = filled[i] if i < len(filled) else ("", "")
        boxes.append(Box(FULL_BOX * i, owner, kind, is_orange=i < region.orange))
    return Strip(
        slug=region.slug,
        x=x,
        y=y,
        boxes=tuple(boxes),
        beggars=state.ledger.count(NEUTRAL, BEGGAR, f"region:{region.slug}"),
        armies=tuple(Chip(owner, n) for owner, n in standing.items()),
        released=tuple(Chip(owner, n) for owner, n in released.items()),
        free=free_boxes(state, region.slug),
    )


def _besieging(state: State, region: Region) -> dict[str, int]:
    land = atlas(state)
    besieging: dict[str, int] = {}
    for slug in region.provinces:
        for city in land.provinces[slug].cities:
            for owner, n in armies_at(state, city.replace("city:", "siege:", 1)).items():
                besieging[owner] = besieging.get(owner, 0) + n
    return besieging


# Beside the map


def _support(state: State, box: SupportBox, index: int) -> Support:
    return Support(
        slug=box.slug,
        top=BOX_HEIGHT * index,
        cells=tuple(
            _cell(state, place, kind, CELL_WIDTH * i) for i, (place, kind) in enumerate(box.places.items())
        ),
        provinces=tuple(name("province", slug) for slug in box.provinces),
        factions=tuple(faction for faction in box.factions if faction in state.order),
    )


def _cell(state: State, place: str, kind: str, x: int) -> Cell:
    for location, is_used in ((place, False), (used_place(place), True)):
        owners = [line.owner for line in state.ledger.at(location) if line.piece == COUNTER]
        if owners:
            return Cell(x, kind, owners[0], is_used)
    return Cell(x, kind)


def _top(index: int) -> int:
    return ROW_HEIGHT * (index + 1)


def _allegiance(state: State) -> list[Row]:
    return [
        Row(name("city", city), _top(i), state.cities[city] or "", column=column)
        for i, (city, column) in enumerate(state.allegiance.items())
    ]


def _bishoprics(state: State) -> list[Row]:
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


def _universities(state: State) -> list[Row]:
    return [
        Row(place_name(place), _top(i), holder(state, place) or "", word=name("university", standing))
        for i, (place, standing) in enumerate(state.universities.items())
    ]


def _purse(state: State, faction: str) -> Purse:
    return Purse(faction, supply(state, faction), treasury(state, faction), army_supply(state, faction))
