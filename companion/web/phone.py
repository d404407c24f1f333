"""State kept in a phone's cookies: tokens, player name, display preferences, hints, scribe mode."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from companion.access.table_access import (
    TableAccess,
    find_rate_limited,
    identify,
    identify_rate_limited,
    record_presence,
)
from companion.models import Table
from companion.operations.hosts import client_network
from companion.tables.seats import LONGEST_NAME
from companion.web.hints import all_hints

SEATS_COOKIE = "__Host-seats" if settings.HTTPS else "seats"
CIRCLES_COOKIE = "__Host-circles" if settings.HTTPS else "circles"
NAME_COOKIE = "name"
SCRIBE_COOKIE = "scribe"
BOARDS_COOKIE = "boards"
HINTS_COOKIE = "hints"
NO_HINTS = "none"
# Display preferences by cookie name; the first value is the default.
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
    """Return the client address for rate limits; forwarding headers are ignored, as clients can forge them."""
    return client_network(str(request.META.get("REMOTE_ADDR") or ""))


def tokens_of(request: HttpRequest) -> list[str]:
    tokens = request.COOKIES.get(SEATS_COOKIE, "").split(".")
    return [token for token in tokens if 0 < len(token) <= _LONGEST_TOKEN][:MOST_TOKENS]


def table_of(request: HttpRequest, code: str) -> Table:
    """Return the table with a code. Raise `Refusal` if it is unknown or the rate limit is exceeded."""
    return find_rate_limited(address_of(request), code, tokens_of(request))


def access_of(request: HttpRequest, table: Table) -> TableAccess:
    """Return the seats and host rights of this phone at a table; tokens of other tables are ignored.

    Only POST requests count against the rate limit for guessing tokens, because spectators send the tokens of
    other tables with every page. Raise `Refusal` if that limit is exceeded.
    """
    tokens = tokens_of(request)
    if request.method == "POST":
        access = identify_rate_limited(address_of(request), table, tokens)
    else:
        access = identify(table, tokens)
    record_presence(table, access)
    return TableAccess() if access.is_stranger else access


def remember(response: HttpResponse, request: HttpRequest, *tokens: str) -> None:
    """Store tokens in the cookie, newest first; the oldest beyond the limit are dropped."""
    stored = [*tokens, *(token for token in tokens_of(request) if token not in tokens)][:MOST_TOKENS]
    _set(response, SEATS_COOKIE, ".".join(stored), httponly=True)


def name_of(request: HttpRequest) -> str:
    return unquote(request.COOKIES.get(NAME_COOKIE, ""))[:LONGEST_NAME]


def remember_name(response: HttpResponse, name: str) -> None:
    _set(response, NAME_COOKIE, quote(name), httponly=True)


def forget_name(response: HttpResponse) -> None:
    response.delete_cookie(NAME_COOKIE, samesite="Lax")


def board_codes_of(request: HttpRequest) -> list[str]:
    """Return the codes of the board copies opened on this phone, newest first."""
    codes = request.COOKIES.get(BOARDS_COOKIE, "").split(".")
    return [code for code in codes if code.isascii() and code.isalnum()][:MOST_BOARDS]


def remember_board(response: HttpResponse, request: HttpRequest, code: str) -> None:
    codes = [code, *(other for other in board_codes_of(request) if other != code)]
    _set(response, BOARDS_COOKIE, ".".join(codes[:MOST_BOARDS]), httponly=True)


def circle_keys_of(request: HttpRequest) -> list[str]:
    """Return the keys of the circles opened on this phone, newest first."""
    keys = request.COOKIES.get(CIRCLES_COOKIE, "").split(".")
    return [key for key in keys if _KEY.fullmatch(key)][:MOST_CIRCLES]


def remember_circle(response: HttpResponse, request: HttpRequest, key: str, *, instead_of: str = "") -> None:
    """Store the key of a circle in the cookie, in place of the invalid key `instead_of`."""
    others = [other for other in circle_keys_of(request) if other not in (key, instead_of)]
    _set(response, CIRCLES_COOKIE, ".".join([key, *others][:MOST_CIRCLES]), httponly=True)


def forget_circle(response: HttpResponse, request: HttpRequest, key: str) -> None:
    others = [other for other in circle_keys_of(request) if other != key]
    _set(response, CIRCLES_COOKIE, ".".join(others), httponly=True)


def is_scribe(request: HttpRequest, table: Table) -> bool:
    """Return True if this phone is set to enter for all seats; it has an effect for the host only."""
    return table.code in request.COOKIES.get(SCRIBE_COOKIE, "").split(".")


def set_scribe(response: HttpResponse, request: HttpRequest, table: Table, *, on: bool) -> None:
    codes = [c for c in request.COOKIES.get(SCRIBE_COOKIE, "").split(".") if c and c != table.code]
    _set(response, SCRIBE_COOKIE, ".".join([table.code, *codes][:20] if on else codes[:20]), httponly=True)


def looks_of(request: HttpRequest) -> dict[str, str]:
    return {name: _known(name, request.COOKIES.get(name, "")) for name in LOOKS}


def _known(name: str, value: str) -> str:
    return value if value in LOOKS[name] else LOOKS[name][0]


def dismissed_hints(request: HttpRequest) -> list[str]:
    """Return the hints dismissed on this phone, in the order of `all_hints`."""
    names = request.COOKIES.get(HINTS_COOKIE, "").split(".")
    return [name for name in all_hints() if name in names or NO_HINTS in names]


def dismiss_hint(response: HttpResponse, request: HttpRequest, name: str) -> None:
    """Dismiss one hint, or with `NO_HINTS` all, including those of later versions."""
    dismissed = [hint for hint in all_hints() if hint == name or hint in dismissed_hints(request)]
    _set(response, HINTS_COOKIE, NO_HINTS if name == NO_HINTS else ".".join(dismissed), httponly=True)


def restore_hints(response: HttpResponse) -> None:
    response.delete_cookie(HINTS_COOKIE, samesite="Lax")


def phone_context(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the phone's preferences and dismissed hints."""
    dismissed = dismissed_hints(request)
    looks = looks_of(request)
    hints = {"hints_away": dismissed, "no_hints": len(dismissed) == len(all_hints())}
    return {"look": looks["look"], "phone": looks, **hints}


def set_looks(response: HttpResponse, chosen: Mapping[str, str]) -> None:
    """Store the chosen display preferences; the others stay unchanged."""
    for name in LOOKS:
        if name in chosen:
            _set(response, name, _known(name, chosen[name]), httponly=True)


def _set(response: HttpResponse, key: str, value: str, *, httponly: bool) -> None:
    response.set_cookie(
        key, value, max_age=HALF_A_YEAR, httponly=httponly, samesite="Lax", secure=settings.HTTPS
    )
