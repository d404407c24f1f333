"""Whose turn it is to work.

Python runs one thread at a time. Several that work on pages only take the processor from each other, which costs each
of them more than to wait until the one before is done. So one request is answered at a time. Who takes long, or waits
for somebody else's lock, keeps nobody else waiting for more than a moment; and who has changed something gives way
to those who hear of it: their pages come first, as all the others at the table wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from threading import Event
from time import monotonic

A_MOMENT = 0.05  # seconds; longer than a tap or the page after it takes
UNTIL_HEARD = 0.01  # likewise; phones that hear of a change ask sooner than that
UNTIL_SERVED = 0.02

_own: ContextVar[Turn | None] = ContextVar("own", default=None)


class Turn:
    """Somebody's turn. It ends once, in the loop."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self._loop = asyncio.get_running_loop()
        self._over = Event()

    def end(self) -> None:
        if not self._over.is_set():
            self._over.set()
            self.turns.is_over()

    def give_way(self) -> None:
        """End it from a thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self.end)

    def let_others_first(self, ahead: Iterable[object]) -> None:
        """Wait in a thread until those who come now have been answered, but no longer than a person would notice.

        Until they come there is time to make what they will ask for, part by part: ``ahead`` is gone through.
        """
        until = monotonic() + UNTIL_HEARD
        if not self._over.wait(UNTIL_HEARD):
            return
        for _part in ahead:
            if self.turns.somebody.is_set():
                break
        if self.turns.somebody.wait(max(0, until - monotonic())):
            self.turns.nobody.wait(UNTIL_SERVED)


class Turns:
    """So many at once."""

    def __init__(self, at_once: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._under_way = 0
        self.somebody, self.nobody = Event(), Event()  # has a turn or waits for one

    def _count(self, more: int) -> None:
        self._under_way += more
        begins, ends = (self.somebody, self.nobody) if self._under_way else (self.nobody, self.somebody)
        ends.clear()
        begins.set()

    def is_over(self) -> None:
        self._count(-1)
        self._free.release()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn; it is over with the work, or after a moment if that goes on, or when it gives way."""
        self._count(1)
        try:
            await self._free.acquire()
        except BaseException:
            self._count(-1)
            raise
        own = Turn(self)
        lasting = asyncio.get_running_loop().call_later(A_MOMENT, own.end)
        before = _own.set(own)
        try:
            yield
        finally:
            _own.reset(before)
            lasting.cancel()
            own.end()


def give_way() -> None:
    """Let others work, too. Called from the thread that answers a request; elsewhere nobody waits for it."""
    if own := _own.get():
        own.give_way()


def let_others_first(ahead: Iterable[object] = ()) -> None:
    """Let those be answered who have just heard of something; after ``give_way``, where a page would be drawn."""
    if own := _own.get():
        own.let_others_first(ahead)
