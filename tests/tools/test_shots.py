"""Screenshots: comparison of pictures, the clock of the server, and recorded games."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.servers import running_server
from tools.shots import chromium
from tools.shots.browser import running_browser
from tools.shots.comparing import compare
from tools.shots.stage import FIRST_DAY, ServerClock, Stage, read_records

NEEDS_CHROMIUM = pytest.mark.skipif(
    chromium() is None, reason="Chromium is missing: install it, or set CHROMIUM to its path."
)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Return two folders for pictures and one for the differences."""
    before, after, into = (tmp_path / name for name in ("before", "after", "into"))
    before.mkdir()
    after.mkdir()
    return before, after, into


def paint(pictures: dict[Path, str]) -> None:
    """Take a picture of 60 x 40 pixels of each HTML document."""
    with running_browser() as browser:
        page = browser.new_page(viewport={"width": 60, "height": 40})
        for path, html in pictures.items():
            page.set_content(f"<body style='margin: 0'>{html}")
            page.screenshot(path=path)


def square(colour: str) -> str:
    return f"<div style='position: absolute; left: 10px; top: 5px; width: 4px; height: 3px; background: {colour}'>"


def test_compare_lists_pictures_missing_on_either_side(folders: tuple[Path, Path, Path]) -> None:
    before, after, into = folders
    for path in (before / "both.png", after / "both.png", before / "gone.png", after / "new.png"):
        path.write_bytes(b"the same")
    differences = [(difference.name, difference.message) for difference in compare(before, after, into)]
    assert differences == [("gone.png", f"only in {before}"), ("new.png", f"only in {after}")]
    assert not into.exists()


@pytest.mark.browser
@NEEDS_CHROMIUM
def test_compare_counts_and_draws_changed_pixels(folders: tuple[Path, Path, Path]) -> None:
    before, after, into = folders
    paint({before / "page.png": square("black"), after / "page.png": square("red")})
    (difference,) = compare(before, after, into)
    assert (difference.name, difference.message) == ("page.png", "12 pixels differ, from 10,5 to 13,7")
    assert (into / "page.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.browser
@NEEDS_CHROMIUM
def test_compare_ignores_small_colour_differences(folders: tuple[Path, Path, Path]) -> None:
    before, after, into = folders
    paint({before / "page.png": square("#404040"), after / "page.png": square("#484848")})
    assert compare(before, after, into) == []


@pytest.mark.browser
@NEEDS_CHROMIUM
def test_compare_counts_pixels_that_only_one_picture_has(folders: tuple[Path, Path, Path]) -> None:
    before, after, into = folders
    paint({before / "page.png": ""})
    with running_browser() as browser:
        page = browser.new_page(viewport={"width": 60, "height": 42})
        page.screenshot(path=after / "page.png")
    (difference,) = compare(before, after, into)
    assert difference.message == "120 pixels differ, from 0,40 to 59,41"


def test_server_uses_the_time_of_the_clock(tmp_path: Path) -> None:
    clock = ServerClock(tmp_path / "clock")
    clock.set(FIRST_DAY)
    with running_server(tmp_path / "data", **clock.settings()) as server:
        document = Stage(server.url, clock).open(("red", "blue")).get("export/")
    assert document["created_at"] == (FIRST_DAY + timedelta(days=1)).isoformat()


def test_records_are_sorted_by_length_without_refused_entries() -> None:
    longest, *others = read_records("wallenstein")
    assert all(len(longest.entries) >= len(record.entries) for record in others)
    assert not any("refused" in entry for entry in longest.entries)
