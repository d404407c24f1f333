"""Seeded games between automatic players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.registry import titles
from companion.statistics.simulation import seatings
from games.core.actions import Action, action_json
from games.core.game import AnyGame, Setup
from players.party import Party
from players.randomly import Played


@dataclass(frozen=True)
class Match:
    """Rules, setup and players of one game, before its first entry."""

    game: AnyGame
    setup: Setup
    party: Party

    def play(self) -> Iterator[Played]:
        return self.party.play_on(self.game.start(self.setup).state)


def match(slug: str, players: int, seed: object, careless: Sequence[str] | None = ()) -> Match:
    """Return a seeded match. ``careless`` factions play at random; None means all but the first."""
    game = titles()[slug].game
    generator = random.Random(f"{slug} {players} {seed}")
    factions = generator.choice(seatings(slug, players))
    factions = tuple(generator.sample(factions, len(factions)))
    setup = game.prepare(factions, players=players, first=generator.choice(factions))
    others = factions[1:] if careless is None else careless
    return Match(game, setup, titles()[slug].automaton.party(setup, generator, careless=tuple(others)))


def journal(played: Sequence[Played]) -> list[tuple[str, dict[str, Any]]]:
    return [_journal_entry(entry.action) for entry in played]


def _journal_entry(action: Action) -> tuple[str, dict[str, Any]]:
    return action.faction, action_json(action)
