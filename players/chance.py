"""What nobody decides: dice, cubes in a tower, cards off a pile. It falls as it falls, whoever enters it.

Each game says in one place (``CHANCE`` of its module) which entries are chance throughout, and in
which ones chance has a part: there the prompt is narrowed to what the player really has to choose
from, such as the two tiles in the hand.
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

# The state and the prompt; what fell, as an entry.
Fall = Callable[[Any, Prompt, Generator], dict[str, Json]]
# The state, the prompt, and what was dealt; the prompt as it is open to its player, None if it is not.
Narrow = Callable[[Any, Prompt, Any, Generator], Prompt | None]


def drawn(_state: Any, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """An entry whose elements are all equally likely."""
    return prompt.sample(generator.randrange)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The chance in a game, by the kind of entry it comes in."""

    falls: Mapping[str, Fall] = field(default_factory=dict)
    narrowed: Mapping[str, Narrow] = field(default_factory=dict)
    deal: Callable[[Setup, Generator], Any] = lambda _setup, _generator: None


def shuffled(things: Sequence[T], generator: Generator) -> list[T]:
    left = list(things)
    return [left.pop(generator.randrange(len(left))) for _ in range(len(left))]


def picked(things: Sequence[T], generator: Generator) -> T:
    return things[generator.randrange(len(things))]


def happened(times: int, chance: tuple[int, int], generator: Generator) -> int:
    """How often something happened that has a chance of so many in so many, each time."""
    hits, of = chance
    return sum(generator.randrange(of) < hits for _ in range(times))
