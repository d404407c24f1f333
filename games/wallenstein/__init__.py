"""Wallenstein (Queen Games, 2002): calculators here, the full game in `game`."""

from __future__ import annotations

from games.wallenstein.calculators import CALCULATORS

__all__ = ["CALCULATORS"]
