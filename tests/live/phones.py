"""Clients of event streams, for tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, Self, TypeVar

from django.db import connection

from companion.live import hub

T = TypeVar("T")

SOON = 5.0  # timeout in seconds for events that should arrive at once


async def in_thread(work: Callable[[], T]) -> T:
    """Run a synchronous function in a thread, and close its database connection."""

    def run() -> T:
        try:
            return work()
        finally:
            connection.close()

    return await asyncio.to_thread(run)


async def until(condition: Callable[[], bool], seconds: float = SOON) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.01)


class Phone:
    """A client of a stream; the database returns ``version``, and heartbeats return ``at_beats``."""

    def __init__(
        self, table: int = 1, version: int = 5, seen: int | None = None, every: float = 60.0
    ) -> None:
        self.version = version
        self.beats = self.at_beats = 0
        self.events: Any = hub.stream(table, self._newest, seen, self._beat, every)

    async def _newest(self) -> int:
        return self.version

    async def _beat(self) -> int:
        self.beats += 1
        return self.at_beats

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        async with aclosing(self.events):
            pass

    async def hears(self, seconds: float = SOON) -> Any:
        """Return the next event: a version, or "beat"."""
        async with asyncio.timeout(seconds):
            return event_of(await anext(self.events))


def event_of(text: str) -> Any:
    """Parse an event to a version or "beat", and check its exact format, which is public."""
    text = text.removeprefix("retry: 2000\n")
    if text == "event: beat\ndata: {}\n\n":
        return "beat"
    event, identity, data, *end = text.split("\n")
    version = int(identity.removeprefix("id: "))
    assert (event, data, end) == ("event: changed", f'data: {{"version":{version}}}', ["", ""])
    return version
