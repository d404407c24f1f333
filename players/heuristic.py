"""A player with plain sense: tries some entries, looks what each brings, takes the best.

What a state is worth is told by the game's own module, as is what to try where drawing at random
would hardly ever find anything good. Chance is never tried: what the dice will show is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Refused
from games.core.game import AnyGame
from games.core.prompts import Allocation, Prompt
from players.chance import Chance, shuffled
from players.party import Entry
from players.randomly import Generator

TRIES = 8
FURTHER_TRIES = 3  # where a decision leads to another one of the same player
FURTHER = 2  # how many such decisions are looked at
ENVY = 0.6  # what the others get counts too

Worths = Mapping[str, float]
# The state and the prompt; entries that are worth a try.
Ideas = Callable[[Any, Prompt, Generator], Iterable[dict[str, Json]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sense:
    """What there is to know about a game in order to play it with plain sense."""

    worth: Callable[[Any], Worths]  # of a state to each faction, in points
    ideas: Mapping[str, Ideas] = field(default_factory=dict)
    tries: Mapping[str, int] = field(default_factory=dict)
    # whether what a faction has begun is still to be decided by itself
    goes_on: Callable[[Any, str], bool] = lambda _state, _faction: False


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A player of one game. It keeps nothing in mind: all it knows is on the table."""

    sense: Sense
    chance: Chance

    def decide(
        self, game: AnyGame, state: Any, prompts: Sequence[Prompt], generator: Generator
    ) -> Entry | None:
        tried = [
            (prompt, action)
            for prompt in prompts
            for action in self._tried(
                game, state, prompt, generator, self.sense.tries.get(prompt.action, TRIES)
            )
        ]
        if len(tried) == 1 and game.why_not(state, tried[0][1]) is None:
            return tried[0]
        best, most = None, 0.0
        for prompt, action in tried:
            value = self._value(game, state, action, generator, FURTHER)
            if value is not None and (best is None or value > most):
                best, most = (prompt, action), value
        return best

    def _tried(
        self, game: AnyGame, state: Any, prompt: Prompt, generator: Generator, tries: int
    ) -> list[Action]:
        ideas = self.sense.ideas.get(prompt.action)
        data = ideas(state, prompt, generator) if ideas else some_of(prompt, tries, generator)
        return [game.read_action(entry, prompt.faction) for entry in data]

    def _value(
        self, game: AnyGame, state: Any, action: Action, generator: Generator, further: int
    ) -> float | None:
        """What an entry brings; None if the rules refuse it."""
        try:
            after = game.apply(state, action).state
        except Refused:
            return None
        faction = action.faction
        if further and self.sense.goes_on(after, faction):
            prompts = [prompt for prompt in game.prompts(after) if prompt.faction == faction]
            values = [
                value
                for prompt in prompts
                if prompt.action not in self.chance.falls
                for next_ in self._tried(game, after, prompt, generator, FURTHER_TRIES)
                if (value := self._value(game, after, next_, generator, further - 1)) is not None
            ]
            if values:
                return max(values)
        return compared(self.sense.worth(after), faction)


def compared(worths: Worths, faction: str) -> float:
    """What a state is worth to a faction: its own part, less some of what the others have, most of all the best."""
    others = [worth for other, worth in worths.items() if other != faction] or [0.0]
    return worths[faction] - ENVY * (sum(others) / len(others) + max(others)) / 2


# What to try


def some_of(prompt: Prompt, tries: int, generator: Generator) -> list[dict[str, Json]]:
    """All of a small domain, in any order; of a large one so many that were drawn, and the example."""
    if prompt.size() <= tries:
        return shuffled(list(prompt.elements()), generator)
    found = [prompt.example_json()]
    for number in range(tries - 1):
        source = heaped(prompt, generator) if number % 2 else prompt
        found.append(source.sample(generator.randrange))
    return found


def heaped(prompt: Prompt, generator: Generator) -> Prompt:
    """The prompt with what is allotted allotted in heaps: drawn evenly, hardly anything lies together."""
    fields = tuple(_Heap(f, generator) if isinstance(f, Allocation) else f for f in prompt.fields)
    return replace(prompt, fields=fields)


@dataclass(frozen=True, slots=True)
class _Heap:
    """One element of an allocation: a few of its keys get as much as they can."""

    allocation: Allocation
    generator: Generator

    @property
    def names(self) -> tuple[str, ...]:
        return self.allocation.names

    def size(self) -> int:
        return 1

    def bounds(self) -> Json:
        return self.allocation.bounds()

    def element(self, _index: int) -> tuple[Json, ...]:
        field_ = self.allocation
        left = field_.low + self.generator.randrange(field_.high - field_.low + 1)
        room = [group.most for group in field_.groups]
        chosen: dict[str, int] = {}
        for key in shuffled(list(field_.most), self.generator):
            group = next((i for i, g in enumerate(field_.groups) if key in g.keys), None)
            most = min(left, field_.most[key], left if group is None else room[group])
            chosen[key] = most
            left -= most
            if group is not None:
                room[group] -= most
        return ({key: chosen[key] for key in field_.most if chosen[key]},)
