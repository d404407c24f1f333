"""Wallenstein (Queen Games, 2002): so far the parts of its rules that need no table."""

from __future__ import annotations

from games.wallenstein.calculators import CALCULATORS

__all__ = ["CALCULATORS"]
