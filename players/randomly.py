"""Random play: any prompt, any element of its domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from games.core.actions import Action
from games.core.game import AnyGame, Setup
from games.core.prompts import Prompt
from games.core.steps import Outcome


class Generator(Protocol):
    """Source of random numbers; ``random.Random`` is one."""

    def randrange(self, start: int, /) -> int: ...


class Played(NamedTuple):
    """One entry of a game: the state before, the prompt, the action and its outcome."""

    state: Any
    prompt: Prompt
    action: Action
    outcome: Outcome[Any]


def choose(game: AnyGame, prompts: Sequence[Prompt], generator: Generator) -> tuple[Prompt, Action]:
    """Return a random prompt and a random action of its domain."""
    prompt = prompts[generator.randrange(len(prompts))]
    return prompt, game.read_action(prompt.sample(generator.randrange), prompt.faction)


def play_on(game: AnyGame, state: Any, generator: Generator, most: int = 5000) -> Iterator[Played]:
    """Play from a state until there are no prompts left."""
    for _ in range(most):
        prompts = game.prompts(state)
        if not prompts:
            return
        prompt, action = choose(game, prompts, generator)
        outcome = game.apply(state, action)
        yield Played(state, prompt, action, outcome)
        state = outcome.state
    raise RuntimeError(f"{game.slug} does not end within {most} entries")


def play_out(game: AnyGame, setup: Setup, generator: Generator, most: int = 5000) -> Iterator[Played]:
    """Play from the start until there are no prompts left."""
    yield from play_on(game, game.start(setup).state, generator, most)
