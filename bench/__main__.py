"""``make bench``: one JSON object per line. ``make bench ARGS="--record load idle"`` runs two parts and records them."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench import browser, idle, load, results, rules, screens, statistics, web
from bench.figures import Figure
from bench.phones import AT_TABLE
from bench.servers import MODULE, collected
from tests.servers import running_server
from tools.shots import chromium

Figures = Callable[[], AsyncIterator[Figure]]

PROCESSES = max(2, os.cpu_count() or 1)
LOAD = {"tables": load.FULL.tables, "phones": AT_TABLE, "every": load.FULL.every}


@dataclass(frozen=True, slots=True)
class Part:
    """Some figures, and the sizes that are needed to understand them."""

    figures: Figures
    sizes: Mapping[str, float] = field(default_factory=dict)


def _alone(figures: Callable[[], Iterator[Figure]]) -> Part:
    async def taken() -> AsyncIterator[Figure]:
        for figure in figures():
            yield figure

    return Part(taken)


def _at_a_server(figures: Callable[[int], AsyncIterator[Figure]]) -> Part:
    """Each on a server of its own, so that none pays for what another has left behind."""

    async def taken() -> AsyncIterator[Figure]:
        with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
            data = Path(folder) / "data"
            with running_server(data, module=MODULE, **collected(data)) as server:
                async for figure in figures(server.port):
                    yield figure

    return Part(taken)


PARTS = {
    "rules": _alone(rules.figures),
    "web": _at_a_server(web.figures),
    "load": Part(load.figures, LOAD),
    "processes": Part(lambda: load.figures(processes=PROCESSES), {**LOAD, "processes": PROCESSES}),
    "idle": Part(idle.figures),
    "screens": _at_a_server(screens.figures),
    "browser": _at_a_server(browser.figures),
    "statistics": _alone(statistics.figures),
}


async def measure(name: str, *, record: bool) -> None:
    part, taken = PARTS[name], []
    async for figure in part.figures():
        print(figure, flush=True)
        taken.append(figure)
    if record:
        results.record(name, taken, part.sizes)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench", description="Runs the benchmarks, all or some parts of them."
    )
    parser.add_argument(
        "--record", action="store_true", help="also write bench/results.json and docs/benchmarks.md"
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for name in asked.parts or PARTS:
        if name == "browser" and chromium() is None:
            print("Chromium is missing; the browser is left out.", file=sys.stderr)
        else:
            asyncio.run(measure(name, record=asked.record))


if __name__ == "__main__":
    main()
