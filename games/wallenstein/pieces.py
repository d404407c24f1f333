"""Who plays, the pieces, the places and the regions (digest 1.1, 2.1, 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import say

FACTIONS = ("red", "blue", "yellow", "purple", "black")
PEASANTS = "peasants"  # also of what belongs to nobody: buildings, unrest markers
COLOURS = (*FACTIONS, PEASANTS)
NOBODYS = dict.fromkeys((PEASANTS, "green"), say("green"))  # the peasants' cubes are green

ARMY = "army"  # exactly one cube, whoever owns it
CUBES = 62  # of a player's colour; the peasants have fewer
ARMIES = CUBES - 1  # one cube marks the grain and is never an army
PEASANT_ARMIES = 20

PALACE = "palace"
CHURCH = "church"
TRADING_HOUSE = "trading_house"
BUILDINGS = (PALACE, CHURCH, TRADING_HOUSE)

# A building as a piece on the table, and how many there are of it.
TILE: Mapping[str, str] = {PALACE: "palace", CHURCH: "church", TRADING_HOUSE: "trading-house"}
TILES: Mapping[str, int] = {"palace": 28, "church": 26, "trading-house": 26}

GOLD = "gold"
GRAIN = "grain"
UNREST = "unrest"
POINT = "point"
UNCOUNTED = frozenset({GOLD, GRAIN, UNREST, POINT})  # the bank never runs out of them
PIECES = frozenset({ARMY, *TILES, *UNCOUNTED})

REGIONS = ("brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen")
UNUSED_BY_TWO = ("brandenburg", "kurpfalz")
PROVINCES_PER_REGION = 9

SUPPLY = "supply"
BANK = "bank"
TOWER = "tower"
CUP = "cup"
HERE = "here"  # the province that is asked about

PROVINCE = "province"
SCORE = "score"
PARTS = ("provinces", "buildings", "majorities")


def place_of(province: str) -> str:
    return f"{PROVINCE}:{province}"


def score_place(part: str) -> str:
    return f"{SCORE}:{part}"
