"""What stands in the repository of the benchmarks, and how it comes there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import __main__ as bench
from bench import results
from bench.figures import Figure


def figure(name: str, value: float, baseline: float = 1) -> Figure:
    return Figure(name, value, "ms", baseline, "something bare")


def under_load(cpu: float) -> dict[str, Any]:
    machine = {"processor": "P", "cores": 2, "memory_gb": 8.0, "kernel": "K", "python": "3", "sqlite": "3"}
    values = {"load.median": 40, "load.p99": 90, "load.lost": 0, "load.entries": 20, "load.cpu": cpu}
    return {
        "date": "2026-11-16",
        "machine": machine,
        "sizes": {"tables": 200, "phones": 5, "every": 10.0},
        "figures": [figure(name, value).data() for name, value in values.items()],
    }


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(results, "DOCUMENT", tmp_path / "benchmarks.md")
    return tmp_path


def test_the_document_says_what_was_recorded() -> None:
    """If not: python -m bench.results"""
    assert results.DOCUMENT.read_text(encoding="utf-8") == results.document(results.read())


def test_every_part_can_be_recorded() -> None:
    assert list(bench.PARTS) == list(results.PARTS)
    assert set(results.read()) <= set(bench.PARTS)


def test_a_part_takes_the_place_of_what_was_known_of_it(recorded: Path) -> None:
    results.record("web", [figure("http.submit", 2)], {})
    results.record("rules", [figure("raubritter.apply", 5)], {})
    results.record("web", [figure("http.submit", 4)], {})
    found = json.loads((recorded / "results.json").read_text())
    assert list(found) == ["rules", "web"]
    assert [one["value"] for one in found["web"]["figures"]] == [4]
    assert (recorded / "benchmarks.md").read_text() == results.document(found)


def test_the_machine_is_told_but_not_whose_it_is(recorded: Path) -> None:
    results.record("rules", [], {})
    machine = json.loads((recorded / "results.json").read_text())["rules"]["machine"]
    assert set(machine) == {"processor", "cores", "memory_gb", "kernel", "python", "sqlite"}


@pytest.mark.parametrize(
    ("name", "value", "baseline", "limit", "holds"),
    [
        ("http.submit", 3.0, 1, 3, True),
        ("http.submit", 3.1, 1, 3, False),
        ("http.submit.entry-1000", 1.3, 1, 1.25, False),
        ("browser.tap-to-other-screen.revolution", 2.1, 1, 2, False),
        ("bytes.home.first-load", 60_001, 60_000, 1, False),
        ("statistics.circle-page", 2.1, 1, 2, False),
        ("statistics.end-of-a-game", 1.3, 1, 1.25, False),
        ("load.lost", 0, 0, 1, True),
        ("load.lost", 1, 0, 1, False),
    ],
)
def test_a_figure_says_whether_it_holds(
    name: str, value: float, baseline: float, limit: float, *, holds: bool
) -> None:
    data = figure(name, value, baseline).data()
    assert (data["most"], data["holds"]) == (limit, holds)


def test_fewer_phones_than_came_are_too_few() -> None:
    assert figure("idle.phones", 2000, 2000).data()["holds"]
    assert not figure("idle.phones", 1999, 2000).data()["holds"]


def test_what_was_not_promised_has_no_limit() -> None:
    assert "holds" not in figure("raubritter.apply", 9).data()


def test_a_figure_that_does_not_hold_is_plain_to_see() -> None:
    told = results.document({"web": under_load(50) | {"figures": [figure("http.submit", 4).data()]}})
    assert "| `http.submit` | 4 ms | 1 ms | 4.00 | ≤ 3 | **no** | something bare |" in told


@pytest.mark.parametrize(("cpu", "half", "whole"), [(50, 200, 400), (100, 100, 200)])
def test_what_a_process_holds_follows_from_what_it_took(cpu: float, half: int, whole: int) -> None:
    told = results.document({"load": under_load(cpu)})
    assert f"half a core goes to about {half} of them" in told
    assert f"a whole one to about {whole} " in told
    assert "1,000 phones and 20.0 entries a second" in told
