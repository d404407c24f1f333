"""Printed figures of a copy: the board model and its validation (2.1, 2.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from games.core.boards import Board, load_board
from games.core.codec import Json
from games.core.messages import Message, Name, say

BOARD: Board = load_board(__package__)

MAP, TREASURY, BOTH = "map", "treasury", "both"  # 2.1: light, coloured and half-coloured cells
KINDS = (MAP, TREASURY, BOTH)
CARD_POINTS = (Fraction(0), Fraction(1, 2), Fraction(1))  # 5.8: values of province cards
COUNTS = {"bishoprics": 6, "universities": 7, "commercial": 7}  # 4.3
ALONE = ("holland", "utrecht")  # 2.1: each is a region; all other regions have several provinces
CITIES = 12  # 5.7: the rows of the allegiance chart
FIRST_COLUMN, LAST_COLUMN = 1, 7

# 3.6: largest number of counters in a box at the start.
START_CELLS = {
    "french-support": 2,
    "support-from-the-emperor": 2,
    "london-merchants": 3,
    "huguenots": 1,
    "calvinists": 4,
}

Channel: TypeAlias = tuple[str, ...]  # settlements on one branch of a river; all must be open to pass


@dataclass(frozen=True, slots=True)
class Province:
    """A province with the figures of its shield and its card."""

    slug: str
    limit: int
    tax: Fraction
    points: Fraction
    minor: Fraction  # points of a province with limit 1, scored at the end of the game
    region: str
    cities: tuple[str, ...]  # as places: city:koeln
    towns: tuple[str, ...]  # as places: town:trier
    neighbours: tuple[str, ...]

    @property
    def countryside(self) -> str:
        return f"countryside:{self.slug}"

    @property
    def places(self) -> tuple[str, ...]:
        """Return all places for counters: countryside, towns, cities."""
        return (self.countryside, *self.towns, *self.cities)


@dataclass(frozen=True, slots=True)
class Region:
    """Provinces that share a command strip."""

    slug: str
    provinces: tuple[str, ...]
    boxes: int
    orange: int
    arrows: tuple[str, ...]

    @property
    def strip(self) -> str:
        return f"strip:{self.slug}"

    @property
    def released(self) -> str:
        return f"released:{self.slug}"


@dataclass(frozen=True, slots=True)
class River:
    """A river: its provinces in order, and the branches past the settlements in each province."""

    slug: str
    course: tuple[str, ...]
    channels: Mapping[str, tuple[Channel, ...]]

    def next_to(self, province: str) -> tuple[str, ...]:
        """Return the provinces before and after the given one."""
        index = self.course.index(province)
        return (*self.course[max(0, index - 1) : index], *self.course[index + 1 : index + 2])


@dataclass(frozen=True, slots=True)
class SupportBox:
    """Support box at the edge of the board: its factions, its cells and the provinces it serves."""

    slug: str
    factions: tuple[str, ...]
    cells: tuple[str, ...]
    provinces: tuple[str, ...]

    @property
    def places(self) -> dict[str, str]:
        """Return the cells as places, with their kind."""
        return {f"support:{self.slug}:{number}": kind for number, kind in enumerate(self.cells, 1)}


@dataclass(frozen=True, slots=True)
class Atlas:
    """Board and cards of one copy of the game."""

    provinces: Mapping[str, Province]
    regions: Mapping[str, Region]
    rivers: Mapping[str, River]
    support: Mapping[str, SupportBox]
    allegiance: Mapping[str, int]  # city -> column at the start, in the order of the chart
    links: Mapping[str, tuple[str, ...]]  # city -> places named on its card
    bishoprics: tuple[str, ...]
    universities: tuple[str, ...]  # places
    commercial: tuple[str, ...]  # places
    beggars: tuple[str, ...]  # provinces
    home: Mapping[str, str]  # city or town, as a place -> province
    cells: Mapping[str, str]  # support cell, as a place -> kind
    places: frozenset[str]  # everything that can hold a piece

    @property
    def cities(self) -> tuple[str, ...]:
        return tuple(self.allegiance)

    def province_of(self, place: str) -> Province:
        """Return the province of a city, a town or countryside."""
        kind, _, slug = place.partition(":")
        return self.provinces[slug if kind == "countryside" else self.home[place]]

    def region_of(self, place: str) -> Region:
        """Return the region of a city, a town or countryside."""
        return self.regions[self.province_of(place).region]


def read_atlas(figures: Mapping[str, Json]) -> Atlas:
    """Build the atlas from the figures, without validating them."""
    provinces = {slug: _province(slug, row) for slug, row in figures["provinces"].items()}
    regions = {slug: _region(slug, row, provinces) for slug, row in figures["regions"].items()}
    support = {slug: _box(slug, row) for slug, row in figures["support"].items()}
    home = {place: p.slug for p in provinces.values() for place in (*p.towns, *p.cities)}
    cells = {place: kind for box in support.values() for place, kind in box.places.items()}
    return Atlas(
        provinces=provinces,
        regions=regions,
        rivers={slug: _river(slug, row) for slug, row in figures["rivers"].items()},
        support=support,
        allegiance={slug: row["allegiance"] for slug, row in figures["cities"].items()},
        links={slug: tuple(row["links"]) for slug, row in figures["cities"].items()},
        bishoprics=tuple(figures["bishoprics"]),
        universities=tuple(figures["universities"]),
        commercial=tuple(figures["commercial"]),
        beggars=tuple(figures["beggars"]),
        home=home,
        cells=cells,
        places=_places(provinces.values(), regions.values(), cells),
    )


def _province(slug: str, row: Mapping[str, Json]) -> Province:
    return Province(
        slug=slug,
        limit=row["limit"],
        tax=exact(row["tax"]),
        points=exact(row["points"]),
        minor=exact(row["minor"]),
        region=row["region"],
        cities=tuple(f"city:{city}" for city in row["cities"]),
        towns=tuple(f"town:{town}" for town in row["towns"]),
        neighbours=tuple(row["neighbours"]),
    )


def exact(figure: Json) -> Fraction:
    """Return a decimal of a card as an exact fraction."""
    return Fraction(str(figure))


def _region(slug: str, row: Mapping[str, Json], provinces: Mapping[str, Province]) -> Region:
    inside = tuple(p.slug for p in provinces.values() if p.region == slug)
    return Region(slug, inside, row["boxes"], row["orange"], tuple(row["arrows"]))


def _river(slug: str, row: Mapping[str, Json]) -> River:
    channels = {p: tuple(tuple(way) for way in ways) for p, ways in row["channels"].items()}
    return River(slug, tuple(row["course"]), channels)


def _box(slug: str, row: Mapping[str, Json]) -> SupportBox:
    return SupportBox(slug, tuple(row["factions"]), tuple(row["cells"]), tuple(row["provinces"]))


def _places(
    provinces: Iterable[Province], regions: Iterable[Region], cells: Mapping[str, str]
) -> frozenset[str]:
    places = {"supply", "treasury", "beggars", *cells}
    places |= {cell.replace("support:", "used:") for cell in cells if cell.startswith("support:huguenots:")}
    for province in provinces:
        places |= set(province.places)
        places |= {
            city.replace("city:", kind) for city in province.cities for kind in ("siege:", "influence:")
        }
    for region in regions:
        places |= {region.strip, region.released, f"region:{region.slug}"}
    return frozenset(places)


# Atlas per figures object, cached because the rules need it in every query of a state.
_ATLASES: dict[int, tuple[Mapping[str, Json], Atlas]] = {}
_MAX_ATLASES = 64


def atlas_of(figures: Mapping[str, Json]) -> Atlas:
    """Return the cached atlas of these figures."""
    cached = _ATLASES.get(id(figures))
    if cached is not None and cached[0] is figures:
        return cached[1]
    atlas = read_atlas(figures)
    if len(_ATLASES) >= _MAX_ATLASES:
        _ATLASES.clear()
    _ATLASES[id(figures)] = (figures, atlas)
    return atlas


# Validation


def figures_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Return every reason why no board can have these figures (digest part 10, rows 56 to 58)."""
    return [
        *_cards_wrong(figures),
        *_counts_wrong(figures),
        *_settlements_wrong(figures),
        *_neighbours_wrong(figures),
        *_regions_wrong(figures),
        *_rivers_wrong(figures),
        *_support_wrong(figures),
        *_charts_wrong(figures),
    ]


