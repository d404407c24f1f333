"""What a phone remembers: its tokens, the name its owner goes by, how it looks, whether it writes for all."""

from __future__ import annotations

from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from companion.models import Table
from companion.tables.holders import Holder, identify, touch
from companion.tables.seats import LONGEST_NAME

SEATS_COOKIE = "__Host-seats" if settings.HTTPS else "seats"
NAME_COOKIE = "name"
SCRIBE_COOKIE = "scribe"
BOARDS_COOKIE = "boards"
LOOK_COOKIE = "look"
LOOKS = ("dark", "light")
HALF_A_YEAR = 180 * 24 * 60 * 60
MOST_TOKENS = 40  # a cookie holds 4 kB
MOST_BOARDS = 20
_LONGEST_TOKEN = 64


def address_of(request: HttpRequest | Request) -> str:
    """Where a request came from. A header that names another address proves nothing."""
    return str(request.META.get("REMOTE_ADDR") or "")


def tokens_of(request: HttpRequest) -> list[str]:
    kept = request.COOKIES.get(SEATS_COOKIE, "").split(".")
    return [token for token in kept if 0 < len(token) <= _LONGEST_TOKEN][:MOST_TOKENS]


def holder_of(request: HttpRequest, table: Table) -> Holder:
    """Who holds this phone, at this table. What it holds elsewhere is no offence."""
    holder = identify(table, tokens_of(request))
    touch(table, holder)
    return Holder() if holder.is_stranger else holder


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


def is_scribe(request: HttpRequest, table: Table) -> bool:
    """Whether this phone enters for everybody at a table; only the host's may."""
    return table.code in request.COOKIES.get(SCRIBE_COOKIE, "").split(".")


def set_scribe(response: HttpResponse, request: HttpRequest, table: Table, *, on: bool) -> None:
    codes = [c for c in request.COOKIES.get(SCRIBE_COOKIE, "").split(".") if c and c != table.code]
    _set(response, SCRIBE_COOKIE, ".".join([table.code, *codes][:20] if on else codes[:20]), httponly=True)


def look_of(request: HttpRequest) -> str:
    look = request.COOKIES.get(LOOK_COOKIE, "")
    return look if look in LOOKS else LOOKS[0]


def context(request: HttpRequest) -> dict[str, str]:
    """What every page needs of the phone."""
    return {"look": look_of(request)}


def set_look(response: HttpResponse, look: str) -> None:
    _set(response, LOOK_COOKIE, look if look in LOOKS else LOOKS[0], httponly=True)


def _set(response: HttpResponse, key: str, value: str, *, httponly: bool) -> None:
    response.set_cookie(
        key, value, max_age=HALF_A_YEAR, httponly=httponly, samesite="Lax", secure=settings.HTTPS
    )
