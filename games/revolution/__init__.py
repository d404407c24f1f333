"""Revolution: The Dutch Revolt 1568–1648 (Phalanx Games, 2004)."""

from __future__ import annotations

from games.revolution.calculators import CALCULATORS

__all__ = ["CALCULATORS"]
