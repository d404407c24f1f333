"""ASGI application in front of Django's WSGI handler: complete requests in, event streams out.

A thread of the pool must never wait for a client. So a request is passed on only when its body is complete,
and its response is queued in memory. An event stream, which lasts up to an hour, is sent from the event
loop: the view only checks access and leaves the stream in the scope (`leave_stream`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

from django.http import HttpRequest

from companion.operations.hosts import Application, Receive, Scope, Send
from companion.operations.log_throttle import rejections

# The largest body is a whole game (`companion/api/bodies.py`); a form adds some overhead.
LARGEST_BODY = 8 * 1024 * 1024 + 64 * 1024
# Total of all bodies in memory. Small ones, such as entries, are never refused for it.
MEMORY_FOR_BODIES = 32 * 1024 * 1024
SMALL_BODY = 16 * 1024
DISCARD_SECONDS = 2.0

HEALTH_CHECKS = ("/healthz", "/readyz")
HEADERS = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'"),
    (b"x-content-type-options", b"nosniff"),
)
_STREAM = "seneschal.stream"
_NOT_ASCII = re.compile(rb"[\x80-\xff]")

Events = AsyncGenerator[str, None]


class Disconnected(Exception):  # noqa: N818 - an expected event, not an error
    """The client disconnected before its request was complete."""


class Refused(Exception):  # noqa: N818 - an expected event, not an error
    """A request that is refused before Django sees it, with status, code and message."""


TOO_LARGE = (413, "too-large", "That is too large.")
STALLED = (408, "bad-input", "The request did not arrive completely.")
NO_MEMORY = (503, "unavailable", "The server is receiving too much at once. Please try again in a moment.")


def leave_stream(request: HttpRequest, events: Callable[[], Events]) -> None:
    """Make the server send these events as the body of the response. Ignored under other servers."""
    scope = request.META.get("asgi.scope")
    if scope is not None:
        scope[_STREAM] = events


class RequestGate:
    """ASGI application that reads requests for `pages` and, with separate threads, for `checks`."""

    def __init__(self, *, pages: Application, checks: Application, body_timeout: float) -> None:
        self._pages = pages
        self._checks = checks
        self._body_timeout = body_timeout
        self._held = 0  # bytes of bodies in memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/livez":
            await _answer_livez(scope, send)
            return
        body = bytearray()
        try:
            await self._read(scope, receive, body)
            await self._answer(scope, bytes(body), receive, send)
        except Disconnected:
            return
        except Refused as refused:
            await _refuse(scope, receive, send, refused)
        finally:
            self._held -= len(body)

    async def _read(self, scope: Scope, receive: Receive, body: bytearray) -> None:
        if _declared_length(scope) > LARGEST_BODY:
            raise Refused(*TOO_LARGE)
        is_complete = False
        while not is_complete:
            try:
                async with asyncio.timeout(self._body_timeout):
                    message = await receive()
            except TimeoutError:
                raise Refused(*STALLED) from None
            if message["type"] == "http.disconnect":
                raise Disconnected
            self._keep(message.get("body", b""), body)
            is_complete = not message.get("more_body", False)

    def _keep(self, part: bytes, body: bytearray) -> None:
        body += part
        self._held += len(part)
        if len(body) > LARGEST_BODY:
            raise Refused(*TOO_LARGE)
        if len(body) > SMALL_BODY and self._held > MEMORY_FOR_BODIES:
            rejections.warning("Refused a request: the bodies being received take too much memory.")
            raise Refused(*NO_MEMORY)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        complete = {
            **scope,
            "headers": _safe_headers(scope, len(body)),
            "query_string": _NOT_ASCII.sub(lambda match: b"%%%02X" % match[0][0], scope["query_string"]),
        }

        async def receive_body() -> Mapping[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send_unless_streamed(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start" or _STREAM not in complete:
                await send(message)

        application = self._checks if scope["path"] in HEALTH_CHECKS else self._pages
        await application(complete, receive_body, send_unless_streamed)
        if _STREAM in complete:
            await _stream(complete[_STREAM](), receive, send)


def _declared_length(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length[:20]) if length.isdigit() else 0


def _safe_headers(scope: Scope, length: int) -> list[tuple[bytes, bytes]]:
    """Return the headers without names that WSGI would confuse (`_` and `-`), and with the body's length."""
    replaced = (b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name and name not in replaced]
    return [*headers, (b"content-length", str(length).encode())]


async def _stream(events: Events, receive: Receive, send: Send) -> None:
    """Send events until they end or the client disconnects."""
    sending = asyncio.create_task(_send_events(events, send))
    leaving = asyncio.create_task(_wait_for_disconnect(receive))
    try:
        await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        sending.cancel()
        failure, _left = await asyncio.gather(sending, leaving, return_exceptions=True)
    if isinstance(failure, Exception):
        raise failure


async def _send_events(events: Events, send: Send) -> None:
    async with aclosing(events):
        async for event in events:
            await send({"type": "http.response.body", "body": event.encode(), "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer_livez(scope: Scope, send: Send) -> None:
    """Answer from the event loop, so that it works while all threads are busy."""
    if scope["method"] in ("GET", "HEAD"):
        await _send(scope, send, 200, {"status": "ok"})
    else:
        await _send(scope, send, 405, {"status": "method"}, (b"allow", b"GET, HEAD"))


async def _refuse(scope: Scope, receive: Receive, send: Send, refused: Refused) -> None:
    """Send an error, as JSON under `/api/`, and close the connection. It is not translated.

    Input is discarded for up to 2 s first: closing at once would reset the connection, and clients that
    send their whole body before reading would never see the response.
    """
    status, code, message = refused.args
    is_api = scope["path"].startswith("/api/")
    content = {"code": code, "message": message, "rule": None} if is_api else message

    async def discard_input() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DISCARD_SECONDS):
                while (await receive()).get("more_body", False):
                    pass

    await _send(scope, send, status, content, (b"connection", b"close"), before_end=discard_input)


async def _send(
    scope: Scope,
    send: Send,
    status: int,
    content: Mapping[str, Any] | str,
    *headers: tuple[bytes, bytes],
    before_end: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Send text or JSON; `before_end` runs before the response is completed."""
    body = (content if isinstance(content, str) else json.dumps(content)).encode()
    kind = b"text/plain; charset=utf-8" if isinstance(content, str) else b"application/json"
    length = str(len(body)).encode()
    described = [(b"content-type", kind), (b"content-length", length), *HEADERS, *headers]
    await send({"type": "http.response.start", "status": status, "headers": described})
    shown = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": shown, "more_body": True})
    if before_end:
        await before_end()
    await send({"type": "http.response.body", "body": b""})
