"""Load test: 200 tables with five phones each, and a new entry at each table every 10 s.

Each phone has its stream and a connection for its page. Entries are spread evenly over time, each at a random
moment of its slot. The time is measured from sending a form until each of the other four phones has its new
page. An event is lost if a phone does not show the latest version in the end. An entry that gets a 503 counts
as refused, and is retried in the next slot of its table. The two servers are measured alternately.

All phones run in this process: `phones-cpu` shows whether it is too busy to measure the server.
"""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import cycle, islice
from statistics import mean, quantiles

from bench.client import UnexpectedStatusError
from bench.figures import Figure, typical
from bench.phones import PHONES, Table, all_phones, each, listening, open_tables
from bench.recordings import ENTRIES, Recording, recordings
from bench.servers import Meter, Running, Side, allow_connections, running
from companion.registry import titles

SEED = 1568
SETTLING = 60.0  # seconds until the last events must have arrived
CORE = 100.0  # limit for the server, in % of a core
BUSY = 70.0  # limit for the phones, in % of a core; above it they may be too slow to measure


@dataclass(frozen=True, slots=True)
class Size:
    """Number of tables, seconds between two entries of a table, and the duration and number of turns."""

    tables: int = 200
    every: float = 10.0
    warm_up: float = 5.0
    seconds: float = 30.0
    turns: int = 2

    def entries_in(self, seconds: float) -> int:
        return round(self.tables * seconds / self.every)

    @property
    def of_a_table(self) -> int:
        """Return the maximum number of entries of a table."""
        entries = self.entries_in(self.warm_up) + self.entries_in(self.seconds)
        return self.turns * (entries // self.tables + 1)


@dataclass(slots=True)
class Measured:
    """Results of one server over all of its turns."""

    times: list[float] = field(default_factory=list)
    lost: int = 0
    refused: int = 0
    entries: list[float] = field(default_factory=list)  # per second, of each turn
    server: list[float] = field(default_factory=list)  # % of a core
    phones: list[float] = field(default_factory=list)  # % of a core, this process


FULL = Size()


async def figures(product: Side, baseline: Side, size: Size = FULL) -> AsyncIterator[Figure]:
    allow_connections(2 * PHONES * size.tables)
    with running(product) as first, running(baseline) as second:
        sides = [(server, await _tables(server, size), Measured()) for server in (first, second)]
        for _ in range(size.turns):
            for server, tables, measured in sides:
                await _turn(server, tables, size, measured)
        for _server, tables, _measured in sides:
            await each(tables, Table.close)
    played, other = (measured for _server, _tables, measured in sides)
    for figure in _figures(played, other, baseline.name):
        yield figure


def _figures(played: Measured, other: Measured, against: str) -> Iterator[Figure]:
    yield Figure("load.median", typical(played.times, 1e3), "ms", typical(other.times, 1e3), against)
    yield Figure("load.p99", _slowest(played.times), "ms", _slowest(other.times), against)
    yield Figure("load.lost", played.lost, "events", other.lost, against, 0)
    yield Figure("load.refused", played.refused, "entries", other.refused, against, 0)
    yield Figure("load.entries", mean(played.entries), "entries/s", mean(other.entries), against)
    yield Figure("load.cpu", mean(played.server), "% of a core", mean(other.server), against, CORE)
    yield Figure("load.phones-cpu", max(played.phones), "% of a core", max(other.phones), against, BUSY)


def _slowest(times: Sequence[float]) -> float:
    """Return the 99th percentile in ms."""
    return quantiles(times, n=100)[98] * 1e3


async def _tables(server: Running, size: Size) -> list[Table]:
    """Open tables of all games, each at another point of its game."""
    recorded = await recordings(server.port, min(ENTRIES, size.of_a_table + size.tables // len(titles())))
    tables = [_table(recorded, number, size) for number in range(size.tables)]
    await open_tables(server.port, tables)
    return tables


def _table(recorded: Mapping[str, Recording], number: int, size: Size) -> Table:
    recording = list(recorded.values())[number % len(recorded)]
    moments = len(recording.entries) - size.of_a_table
    return Table(recording, later=number // len(recorded) % moments)


async def _turn(server: Running, tables: Sequence[Table], size: Size, measured: Measured) -> None:
    """Connect all phones, make entries for a while, and disconnect."""
    entering = cycle(random.Random(SEED).sample(tables, len(tables)))
    gc.collect()
    gc.freeze()  # else garbage collection would traverse all tables
    async with listening(list(all_phones(tables))):
        await _play(islice(entering, size.entries_in(size.warm_up)), size, measured)
        begin = time.perf_counter()
        meters = Meter(server.cpu_seconds), Meter(time.process_time)
        await _play(islice(entering, size.entries_in(size.seconds)), size, measured)
        measured.entries.append(size.entries_in(size.seconds) / (time.perf_counter() - begin))
        for meter, shares in zip(meters, (measured.server, measured.phones), strict=True):
            shares.append(meter.percent())
        await _settle(tables)
    for table in tables:
        measured.times += [received.seconds for received in table.received if received.sent >= begin]
        measured.lost += table.behind()
        table.received.clear()


async def _play(tables: Iterator[Table], size: Size, measured: Measured) -> None:
    """Start each entry at its time, whether or not the previous one is done."""
    chance, slot = random.Random(SEED), size.every / size.tables
    begin = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number, table in enumerate(tables):
            due = begin + (number + chance.random()) * slot
            await asyncio.sleep(due - time.perf_counter())
            tasks.create_task(_enter(table, measured))


async def _enter(table: Table, measured: Measured) -> None:
    try:
        await table.enter()
    except UnexpectedStatusError as error:
        if error.status != HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        measured.refused += 1


async def _settle(tables: Sequence[Table]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLING):
            for table in tables:
                await table.settle()