def _cards_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Validate shields and province cards (2.1, 2.3.1)."""
    wrong = []
    for slug, row in figures["provinces"].items():
        name = Name("province", slug)
        if row["limit"] < 1:
            wrong.append(say("limit-missing", province=name))
        if exact(row["points"]) not in CARD_POINTS:
            wrong.append(say("province-card"))
        wrong += [say("board-negative", province=name) for card in ("tax", "minor") if exact(row[card]) < 0]
        if row["minor"] and row["limit"] > 1:
            wrong.append(say("board-not-small", province=name, limit=row["limit"]))
    return wrong


def _counts_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Require six bishoprics, seven universities and seven commercial towns, each once (4.3)."""
    return [
        say(f"board-{part}", needed=needed, count=len(set(figures[part])))
        for part, needed in COUNTS.items()
        if len(set(figures[part])) != needed or len(figures[part]) != needed
    ]


def _settlements_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Require twelve cities, and each city and town in exactly one province (2.1)."""
    wrong = []
    rows = figures["provinces"].values()
    occurrences = Counter(f"city:{city}" for row in rows for city in row["cities"])
    occurrences += Counter(f"town:{town}" for row in rows for town in row["towns"])
    cities = {place for place in occurrences if place.startswith("city:")}
    if len(cities) != CITIES or cities != {f"city:{city}" for city in figures["cities"]}:
        wrong.append(say("board-cities", needed=CITIES, count=len(cities)))
    wrong += [
        say("board-two-provinces", place=settlement_name(place))
        for place, times in sorted(occurrences.items())
        if times > 1
    ]
    named = {
        *figures["universities"],
        *figures["commercial"],
        *(link for row in figures["cities"].values() for link in row["links"]),
        *(place for river in figures["rivers"].values() for place in _on_river(river)),
    }
    return wrong + [
        say("board-no-province", place=settlement_name(p)) for p in sorted(named - set(occurrences))
    ]


def settlement_name(place: str) -> Name:
    """Return the name of a city or a town."""
    kind, _, slug = place.partition(":")
    return Name(kind, slug)


def _on_river(river: Mapping[str, Json]) -> list[str]:
    return [place for ways in river["channels"].values() for way in ways for place in way]


def _neighbours_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Require that neighbours are mutual (2.1)."""
    rows = figures["provinces"]
    return [
        say("board-neighbours", province=Name("province", slug), other=Name("province", other))
        for slug, row in rows.items()
        for other in row["neighbours"]
        if other == slug or other not in rows or slug not in rows[other]["neighbours"]
    ]


