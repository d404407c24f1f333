"""A full evening: many tables at once, an entry at each of them every few seconds.

200 tables of 5 phones, each phone with its stream and a connection to fetch its page on; each table has an entry
every 10 seconds, so the server has 20 a second, spread evenly, each at a moment of chance within its twentieth.
Taken is the time from a tap until each of the other four phones has its new page. The bare thing is a channel for
each table, with as many listeners: `/bare/echo/`, then `/bare/empty/` fetched by the other four, just as often.
The two take turns on one server, each with nobody else connected.

The phones are this process. What it takes of the processor is told too: where it is busy itself, the times are its own.
"""

from __future__ import annotations

import asyncio
import gc
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from statistics import mean, quantiles

from bench.figures import Figure, typical
from bench.phones import AT_TABLE, Channel, Group, Table, each, listening, prepared
from bench.servers import MODULE, Meter, allow_connections, collected, pid_of, processor_seconds
from tests.servers import Server, environment, running_server

SEED = 1568
ENTRIES = 24  # that a table has in the beginning, at most
SETTLING = 60.0  # seconds in which the last events have to arrive
BUSY = 70.0  # % of a core from which on the phones themselves may be what is slow


@dataclass(frozen=True, slots=True)
class Size:
    """How many tables, how often each has an entry, and for how long; seconds are those of one turn."""

    tables: int = 200
    every: float = 10.0
    warm_up: float = 10.0
    seconds: float = 20.0
    turns: int = 2

    def taps_in(self, seconds: float) -> int:
        return round(self.tables * seconds / self.every)

    @property
    def ahead(self) -> int:
        """Entries that a table needs at most."""
        taps = self.taps_in(self.warm_up) + self.taps_in(self.seconds)
        return self.turns * (taps // self.tables + 1)


@dataclass(slots=True)
class Taken:
    """What one side of the comparison has shown, over all of its turns."""

    times: list[float] = field(default_factory=list)
    missing: int = 0
    entries: list[float] = field(default_factory=list)  # a second, of each turn
    server: list[float] = field(default_factory=list)  # % of a core
    phones: list[float] = field(default_factory=list)  # the same of this process


FULL = Size()


async def figures(size: Size = FULL, processes: int = 1) -> AsyncIterator[Figure]:
    """Of a server with so many processes. The echo is always that of one: it knows nothing of others."""
    with (
        tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder,
        _servers(Path(folder), size, processes) as (product, bare, tables),
    ):
        channels = [Channel(bare.port, str(number), table) for number, table in enumerate(tables)]
        played, echoed = Taken(), Taken()
        await each(tables, Table.open)
        for _ in range(size.turns):
            await _turn(tables, product, size, played)
            await _turn(channels, bare, size, echoed)
        await each([*tables, *channels], Group.close)
    for figure in _figures("load" if processes == 1 else f"load.{processes}-processes", played, echoed):
        yield figure


def _figures(name: str, played: Taken, echoed: Taken) -> Iterator[Figure]:
    echo = "a bare echo under the same load"
    yield Figure(f"{name}.median", typical(played.times, 1e3), "ms", typical(echoed.times, 1e3), echo)
    yield Figure(f"{name}.p99", _slowest(played.times), "ms", _slowest(echoed.times), echo)
    yield Figure(f"{name}.lost", played.missing + echoed.missing, "events", 0, "none, of tables and echo")
    made, asked = mean(played.entries), mean(echoed.entries)
    yield Figure(f"{name}.entries", made, "entries/s", asked, f"{echo}: fewer are too many for the server")
    yield Figure(f"{name}.cpu", mean(played.server), "% of a core", mean(echoed.server), echo)
    busiest = max(played.phones + echoed.phones)
    yield Figure(
        f"{name}.phones-cpu", busiest, "% of a core", BUSY, "the most at which times are the server's"
    )


def _slowest(times: Sequence[float]) -> float:
    """The 99th percentile, in ms."""
    return quantiles(times, n=100)[98] * 1e3


@contextmanager
def _servers(folder: Path, size: Size, processes: int) -> Iterator[tuple[Server, Server, list[Table]]]:
    """The product's server, the one with the bare echo (the same if it is one process), and the tables."""
    # A stream and a connection of each phone.
    allow_connections(2 * AT_TABLE * size.tables)
    data = folder / "data"
    settings = collected(data)
    made = prepared(environment(data, **settings), size.tables, ENTRIES, size.ahead)
    with running_server(data, module=MODULE, **settings, WEB_CONCURRENCY=str(processes)) as product:
        tables = [Table(product.port, one) for one in made]
        if processes == 1:
            yield product, product, tables
        else:
            with running_server(folder / "bare" / "data", module=MODULE, **settings) as bare:
                yield product, bare, tables


async def _turn(groups: Sequence[Group], server: Server, size: Size, taken: Taken) -> None:
    """Everybody comes, plays for a while, and leaves."""
    order = random.Random(SEED).sample(groups, len(groups))
    taps = cycle(order)
    gc.collect()
    gc.freeze()  # or the phones would stop now and then to look through all that lasts anyway
    async with listening([phone for group in groups for phone in group.phones]):
        await _play(islice(taps, size.taps_in(size.warm_up)), size)
        begin = time.perf_counter()
        meters = Meter(lambda: processor_seconds(pid_of(server))), Meter(time.process_time)
        await _play(islice(taps, size.taps_in(size.seconds)), size)
        taken.entries.append(size.taps_in(size.seconds) / (time.perf_counter() - begin))
        for meter, shares in zip(meters, (taken.server, taken.phones), strict=True):
            shares.append(meter.percent())
        await _settle(groups)
    for group in groups:
        taken.times += [seconds for sent, seconds in group.taken if sent >= begin]
        taken.missing += group.missing()
        group.forget()


async def _play(taps: Iterator[Group], size: Size) -> None:
    """Tap after tap at its time, whether or not the one before is done."""
    chance, slot = random.Random(SEED), size.every / size.tables
    begin = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number, group in enumerate(taps):
            due = begin + (number + chance.random()) * slot
            await asyncio.sleep(due - time.perf_counter())
            tasks.create_task(group.tap())


async def _settle(groups: Sequence[Group]) -> None:
    """What has not arrived by then is lost."""
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLING):
            for group in groups:
                await group.settle(SETTLING)
