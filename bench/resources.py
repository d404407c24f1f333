"""Memory of a server after many games, and CPU time of idle event streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from bench.figures import Figure
from bench.phones import Table, all_phones, each, listening, open_tables
from bench.recordings import Recording, recordings
from bench.servers import Meter, Running, Side, running

TABLES = 40
ENTRIES = 12  # per table
AT_A_TIME = 4  # tables played concurrently
LANGUAGES = ("en", "hu", "it")
MEMORY_LIMIT = 200  # MB
QUIET = 30.0  # seconds
SETTLING = 5.0  # seconds until work after the last response is done
IDLE_LIMIT = 5.9 / 3  # ms of CPU time per second


async def memory(
    product: Side, baseline: Side, tables: int = TABLES, entries: int = ENTRIES
) -> AsyncIterator[Figure]:
    """Measure resident memory after games with five phones per table in three languages."""
    megabytes = []
    for side in (product, baseline):
        with running(side) as server:
            await _play(server, tables, entries)
            megabytes.append(server.memory_mb())
    yield Figure(f"memory.{tables}-tables", megabytes[0], "MB", megabytes[1], baseline.name, MEMORY_LIMIT)


async def _play(server: Running, tables: int, entries: int) -> None:
    games = list((await recordings(server.port, entries)).values())

    async def play(table: Table) -> None:
        async with listening(table.phones):
            for _ in range(entries):
                await table.enter()
                await table.settle()
        await table.close()

    opened = [Table(games[number % len(games)]) for number in range(tables)]
    await open_tables(server.port, opened, LANGUAGES)
    await each(opened, play, AT_A_TIME)


async def idle(product: Side, baseline: Side, quiet: float = QUIET) -> AsyncIterator[Figure]:
    """Measure the CPU time of five open streams without entries."""
    with running(product) as first, running(baseline) as second:
        servers = (first, second)
        tables = [await _open(server, (await recordings(server.port, 1))["raubritter"]) for server in servers]
        async with listening(list(all_phones(tables))):
            await asyncio.sleep(SETTLING)
            meters = [Meter(server.cpu_seconds) for server in servers]
            await asyncio.sleep(quiet)
            per_second = [10 * meter.percent() for meter in meters]
        await each(tables, Table.close)
    yield Figure("idle.5-streams", per_second[0], "ms/s", per_second[1], baseline.name, IDLE_LIMIT)


async def _open(server: Running, game: Recording) -> Table:
    table = Table(game)
    await table.open(server.port)
    return table
