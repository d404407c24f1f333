"""Parsing of numbers in requests."""

from __future__ import annotations

MOST_DIGITS = 9


def parse_number(text: str | None) -> int | None:
    """Return a number of ASCII digits, None if the text is missing or anything else."""
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > MOST_DIGITS:
        return None
    return int(text)
