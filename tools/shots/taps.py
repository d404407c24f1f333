"""Shots of forms in use: choices, a refusal, and score pads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from playwright.sync_api import Page

from companion.registry import titles
from tools.shots.games import LIGHT
from tools.shots.shot import LARGE, PHONE, Shot, tap
from tools.shots.stage import Stage, read_records

PAIR = ("blue", "yellow")
FOUR = ("blue", "yellow", "green", "red")

choose_a_tile = tap("input[name=tile]", "input[name=at]")
choose_a_march = tap("input[name=way]:not([value=stay])", "input[name=many][value='3']")


def taps_scene(stage: Stage) -> Iterator[Shot]:
    """Yield pages of a random game for two and one for four, and the own shots of each title."""
    two = stage.open(PAIR, seed=11)
    placing = (two.tokens[two.play_until("place")],)
    yield Shot("taps-tile", two.page, placing, choose_a_tile)
    yield Shot("taps-refused", two.page, placing, be_refused)
    four = stage.open(FOUR, seed=3)
    four.play(70)
    marching = (four.tokens[four.play_until("march", goes_two_ways)],)
    yield Shot("taps-march", four.page, marching, choose_a_march, sizes=(PHONE, LARGE))
    yield Shot("taps-march-light", four.page, marching, choose_a_march, look=LIGHT)
    yield Shot("taps-four-board", f"{four.page}?tab=board", marching)
    yield Shot("taps-four-score", f"{four.page}?tab=score", marching)
    yield Shot("taps-four-display", f"{four.page}display/", sizes=(LARGE,))
    four.play_to_the_end()
    yield Shot("taps-four-end", four.page, (four.host,))
    yield Shot("taps-four-report", f"{four.page}report/")
    for game in titles():
        yield from own_scene(stage, game)


def own_scene(stage: Stage, game: str) -> Iterator[Shot]:
    """Yield the shots of `tests/games/<game>/shots.py`, if it exists: forms that no recorded game reaches."""
    module = f"tests.games.{game}.shots"
    if find_spec(module):
        yield from import_module(module).scene(stage)


def pads_scene(stage: Stage) -> Iterator[Shot]:
    for game in titles():
        factions = read_records(game)[0].factions
        pad = stage.open(factions, game=game, options={"mode": "pad"})
        seated = (pad.host, pad.tokens[factions[0]])
        yield Shot(f"pads-{game}", pad.page, seated, sizes=(PHONE, LARGE))
        pad.play(1)
        yield Shot(f"pads-{game}-next", pad.page, seated)
        yield Shot(f"pads-{game}-spectator", pad.page)
        for tab in ("score", "journal", "help", "menu"):
            yield Shot(f"pads-{game}-{tab}", f"{pad.page}?tab={tab}", seated)
        yield Shot(f"pads-{game}-display", f"{pad.page}display/", sizes=(LARGE,))
        yield Shot(f"pads-{game}-report", f"{pad.page}report/")


def be_refused(page: Page) -> None:
    """Send a form with an illegal cell, as if another player had been faster."""
    choose_a_tile(page)
    page.evaluate("() => { document.querySelector('input[name=at]:checked').value = '90,90'; }")
    page.click("#bar button.main")
    page.wait_for_selector("#error")


def goes_two_ways(prompt: Mapping[str, Any]) -> bool:
    """Return whether a march of three knights has more than two directions."""
    (bounds,) = prompt["choices"].values()
    return len({direction for knights, direction, _left in bounds["options"] if knights >= 3}) > 2  # noqa: PLR2004
