"""The end of a process: phones are sent away before the server waits for them.

The server hears the signal, takes no more connections and waits until those that are open have ended. A stream
never ends by itself, so it is told at the same moment; its phone comes back a little later, each after a time of
its own, and finds whoever serves by then.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from types import FrameType
from typing import Any

from companion.hosts import Application, Receive, Scope, Send
from companion.live import hub

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def sending_phones_away(application: Application) -> Application:
    """An ASGI application that hears when its server is asked to stop."""

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
