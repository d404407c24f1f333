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
    held: str = ""  # what the button says while this is chosen; it is held then, as it is rarely meant


def number(text: str) -> Json:
    """A number as a form sends it; what is none is passed on for the rules to refuse."""
    return int(text) if is_number(text) else text


def is_number(text: str) -> bool:
    """Whether a text can be read as a whole number that somebody means: ² is a digit too, but no number."""
    return text.isascii() and text.isdigit() and len(text) <= LONGEST
