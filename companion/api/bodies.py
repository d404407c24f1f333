"""What is sent, as JSON data that is safe to keep: every database and every reader can hold it.

The framework's own parser is not used: it has no limit of size, and lets through what only
fails further in (lone surrogates, null characters, numbers without end, data nested so
deeply that writing it out again overflows).
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request

from companion.api.errors import too_large
from companion.errors import Refusal

# Deeper than any action; a document holds actions and is deeper by a few levels.
DEEPEST = 32
DEEPEST_DOCUMENT = 64
# A game of some hundred entries has less than 1 MB.
LARGEST_DOCUMENT = 8 * 1024 * 1024
# Beyond it JavaScript, and so most who read JSON, lose digits.
LARGEST_NUMBER = 2**53


def read_object(request: Request) -> dict[str, Any]:
    """The object that was sent; nothing sent is an empty one. Raises ``Refusal``."""
    return _object(read(request, largest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, deepest=DEEPEST, nothing={}))


def read_question(request: Request) -> dict[str, Any]:
    """The object that was sent, where nothing sent asks nothing. Raises ``Refusal``."""
    return _object(read(request, largest=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, deepest=DEEPEST))


def read_document(request: Request) -> dict[str, Any]:
    """The same for a whole game, which may be larger."""
    return _object(read(request, largest=LARGEST_DOCUMENT, deepest=DEEPEST_DOCUMENT))


def _object(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise _bad(_("What is sent must be a JSON object."))
    return found


def read(request: Request, *, largest: int, deepest: int, nothing: Any = None) -> Any:
    """The JSON data of a request, or ``nothing``. Raises ``Refusal``."""
    raw = _bytes(request, largest)
    if not raw.strip():
        return nothing
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
    _refuse_unsafe(found, deepest)
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


def _refuse_unsafe(found: Any, deepest: int) -> None:
    waiting = [(found, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > deepest:
            raise _bad(_("What is sent is nested too deeply."))
        if isinstance(value, dict):
            waiting += [(inner, depth + 1) for pair in value.items() for inner in pair]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
        elif isinstance(value, str):
            _refuse_text(value)
        elif isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:
            raise _bad(_("A number is too large."))


def _refuse_text(text: str) -> None:
    if "\0" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)):
        raise _bad(_("A text holds characters that cannot be kept."))


def _bad(sentence: str) -> Refusal:
    return Refusal("bad-input", sentence)
