"""Colours, careers and counts (digest 1 and 2)."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Literal

Faction = Literal["yellow", "red", "blue", "purple"]
FACTIONS: tuple[str, ...] = typing.get_args(Faction)

MEN = 12  # of each player
CAREER_NUMBERS = range(1, 14)  # printed beside the spaces of a career track
TILE_VALUES = range(2, 6)  # of an alliance tile, face up
TILE_BACK = 1  # what it is worth face down

# 5.11: the fields of a plan, and for how many tiles each has shields.
SHIELDS: Mapping[str, int] = {"political": 4, "church": 4, "military": 4, "marriage": 6}
FIELDS: tuple[str, ...] = tuple(SHIELDS)
