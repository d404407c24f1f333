"""The threads that requests are answered in.

Django makes one for each request and lets it go afterwards, and with it the connection to the database, whose opening
takes longer than most of what is asked. Here a few of them stay, each with its connection. A stream never ends by
itself: it gives its thread back when it begins, and from then on asks in it whenever nobody else does.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.db import connections

from companion.hosts import Application, Receive, Scope, Send

MOST_FREE = 16  # that stay; more may work at one moment


class Threads:
    """Those that are free, the one that worked last on top."""

    def __init__(self) -> None:
        self.free: list[ThreadPoolExecutor] = []
        self._of_streams: set[ThreadPoolExecutor] = set()

    def take(self) -> ThreadPoolExecutor:
        return (
            self.free.pop() if self.free else ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
        )

    def give_back(self, thread: ThreadPoolExecutor, *, to_stream: bool = False) -> None:
        if to_stream:
            self._of_streams.add(thread)
        if len(self.free) < MOST_FREE or thread in self._of_streams:
            self.free.append(thread)
        else:
            thread.submit(connections.close_all)
            thread.shutdown(wait=False)


def in_kept_threads(application: Application) -> Application:
    """An ASGI application whose synchronous part runs in threads that stay."""
    threads = Threads()

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        thread = threads.take()
        is_lent = True

        async def send_on(message: Mapping[str, Any]) -> None:
            nonlocal is_lent
            if is_lent and _begins_stream(message):
                threads.give_back(thread, to_stream=True)
                is_lent = False
            await send(message)

        try:
            async with ThreadSensitiveContext(executor=thread):
                await application(scope, receive, send_on)
        finally:
            if is_lent:
                threads.give_back(thread)

    return serve


def _begins_stream(message: Mapping[str, Any]) -> bool:
    headers: dict[bytes, bytes] = {name.lower(): value for name, value in message.get("headers", ())}
    return headers.get(b"content-type", b"").startswith(b"text/event-stream")
