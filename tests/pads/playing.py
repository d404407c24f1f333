"""Driver for playing a score pad in tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.registry import titles
from games.core.errors import Refused
from tests.core.rendering import sentence


class Playing:
    """A table with a score pad."""

    def __init__(self, slug: str, factions: tuple[str, ...], players: int | None = None) -> None:
        self.game = titles()[slug].pad.game
        self.state = self.game.start(self.game.prepare(factions, players=players)).state

    def enter(self, kind: str, by: str | None = None, **fields: Any) -> list[str]:
        """Enter an action, by default for the first faction prompted; return the sentences of its steps."""
        faction = by or self.game.prompts(self.state)[0].faction
        outcome = self.game.apply(self.state, self.game.read_action({"type": kind, **fields}, faction))
        self.state = outcome.state
        return [sentence(self.game, step.message) for step in outcome.steps]

    def refused(self, kind: str, by: str | None = None, **fields: Any) -> tuple[str, str | None]:
        """Enter an action that must be rejected; return the message and its section."""
        before = self.game.state_json(self.state)
        try:
            self.enter(kind, by, **fields)
        except Refused as refusal:
            assert self.game.state_json(self.state) == before
            return sentence(self.game, refusal.message), refusal.rule
        raise AssertionError(f"{fields} was accepted")

    def points(self) -> dict[str, float]:
        return {s.faction: float(s.points) for s in self.game.standings(self.state)}

    def parts(self, faction: str) -> dict[str, float]:
        (standing,) = (s for s in self.game.standings(self.state) if s.faction == faction)
        return {part: float(points) for part, points in standing.parts.items() if points}

    @property
    def ranking(self) -> list[set[str]]:
        return list(self._ranking())

    def _ranking(self) -> Iterator[set[str]]:
        result = self.game.result(self.state)
        assert result is not None
        yield from map(set, result.ranking)
