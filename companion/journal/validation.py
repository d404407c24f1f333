"""Validation of JSON from clients, which is stored as it was sent."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _

from companion.errors import Refusal

LONGEST = 50_000  # characters and values; a whole position has about 5,000
DEEPEST = 20


def validate_json(data: Any) -> None:
    """Raise ``Refusal`` for data that is not JSON, too large, too deep, or cannot be stored.

    Databases accept neither NUL characters, lone surrogates nor infinite numbers.
    """
    if _size(data, DEEPEST) > LONGEST:
        raise Refusal("too-large", _("This is too long."))


def _size(data: Any, depth: int) -> int:
    match data:
        case str() if _is_clean(data):
            return len(data)
        case None | bool() | int():
            return 1
        case float() if math.isfinite(data):
            return 1
        case list() | tuple() if depth:
            return 1 + sum(_size(item, depth - 1) for item in data)
        case dict() if depth and all(isinstance(name, str) for name in data):
            return 1 + sum(_size(name, 0) + _size(value, depth - 1) for name, value in data.items())
        case _:
            raise Refusal("bad-input", _("This cannot be read."))


def _is_clean(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)
