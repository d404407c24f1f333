"""The recorded games of Wallenstein, which go with the others once the game is in the registry."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from games.registry import GAMES
from games.wallenstein.game import WALLENSTEIN
from tests.games.test_recorded import Replay

HERE = Path(__file__).parent / "recorded"
NOT_CITED = "not-cited.toml"
RECORDS = sorted(path for path in HERE.glob("*.toml") if path.name != NOT_CITED)


@pytest.fixture(autouse=True)
def _in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "wallenstein", WALLENSTEIN)


def replayed(path: Path) -> Replay:
    record = tomllib.loads(path.read_text("utf-8"))
    replay = Replay(record)
    for chapter in record["chapter"]:
        for entry in chapter["entries"]:
            replay.enter(entry)
        replay.expect(chapter["title"], chapter["expect"])
    replay.expect_result(record["result"])
    return replay


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_goes_as_it_went(path: Path) -> None:
    assert WALLENSTEIN.invariants(replayed(path).state) == []


def test_every_section_of_the_rules_is_met() -> None:
    cited = set().union(*(replayed(path).cited for path in RECORDS))
    excused = tomllib.loads((HERE / NOT_CITED).read_text("utf-8"))
    assert set(WALLENSTEIN.texts.rules) - cited == set(excused)
