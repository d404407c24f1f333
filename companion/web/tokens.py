"""Token shapes: each faction has its own shape beside its colour, so that colour alone carries no meaning."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.registry import titles

RING = "ring"  # for neutral owners


@cache
def shapes() -> Mapping[str, str]:
    """Return the symbol in `static/icons/tokens.svg` of each faction; titles agree on shared colours."""
    return {faction: shape for title in titles().values() for faction, shape in title.tokens.items()}


def shape_of(faction: str) -> str:
    return shapes().get(faction, RING)
