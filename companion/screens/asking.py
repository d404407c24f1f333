"""What forms of several games are made of."""

from __future__ import annotations

from dataclasses import dataclass

from games.core.codec import Json

LONGEST = 6  # digits of a number that somebody means


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few, or some of them."""

    value: str
    label: str
    detail: str = ""
    chosen: bool = False
    owner: str = ""


def number(text: str) -> Json:
    """A number as a form sends it; what is none is passed on for the rules to refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else text
