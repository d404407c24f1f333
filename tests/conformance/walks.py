"""Random games that the conformance tests look at, each played once."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from games.core.actions import action_json
from games.core.game import AnyGame, Setup
from games.core.options import AnyOption, Numbers
from games.core.prompts import Prompt
from games.core.steps import Outcome
from games.registry import GAMES
from players.randomly import Played, play_out


@dataclass(frozen=True)
class Walk:
    """A whole game, played at random."""

    game: AnyGame
    setup: Setup
    start: Outcome[Any]
    played: tuple[Played, ...]

    @property
    def states(self) -> list[Any]:
        return [self.start.state, *(entry.outcome.state for entry in self.played)]

    @property
    def outcomes(self) -> list[Outcome[Any]]:
        return [self.start, *(entry.outcome for entry in self.played)]

    @property
    def journal(self) -> list[tuple[str, dict[str, Any]]]:
        """Who entered what, as it is stored."""
        return [
            (entry.action.faction, json.loads(json.dumps(action_json(entry.action)))) for entry in self.played
        ]


def tables() -> list[tuple[str, int]]:
    """Every game with every number of players."""
    return [(g.slug, n) for g in GAMES.values() for n in range(g.min_players, g.max_players + 1)]


def seeds(*numbers: int) -> pytest.MarkDecorator:
    """A test for every game, number of players and seed; seed 0 plays with the default options."""
    cases = [
        pytest.param(slug, players, seed, id=f"{slug}-{players}-{seed}")
        for slug, players in tables()
        for seed in numbers
    ]
    return pytest.mark.parametrize(("slug", "players", "seed"), cases)


@lru_cache(maxsize=32)
def walk(slug: str, players: int, seed: int) -> Walk:
    game = GAMES[slug]
    generator = random.Random(f"{slug} {players} {seed}")
    setup = random_setup(game, players, generator, default=seed == 0)
    return Walk(game, setup, game.start(setup), tuple(play_out(game, setup, generator)))


def random_setup(game: AnyGame, players: int, generator: random.Random, *, default: bool = False) -> Setup:
    factions = generator.sample(game.factions, players)
    options = {} if default else {o.name: random_value(o, generator) for o in game.options}
    return game.prepare(factions, first=generator.choice(factions), options=options)


def random_value(option: AnyOption, generator: random.Random) -> Any:
    if not isinstance(option, Numbers):
        return generator.choice(option.values)
    numbers = dict(option.default)
    for _ in range(3):
        giver = generator.choice([name for name, count in numbers.items() if count])
        taker = generator.choice(list(numbers))
        numbers[giver] -= 1
        numbers[taker] += 1
    return numbers


# Domains


def plain(value: Any) -> Any:
    """Data as it comes out of a JSON text: lists where there were tuples."""
    return json.loads(json.dumps(value))


def key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def is_offered(prompts: list[Prompt], faction: str, data: dict[str, Any]) -> bool:
    """Whether an entry is an element of the domain of one of the prompts."""
    asked = [p for p in prompts if (p.faction, p.action) == (faction, data.get("type"))]
    return any(is_element(prompt, data) for prompt in asked)


def is_element(prompt: Prompt, data: dict[str, Any]) -> bool:
    named = {name for field in prompt.fields for name in field.names}
    if set(data) != named | {"type"}:
        return False
    return all(
        key([data[name] for name in field.names])
        in {key(list(field.element(i))) for i in range(field.size())}
        for field in prompt.fields
    )


def explored(prompt: Prompt, generator: random.Random, most: int, samples: int) -> list[dict[str, Any]]:
    """All of a small domain, samples of a large one."""
    if prompt.size() <= most:
        return list(prompt.elements())
    return [prompt.sample(generator.randrange) for _ in range(samples)]
