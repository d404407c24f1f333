"""Tokens of factions: each has its own shape beside its colour, so that colour alone carries no meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.registry import titles

RING = "ring"  # shape of neutral owners
RED, BLUE, YELLOW, GREEN = "#e0574a", "#4c8fd9", "#f2c230", "#4fa36b"
PURPLE, ORANGE, BLACK, LIGHT, GREY = "#a77bd1", "#f08a24", "#2b2b2b", "#f1e9d8", "#9a9184"


@dataclass(frozen=True, slots=True)
class Token:
    """A symbol of `static/icons/tokens.svg` and its colour, which `static/css/seneschal.css` has too."""

    shape: str
    colour: str = GREY
    edge: str = ""  # outline of dark tokens; also the colour of their lines

    @property
    def line(self) -> str:
        return self.edge or self.colour


# Factions named after colours, which several games share.
COLOURS: Mapping[str, Token] = {
    "red": Token("square", RED),
    "blue": Token("circle", BLUE),
    "yellow": Token("triangle", YELLOW),
    "green": Token("diamond", GREEN),
    "purple": Token("hexagon", PURPLE),
    "black": Token("star", BLACK, LIGHT),
}


def colours(*names: str) -> dict[str, Token]:
    """Return the tokens of factions named after colours."""
    return {name: COLOURS[name] for name in names}


@cache
def shapes() -> Mapping[str, str]:
    """Return the shape of each faction; titles agree on the factions that they share."""
    return {faction: token.shape for title in titles().values() for faction, token in title.tokens.items()}


def shape_of(faction: str) -> str:
    return shapes().get(faction, RING)
