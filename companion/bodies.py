"""How much anybody may send at once, whatever the address.

Django takes a whole request in before it looks at it, on disk if need be: without a limit before that, one
request without end fills the disk. What a page or the API takes is less, and said there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.hosts import Application, Receive, Scope, Send

# The largest that anybody may send is a whole game (`companion/api/bodies.py`); forms put a little around it.
LARGEST = 8 * 1024 * 1024 + 64 * 1024
TOO_LARGE = (413, "too-large", "That is too large.")
NO_ROOM = (503, "unavailable", "The laptop has no room left for that.")
HEADERS = (
    (b"connection", b"close"),
    (b"content-security-policy", b"default-src 'none'"),
    (b"x-content-type-options", b"nosniff"),
)


def refusing_huge_bodies(application: Application) -> Application:
    """An ASGI application that takes no more than ``LARGEST`` bytes, announced or not."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        taken = 0

        async def receive_some() -> Mapping[str, Any]:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            # To the application it is as if whoever sends had gone: it lets go of what it has, and answers nothing.
            return message if taken <= LARGEST else {"type": "http.disconnect"}

        if _announced(scope) > LARGEST:
            await refuse(scope, send, TOO_LARGE)
            return
        await application(scope, receive_some, send)
        if taken > LARGEST:
            await refuse(scope, send, TOO_LARGE)

    return serve


def _announced(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length[:20]) if length.isdigit() else 0


async def refuse(scope: Scope, send: Send, why: tuple[int, str, str]) -> None:
    """Before languages are known. ``why``: the status, the code, the sentence."""
    status, code, sentence = why
    is_api = scope["path"].startswith("/api/")
    told = json.dumps({"code": code, "message": sentence, "rule": None}) if is_api else sentence
    body = told.encode()
    kind = b"application/json" if is_api else b"text/plain; charset=utf-8"
    length = str(len(body)).encode()
    headers = [(b"content-type", kind), (b"content-length", length), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
