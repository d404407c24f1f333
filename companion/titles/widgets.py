"""Form widgets and number parsing shared by several games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from games.core.codec import Json
from games.core.prompts import Prompt

F = TypeVar("F")

MAX_DIGITS = 6  # longer numbers are treated as text


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a single or multiple choice."""

    value: str
    label: str
    detail: str = ""
    chosen: bool = False
    owner: str = ""
    held: str = (
        ""  # button label while this is chosen; it then needs a long press, because it is rarely intended
    )


def only_field(prompt: Prompt, kind: type[F]) -> F:
    """Return the single field of a prompt. Raise ``TypeError`` if it is of another kind."""
    (field,) = prompt.fields
    if not isinstance(field, kind):
        raise TypeError(f"{prompt.action}: expected {kind.__name__}, not {type(field).__name__}")
    return field


def number(text: str) -> Json:
    """Parse a number of a form; return other text unchanged, for the rules to refuse."""
    return int(text) if is_number(text) else text


def is_number(text: str) -> bool:
    """Return True for a short string of ASCII digits (`str.isdigit` alone accepts superscripts, too)."""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
