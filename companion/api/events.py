"""Server-sent events that announce a table's new version."""

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
from companion.access.table_access import TableAccess, find_rate_limited, identify, record_presence
from companion.api.access import token_of
from companion.api.errors import error_response, method_not_allowed
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
    "Cache-Control": "no-cache, no-transform",  # compression would buffer the events
    "X-Accel-Buffering": "no",
}

# Queries of all open streams run here: they block neither the event loop nor the threads that serve requests.
_threads = ThreadPoolExecutor(2, thread_name_prefix="stream")


class TableDeleted(Exception):  # noqa: N818 - an expected event, not an error
    """The table was deleted while a client was listening."""


@csrf_exempt
def events(request: HttpRequest, code: str) -> HttpResponseBase:
    """Check access and start a stream: `changed` at once and for each change, `beat` in between.

    The body is sent from the event loop, so the response is empty here. It is a streaming response all the
    same, because Django would give any other a Content-Length of 0.
    """
    if request.method not in READING:
        return method_not_allowed(READING)
    try:
        table, access = _authorize(request, code)
    except Refusal as refusal:
        return error_response(refusal)
    if request.method == "HEAD":
        return HttpResponse(headers=HEADERS)
    if hub.hub.is_full_for(table.pk, address_of(request)):
        rejected = error_response(too_often())
        rejected["Connection"] = "close"  # a rejected client must not keep a file descriptor
        return rejected
    leave_stream(request, partial(_events, table, access, _last_seen_version(request), address_of(request)))
    return StreamingHttpResponse([], headers=HEADERS)


def _authorize(request: HttpRequest, code: str) -> tuple[Table, TableAccess]:
    """Return the table and the client's access: a browser's EventSource sends cookies, but no token."""
    tokens = [token_of(request), *tokens_of(request)]
    table = find_rate_limited(address_of(request), code, tokens)
    access = identify(table, tokens)
    record_presence(table, access)
    return table, access


def _last_seen_version(request: HttpRequest) -> int | None:
    """Return the version the client already has; None if it names none."""
    value = request.headers.get("Last-Event-ID") or request.GET.get("last_event_id", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None  # noqa: PLR2004


async def _events(
    table: Table, access: TableAccess, seen: int | None, address: str
) -> AsyncGenerator[str, None]:
    def latest_version() -> int:
        version = Table.objects.filter(pk=table.pk).values_list("version", flat=True).first()
        if version is None:
            raise TableDeleted
        return version

    def touch() -> int:
        record_presence(table, access)
        return latest_version()

    beats = count(1)

    async def beat() -> int:
        return await _query(touch) if next(beats) % PRESENT_EVERY == 0 else 0

    events = hub.stream(
        table.pk,
        lambda: _query(latest_version),
        seen,
        beat,
        every=hub.HEARTBEAT_SECONDS,
        address=address,
    )
    async with aclosing(events):
        try:
            async for event in events:
                yield event
        except TableDeleted:
            return


async def _query(query: Callable[[], T]) -> T:
    """Run a query in a thread, and hold no pooled connection while the stream is idle."""

    def run() -> T:
        try:
            return query()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, run)
