"""The application under a clock that can be set while it runs, with short beats, and if wanted with short streams.

``/clock/?<seconds>`` sets it so many seconds ahead of the real one, or behind it, and answers with the time it
tells; ``/streams/`` says how many streams are open.
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

hub.BEAT_SECONDS = 1.0
hub.LONGEST_SECONDS = float(os.environ.get("LONGEST_SECONDS", hub.LONGEST_SECONDS))

_clocks: list[time_machine.travel] = []


def set_clock(seconds: float) -> str:
    """Only the clock on the wall: what counts the time that passes goes on as it did."""
    while _clocks:
        _clocks.pop().stop()
    _clocks.append(time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=True))
    _clocks[0].start()
    return timezone.now().isoformat()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] != "http" or scope["path"] not in ("/clock/", "/streams/"):
        await asgi.application(scope, receive, send)
        return
    told: Any = hub.hub.count()
    if scope["path"] == "/clock/":
        told = set_clock(float(scope["query_string"]))
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})
