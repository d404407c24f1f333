"""What each game shows on phones and TV: the data its templates draw. One module for each game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.screens.base import Screen
from companion.screens.raubritter import SCREEN as RAUBRITTER

SCREENS: Mapping[str, Screen] = {"raubritter": RAUBRITTER}
