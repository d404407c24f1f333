"""The stream that says when a table has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from itertools import count
from typing import TypeVar

from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from companion.access.rate_limits import too_often
from companion.access.table_access import TableAccess, find_from, identify, touch
from companion.api.access import token_of
from companion.api.errors import answer, method_not_allowed
from companion.api.views import READING
from companion.errors import Refusal
from companion.live import hub
from companion.models import Table
from companion.operations.requests import leave_stream
from companion.web.phone import address_of, tokens_of

T = TypeVar("T")

# Presence is recorded on every fourth heartbeat, once a minute.
PRESENT_EVERY = 4

HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",  # not kept, and not compressed, which would hold it back
    "X-Accel-Buffering": "no",
}

# For the queries of all open streams, so that they wait neither in the event loop nor for the threads of requests.
_threads = ThreadPoolExecutor(2, thread_name_prefix="stream")


class Gone(Exception):  # noqa: N818 - as it is: gone
    """The table was deleted while somebody listened."""


@csrf_exempt
def events(request: HttpRequest, code: str) -> HttpResponseBase:
    """Check access and start a stream: `changed` at once and for each change, `beat` in between.

    The response has no content here, as it is sent from the event loop. It is a streaming one nevertheless, or it would
    get a Content-Length of 0.
    """
    if request.method not in READING:
        return method_not_allowed(READING)
    try:
        table, access = _look(request, code)
    except Refusal as refusal:
        return answer(refusal)
    if request.method == "HEAD":
        return HttpResponse(headers=HEADERS)
    if hub.hub.is_full_for(table.pk, address_of(request)):
        refused = answer(too_often())
        refused["Connection"] = "close"  # a refused client must not hold a descriptor
        return refused
    leave_stream(request, partial(_events, table, access, _seen(request), address_of(request)))
    return StreamingHttpResponse([], headers=HEADERS)


def _look(request: HttpRequest, code: str) -> tuple[Table, TableAccess]:
    """The table, and who listens: a browser's stream carries no header of its own, but its cookie."""
    tokens = [token_of(request), *tokens_of(request)]
    table = find_from(address_of(request), code, tokens)
    access = identify(table, tokens)
    touch(table, access)
    return table, access


def _seen(request: HttpRequest) -> int | None:
    """The version the listener says it has."""
    told = request.headers.get("Last-Event-ID") or request.GET.get("last_event_id", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 10 else None  # noqa: PLR2004


async def _events(
    table: Table, access: TableAccess, seen: int | None, address: str
) -> AsyncGenerator[str, None]:
    def newest() -> int:
        version = Table.objects.filter(pk=table.pk).values_list("version", flat=True).first()
        if version is None:
            raise Gone
        return version

    def present() -> int:
        touch(table, access)
        return newest()

    beats = count(1)

    async def beat() -> int:
        return await _query(present) if next(beats) % PRESENT_EVERY == 0 else 0

    events = hub.stream(
        table.pk,
        lambda: _query(newest),
        seen,
        beat,
        every=hub.BEAT_SECONDS,
        address=address,
    )
    async with aclosing(events):
        try:
            async for event in events:
                yield event
        except Gone:
            return


async def _query(query: Callable[[], T]) -> T:
    """Query the database in a thread, and keep no connection of the pool while the stream is silent."""

    def run() -> T:
        try:
            return query()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, run)
