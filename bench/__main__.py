"""`make bench`: run all benchmarks, or some parts, and print one JSON object per line.

`make bench ARGS="--record load idle"` also writes the figures of two parts to `bench/results.json` and
`docs/benchmarks.md`. `make bench ARGS="--against ../previous entries"` uses the server of another checkout,
run with its own virtual environment, as the baseline instead of the bare server.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

from bench import browser, entries, journal, load, resources, results, rules, screens, servers, statistics
from bench.figures import Figure
from bench.servers import Side
from tools.django_setup import set_up_django
from tools.shots import chromium

MOST_CPU = 1.4  # limit on the CPU time of a new entry, as a multiple of that in the other checkout

Compared = Callable[[Side, Side], AsyncIterator[Figure]]
Alone = Callable[[], AsyncIterator[Figure]]


def _as_async(figures: Callable[[], Iterator[Figure]]) -> Alone:
    async def measured() -> AsyncIterator[Figure]:
        for figure in figures():
            yield figure

    return measured


# Parts compared with the bare server or with another checkout.
COMPARED: dict[str, Compared] = {
    "entries": entries.figures,
    "browser": browser.figures,
    "load": load.figures,
    "memory": resources.memory,
    "idle": resources.idle,
}
# Parts with their own baselines.
ALONE: dict[str, Alone] = {
    "journal": journal.figures,
    "bytes": screens.figures,
    "rules": _as_async(rules.figures),
    "statistics": _as_async(statistics.figures),
}
PARTS = (*COMPARED, *ALONE)


async def measure(name: str, baseline: Side, *, record: bool) -> None:
    figures = COMPARED[name](servers.product(), baseline) if name in COMPARED else ALONE[name]()
    measured = []
    async for figure in figures:
        print(figure, flush=True)
        measured.append(figure)
    if record:
        results.record(name, measured)


def main() -> None:
    set_up_django()
    parser = argparse.ArgumentParser(
        prog="bench", description="Runs the benchmarks, all or some parts of them."
    )
    parser.add_argument(
        "--record", action="store_true", help="also write bench/results.json and docs/benchmarks.md"
    )
    parser.add_argument(
        "--against", type=Path, metavar="DIR", help="compare with the server of this checkout"
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    options = parser.parse_args()
    known = COMPARED if options.against else PARTS
    if unknown := set(options.parts) - set(known):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.against and options.record:
        parser.error("only a comparison with the bare server is recorded")
    for name in options.parts or known:
        if name == "browser" and chromium() is None:
            print("Chromium is missing; the browser is left out.", file=sys.stderr)
        else:
            asyncio.run(measure(name, _baseline(options.against), record=options.record))


def _baseline(against: Path | None) -> Side:
    if against is None:
        return servers.bare()
    return servers.checkout(against.resolve(), name=against.resolve().name, most_cpu=MOST_CPU)


if __name__ == "__main__":
    main()
