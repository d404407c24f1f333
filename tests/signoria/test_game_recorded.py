"""A whole game that was recorded, with what people worked out beside it (see ``tests/games``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from games.registry import GAMES
from games.signoria.game import SIGNORIA
from tests.games.test_recorded import Replay

RECORDS = sorted((Path(__file__).parent / "records").glob("*.toml"))


@pytest.fixture(autouse=True)
def playable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "signoria", SIGNORIA)


def record_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_recorded_game_goes_as_it_went(path: Path) -> None:
    record = record_of(path)
    replay = Replay(record)
    for chapter in record["chapter"]:
        for entry in chapter["entries"]:
            replay.enter(entry)
        replay.expect(chapter["title"], chapter["expect"])
    replay.expect_result(record["result"])
    assert SIGNORIA.invariants(replay.state) == []
    assert replay.cited >= set(SIGNORIA.texts.rules)
