"""Phones that lie on tables: many open streams on one process, and nothing happens.

2,000 of them, five at each of 400 tables, against as many streams of `/bare/events/`, five on each of 400 channels.
Each server is a new process, used a little first; then its memory is looked at before they come, and when each of
them has heard its first event and a beat. They come one after the other, fifty at a time. A phone has its page
by then, and its browser has closed the connection over which it came: what is left is the stream.

With all of them there, an entry is made at another table, and its time until the other four phones there have
their page is compared with the same before anybody came.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.client import Client
from bench.figures import Figure, typical
from bench.phones import AT_TABLE, PATIENCE, Channel, Group, Prepared, Table, listening, prepared
from bench.servers import MODULE, Meter, allow_connections, collected, memory, pid_of, processor_seconds
from tests.servers import Server, environment, running_server

ENTRIES = 24
BEATEN_WITHIN = 60.0  # seconds; a beat comes after 15


@dataclass(frozen=True, slots=True)
class Size:
    """How many phones, how often is tapped beside them, and how many seconds nothing happens."""

    phones: int = 2_000
    taps: int = 40
    quiet: float = 30.0


class Idle:
    """A phone on which nothing happens."""

    def __init__(self, client: Client, events: str) -> None:
        self.is_listening = asyncio.Event()
        self.is_beaten = asyncio.Event()
        self._client = client
        self._events = events

    async def follow(self) -> None:
        async with self._client.events(self._events) as events:
            async for event in events:
                self.is_listening.set()
                if event.name == "beat":
                    self.is_beaten.set()


@dataclass(frozen=True, slots=True)
class Lain:
    """What so many phones made of a server."""

    phones: int  # that heard a first event and a beat
    memory: float  # kB of each
    percent: float  # of a core
    before: list[float]  # seconds from a tap to the other screens with nobody there,
    beside: list[float]  # and with all of them


FULL = Size()


async def figures(size: Size = FULL) -> AsyncIterator[Figure]:
    allow_connections(2 * AT_TABLE + size.phones)
    with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
        data = Path(folder) / "data"
        settings = collected(data)
        surroundings = environment(data, **settings)
        (busy,) = prepared(surroundings, 1, ENTRIES, 3 * size.taps)
        tables = prepared(surroundings, size.phones // AT_TABLE, 0, 0)
        with running_server(data, module=MODULE, **settings) as server:
            table = Table(server.port, busy)
            idle = [_idle(server, one, token) for one in tables for token in one.tokens.values()]
            lain = await _lie(server, table, idle, size)
        with running_server(data, module=MODULE, **settings) as server:
            channel = Channel(server.port, "busy", table)
            idle = [Idle(Client(server.port), f"/bare/events/{n // AT_TABLE}/") for n in range(size.phones)]
            bare = await _lie(server, channel, idle, size)
    yield Figure("idle.phones", lain.phones, "phones", size.phones, "those that came")
    streams = "bare streams that beat as often"
    yield Figure("idle.memory-per-phone", lain.memory, "kB", bare.memory, streams)
    yield Figure("idle.cpu", lain.percent, "% of a core", bare.percent, streams)
    before, beside = typical(lain.before, 1e3), typical(lain.beside, 1e3)
    yield Figure("idle.tap-to-other-screen", beside, "ms", before, "the same with nobody else connected")


def _idle(server: Server, table: Prepared, token: str) -> Idle:
    client = Client(server.port)
    client.cookies["seats"] = token
    return Idle(client, f"/api/tables/{table.code}/events/")


async def _lie(server: Server, busy: Group, idle: Sequence[Idle], size: Size) -> Lain:
    await busy.open()
    async with listening(busy.phones):
        await _tap(busy, size.taps)  # a first round, to get warm
        before = await _tap(busy, size.taps)
        gc.collect()
        empty = memory(pid_of(server))
        async with listening(idle):
            beaten = await _count_beaten(idle)
            meter = Meter(lambda: processor_seconds(pid_of(server)))
            await asyncio.sleep(size.quiet)
            percent = meter.percent()
            full = memory(pid_of(server))
            beside = await _tap(busy, size.taps)
    await busy.close()
    return Lain(beaten, (full - empty) / size.phones, percent, before, beside)


async def _count_beaten(idle: Sequence[Idle]) -> int:
    with suppress(TimeoutError):
        async with asyncio.timeout(BEATEN_WITHIN):
            for phone in idle:
                await phone.is_beaten.wait()
    return sum(phone.is_beaten.is_set() for phone in idle)


async def _tap(group: Group, taps: int) -> list[float]:
    """Tap after tap; how long each of the other phones waited for its page."""
    for _ in range(taps):
        await group.tap()
        await group.settle(PATIENCE)
    taken = [seconds for _sent, seconds in group.taken]
    group.forget()
    return taken
