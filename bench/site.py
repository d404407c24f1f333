"""The product's own site with bare views beside it, to measure against.

They run in the same process, behind the same middleware, on the same database. ``bench.settings`` leads here,
and ``bench.asgi`` says what serves them.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from bench.models import Row
from companion.urls import handler404, handler500
from companion.urls import urlpatterns as product

__all__ = ["handler404", "handler500", "urlpatterns"]

BEAT_SECONDS = 15.0  # as the product's streams


@dataclass(slots=True)
class Channel:
    """What was told so far, and who listens."""

    told: int = 0
    listeners: set[asyncio.Queue[int]] = field(default_factory=set)


_channels: defaultdict[str, Channel] = defaultdict(Channel)


@csrf_exempt
@require_POST
def insert(request: HttpRequest) -> HttpResponse:
    """What an entry costs at least: one row."""
    row = Row(text=request.body.decode())
    row.save(force_insert=True)
    return HttpResponse(str(row.pk), status=201)


async def events(_request: HttpRequest, name: str = "") -> StreamingHttpResponse:
    """A stream that repeats each number that `echo` counts on its channel, and beats in between."""
    channel, queue = _channels[name], asyncio.Queue[int]()
    channel.listeners.add(queue)

    async def stream() -> AsyncIterator[str]:
        try:
            yield _changed(channel.told)
            while True:
                try:
                    async with asyncio.timeout(BEAT_SECONDS):
                        number = await queue.get()
                except TimeoutError:
                    yield "event: beat\ndata: {}\n\n"
                else:
                    yield _changed(number)
        finally:
            channel.listeners.discard(queue)

    return StreamingHttpResponse(stream(), content_type="text/event-stream")


def _changed(number: int) -> str:
    return f'event: changed\ndata: {{"version":{number}}}\n\n'


@csrf_exempt
@require_POST
async def echo(_request: HttpRequest, name: str = "") -> HttpResponse:
    """Counts one up, tells all who listen to the channel, and does nothing else."""
    channel = _channels[name]
    channel.told += 1
    for queue in channel.listeners:
        queue.put_nowait(channel.told)
    return HttpResponse(str(channel.told))


@require_GET
def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("<!doctype html><title>.</title>")


urlpatterns = [
    path("bare/insert/", insert),
    path("bare/events/", events),
    path("bare/events/<name>/", events),
    path("bare/echo/", echo),
    path("bare/echo/<name>/", echo),
    path("bare/empty/", empty),
    *product,
]
