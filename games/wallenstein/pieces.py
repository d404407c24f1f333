"""Who plays with what: colours, cubes, buildings and regions (digest 1.1, 2.2 and 2.3)."""

from __future__ import annotations

FACTIONS = ("red", "blue", "yellow", "purple", "black")
PEASANTS = "peasants"
COLOURS = (*FACTIONS, PEASANTS)

ARMY = "army"  # exactly one cube, whoever owns it
CUBES = 62  # of a player's colour; the peasants have fewer

PALACE = "palace"
CHURCH = "church"
TRADING_HOUSE = "trading_house"
BUILDINGS = (PALACE, CHURCH, TRADING_HOUSE)

REGIONS = ("brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen")
PROVINCES_PER_REGION = 9

SUPPLY = "supply"
CUP = "cup"
HERE = "here"  # the province that is asked about
