"""Shots of Wallenstein with plans on the printed boards, which no recorded game reaches."""

from __future__ import annotations

from collections.abc import Iterator

from tools.shots.shot import Shot
from tools.shots.stage import Stage


def scene(stage: Stage) -> Iterator[Shot]:
    generals = ("red", "blue", "yellow")
    boards = stage.open(generals, game="wallenstein", options={"planning": "boards"})
    yield Shot("taps-wallenstein-reveal", boards.page, (boards.tokens[boards.play_until("reveal")],))
