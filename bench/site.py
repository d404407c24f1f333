"""The product's own site with bare views beside it, to measure against.

They run in the same process, behind the same middleware, on the same database: what is
compared is only what a view does. ``bench.settings`` leads here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from bench.models import Row
from companion.urls import handler404, handler500
from companion.urls import urlpatterns as product

__all__ = ["handler404", "handler500", "urlpatterns"]

_listeners: set[asyncio.Queue[int]] = set()


@csrf_exempt
@require_POST
def insert(request: HttpRequest) -> HttpResponse:
    """What an entry costs at least: one row."""
    row = Row(text=request.body.decode())
    row.save(force_insert=True)
    return HttpResponse(str(row.pk), status=201)


async def events(_request: HttpRequest) -> StreamingHttpResponse:
    """A stream that repeats what is told to `echo`."""
    queue: asyncio.Queue[int] = asyncio.Queue()
    _listeners.add(queue)

    async def stream() -> AsyncIterator[str]:
        try:
            yield "event: changed\ndata: 0\n\n"
            while True:
                yield f"event: changed\ndata: {await queue.get()}\n\n"
        finally:
            _listeners.discard(queue)

    return StreamingHttpResponse(stream(), content_type="text/event-stream")


@csrf_exempt
async def echo(_request: HttpRequest) -> HttpResponse:
    """Tells all listeners, and does nothing else."""
    for queue in _listeners:
        queue.put_nowait(1)
    return HttpResponse(status=204)


@require_GET
def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("<!doctype html><title>.</title>")


urlpatterns = [
    path("bare/insert/", insert),
    path("bare/events/", events),
    path("bare/echo/", echo),
    path("bare/empty/", empty),
    *product,
]
