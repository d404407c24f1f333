"""The application with an adjustable clock, short heartbeats and optionally short streams.

`/clock/?<seconds>` shifts the clock relative to the real one and returns the new time; `/streams/` returns
the number of open streams.
"""

from __future__ import annotations

import json
import os
from datetime import timedelta
from typing import Any

import time_machine
from django.utils import timezone

from companion import asgi
from companion.live import hub
from companion.operations.hosts import Receive, Scope, Send

MODULE = ("companion.operations.serve", "--application", "tests.faults.shifting:application")

hub.HEARTBEAT_SECONDS = 1.0
hub.MAX_STREAM_SECONDS = float(os.environ.get("LONGEST_SECONDS", hub.MAX_STREAM_SECONDS))

_clocks: list[time_machine.travel] = []


def set_clock(seconds: float) -> str:
    """Set the wall clock; the monotonic clock is not affected."""
    while _clocks:
        _clocks.pop().stop()
    _clocks.append(time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=True))
    _clocks[0].start()
    return timezone.now().isoformat()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] != "http" or scope["path"] not in ("/clock/", "/streams/"):
        await asgi.application(scope, receive, send)
        return
    content: Any = hub.hub.count()
    if scope["path"] == "/clock/":
        content = set_clock(float(scope["query_string"]))
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(content).encode()})
