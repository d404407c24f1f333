"""A TCP tunnel to a database that can vanish without notice, like a router that is switched off."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator

from tests.faults.test_half_open import TCP_REPAIR


class Tunnel:
    """Forwards connections to a local port."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0)
        self.port: int = self._listener.getsockname()[1]
        self._connections: dict[asyncio.Task[None], socket.socket] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()
        self._flows = asyncio.Event()
        self._flows.set()

    async def serve(self) -> None:
        """Serve until `end` is called."""
        self._loop = asyncio.get_running_loop()
        with self._listener:
            accepting = asyncio.create_task(self._accept(self._loop))
            await self._ended.wait()
            accepting.cancel()

    def end(self) -> None:
        assert self._loop
        self._loop.call_soon_threadsafe(self._ended.set)

    def vanish(self) -> int:
        """Drop all connections without notifying either side and return their number.

        Raises `OSError` if that is not permitted.
        """
        assert self._loop
        return asyncio.run_coroutine_threadsafe(self._vanish(), self._loop).result(10)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Forward nothing within the block, with all connections open."""
        assert self._loop
        self._loop.call_soon_threadsafe(self._flows.clear)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._flows.set)

    async def _accept(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            near, _address = await loop.sock_accept(self._listener)
            task = asyncio.create_task(self._connect(loop, near))
            self._connections[task] = near
            task.add_done_callback(self._connections.pop)

    async def _connect(self, loop: asyncio.AbstractEventLoop, near: socket.socket) -> None:
        with near, socket.socket() as far:
            far.settimeout(0)
            await loop.sock_connect(far, ("127.0.0.1", self._target))
            directions = [
                asyncio.create_task(self._forward(loop, *ends)) for ends in ((near, far), (far, near))
            ]
            try:
                await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for direction in directions:
                    direction.cancel()
                await asyncio.gather(*directions, return_exceptions=True)

    async def _forward(
        self, loop: asyncio.AbstractEventLoop, source: socket.socket, target: socket.socket
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await loop.sock_recv(source, 65536):
                await self._flows.wait()
                await loop.sock_sendall(target, data)

    async def _vanish(self) -> int:
        connections = dict(self._connections)
        for task, near in connections.items():
            near.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        return len(connections)


@contextlib.contextmanager
def tunnel_to(port: int) -> Iterator[Tunnel]:
    tunnel = Tunnel(port)
    thread = threading.Thread(target=lambda: asyncio.run(tunnel.serve()))
    thread.start()
    try:
        yield tunnel
    finally:
        tunnel.end()
        thread.join(10)
