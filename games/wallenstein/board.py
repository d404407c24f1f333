"""Printed figures of a copy of the game, and their validation (2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from games.core.boards import Board, load_board
from games.core.codec import Json
from games.core.errors import BadInput
from games.core.game import Setup
from games.core.messages import Message, Name, say
from games.wallenstein.pieces import (
    ARMIES,
    PEASANT_ARMIES,
    PROVINCES_PER_REGION,
    REGIONS,
    UNUSED_BY_TWO,
)

BOARD: Board = load_board(__package__)

TWO, THREE = 2, 3
LARGEST_YIELD = 20
CITIES = (1, 2, 3)
# Number of army groups each player places, by number of players (2.6).
GROUPS: Mapping[int, int] = {2: 9, 3: 9, 4: 8, 5: 7}
FIVE = 5


@dataclass(frozen=True, slots=True)
class Province:
    """A province with the figures of its card."""

    slug: str
    region: str
    gold: int
    grain: int
    cities: int
    neighbours: tuple[str, ...]


# Figures in use


def in_play(setup: Setup) -> tuple[str, ...]:
    """Return the provinces used with this number of players, sorted (3.1)."""
    rows = setup.figures["provinces"]
    return tuple(sorted(slug for slug in rows if not _unused(rows[slug], setup.players)))


def _unused(row: Json, players: int) -> bool:
    if players == TWO:
        return row["region"] in UNUSED_BY_TWO
    return players == THREE and bool(row["light_border"])


def regions_in_play(setup: Setup) -> tuple[str, ...]:
    """Return the regions in use; two players use only three (5.11)."""
    return tuple(r for r in REGIONS if setup.players != TWO or r not in UNUSED_BY_TWO)


def province_of(setup: Setup, slug: str) -> Province:
    """Return the printed province; neighbours that are not in play are left out (A-26)."""
    rows = setup.figures["provinces"]
    row = rows[slug]
    return Province(
        slug=slug,
        region=row["region"],
        gold=row["gold"],
        grain=row["grain"],
        cities=row["cities"],
        neighbours=tuple(sorted(n for n in row["neighbours"] if not _unused(rows[n], setup.players))),
    )


def refuse_unknown(setup: Setup, province: str) -> None:
    """Raise `BadInput` if the map does not show the province (2.1)."""
    if province not in setup.figures["provinces"]:
        raise BadInput(say("unknown-province", name=province[:40]), rule="2.1")


def price_of(setup: Setup, action: str) -> int:
    return int(setup.figures["prices"][action])


def start_gold(setup: Setup) -> int:
    """Return the starting gold (2.6); with five players it is a table option (A-07)."""
    if setup.players == FIVE:
        return int(setup.options["gold_with_five"])
    return int(setup.figures["start"]["gold"][str(setup.players)])


def groups_of(setup: Setup) -> tuple[int, ...]:
    """Return the sizes of the army groups that each player places (2.6)."""
    return tuple(setup.figures["start"]["groups"][: GROUPS[setup.players]])


def tables_of(setup: Setup) -> Mapping[str, Mapping[str, int]]:
    """Return provinces and armies by letter for a first game (2.7); empty for two players."""
    tables: Mapping[str, Mapping[str, int]] = setup.figures["tables"].get(str(setup.players), {})
    return tables


def thrown_at_start(setup: Setup, colour: str) -> int:
    """Return the number of cubes of a colour that are thrown in to fill the tower (3.4)."""
    start = setup.figures["start"]
    return int(start["tower"] if colour in setup.factions else start["peasants"])


# Validation


def figures_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Return a message for every figure that no board can show (2.2, 2.8, 9.17)."""
    rows = figures["provinces"]
    return [
        *_regions_wrong(rows),
        *_provinces_wrong(rows),
        *_neighbours_wrong(rows),
        *_start_wrong(figures),
    ]


def _regions_wrong(rows: Mapping[str, Json]) -> list[Message]:
    counts = Counter(row["region"] for row in rows.values())
    return [
        say("board-region", region=Name("region", region), count=counts[region])
        for region in REGIONS
        if counts[region] != PROVINCES_PER_REGION
    ]


def _provinces_wrong(rows: Mapping[str, Json]) -> list[Message]:
    wrong = []
    for slug, row in rows.items():
        name = Name("province", slug)
        if max(row["gold"], row["grain"]) > LARGEST_YIELD:
            wrong.append(say("board-yield", province=name, most=LARGEST_YIELD))
        if row["cities"] not in CITIES:
            wrong.append(say("board-cities", province=name))
    return wrong


def _neighbours_wrong(rows: Mapping[str, Json]) -> list[Message]:
    wrong = [
        say("board-border", province=Name("province", slug), other=Name("province", other))
        for slug, row in rows.items()
        for other in row["neighbours"]
        if other == slug or slug not in rows[other]["neighbours"]
    ]
    lonely = [slug for slug, row in rows.items() if not row["neighbours"]]
    return wrong + [say("board-lonely", province=Name("province", slug)) for slug in lonely]


def _start_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Return messages for starting positions that need more cubes than exist, or empty groups."""
    start = figures["start"]
    tables = [table for tables in figures["tables"].values() for table in tables.values()]
    most = max(sum(start["groups"]), *(sum(table.values()) for table in tables)) + start["tower"]
    wrong = []
    if most > ARMIES:
        wrong.append(say("board-cubes", count=most, most=ARMIES))
    if start["peasants"] > PEASANT_ARMIES:
        wrong.append(say("board-cubes", count=start["peasants"], most=PEASANT_ARMIES))
    if not all((*start["groups"], *(armies for table in tables for armies in table.values()))):
        wrong.append(say("board-group"))
    return wrong
