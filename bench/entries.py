"""New entries over HTTP, in the middle of each game, with five phones.

The player asked sends the form of the page; the other four phones get an event on their streams and refresh
as htmx does. *cpu* is the CPU time of the server for all of that, *received* the time until the last of the
other phones has its page, *bytes* the compressed size of a response. The same entries are made on both
servers alternately.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field

from bench.figures import Figure, typical
from bench.phones import Table, listening
from bench.recordings import ENTRIES, recordings
from bench.servers import Meter, Running, Side, running
from companion.registry import titles

CHANGE_LIMIT = 15_000  # bytes
WARM_UP = 8  # entries that are not measured
AFTERWARDS = 0.05  # seconds of work after the last response that count, too


@dataclass(frozen=True, slots=True)
class Played:
    """A table on one of the servers, with the measurements of its entries."""

    server: Running
    table: Table
    cpu: list[float] = field(default_factory=list)
    received: list[float] = field(default_factory=list)

    async def enter(self) -> None:
        self.table.received.clear()
        meter = Meter(self.server.cpu_seconds)
        await self.table.enter()
        await self.table.settle()
        await asyncio.sleep(AFTERWARDS)
        self.cpu.append(meter.seconds())
        self.received.append(max(received.seconds for received in self.table.received))

    def sizes(self) -> list[int]:
        return [size for phone in self.table.phones for size in phone.sizes]


async def figures(product: Side, baseline: Side, entries: int = ENTRIES) -> AsyncIterator[Figure]:
    with running(product) as first, running(baseline) as second:
        recorded = [(server, await recordings(server.port, entries)) for server in (first, second)]
        for slug in titles():
            sides = [Played(server, Table(games[slug])) for server, games in recorded]
            await _play(sides, entries)
            for figure in _figures(slug, sides, baseline):
                yield figure


async def _play(sides: Sequence[Played], entries: int) -> None:
    for side in sides:
        await side.table.open(side.server.port)
    async with listening([phone for side in sides for phone in side.table.phones]):
        for number in range(entries):
            for side in sides if number % 2 else sides[::-1]:
                await side.enter()
    for side in sides:
        await side.table.close()


def _figures(slug: str, sides: Sequence[Played], baseline: Side) -> Iterator[Figure]:
    against = baseline.name
    cpu, other_cpu = (typical(side.cpu[WARM_UP:], 1e3) for side in sides)
    limit = baseline.most_cpu and baseline.most_cpu * other_cpu
    yield Figure(f"entries.{slug}.cpu", cpu, "ms", other_cpu, against, limit)
    received = [typical(side.received[WARM_UP:], 1e3) for side in sides]
    yield Figure(f"entries.{slug}.received", received[0], "ms", received[1], against)
    sizes, other = (side.sizes() for side in sides)
    yield Figure(f"entries.{slug}.bytes", typical(sizes), "B", typical(other), against, CHANGE_LIMIT)
    yield Figure(f"entries.{slug}.largest-bytes", max(sizes), "B", max(other), against, CHANGE_LIMIT)
