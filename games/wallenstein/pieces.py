"""Factions, pieces, places and regions (1.1, 2.1, 2.2, 2.3)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.messages import say

FACTIONS = ("red", "blue", "yellow", "purple", "black")
PEASANTS = "peasants"  # also owner of neutral pieces: buildings, unrest markers
COLOURS = (*FACTIONS, PEASANTS)
NOBODYS = dict.fromkeys((PEASANTS, "green"), say("green"))  # the peasants' cubes are green

ARMY = "army"  # one army is one cube, for players and peasants
CUBES = 62  # per player colour; the peasants have fewer
ARMIES = CUBES - 1  # one cube is the grain marker and never an army
PEASANT_ARMIES = 20

PALACE = "palace"
CHURCH = "church"
TRADING_HOUSE = "trading_house"
BUILDINGS = (PALACE, CHURCH, TRADING_HOUSE)

# Building -> piece name in the ledger; piece name -> number of tiles.
TILE: Mapping[str, str] = {PALACE: "palace", CHURCH: "church", TRADING_HOUSE: "trading-house"}
TILES: Mapping[str, int] = {"palace": 28, "church": 26, "trading-house": 26}

GOLD = "gold"
GRAIN = "grain"
UNREST = "unrest"
POINT = "point"
UNCOUNTED = frozenset({GOLD, GRAIN, UNREST, POINT})  # unlimited in the bank
PIECES = frozenset({ARMY, *TILES, *UNCOUNTED})

REGIONS = ("brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen")
UNUSED_BY_TWO = ("brandenburg", "kurpfalz")
PROVINCES_PER_REGION = 9

SUPPLY = "supply"
BANK = "bank"
TOWER = "tower"
CUP = "cup"
HERE = "here"  # placeholder for the province in a calculator

PROVINCE = "province"
SCORE = "score"
PARTS = ("provinces", "buildings", "majorities")


def place_of(province: str) -> str:
    return f"{PROVINCE}:{province}"


def score_place(part: str) -> str:
    return f"{SCORE}:{part}"
