"""The benchmarks run, and say what the contract promises."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.servers import ROOT

FIELDS = {"name", "value", "unit", "baseline", "ratio"}


@pytest.mark.long
def test_every_figure_has_a_baseline_and_the_budgets_hold() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "bench"], cwd=ROOT, capture_output=True, check=True, timeout=300
    ).stdout.decode()
    figures = {figure["name"]: figure for figure in map(json.loads, printed.splitlines())}
    assert all(set(figure) >= FIELDS for figure in figures.values())
    wanted = {"raubritter.apply", "raubritter.fold-a-game", "raubritter.prompts", "http.submit"}
    assert wanted | {"http.tap-to-other-screen", "http.submit.entry-300"} <= set(figures)
    # What may be is a matter of bytes, so it holds on every machine.
    assert all(figure["ratio"] <= 1 for name, figure in figures.items() if name.startswith("bytes."))
    # Work per action does not grow with the length of the game; the machine may be busy.
    assert figures["http.submit.entry-300"]["ratio"] < 2
