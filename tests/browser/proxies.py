"""A TCP proxy between phone and server whose connections can go silent without being closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Line:
    """A TCP proxy. Connections made before `swallow` stay open but carry no data; later ones work."""

    target: int
    port: int = 0
    _swallowing: list[asyncio.Event] = field(default_factory=list)
    _tasks: set[asyncio.Task[None] | None] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def swallow(self) -> int:
        """Silence all open connections; return their number."""
        alive = [event for event in self._swallowing if not event.is_set()]
        for event in alive:
            event.set()
        return len(alive)

    async def hang_up(self) -> None:
        for task in filter(None, self._tasks):
            task.cancel()
        await asyncio.gather(*filter(None, self._tasks), return_exceptions=True)

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())
        dead = asyncio.Event()
        self._swallowing.append(dead)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        # asyncio's stream callback raises an error if the task of a connection ends as cancelled.
        with contextlib.suppress(asyncio.CancelledError):
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(_carry(reader, far_writer, dead))
                    both.create_task(_carry(far_reader, writer, dead))
            finally:
                writer.close()
                far_writer.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, dead: asyncio.Event) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            if not dead.is_set():
                writer.write(data)
                await writer.drain()
        if not dead.is_set():
            writer.close()


@asynccontextmanager
async def line_to(port: int) -> AsyncIterator[Line]:
    line = Line(port)
    server = await asyncio.start_server(line.connect, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        server.close()
        await line.hang_up()
