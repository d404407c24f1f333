"""Random outcomes that no player decides: dice, cubes in a tower, cards drawn from a pile.

``CHANCE`` in each game's module lists the actions that are entirely random, and those that are partly
so: there the prompt is narrowed to the player's actual options, such as the two tiles in hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from games.core.codec import Json
from games.core.game import Setup
from games.core.prompts import Prompt
from players.randomly import Generator

T = TypeVar("T")

# (state, prompt, generator) -> a random action as JSON.
Fall = Callable[[Any, Prompt, Generator], dict[str, Json]]
# (state, prompt, dealt, generator) -> the prompt with the player's actual options; None if there are none.
Narrow = Callable[[Any, Prompt, Any, Generator], Prompt | None]


def drawn(_state: Any, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """Return an action drawn uniformly from the prompt's domain."""
    return prompt.sample(generator.randrange)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """Random elements of a game, by action type."""

    falls: Mapping[str, Fall] = field(default_factory=dict)
    narrowed: Mapping[str, Narrow] = field(default_factory=dict)
    deal: Callable[[Setup, Generator], Any] = lambda _setup, _generator: None


def shuffled(things: Sequence[T], generator: Generator) -> list[T]:
    remaining = list(things)
    return [remaining.pop(generator.randrange(len(remaining))) for _ in range(len(remaining))]


def picked(things: Sequence[T], generator: Generator) -> T:
    return things[generator.randrange(len(things))]


def happened(times: int, chance: tuple[int, int], generator: Generator) -> int:
    """Return the successes in ``times`` trials with probability ``chance`` (numerator, denominator)."""
    hits, of = chance
    return sum(generator.randrange(of) < hits for _ in range(times))
