"""Token shapes: each faction has its own shape beside its colour, so that colour alone carries no meaning."""

from __future__ import annotations

from collections.abc import Mapping

# Faction -> symbol id in static/icons/tokens.svg. The colours are in static/css/seneschal.css.
SHAPES: Mapping[str, str] = {
    "catholics": "cross",
    "habsburgs": "crown",
    "nobility": "shield",
    "burghers": "scales",
    "reformers": "book",
    "neutral": "ring",
    "red": "square",
    "blue": "circle",
    "yellow": "triangle",
    "green": "diamond",
    "purple": "hexagon",
    "black": "star",
    "peasants": "ring",
}
