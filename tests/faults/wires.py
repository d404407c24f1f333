"""A line to a database that can be gone without a word, as when a machine on the way is switched off."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator

from tests.faults.test_half_open import TCP_REPAIR


class Wire:
    """Carries everything between whoever connects and a port of this machine."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._door = socket.create_server(("127.0.0.1", 0))
        self._door.settimeout(0)
        self.port: int = self._door.getsockname()[1]
        self._lines: dict[asyncio.Task[None], socket.socket] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()
        self._flows = asyncio.Event()
        self._flows.set()

    async def serve(self) -> None:
        """Until ``end``."""
        self._loop = asyncio.get_running_loop()
        with self._door:
            accepting = asyncio.create_task(self._accept(self._loop))
            await self._ended.wait()
            accepting.cancel()

    def end(self) -> None:
        assert self._loop
        self._loop.call_soon_threadsafe(self._ended.set)

    def vanish(self) -> int:
        """Let all lines be gone, and tell nobody; how many there were. Raises ``OSError`` where it may not."""
        assert self._loop
        return asyncio.run_coroutine_threadsafe(self._vanish(), self._loop).result(10)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Carry nothing for a while, though all lines stay open."""
        assert self._loop
        self._loop.call_soon_threadsafe(self._flows.clear)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._flows.set)

    async def _accept(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            near, _address = await loop.sock_accept(self._door)
            line = asyncio.create_task(self._carry(loop, near))
            self._lines[line] = near
            line.add_done_callback(self._lines.pop)

    async def _carry(self, loop: asyncio.AbstractEventLoop, near: socket.socket) -> None:
        with near, socket.socket() as far:
            far.settimeout(0)
            await loop.sock_connect(far, ("127.0.0.1", self._target))
            ways = [asyncio.create_task(self._pass_on(loop, *ends)) for ends in ((near, far), (far, near))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)

    async def _pass_on(
        self, loop: asyncio.AbstractEventLoop, source: socket.socket, target: socket.socket
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await loop.sock_recv(source, 65536):
                await self._flows.wait()
                await loop.sock_sendall(target, data)

    async def _vanish(self) -> int:
        lines = dict(self._lines)
        for line, near in lines.items():
            near.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)
        return len(lines)


@contextlib.contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    wire = Wire(port)
    thread = threading.Thread(target=lambda: asyncio.run(wire.serve()))
    thread.start()
    try:
        yield wire
    finally:
        wire.end()
        thread.join(10)
