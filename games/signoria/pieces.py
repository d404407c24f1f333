"""Colours, careers, pieces and counts (digest 1 and 2)."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Literal, NamedTuple

Faction = Literal["yellow", "red", "blue", "purple"]
FACTIONS: tuple[str, ...] = typing.get_args(Faction)
NEUTRAL = "neutral"  # whose dice, helpers, brides and alliance tiles are

MEN = 12  # of each player
WOMEN = 11
HELPERS = 48
BRIDES = 16
CAREER_NUMBERS = range(1, 14)  # printed beside the spaces of a career track
RANKS = range(1, 5)
CITY_NUMBERS = range(1, 5)  # of the figure spaces below a city
TILE_VALUES = range(2, 6)  # of an alliance tile, face up
TILE_BACK = 1  # what it is worth face down
TILES_PER_HOUSE = 9
ROUNDS = 7
BONUS_ROUNDS = 5  # the rounds with a bonus tile; a VP tile in the others

# 5.11: the fields of a plan, and for how many tiles each has shields.
SHIELDS: Mapping[str, int] = {"political": 4, "church": 4, "military": 4, "marriage": 6}
FIELDS: tuple[str, ...] = tuple(SHIELDS)
CAREERS: tuple[str, ...] = FIELDS[:3]
INITIATIVE = "initiative"
TRACKS: tuple[str, ...] = (*CAREERS, INITIATIVE)

COLOURS: tuple[str, ...] = ("grey", "yellow", "red", "purple", "turquoise")  # of action dice; the 5th is P1
HOUSES: tuple[str, ...] = ("a", "b", "c", "d", "e", "f")
CITIES: tuple[str, ...] = ("milan", "venice", "florence", "rome", "naples")
ROWS: tuple[str, ...] = ("upper", "lower")

# 3.1: what depends on the number of players.
TILES_REMOVED: Mapping[int, int] = {2: 2, 3: 1, 4: 0}  # of each house
CITIES_UNUSED: Mapping[int, int] = {2: 2, 3: 1, 4: 0}

# Pieces
MAN, WOMAN, DISC, FLORIN, POINT = "man", "woman", "disc", "florin", "point"
HELPER, BRIDE, TILE = "helper", "bride", "tile"  # a tile that nobody sees is counted by its back
MEMBERS = (MAN, WOMAN)

# Places that are one; those with names of their own are made below.
SUPPLY, BANK, RESERVE, THRESHOLD, ASIDE = "supply", "bank", "reserve", "threshold", "aside"


class Alliance(NamedTuple):
    """What an alliance tile shows, face up."""

    house: str
    value: int


class Die(NamedTuple):
    """What an action die shows."""

    colour: str
    face: int


def tile_piece(house: str, value: int) -> str:
    return f"{house}-{value}"


def die_piece(colour: str, face: int) -> str:
    return f"{colour}-{face}"


def unrolled(colour: str) -> str:
    """A die that shows nothing yet."""
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

EARLIER = "earlier"  # points of a game that is taken up in mid-course: only their sum is known

# 6.1: where points come from.
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
    """A space of a career track, counted from the bottom; 0 is the man's reserve."""
    return f"track:{career}:{index}" if index else RESERVE


def city_place(city: str, number: int) -> str:
    """The figure spaces below a city that show a number."""
    return f"city:{city}:{number}"


def tile_place(kind: str, city: str) -> str:
    """The mission or marriage space above a city."""
    return f"{kind}:{city}"


def initiative_place(space: int) -> str:
    return f"initiative:{space}"


def face_up_place(faction: str, field: str) -> str:
    return f"plan:{faction}:{field}"


def face_down_place(faction: str, field: str) -> str:
    return f"unseen:{faction}:{field}"


def dice_place(colour: str) -> str:
    """A dice area of the main board."""
    return f"dice:{colour}"


def action_place(faction: str, colour: str) -> str:
    """An action space of a player board."""
    return f"action:{faction}:{colour}"


def helper_place(faction: str, column: str, row: int) -> str:
    return f"helper:{faction}:{column}:{row}"


def portraits_place(faction: str) -> str:
    return f"portraits:{faction}"


def score_place(source: str) -> str:
    return f"score:{source}"
