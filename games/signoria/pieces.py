"""Factions, careers, pieces, places and counts (digest 1 and 2)."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Literal, NamedTuple

Faction = Literal["yellow", "red", "blue", "purple"]
FACTIONS: tuple[str, ...] = typing.get_args(Faction)
NEUTRAL = "neutral"  # owner of dice, helpers, brides and alliance tiles

MEN = 12  # per player
WOMEN = 11  # per player
HELPERS = 48
BRIDES = 16
CAREER_NUMBERS = range(1, 14)  # printed beside the spaces of a career track
RANKS = range(1, 5)
CITY_NUMBERS = range(1, 5)  # printed on the figure spaces below a city
TILE_VALUES = range(2, 6)  # value of a face-up alliance tile
TILE_BACK = 1  # value of a face-down alliance tile
TILES_PER_HOUSE = 9
ROUNDS = 7
BONUS_ROUNDS = 5  # the first rounds have a bonus tile, the others a VP tile

# 5.11: the number of shields of each field of a plan.
SHIELDS: Mapping[str, int] = {"political": 4, "church": 4, "military": 4, "marriage": 6}
FIELDS: tuple[str, ...] = tuple(SHIELDS)
CAREERS: tuple[str, ...] = FIELDS[:3]
INITIATIVE = "initiative"
TRACKS: tuple[str, ...] = (*CAREERS, INITIATIVE)

COLOURS: tuple[str, ...] = ("grey", "yellow", "red", "purple", "turquoise")  # action dice; the 5th is P1
HOUSES: tuple[str, ...] = ("a", "b", "c", "d", "e", "f")
CITIES: tuple[str, ...] = ("milan", "venice", "florence", "rome", "naples")
ROWS: tuple[str, ...] = ("upper", "lower")

# 3.1: reductions by number of players.
TILES_REMOVED: Mapping[int, int] = {2: 2, 3: 1, 4: 0}  # per house
CITIES_UNUSED: Mapping[int, int] = {2: 2, 3: 1, 4: 0}

# Pieces
MAN, WOMAN, DISC, FLORIN, POINT = "man", "woman", "disc", "florin", "point"
HELPER, BRIDE, TILE = "helper", "bride", "tile"  # TILE is a face-down alliance tile
MEMBERS = (MAN, WOMAN)

# Places without parameters; the functions below name the others.
SUPPLY, BANK, RESERVE, THRESHOLD, ASIDE = "supply", "bank", "reserve", "threshold", "aside"


class Alliance(NamedTuple):
    """The face of an alliance tile."""

    house: str
    value: int


class Die(NamedTuple):
    """An action die with the face it shows."""

    colour: str
    face: int


def tile_piece(house: str, value: int) -> str:
    return f"{house}-{value}"


def die_piece(colour: str, face: int) -> str:
    return f"{colour}-{face}"


def unrolled(colour: str) -> str:
    """Return the piece for a die that has not been rolled."""
    return f"{colour}-die"


ALLIANCES: Mapping[str, Alliance] = {tile_piece(h, v): Alliance(h, v) for h in HOUSES for v in TILE_VALUES}
DICE: Mapping[str, Die] = {die_piece(c, f): Die(c, f) for c in COLOURS for f in range(1, 7)}
BACKS: Mapping[str, str] = {
    **dict.fromkeys(ALLIANCES, TILE),
    **{piece: unrolled(die.colour) for piece, die in DICE.items()},
}
PIECES: frozenset[str] = frozenset(
    {MAN, WOMAN, DISC, FLORIN, POINT, HELPER, BRIDE, *BACKS, *BACKS.values()},
)

EARLIER = "earlier"  # points scored before a game was resumed from a position; only their sum is known

# 6.1: sources of points.
SOURCES: tuple[str, ...] = (
    "mission",
    "marriage",
    "initiative",
    "wedding",
    "helper",
    "reward-tile",
    "buy",
    "end-men",
    "end-alliance",
)


def track_place(career: str, index: int) -> str:
    """Return the place of a career track space, counted from the bottom; 0 is the reserve."""
    return f"track:{career}:{index}" if index else RESERVE


def city_place(city: str, number: int) -> str:
    """Return the place of the figure spaces below a city that show a number."""
    return f"city:{city}:{number}"


def tile_place(kind: str, city: str) -> str:
    """Return the place of the mission or marriage space above a city."""
    return f"{kind}:{city}"


def initiative_place(space: int) -> str:
    return f"initiative:{space}"


def face_up_place(faction: str, field: str) -> str:
    return f"plan:{faction}:{field}"


def face_down_place(faction: str, field: str) -> str:
    return f"unseen:{faction}:{field}"


def dice_place(colour: str) -> str:
    """Return the place of a dice area of the main board."""
    return f"dice:{colour}"


def action_place(faction: str, colour: str) -> str:
    """Return the place of an action space of a player board."""
    return f"action:{faction}:{colour}"


def helper_place(faction: str, column: str, row: int) -> str:
    return f"helper:{faction}:{column}:{row}"


def portraits_place(faction: str) -> str:
    return f"portraits:{faction}"


def score_place(source: str) -> str:
    return f"score:{source}"
