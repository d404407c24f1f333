"""Tokens: each faction has a colour, a shape of its own and a name, so that colour is never alone."""

from __future__ import annotations

from collections.abc import Mapping

# Colours stand in static/css/seneschal.css, shapes in static/icons/tokens.svg, under these names.
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
