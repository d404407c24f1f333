"""Random games of Signoria with random options and boards, in which players seldom pass early."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.core.actions import Action, action_json
from games.core.game import Setup
from games.core.prompts import Prompt
from games.core.steps import Outcome
from games.signoria.board import HELPER_KINDS, SIGNORIA_ACTIONS
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from tests.signoria.scenes import COLOURS, TRACKS, profile

RINGS = ("white", "green", "blue", "yellow", "orange", "red")


@dataclass(frozen=True)
class Entry:
    """One entry of a random game: the state and prompts before it, the action, and its outcome."""

    state: State
    prompts: list[Prompt]
    action: Action
    outcome: Outcome[State]


@dataclass(frozen=True)
class Walk:
    setup: Setup
    start: Outcome[State]
    entries: tuple[Entry, ...]

    @property
    def states(self) -> list[State]:
        return [self.start.state, *(entry.outcome.state for entry in self.entries)]

    @property
    def last(self) -> State:
        return self.states[-1]


@lru_cache(maxsize=24)
def walk(players: int, seed: int) -> Walk:
    """Play a random game.

    Seed 0 uses the default options and the shipped board, seed 1 the board of the digest.
    """
    generator = random.Random(f"{players} {seed}")
    factions = generator.sample(SIGNORIA.factions, players)
    options = {o.name: generator.choice(o.values) for o in SIGNORIA.options} if seed > 1 else {}
    figures = {0: None, 1: profile()}.get(seed) if seed < 2 else random_profile(generator)
    setup = SIGNORIA.prepare(factions, options=options, figures=figures)
    start = SIGNORIA.start(setup)
    return Walk(setup, start, tuple(play(start.state, generator)))


def play(state: State, generator: random.Random, most: int = 2_000) -> list[Entry]:
    entries = []
    for _ in range(most):
        prompts = SIGNORIA.prompts(state)
        if not prompts:
            return entries
        prompt = chosen(prompts, generator)
        action = SIGNORIA.read_action(plain(prompt.sample(generator.randrange)), prompt.faction)
        outcome = SIGNORIA.apply(state, action)
        entries.append(Entry(state, prompts, action, outcome))
        state = outcome.state
    raise AssertionError("the game does not end")


def chosen(prompts: list[Prompt], generator: random.Random) -> Prompt:
    """Choose a random prompt, but a pass only in one of seven cases while there are others."""
    others = [prompt for prompt in prompts if prompt.action != "pass"]
    return generator.choice(others if others and generator.randrange(7) else prompts)


def plain(value: Any) -> Any:
    """Return the value after a JSON round trip."""
    return json.loads(json.dumps(value))


def journal(played: Walk) -> list[tuple[str, Any]]:
    return [(entry.action.faction, plain(action_json(entry.action))) for entry in played.entries]


def random_profile(generator: random.Random) -> dict[str, Any]:
    """Return valid random figures: numbers, ranks, spaces, helpers, plans."""
    figures: dict[str, Any] = copy.deepcopy(dict(SIGNORIA.board.figures))
    for career in TRACKS[:3]:
        spaces = generator.randint(6, 13)
        figures["tracks"][career] = {
            "spaces": spaces,
            "numbers": rising(generator, 13, 1, 13),
            "ranks": rising(generator, 13, 1, 4),
        }
    figures["initiative"] = {
        "top": generator.randint(1, 15),
        "points": {str(i): generator.randint(0, 12) for i in range(16)},
    }
    for city in figures["cities"]:
        figures["cities"][city] = {n: generator.randint(0, 2) for n in "1234"} | {"4": 1}
    figures["city_spaces"]["shared"] = generator.random() < 0.7
    signoria = generator.sample(SIGNORIA_ACTIONS, 5)
    for colour, action in zip(COLOURS, signoria, strict=True):
        figures["actions"][colour] = {
            "number": generator.randint(1, 6),
            "signoria": action,
            "ring": generator.choice(RINGS),
            "price": generator.randint(0, 4),
        }
        figures["helpers"][colour] = {row: random_helper(generator) for row in "123"}
    for board in figures["plans"]:
        for career in TRACKS[:3]:
            a, b, c = generator.sample("abcdef", 3)
            figures["plans"][board][career] = generator.sample([a, a, b, c], 4)
    figures["portraits"] = {row: generator.randint(0, 5) for row in "1234"}
    figures["point_track"]["spaces"] = 20  # few, so that discs go beyond the first lap
    assert SIGNORIA.figures_wrong(figures) == []
    return figures


def rising(generator: random.Random, count: int, low: int, high: int) -> dict[str, int]:
    values = sorted(generator.randint(low, high) for _ in range(count))
    return {str(i): value for i, value in enumerate(values, 1)}


def random_helper(generator: random.Random) -> dict[str, Any]:
    shown = generator.sample(TRACKS, generator.randint(1, 4))
    return {
        "kind": generator.choice((*HELPER_KINDS, "none")),
        "ring": generator.choice(RINGS),
        "price": generator.randint(0, 3),
        "tracks": {track: track in shown for track in TRACKS},
    }
