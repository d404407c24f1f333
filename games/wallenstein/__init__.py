"""Wallenstein (Queen Games, 2002). The game itself is in ``game``."""

from __future__ import annotations

from games.wallenstein.calculators import CALCULATORS

__all__ = ["CALCULATORS"]
