"""Heuristic player: applies some candidate actions, evaluates the resulting states, takes the best.

The game's own module provides the evaluation, and the candidates where random samples would hardly
ever be good. Random outcomes are never tried, because the player cannot know them.
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
FURTHER_TRIES = 3  # per follow-up decision of the same player
FURTHER = 2  # search depth in follow-up decisions
ENVY = 0.6  # weight of the opponents' worth

Worths = Mapping[str, float]
# (state, prompt, generator) -> candidate actions.
Ideas = Callable[[Any, Prompt, Generator], Iterable[dict[str, Json]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sense:
    """Evaluation and candidate actions of a game."""

    worth: Callable[[Any], Worths]  # value of a state for each faction, in points
    ideas: Mapping[str, Ideas] = field(default_factory=dict)
    tries: Mapping[str, int] = field(default_factory=dict)
    # True while a faction still has follow-up decisions to make
    goes_on: Callable[[Any, str], bool] = lambda _state, _faction: False


@dataclass(frozen=True, slots=True)
class Heuristic:
    """Player of one game. It has no memory: decisions depend on the state alone."""

    sense: Sense
    chance: Chance

    def decide(
        self, game: AnyGame, state: Any, prompts: Sequence[Prompt], generator: Generator
    ) -> Entry | None:
        candidates = [
            (prompt, action)
            for prompt in prompts
            for action in self._candidates(
                game, state, prompt, generator, self.sense.tries.get(prompt.action, TRIES)
            )
        ]
        if len(candidates) == 1 and game.why_not(state, candidates[0][1]) is None:
            return candidates[0]
        best, most = None, 0.0
        for prompt, action in candidates:
            value = self._value(game, state, action, generator, FURTHER)
            if value is not None and (best is None or value > most):
                best, most = (prompt, action), value
        return best

    def _candidates(
        self, game: AnyGame, state: Any, prompt: Prompt, generator: Generator, tries: int
    ) -> list[Action]:
        ideas = self.sense.ideas.get(prompt.action)
        data = ideas(state, prompt, generator) if ideas else some_of(prompt, tries, generator)
        return [game.read_action(entry, prompt.faction) for entry in data]

    def _value(
        self, game: AnyGame, state: Any, action: Action, generator: Generator, further: int
    ) -> float | None:
        """Return the value of an action for its faction; None if the rules reject it."""
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
                for next_ in self._candidates(game, after, prompt, generator, FURTHER_TRIES)
                if (value := self._value(game, after, next_, generator, further - 1)) is not None
            ]
            if values:
                return max(values)
        return compared(self.sense.worth(after), faction)


def compared(worths: Worths, faction: str) -> float:
    """Return a faction's own worth, less part of the opponents' average and maximum."""
    others = [worth for other, worth in worths.items() if other != faction] or [0.0]
    return worths[faction] - ENVY * (sum(others) / len(others) + max(others)) / 2


# Candidate actions


def some_of(prompt: Prompt, tries: int, generator: Generator) -> list[dict[str, Json]]:
    """Return a small domain in random order; of a larger one the example and ``tries - 1`` random samples."""
    if prompt.size() <= tries:
        return shuffled(list(prompt.elements()), generator)
    candidates = [prompt.example_json()]
    for number in range(tries - 1):
        source = heaped(prompt, generator) if number % 2 else prompt
        candidates.append(source.sample(generator.randrange))
    return candidates


def heaped(prompt: Prompt, generator: Generator) -> Prompt:
    """Return the prompt with concentrated allocations, which uniform samples hardly ever contain."""
    fields = tuple(_Heap(f, generator) if isinstance(f, Allocation) else f for f in prompt.fields)
    return replace(prompt, fields=fields)


@dataclass(frozen=True, slots=True)
class _Heap:
    """A random element of an allocation in which a few keys get as much as possible."""

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
