"""Conversion of prompts and form fields shared by the forms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from games.core.codec import Json
from games.core.prompts import Choice, Joint, Prompt

_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def options(prompt: Prompt, field: str) -> tuple[Any, ...]:
    """Return the possible values of a field of the action."""
    return next(f.options for f in prompt.fields if isinstance(f, Choice | Joint) and field in f.names)


def parse_number(text: str) -> Json:
    """Parse an integer, also a negative one; return other text unchanged, for the rules to refuse."""
    return int(text) if _NUMBER.fullmatch(text) else text


def parse_numbers(text: str | None, separator: str) -> Json:
    return text if text is None else [parse_number(part) for part in text.split(separator)]


def join_numbers(numbers: Iterable[int], separator: str) -> str:
    return separator.join(map(str, numbers))
