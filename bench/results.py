"""What was measured, as it stands in the repository: ``bench/results.json``, and ``docs/benchmarks.md`` made of it.

Each part of the benchmarks has its own date and machine, as it may be recorded alone. ``python -m bench.results`` writes
the document again.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.figures import Figure
from companion.sqlite import use_newest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results.json"
DOCUMENT = ROOT / "docs" / "benchmarks.md"

Results = Mapping[str, Any]

HEAD = """# Benchmarks

What `make bench` measured. Each figure stands beside a baseline that was taken in the same run, so that the ratio says
more than the machine. Written by `make bench ARGS=--record` from what it printed (`bench/results.json`); a test
compares the two. Some parts alone: `make bench ARGS="--record load idle"`.
"""
PARTS = {
    "rules": "The rules alone",
    "web": "Through HTTP",
    "load": "Under load",
    "processes": "Under load, with several processes",
    "idle": "Phones that lie on tables",
    "screens": "What travels",
    "browser": "In a browser",
    "statistics": "Statistics across games",
}


# --- Recording ---


def record(part: str, figures: Sequence[Figure], sizes: Mapping[str, float]) -> None:
    """Put a part that was measured in the place of what was known of it, and write the document again."""
    measured = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": _machine(),
        "sizes": dict(sizes),
        "figures": [figure.data() for figure in figures],
    }
    known = {**read(), part: measured} if RESULTS.exists() else {part: measured}
    ordered = {name: known[name] for name in PARTS if name in known}
    RESULTS.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    DOCUMENT.write_text(document(ordered), encoding="utf-8")


def read() -> Results:
    found: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def _machine() -> dict[str, Any]:
    """What the figures depend on, and nothing that tells whose machine it is."""
    use_newest()
    import sqlite3  # noqa: PLC0415 - the one that was just chosen

    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 1e9, 1),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


# --- The document ---


def document(results: Results) -> str:
    parts = [line for name, measured in results.items() for line in _part(PARTS[name], measured)]
    return "\n".join([HEAD, *parts, *_held(results)])


def _part(title: str, measured: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"{measured['date']}: {_sentence(measured['machine'])}\n"
    yield "| figure | value | baseline | ratio | limit | holds | the baseline is |"
    yield "|---|--:|--:|--:|--:|---|---|"
    yield from map(_row, measured["figures"])
    yield ""


def _sentence(machine: Mapping[str, Any]) -> str:
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['kernel']}, "
        f"Python {machine['python']}, SQLite {machine['sqlite']}."
    )


def _row(figure: Mapping[str, Any]) -> str:
    values = [f"{_number(figure[name])} {figure['unit']}" for name in ("value", "baseline")]
    ratio = "" if figure["ratio"] is None else f"{figure['ratio']:.2f}"
    cells = [f"`{figure['name']}`", *values, ratio, _limit(figure), _holds(figure), figure["against"]]
    return f"| {' | '.join(cells)} |"


def _limit(figure: Mapping[str, Any]) -> str:
    if "most" in figure:
        return f"≤ {figure['most']}"
    return f"≥ {figure['least']}" if "least" in figure else ""


def _holds(figure: Mapping[str, Any]) -> str:
    return {True: "yes", False: "**no**", None: ""}[figure.get("holds")]


def _number(value: float) -> str:
    """Three digits at least, as far as they were measured."""
    decimals = 0 if abs(value) >= 100 or value == round(value) else 1 if abs(value) >= 10 else 2  # noqa: PLR2004
    return f"{value:,.{decimals}f}" if abs(value) >= 0.1 or not value else f"{value:.3f}"  # noqa: PLR2004


# --- What follows ---


def _held(results: Results) -> Iterator[str]:
    """What one process and one machine hold, as far as it was measured."""
    yield "## What one process and one machine hold\n"
    if "load" in results:
        yield from _of_a_process(results["load"])
    if "processes" in results:
        yield from _of_a_machine(results["processes"])
    if "idle" in results:
        yield _idle(results["idle"])
    if "web" in results:
        yield _entries(results["web"])
    yield ""


def _of_a_process(measured: Mapping[str, Any]) -> Iterator[str]:
    yield _served(measured, "One process", "load")
    full, phones = _full(measured, "load"), measured["sizes"]["phones"]
    yield (
        "- A process uses one core at most. If its work grows with the tables, half a core goes to "
        f"{_about(full / 2)} of them ({_about(full / 2 * phones)} phones), a whole one to {_about(full)} "
        f"({_about(full * phones)} phones)."
    )


def _of_a_machine(measured: Mapping[str, Any]) -> Iterator[str]:
    processes, cores = measured["sizes"]["processes"], measured["machine"]["cores"]
    name = f"load.{processes}-processes"
    yield _served(measured, f"{processes} processes on one database", name)
    yield (
        f"- So half of the {cores} cores of this machine goes to {_about(_full(measured, name) * cores / 2)} such "
        "tables; the phones of the benchmark ran on the same cores."
    )


def _served(measured: Mapping[str, Any], who: str, name: str) -> str:
    sizes = measured["sizes"]
    phones = sizes["tables"] * sizes["phones"]
    entries, median, p99, lost, cpu = (
        _figure(measured, f"{name}.{end}") for end in ("entries", "median", "p99", "lost", "cpu")
    )
    return (
        f"- {who} served {sizes['tables']:,} tables with {phones:,} phones and {entries:,.1f} entries a second. The "
        f"other phones of a table had their page after {median:,.0f} ms (median) or {p99:,.0f} ms (99th percentile); "
        f"{lost:.0f} events were lost. That took {cpu:,.0f} % of a core."
    )


def _full(measured: Mapping[str, Any], name: str) -> float:
    """With how many tables a core would be busy all the time; by the entries that were made, should some be missing."""
    every: float = measured["sizes"]["every"]
    return every * _figure(measured, f"{name}.entries") * 100 / _figure(measured, f"{name}.cpu")


def _idle(measured: Mapping[str, Any]) -> str:
    phones, memory, cpu = (_figure(measured, f"idle.{end}") for end in ("phones", "memory-per-phone", "cpu"))
    return (
        f"- One process held {phones:,.0f} phones on which nothing happened, with {memory:,.0f} kB of memory for each "
        f"and {cpu:,.1f} % of a core. A gigabyte holds {_about(1e6 / memory)} of them, a core "
        f"{_about(100 * phones / cpu)}: a process holds the fewer of the two."
    )


def _entries(measured: Mapping[str, Any]) -> str:
    submit = _figure(measured, "http.submit")
    return (
        f"- An entry through the API took {submit:,.1f} ms: {_about(1000 / submit)} a second, one after the other, "
        "while nobody looks."
    )


def _figure(measured: Mapping[str, Any], name: str) -> float:
    value: float = next(figure["value"] for figure in measured["figures"] if figure["name"] == name)
    return value


def _about(number: float) -> str:
    """Two digits, as what follows from a measurement is not more certain than that."""
    digits = len(str(int(number))) - 2
    return f"about {round(number, -max(digits, 0)):,.0f}"


if __name__ == "__main__":
    DOCUMENT.write_text(document(read()), encoding="utf-8")
