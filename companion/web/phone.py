"""What a phone remembers: its tokens, the name its owner goes by, how it looks, whether it writes for all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from companion.access.table_access import TableAccess, find_from, identify, identify_from, touch
from companion.models import Table
from companion.operations.hosts import place_of_address
from companion.tables.seats import LONGEST_NAME
from companion.web.hints import HINTS

SEATS_COOKIE = "__Host-seats" if settings.HTTPS else "seats"
CIRCLES_COOKIE = "__Host-circles" if settings.HTTPS else "circles"
NAME_COOKIE = "name"
SCRIBE_COOKIE = "scribe"
BOARDS_COOKIE = "boards"
HINTS_COOKIE = "hints"
NO_HINTS = "none"
# How a phone shows things, by the cookie that keeps it; the first is what it does unless it is told otherwise.
LOOKS = {
    "look": ("dark", "light"),
    "timers": ("show", "hide"),
    "sound": ("off", "on"),
    "vibration": ("off", "on"),
}
HALF_A_YEAR = 180 * 24 * 60 * 60
MOST_TOKENS = 40  # a cookie holds 4 kB
MOST_BOARDS = 20
MOST_CIRCLES = 20
_LONGEST_TOKEN = 64
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


def address_of(request: HttpRequest | Request) -> str:
    """Where a request came from. A header that names another address proves nothing."""
    return place_of_address(str(request.META.get("REMOTE_ADDR") or ""))


def tokens_of(request: HttpRequest) -> list[str]:
    kept = request.COOKIES.get(SEATS_COOKIE, "").split(".")
    return [token for token in kept if 0 < len(token) <= _LONGEST_TOKEN][:MOST_TOKENS]


def table_of(request: HttpRequest, code: str) -> Table:
    """The table with a code, for this phone. Raises ``Refusal``."""
    return find_from(address_of(request), code, tokens_of(request))


def access_of(request: HttpRequest, table: Table) -> TableAccess:
    """Who holds this phone, at this table. What it holds elsewhere is no offence.

    Only whoever sends something is counted as trying tokens: spectators bring theirs of other tables. Raises ``Refusal``.
    """
    tokens = tokens_of(request)
    if request.method == "POST":
        access = identify_from(address_of(request), table, tokens)
    else:
        access = identify(table, tokens)
    touch(table, access)
    return TableAccess() if access.is_stranger else access


def remember(response: HttpResponse, request: HttpRequest, *tokens: str) -> None:
    """Keep tokens on this phone, the newest first; the oldest are forgotten."""
    kept = [*tokens, *(token for token in tokens_of(request) if token not in tokens)][:MOST_TOKENS]
    _set(response, SEATS_COOKIE, ".".join(kept), httponly=True)


def name_of(request: HttpRequest) -> str:
    return unquote(request.COOKIES.get(NAME_COOKIE, ""))[:LONGEST_NAME]


def remember_name(response: HttpResponse, name: str) -> None:
    _set(response, NAME_COOKIE, quote(name), httponly=True)


def forget_name(response: HttpResponse) -> None:
    response.delete_cookie(NAME_COOKIE, samesite="Lax")


def board_codes_of(request: HttpRequest) -> list[str]:
    """The codes of the copies of boards this phone has met, the newest first."""
    kept = request.COOKIES.get(BOARDS_COOKIE, "").split(".")
    return [code for code in kept if code.isascii() and code.isalnum()][:MOST_BOARDS]


def remember_board(response: HttpResponse, request: HttpRequest, code: str) -> None:
    codes = [code, *(kept for kept in board_codes_of(request) if kept != code)]
    _set(response, BOARDS_COOKIE, ".".join(codes[:MOST_BOARDS]), httponly=True)


def circle_keys_of(request: HttpRequest) -> list[str]:
    """The keys of the circles whose link this phone has followed, the newest first."""
    kept = request.COOKIES.get(CIRCLES_COOKIE, "").split(".")
    return [key for key in kept if _KEY.fullmatch(key)][:MOST_CIRCLES]


def remember_circle(response: HttpResponse, request: HttpRequest, key: str, *, instead_of: str = "") -> None:
    """Keep the key of a circle on this phone; ``instead_of`` is one that leads nowhere any more."""
    kept = [one for one in circle_keys_of(request) if one not in (key, instead_of)]
    _set(response, CIRCLES_COOKIE, ".".join([key, *kept][:MOST_CIRCLES]), httponly=True)


def forget_circle(response: HttpResponse, request: HttpRequest, key: str) -> None:
    kept = [one for one in circle_keys_of(request) if one != key]
    _set(response, CIRCLES_COOKIE, ".".join(kept), httponly=True)


def is_scribe(request: HttpRequest, table: Table) -> bool:
    """Whether this phone enters for everybody at a table; only the host's may."""
    return table.code in request.COOKIES.get(SCRIBE_COOKIE, "").split(".")


def set_scribe(response: HttpResponse, request: HttpRequest, table: Table, *, on: bool) -> None:
    codes = [c for c in request.COOKIES.get(SCRIBE_COOKIE, "").split(".") if c and c != table.code]
    _set(response, SCRIBE_COOKIE, ".".join([table.code, *codes][:20] if on else codes[:20]), httponly=True)


def looks_of(request: HttpRequest) -> dict[str, str]:
    return {name: _known(name, request.COOKIES.get(name, "")) for name in LOOKS}


def _known(name: str, value: str) -> str:
    return value if value in LOOKS[name] else LOOKS[name][0]


def hints_away(request: HttpRequest) -> list[str]:
    """The hints that were put away on this phone, in the order in which they are listed."""
    kept = request.COOKIES.get(HINTS_COOKIE, "").split(".")
    return [name for name in HINTS if name in kept or NO_HINTS in kept]


def put_hint_away(response: HttpResponse, request: HttpRequest, name: str) -> None:
    """One of them, or ``NO_HINTS`` for all, also those that a later version will have."""
    away = [one for one in HINTS if one == name or one in hints_away(request)]
    _set(response, HINTS_COOKIE, NO_HINTS if name == NO_HINTS else ".".join(away), httponly=True)


def bring_hints_back(response: HttpResponse) -> None:
    response.delete_cookie(HINTS_COOKIE, samesite="Lax")


def phone_context(request: HttpRequest) -> dict[str, Any]:
    """What every page needs of the phone."""
    away = hints_away(request)
    looks = looks_of(request)
    hints = {"hints_away": away, "no_hints": len(away) == len(HINTS)}
    return {"look": looks["look"], "phone": looks, **hints}


def set_looks(response: HttpResponse, chosen: Mapping[str, str]) -> None:
    """Keep what was chosen; the rest stays as it is."""
    for name in LOOKS:
        if name in chosen:
            _set(response, name, _known(name, chosen[name]), httponly=True)


def _set(response: HttpResponse, key: str, value: str, *, httponly: bool) -> None:
    response.set_cookie(
        key, value, max_age=HALF_A_YEAR, httponly=httponly, samesite="Lax", secure=settings.HTTPS
    )
