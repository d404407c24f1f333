"""The stream that says when a table has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from itertools import count
from typing import TypeVar

from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from companion import live
from companion.api.access import token_of
from companion.api.errors import answer, method_not_allowed
from companion.api.views import READING
from companion.errors import Refusal
from companion.limits import too_often
from companion.models import Table
from companion.tables.holders import Holder, find_from, identify, touch
from companion.threads import in_thread
from companion.views.phone import address_of, tokens_of

T = TypeVar("T")

# Beats after which it is noted that a phone is there: a minute, as often as that is written down. With thousands of
# phones that do nothing else, asking the database at each beat would be most of the work.
PRESENT_EVERY = 4

HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",  # not kept, and not compressed, which would hold it back
    "X-Accel-Buffering": "no",
}


class Gone(Exception):  # noqa: N818 - as it is: gone
    """The table was deleted while somebody listened."""


@csrf_exempt
def events(request: HttpRequest, code: str) -> HttpResponseBase:
    """`changed` at once and for each change, `beat` in between; see the contract of the stream in the docs."""
    if request.method not in READING:
        return method_not_allowed(READING)
    try:
        table, holder = _look(request, code)
    except Refusal as refusal:
        return answer(refusal)
    if request.method == "HEAD":
        return HttpResponse(headers=HEADERS)
    if live.hub.is_full_for(table.pk, address_of(request)):
        return answer(too_often())
    return StreamingHttpResponse(_stream(table, holder, _seen(request), address_of(request)), headers=HEADERS)


def _look(request: HttpRequest, code: str) -> tuple[Table, Holder]:
    """The table, and who listens: a browser's stream carries no header of its own, but its cookie."""
    tokens = [token_of(request), *tokens_of(request)]
    table = find_from(address_of(request), code, tokens)
    holder = identify(table, tokens)
    touch(table, holder)
    return table, holder


def _seen(request: HttpRequest) -> int | None:
    """The version the listener says it has."""
    told = request.headers.get("Last-Event-ID") or request.GET.get("last_event_id", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 10 else None  # noqa: PLR2004


async def _stream(table: Table, holder: Holder, seen: int | None, address: str) -> AsyncIterator[str]:
    def newest() -> int:
        version = Table.objects.filter(pk=table.pk).values_list("version", flat=True).first()
        if version is None:
            raise Gone
        return version

    def present() -> int:
        touch(table, holder)
        return newest()

    beats = count(1)

    async def beat() -> int:
        return await _ask(present) if next(beats) % PRESENT_EVERY == 0 else 0

    told = live.stream(
        table.pk,
        lambda: _ask(newest),
        seen,
        beat,
        every=live.BEAT_SECONDS,
        address=address,
    )
    async with aclosing(told):
        try:
            async for event in told:
                yield event
        except Gone:
            return


async def _ask(question: Callable[[], T]) -> T:
    """Ask the database, and keep no connection while the stream is silent."""

    def ask() -> T:
        try:
            return question()
        finally:
            close_old_connections()

    return await in_thread(ask)
