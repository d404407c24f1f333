"""Recorded figures, and the document generated from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import results
from bench.figures import Figure


def figure(name: str, value: float, baseline: float = 1, limit: float | None = None) -> Figure:
    return Figure(name, value, "ms", baseline, "something bare", limit)


@pytest.fixture
def results_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(results, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(results, "DOCUMENT", tmp_path / "benchmarks.md")
    return tmp_path


def test_document_matches_the_results() -> None:
    """To fix it, run `python -m bench.results`."""
    assert results.DOCUMENT.read_text(encoding="utf-8") == results.document(results.read())


def test_every_part_has_a_title() -> None:
    assert list(results.TITLES) == list(bench.PARTS)
    assert set(results.read()) <= set(bench.PARTS)


def test_recording_a_part_replaces_its_figures(results_folder: Path) -> None:
    results.record("load", [figure("load.median", 2)])
    results.record("entries", [figure("entries.raubritter.cpu", 5)])
    results.record("load", [figure("load.median", 4)])
    written = json.loads((results_folder / "results.json").read_text())
    assert list(written) == ["entries", "load"]
    assert [line["value"] for line in written["load"]["figures"]] == [4]
    assert (results_folder / "benchmarks.md").read_text() == results.document(written)


@pytest.mark.parametrize(
    ("value", "limit", "holds"), [(3.0, 3, True), (3.1, 3, False), (0, 0, True), (1, 0, False)]
)
def test_figure_tells_whether_its_limit_holds(value: float, limit: float, *, holds: bool) -> None:
    data = figure("load.lost", value, limit=limit).data()
    assert (data["limit"], data["holds"]) == (limit, holds)


def test_figure_without_a_limit_has_no_verdict() -> None:
    assert "holds" not in figure("raubritter.apply", 9).data()


def test_ratio_to_a_zero_baseline_is_null() -> None:
    assert figure("load.lost", 0, baseline=0).data()["ratio"] is None


def test_exceeded_limit_is_bold(results_folder: Path) -> None:
    results.record("memory", [figure("memory.40-tables", 4, limit=3)])
    row = "| `memory.40-tables` | 4 ms | 1 ms | 4.00 | ≤ 3 | **no** | something bare |"
    assert row in (results_folder / "benchmarks.md").read_text()
