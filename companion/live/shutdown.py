"""Graceful shutdown of event streams.

On a signal the server accepts no more connections and waits for those that are open. A stream would stay open for an
hour, so it is closed at the same moment; its client reconnects after a random delay.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from types import FrameType
from typing import Any

from companion.live.hub import hub
from companion.operations.hosts import Application, Receive, Scope, Send

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def close_streams_on_shutdown(application: Application) -> Application:
    """Wrap an ASGI application so that its event streams are closed when the server is asked to stop."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _from_start_to_end(receive, send)
        else:
            await application(scope, receive, send)

    return serve


async def _from_start_to_end(receive: Receive, send: Send) -> None:
    while True:
        moment = (await receive())["type"].removeprefix("lifespan.")
        if moment == "startup":
            _hear_signals()
        await send({"type": f"lifespan.{moment}.complete"})
        if moment == "shutdown":
            return


def _hear_signals() -> None:
    """Besides the server, whose own answer to a signal stays as it is."""
    if threading.current_thread() is not threading.main_thread():
        return  # another server of the same process hears them
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        _hear(number, signal.getsignal(number), loop)


def _hear(number: int, before: Any, loop: asyncio.AbstractEventLoop) -> None:
    def answer(heard: int, frame: FrameType | None) -> None:
        # A signal comes in the middle of anything, even while the hub's lock is held: so not at once.
        loop.call_soon_threadsafe(hub.close)
        if callable(before):
            before(heard, frame)

    signal.signal(number, answer)
