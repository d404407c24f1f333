"""What is measured of screens, in small: that it can be, and that bytes stay in their budget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import browser, screens
from bench.servers import collected
from games.registry import GAMES
from tests.servers import running_server
from tools.shots import chromium

OF_A_GAME = {
    *screens.TABS,
    "lobby",
    "waiting",
    "display",
    "replay",
    "report",
    "statistics",
    "boards",
    "rules",
}


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    data = tmp_path / "data"
    with running_server(data, **collected(data)) as server:
        yield server.port


@pytest.mark.long
async def test_every_screen_stays_in_its_budget(port: int) -> None:
    figures = {figure.name: figure async for figure in screens.figures(port, moments=(1 / 2,))}
    wanted = {f"bytes.{slug}.{screen}.first-load" for slug in GAMES for screen in OF_A_GAME}
    assert wanted | {"bytes.home.first-load", "bytes.calculators.first-load"} <= set(figures)
    assert [str(figure) for figure in figures.values() if not figure.data()["holds"]] == []


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.skipif(
    chromium() is None, reason="Chromium is missing: install it, or set CHROMIUM to its path."
)
async def test_a_browser_is_timed(port: int) -> None:
    figures = [figure async for figure in browser.figures(port, loads=1, taps=2)]
    usable = [f"browser.usable.{slug}" for slug in GAMES]
    taps = [f"browser.tap-to-other-screen.{name}" for name in ("entry", *GAMES)]
    assert [figure.name for figure in figures] == usable + taps
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures)
