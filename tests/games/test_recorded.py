"""Replays recorded whole games: ``tests/games/<game>/<name>.toml``.

A record has the table (``game``, ``factions`` clockwise, ``players`` if not one per faction, ``first``,
``options``), then chapters of ``entries``, one action per line with its faction. An entry may also have

    refused = "5.1"     section of the expected rejection; the state must not change
    says = "..."        sentence that must appear in the steps or in the rejection

After its entries a chapter may ``expect``

    round, phase, waiting_for
    counts = { "red knight supply" = 28 }            owner, piece, place
    stacks = { "cell:0,1" = ["red", "blue"] }        owners from the bottom up, without the bottom piece
    parts = { red = { castles = 2, towns = 3 } }     points of a faction by source
    facts = { order = ["red", "blue"] }              state besides the ledger; empty values are omitted
    resolved = { "conflict:artois" = { red = 2 } }   results of the rules in this chapter, by key
    from_supply = { "6.1" = { red = 5 } }            pieces that a section took from supply in this chapter

and ``result`` has the ``ranking`` and the sentence of the tie-break, ``reason``. The expectations were
computed without the engine, with the arithmetic beside them; they are never adjusted to its output.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.registry import titles
from games.core.errors import Refused
from games.core.game import AnyGame
from games.core.steps import Outcome, Step
from tests.core.rendering import sentence

HERE = Path(__file__).parent
NOT_CITED = "not-cited.toml"
RECORDS = sorted(path for path in HERE.glob("*/*.toml") if path.name != NOT_CITED)
EVERY_RECORD = pytest.mark.parametrize(
    "path", RECORDS, ids=[f"{path.parent.name}-{path.stem}" for path in RECORDS]
)


class Replay:
    """Replay of a record, which collects the sections of the rules that occur."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.game: AnyGame = titles()[record["game"]].game
        setup = self.game.prepare(
            record["factions"],
            players=record.get("players"),
            first=record.get("first"),
            options=record.get("options", {}),
        )
        outcome = self.game.start(setup)
        self.state = outcome.state
        self.cited = set(self._rules(outcome.steps))
        self.chapter: list[Step] = []  # steps of the current chapter

    def enter(self, entry: dict[str, Any]) -> None:
        expectations = {"faction", "refused", "says"}
        action = {name: value for name, value in entry.items() if name not in expectations}
        if "refused" in entry:
            self._check_rejected(entry, action)
            return
        outcome = self.game.apply(self.state, self.game.read_action(action, entry["faction"]))
        self.state = outcome.state
        self.cited |= set(self._rules(outcome.steps))
        self.chapter += _flat(outcome.steps)
        assert entry.get("says") in (None, *self._sentences(outcome)), entry

    def _check_rejected(self, entry: dict[str, Any], action: dict[str, Any]) -> None:
        before = self.game.state_json(self.state)
        with pytest.raises(Refused) as caught:
            self.game.apply(self.state, self.game.read_action(action, entry["faction"]))
        assert caught.value.rule == entry["refused"], entry
        assert entry.get("says") in (None, sentence(self.game, caught.value.message)), entry
        assert self.game.state_json(self.state) == before
        self.cited.add(entry["refused"])

    def _rules(self, steps: tuple[Step, ...]) -> Iterator[str]:
        for step in steps:
            yield step.rule
            yield from self._rules(step.steps)

    def _sentences(self, outcome: Outcome[Any]) -> list[str]:
        return [sentence(self.game, step.message) for step in _flat(outcome.steps)]

    def expect(self, where: str, expected: dict[str, Any]) -> None:
        """Check all expectations of a chapter."""
        known = {"round", "phase", "waiting_for", "counts", "stacks", "parts"}
        assert set(expected) <= known | {"facts", "resolved", "from_supply"}, where
        actual = {
            "round": self.state.round,
            "phase": self.game.phase(self.state),
            "waiting_for": list(self.game.waiting_for(self.state)),
        }
        for name, value in actual.items():
            assert expected.get(name, value) == value, (where, name)
        for line, count in expected.get("counts", {}).items():
            assert self.state.ledger.count(*line.split()) == count, (where, line)
        for place, owners in expected.get("stacks", {}).items():
            assert [owner for owner, _ in self.state.ledger.pile(place)][1:] == owners, (where, place)
        standings = {s.faction: s.parts for s in self.game.standings(self.state)}
        for faction, parts in expected.get("parts", {}).items():
            assert standings[faction] == {part: Fraction(str(n)) for part, n in parts.items()}, (
                where,
                faction,
            )
        facts = self.game.facts(self.state)
        for name, fact in expected.get("facts", {}).items():
            assert _without_empty(facts[name]) == fact, (where, name)
        results = {step.key: _without_empty(step.result) for step in self.chapter if step.key}
        for key, result in expected.get("resolved", {}).items():
            assert results[key] == result, (where, key)
        for rule, taken in expected.get("from_supply", {}).items():
            assert _taken(self.chapter, rule) == taken, (where, rule)
        self.chapter = []

    def expect_result(self, expected: dict[str, Any]) -> None:
        result = self.game.result(self.state)
        assert result is not None
        assert [list(place) for place in result.ranking] == expected["ranking"]
        reason = sentence(self.game, result.reason) if result.reason else None
        assert reason == expected.get("reason")


