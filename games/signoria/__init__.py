"""Signoria, published as Signorie (What's Your Game, 2015)."""

from __future__ import annotations

from games.signoria.calculators import CALCULATORS

__all__ = ["CALCULATORS"]
