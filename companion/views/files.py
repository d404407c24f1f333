"""Sending files: those that are ready, and those that are written while they are sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

Response = TypeVar("Response", bound=HttpResponseBase)

CSV = "text/csv; charset=utf-8"
JSON = "application/json"
MARK = "\ufeff"  # by which spreadsheets know that letters are UTF-8; programs need none


def ready(text: str, name: str, kind: str) -> HttpResponse:
    return _named(HttpResponse(text, content_type=kind), name)


def streamed(request: HttpRequest, parts: Iterator[str], name: str, kind: str) -> StreamingHttpResponse:
    """Written bit by bit, whichever kind of server asks for it."""
    told = _in_turn(parts) if isinstance(request, ASGIRequest) else parts
    return _named(StreamingHttpResponse(told, content_type=kind), name)


async def _in_turn(parts: Iterator[str]) -> AsyncIterator[str]:
    """Each part where the database may be asked."""
    while (part := await sync_to_async(_next)(parts)) is not None:
        yield part


def _next(parts: Iterator[str]) -> str | None:
    return next(parts, None)


def _named(response: Response, name: str) -> Response:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