def _regions_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Validate regions and strips (2.1, 3.6, 6.8); only Holland and Utrecht are regions of their own."""
    wrong = []
    regions = figures["regions"]
    inside = Counter(row["region"] for row in figures["provinces"].values())
    for slug, row in figures["provinces"].items():
        if row["region"] not in regions:
            wrong.append(say("board-region", province=Name("province", slug)))
        elif (inside[row["region"]] == 1) != (slug in ALONE):
            code = "board-alone" if slug in ALONE else "board-not-alone"
            wrong.append(say(code, province=Name("province", slug)))
    for slug, row in regions.items():
        name = Name("region", slug)
        if not inside[slug]:
            wrong.append(say("board-region-empty", region=name))
        if not row["boxes"]:
            wrong.append(say("board-strip", region=name))
        if row["orange"] > row["boxes"]:
            wrong.append(say("board-orange", region=name))
        if slug in row["arrows"] or not set(row["arrows"]) <= set(regions):
            wrong.append(say("board-arrow", region=name))
    return wrong


def _rivers_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Require that a river visits provinces at most once and passes settlements of theirs (6.13)."""
    wrong = []
    rows = figures["provinces"]
    for slug, river in figures["rivers"].items():
        name = Name("river", slug)
        course = river["course"]
        if len(set(course)) != len(course) or not set(course) <= set(rows):
            wrong.append(say("board-river", river=name))
        for province, ways in river["channels"].items():
            row = rows.get(province, {"cities": [], "towns": []})
            here = {f"city:{c}" for c in row["cities"]} | {f"town:{t}" for t in row["towns"]}
            beside = sorted({place for way in ways for place in way} - here)
            wrong += [
                say("board-beside", place=settlement_name(p), province=Name("province", province))
                for p in beside
            ]
    return wrong


def _support_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Require at least two cells per box, and room for the counters of the set-up (2.1, 3.6)."""
    wrong = []
    for slug, row in figures["support"].items():
        name = Name("box", slug)
        least = max(2, START_CELLS.get(slug, 0))
        if len(row["cells"]) < least:
            wrong.append(say("board-cells", box=name, count=least))
        if not set(row["cells"]) <= set(KINDS):
            wrong.append(say("board-cell-kind", box=name, known=KINDS))
        if not set(row["provinces"]) <= set(figures["provinces"]):
            wrong.append(say("board-serves", box=name))
    return wrong


def _charts_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Validate columns of the allegiance chart, bishoprics and the Water Beggars' provinces (5.7, 6.18)."""
    wrong = [
        say("columns", least=FIRST_COLUMN, most=LAST_COLUMN)
        for row in figures["cities"].values()
        if not FIRST_COLUMN <= row["allegiance"] <= LAST_COLUMN
    ]
    named: Sequence[str] = (*figures["bishoprics"], *figures["beggars"])
    return wrong + [
        say("board-no-such-province", province=slug) for slug in named if slug not in figures["provinces"]
    ]
