"""Graceful shutdown of event streams.

On a signal the server accepts no more connections and waits for the open ones to finish. A stream would stay
open for up to an hour, so it is closed on the same signal; its client reconnects after a random delay.
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
            await _run_lifespan(receive, send)
        else:
            await application(scope, receive, send)

    return serve


async def _run_lifespan(receive: Receive, send: Send) -> None:
    while True:
        event = (await receive())["type"].removeprefix("lifespan.")
        if event == "startup":
            _install_signal_handlers()
        await send({"type": f"lifespan.{event}.complete"})
        if event == "shutdown":
            return


def _install_signal_handlers() -> None:
    """Close the streams on a signal, then call the server's own handler."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may set signal handlers
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        _chain_handler(number, signal.getsignal(number), loop)


def _chain_handler(number: int, previous: Any, loop: asyncio.AbstractEventLoop) -> None:
    def handle(received: int, frame: FrameType | None) -> None:
        # The interrupted code may hold the hub's lock, so the loop closes the hub later.
        loop.call_soon_threadsafe(hub.close)
        if callable(previous):
            previous(received, frame)

    signal.signal(number, handle)