def _without_empty(fact: Any) -> Any:
    """Drop empty values of a map."""
    return {name: value for name, value in fact.items() if value} if isinstance(fact, dict) else fact


def _taken(steps: list[Step], rule: str) -> dict[str, int]:
    """Return the number of pieces by owner that the steps of a section took from supply."""
    taken: Counter[str] = Counter()
    for step in steps:
        for move in step.moves:
            if step.rule == rule and move.source == "supply":
                taken[move.owner] += move.count
    return dict(taken)


def _flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _flat(step.steps)


@cache
def record_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def replayed(path: Path) -> Replay:
    """Replay a record without checking its chapter expectations."""
    record = record_of(path)
    replay = Replay(record)
    for chapter in record["chapter"]:
        for entry in chapter["entries"]:
            replay.enter(entry)
    return replay


@EVERY_RECORD
def test_recorded_game_replays_as_expected(path: Path) -> None:
    record = record_of(path)
    assert record["game"] == path.parent.name
    replay = Replay(record)
    for chapter in record["chapter"]:
        for entry in chapter["entries"]:
            replay.enter(entry)
        replay.expect(chapter["title"], chapter.get("expect", {}))
    replay.expect_result(record["result"])
    assert replay.game.invariants(replay.state) == []


@EVERY_RECORD
def test_recorded_game_has_expectations(path: Path) -> None:
    """A record without expectations could never fail."""
    chapters = record_of(path)["chapter"]
    assert all("expect" in chapter for chapter in chapters)
    assert "parts" in chapters[-1]["expect"]
    significant = {"counts", "stacks", "resolved"}
    assert sum(bool(significant & set(chapter["expect"])) for chapter in chapters) >= 3


@pytest.mark.parametrize("slug", list(titles()))
def test_every_section_occurs_in_a_recorded_game(slug: str) -> None:
    """Exceptions are listed in ``not-cited.toml`` with a reason: ``"5.4" = "the reason"``."""
    records = [path for path in RECORDS if path.parent.name == slug]
    assert records, f"no game of {slug} is recorded"
    cited = set().union(*(replayed(path).cited for path in records))
    excuses = HERE / slug / NOT_CITED
    excused = tomllib.loads(excuses.read_text("utf-8")) if excuses.exists() else {}
    missing = set(titles()[slug].game.texts.rules) - cited
    assert missing == set(excused), "sections without a recorded game must equal those in not-cited.toml"
    assert all(reason.strip() for reason in excused.values())
