"""Responses for file downloads: complete or streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

Response = TypeVar("Response", bound=HttpResponseBase)

CSV = "text/csv; charset=utf-8"
JSON = "application/json"
MARK = "\ufeff"  # byte order mark: spreadsheets need it to detect UTF-8


def ready(text: str, name: str, kind: str) -> HttpResponse:
    return _named(HttpResponse(text, content_type=kind), name)


def streamed(parts: Iterator[str], name: str, kind: str) -> StreamingHttpResponse:
    """Return a file that is generated while it is sent."""
    return _named(StreamingHttpResponse(parts, content_type=kind), name)


def _named(response: Response, name: str) -> Response:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
