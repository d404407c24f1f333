"""Request bodies: JSON of bounded size that every database and every client can store.

REST framework's own parser is not used: it has no size limit and accepts data that fails only later
(lone surrogates, null characters, numbers of unlimited length, nesting too deep to encode again).

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
# JavaScript, like most JSON parsers, loses digits beyond 2**53.
LARGEST_NUMBER = 2**53
_UNSAFE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits for one kind of body."""

    size: int  # bytes
    depth: int
    values: int  # in total
    text: int  # characters of one string
    items: int  # entries of one list or object
    lists: Mapping[str, int] = field(default_factory=dict)  # entries of the lists in these fields


# The position of a whole game has about 1,100 values, a board 840.
BODY = Bounds(
    size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    depth=32,
    values=10_000,
    text=2_000,
    items=500,
    lists={"seats": 8, "moves": 200},
)
# A game of several hundred entries has less than 1 MB and 45,000 values.
DOCUMENT = Bounds(
    size=LARGEST_DOCUMENT,
    depth=64,
    values=500_000,
    text=documents.LONGEST_PARAM,
    items=documents.MOST_IN_ENTRY,
    lists=documents.MOST,
)


def read_object(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body; an empty body is an empty object. Raises `Refusal`."""
    return _object(_read(request, BODY, empty={}))


def read_required_object(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body; an empty body is an error. Raises `Refusal`."""
    return _object(_read(request, BODY))


def read_document(request: Request) -> dict[str, Any]:
    """Return the document of a whole game, which may be larger than other bodies. Raises `Refusal`."""
    return _object(_read(request, DOCUMENT))


def _object(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _bad(_("What is sent must be a JSON object."))
    return data


def _read(request: Request, bounds: Bounds, *, empty: Any = None) -> Any:
    """Return the JSON data of a request, or `empty` if the body is empty. Raises `Refusal`."""
    raw = _bytes(request, bounds.size)
    if not raw.strip():
        return empty
    if raw.count(b",") > bounds.values:  # counting is cheaper than parsing
        raise too_large()
    if request.content_type.partition(";")[0].strip().lower() != "application/json":
        # Also prevents CSRF: a cross-origin page cannot send this type without a CORS preflight.
        raise _bad(_("Please send JSON, with the content type “application/json”."))
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
    # ValueError: not UTF-8, not JSON, or a number with thousands of digits.
    except (ValueError, RecursionError):
        raise _bad(_("What is sent is not well-formed JSON.")) from None
    _refuse_unsafe(data, bounds)
    return data


def _bytes(request: Request, largest: int) -> bytes:
    declared = str(request.META.get("CONTENT_LENGTH") or 0)
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > largest:
        raise too_large()
    # One byte more than allowed, because a chunked body declares no length.
    raw: bytes = request.read(largest + 1)
    if len(raw) > largest:
        raise too_large()
    return raw


def _refuse_constant(name: str) -> NoReturn:
    """Reject NaN and Infinity, which Python's parser accepts and JSON does not allow."""
    raise ValueError(name)


def _refuse_unsafe(data: Any, bounds: Bounds) -> None:
    """Raise `Refusal` if the data exceeds its limits or cannot be stored.

    Sizes are checked before contents, so the work is bounded as well.
    """
    pending, values = [(data, 1, bounds.items)], 1
    while pending:
        value, depth, most = pending.pop()
        if depth > bounds.depth:
            raise _bad(_("What is sent is nested too deeply."))
        if isinstance(value, dict | list):
            values += len(value)
            _refuse_size(value, most if isinstance(value, list) else bounds.items)
            if values > bounds.values:
                raise too_large()
            pending += [(inner, depth + 1, limit) for inner, limit in _inner(value, bounds)]
        else:
            _refuse_value(value, bounds)


def _refuse_size(value: dict[str, Any] | list[Any], most: int) -> None:
    if len(value) > most:
        message = _("A list or object in what is sent is too long; at most %(most)d items are allowed.")
        raise Refusal("too-large", message % {"most": most})


def _inner(value: dict[str, Any] | list[Any], bounds: Bounds) -> Iterator[tuple[Any, int]]:
    """Yield each child of a list or object with the length it may have if it is a list."""
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
