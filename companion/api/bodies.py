"""Request bodies: JSON data of bounded size that every database and every reader can hold.

The framework's own parser is not used: it has no limit of size, and lets through what only
fails further in (lone surrogates, null characters, numbers without end, data nested so
deeply that writing it out again overflows).

All limits are checked here, before a view sees the data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request

from companion.api.errors import too_large
from companion.errors import Refusal
from companion.tables import documents

LARGEST_DOCUMENT = 8 * 1024 * 1024
# Beyond it JavaScript, and so most who read JSON, lose digits.
LARGEST_NUMBER = 2**53
_UNSAFE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of one kind of body."""

    size: int  # bytes
    depth: int
    values: int  # in all
    text: int  # characters of one text
    items: int  # of one list or object
    lists: Mapping[str, int] = field(default_factory=dict)  # of lists under these names


# A position of a whole game has 1,100 values, a board 840.
BODY = Bounds(
    size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    depth=32,
    values=10_000,
    text=2_000,
    items=500,
    lists={"seats": 8, "moves": 200},
)
# A game of some hundred entries has less than 1 MB and 45,000 values.
DOCUMENT = Bounds(
    size=LARGEST_DOCUMENT,
    depth=64,
    values=500_000,
    text=documents.LONGEST_TOLD,
    items=documents.MOST_IN_ENTRY,
    lists=documents.MOST,
)


def read_object(request: Request) -> dict[str, Any]:
    """Return the object that was sent; an empty body is an empty object. Raises ``Refusal``."""
    return _object(_read(request, BODY, empty={}))


def read_question(request: Request) -> dict[str, Any]:
    """Return the object that was sent, which may not be missing. Raises ``Refusal``."""
    return _object(_read(request, BODY))


def read_document(request: Request) -> dict[str, Any]:
    """Return the document of a whole game, which may be larger than other bodies. Raises ``Refusal``."""
    return _object(_read(request, DOCUMENT))


def _object(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise _bad(_("What is sent must be a JSON object."))
    return found


def _read(request: Request, bounds: Bounds, *, empty: Any = None) -> Any:
    """Return the JSON data of a request, or ``empty`` if nothing was sent. Raises ``Refusal``."""
    raw = _bytes(request, bounds.size)
    if not raw.strip():
        return empty
    if raw.count(b",") > bounds.values:  # parsing them takes longer than counting
        raise too_large()
    if request.content_type.partition(";")[0].strip().lower() != "application/json":
        # Also what keeps pages of other sites from posting here: this type they may not send unasked.
        raise _bad(_("Please send JSON, with the content type “application/json”."))
    try:
        found = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (
        ValueError,
        RecursionError,
    ):  # ValueError: not UTF-8, not JSON, or a number of thousands of digits
        raise _bad(_("What is sent is not well-formed JSON.")) from None
    _refuse_unsafe(found, bounds)
    return found


def _bytes(request: Request, largest: int) -> bytes:
    announced = str(request.META.get("CONTENT_LENGTH") or 0)
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > largest:
        raise too_large()
    # One more than allowed: a body that comes in pieces announces no length.
    raw: bytes = request.read(largest + 1)
    if len(raw) > largest:
        raise too_large()
    return raw


def _refuse_constant(name: str) -> NoReturn:
    """NaN and Infinity, which Python reads and JSON does not know."""
    raise ValueError(name)


def _refuse_unsafe(found: Any, bounds: Bounds) -> None:
    """Raise ``Refusal`` if data is larger than its bounds, or contains something that cannot be stored.

    Sizes are checked before contents, so the work is bounded as well.
    """
    waiting, values = [(found, 1, bounds.items)], 1
    while waiting:
        value, depth, most = waiting.pop()
        if depth > bounds.depth:
            raise _bad(_("What is sent is nested too deeply."))
        if isinstance(value, dict | list):
            values += len(value)
            _refuse_size(value, most if isinstance(value, list) else bounds.items)
            if values > bounds.values:
                raise too_large()
            waiting += [(inner, depth + 1, limit) for inner, limit in _inner(value, bounds)]
        else:
            _refuse_value(value, bounds)


def _refuse_size(value: dict[str, Any] | list[Any], most: int) -> None:
    if len(value) > most:
        message = _("A list or object in what is sent is too long; at most %(most)d items are allowed.")
        raise Refusal("too-large", message % {"most": most})


def _inner(value: dict[str, Any] | list[Any], bounds: Bounds) -> Iterator[tuple[Any, int]]:
    """Yield what a list or object contains, and how long it may be if it is a list."""
    if isinstance(value, list):
        yield from ((item, bounds.items) for item in value)
        return
    for key, item in value.items():
        _refuse_value(key, bounds)
        yield item, bounds.lists.get(key, bounds.items)


def _refuse_value(value: Any, bounds: Bounds) -> None:
    if isinstance(value, str):
        if len(value) > bounds.text:
            raise Refusal("too-large", _("This is too long."))
        if _UNSAFE.search(value):
            raise _bad(_("A text holds characters that cannot be kept."))
    elif isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:
        raise _bad(_("A number is too large."))


def _bad(sentence: str) -> Refusal:
    return Refusal("bad-input", sentence)
