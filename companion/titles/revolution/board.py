"""Template data of the board: provinces, settlements, command strips, support boxes, charts.

Land shapes are in ``static/revolution/land.svg`` under the slugs of the provinces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from companion import wording
from companion.titles.revolution import geometry, side
from companion.titles.revolution.geometry import translate
from companion.titles.revolution.names import name
from games.revolution.board import Province, Region
from games.revolution.factions import NEUTRAL
from games.revolution.pieces import BEGGAR
from games.revolution.state import (
    State,
    armies_at,
    atlas,
    countable,
    counts_at,
    free_boxes,
    holder,
    is_besieged,
    supply,
)
from games.revolution.universities import REFORMED


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

    @property
    def transform(self) -> str:
        return translate(self.x, self.y)


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

    @property
    def css_class(self) -> str:
        return f"{'city' if self.is_city else 'town'}{' besieged' if self.besiegers else ''}"

    @property
    def transform(self) -> str:
        return translate(self.x, self.y)

    @property
    def name_position(self) -> SafeString:
        """Return the attributes of the name, above the frame."""
        return geometry.attributes(y=geometry.CITY_NAME_Y if self.is_city else geometry.TOWN_NAME_Y)


@dataclass(frozen=True, slots=True)
class Label:
    """Transformations of a province's name with its holder's seal and its chips, on a phone or a TV."""

    transform: str
    seal_transform: str
    chips_transform: str = ""
    short_name: str = ""  # shares a line with fill and limit


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
    def holder_name(self) -> str:
        return name("faction", self.holder) if self.holder else ""

    @property
    def label(self) -> Label:
        return Label(translate(self.x, self.y), translate(self._seal_x, geometry.SEAL_Y))

    @property
    def tv_label(self) -> Label:
        """Return the label on a TV: larger, and in small provinces on one line with the pieces above."""
        at = translate(*geometry.ON_TV.get(self.slug, (self.x, self.y)))
        transform = f"{at} scale({geometry.TV_SCALE})"
        if self.slug not in geometry.IN_ONE_LINE:
            x = -self._seal_x if self.slug in geometry.SEALED_RIGHT else self._seal_x
            return Label(transform, translate(x, geometry.SEAL_Y))
        left = min((chip.x for chip in self.chips), default=0) - geometry.SEAL_DISTANCE // 2
        seal = translate(left, geometry.SEAL_Y_IN_LINE)
        return Label(transform, seal, translate(0, -geometry.LINE_HEIGHT), self._short_name)

    @property
    def _seal_x(self) -> int:
        """Return the position of the holder's seal left of fill and limit, which are centred."""
        return -(geometry.DIGIT_WIDTH * len(self.fill_text) // 2 + geometry.SEAL_DISTANCE)

    @property
    def _short_name(self) -> str:
        letters = geometry.IN_ONE_LINE[self.slug]
        return f"{self.name[:letters]}." if letters else self.name

    @property
    def region_name(self) -> str:
        return name("region", self.region)

    @property
    def is_over(self) -> bool:
        return self.fill > self.limit

    @property
    def fill_text(self) -> str:
        return f"{self.fill}/{self.limit}"

    @property
    def fill_class(self) -> str:
        return "fill over" if self.is_over else "fill"


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a command strip."""

    x: int
    owner: str = ""
    kind: str = ""  # army, released, besieging
    is_orange: bool = False

    @property
    def css_class(self) -> str:
        return "box orange" if self.is_orange else "box"

    @property
    def attributes(self) -> SafeString:
        return geometry.attributes(x=self.x, width=geometry.BOX_SIDE, height=geometry.BOX_SIDE)


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
    def transform(self) -> str:
        return translate(self.x, self.y)

    @property
    def beggars_position(self) -> SafeString:
        """Return the attributes of the number of Water Beggars, right of the boxes."""
        return geometry.attributes(
            x=geometry.BOX_SIDE * len(self.boxes), dx=geometry.BEGGARS_GAP, y=geometry.BEGGARS_Y
        )


def chart_of(state: State) -> dict[str, Any]:
    """Return the template data of the board."""
    land = atlas(state)
    lands = [_land(state, province) for province in land.provinces.values()]
    return {
        "shapes": static("revolution/land.svg"),
        "tokens": static("icons/tokens.svg"),
        "svg": geometry.SVG,
        "patterns": geometry.PATTERNS,
        "lands": lands,
        "strips": [_strip(state, region) for region in land.regions.values()],
        "rivers": [slug for slug in land.rivers if slug in geometry.DRAWN_RIVERS],
        "support": [side.support(state, box, i) for i, box in enumerate(land.support.values())],
        "allegiance": side.allegiance(state),
        "bishoprics": side.bishoprics(state),
        "universities": side.universities(state),
        "reformed": sum(standing == REFORMED for standing in state.universities.values()),
        "purses": [side.purse(state, faction) for faction in state.order],
        "neutrals": supply(state, NEUTRAL),
    }


# Provinces and settlements


def _land(state: State, province: Province) -> Land:
    positions = state.setup.figures["map"]
    x, y = positions["provinces"].get(province.slug, geometry.ELSEWHERE)
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
    for start in range(0, len(chips), geometry.CHIPS_PER_ROW):
        row = chips[start : start + geometry.CHIPS_PER_ROW]
        left = -geometry.CHIP_WIDTH * len(row) // 2
        placed += [
            Chip(
                chip.owner,
                chip.count,
                left + geometry.CHIP_WIDTH * i,
                geometry.CHIP_HEIGHT * (start // geometry.CHIPS_PER_ROW),
            )
            for i, chip in enumerate(row)
        ]
    return tuple(placed)


def _settlement(state: State, place: str) -> Settlement:
    kind, _, slug = place.partition(":")
    positions = state.setup.figures["map"]["cities" if kind == "city" else "towns"]
    x, y = positions.get(slug, geometry.ELSEWHERE)
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
    x, y = geometry.STRIPS.get(region.slug, geometry.ELSEWHERE)
    standing = armies_at(state, region.strip)
    released = armies_at(state, region.released)
    besieging = _besieging(state, region)
    filled = [(owner, "army") for owner, n in standing.items() for _ in range(n)]
    filled += [(owner, "besieging") for owner, n in besieging.items() for _ in range(n)]
    filled += [(owner, "released") for owner, n in released.items() for _ in range(n)]
    boxes = []
    for i in range(max(region.boxes, len(filled))):
        owner, kind = filled[i] if i < len(filled) else ("", "")
        boxes.append(Box(geometry.BOX_SIDE * i, owner, kind, is_orange=i < region.orange))
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
