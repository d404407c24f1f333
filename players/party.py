"""Plays a game with one automatic player per faction, including its random outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from games.core.actions import Action
from games.core.game import AnyGame, Setup
from games.core.prompts import Prompt
from players.chance import Chance
from players.randomly import Generator, Played, choose

Entry = tuple[Prompt, Action]


class Player(Protocol):
    """Decides for a faction, given the state visible to it."""

    def decide(
        self, game: AnyGame, state: Any, prompts: Sequence[Prompt], generator: Generator
    ) -> Entry | None:
        """Return the action to enter; None to pass the decision to others."""
        ...


class Careless:
    """Random player: the baseline against which the heuristic is measured."""

    def decide(
        self, game: AnyGame, _state: Any, prompts: Sequence[Prompt], generator: Generator
    ) -> Entry | None:
        return choose(game, prompts, generator)


class Party:
    """All players at a table, with what was dealt to them, such as the tiles in hand."""

    def __init__(
        self,
        game: AnyGame,
        setup: Setup,
        players: Mapping[str, Player],
        chance: Chance,
        generator: Generator,
    ) -> None:
        self.game = game
        self.players = players
        self.chance = chance
        self.generator = generator
        self.dealt = chance.deal(setup, generator)

    def entry(self, state: Any) -> Entry | None:
        """Return the next entry; None if there are no prompts left."""
        prompts = self.game.prompts(state)
        if not prompts:
            return None
        random_prompt = next((prompt for prompt in prompts if prompt.action in self.chance.falls), None)
        if random_prompt:
            data = self.chance.falls[random_prompt.action](state, random_prompt, self.generator)
            return random_prompt, self.game.read_action(data, random_prompt.faction)
        for faction in dict.fromkeys(prompt.faction for prompt in prompts):
            decision = self._decision(state, faction, prompts)
            if decision:
                return decision
        return prompts[0], prompts[0].example  # no player has a preference

    def _decision(self, state: Any, faction: str, prompts: Sequence[Prompt]) -> Entry | None:
        visible = self.game.view(state, faction)
        narrowed = [self._narrowed(visible, prompt) for prompt in prompts if prompt.faction == faction]
        available = [prompt for prompt in narrowed if prompt]
        if not available:
            return None
        return self.players[faction].decide(self.game, visible, available, self.generator)

    def _narrowed(self, state: Any, prompt: Prompt) -> Prompt | None:
        """Return the prompt with the player's actual options and a matching example; None without options."""
        narrow = self.chance.narrowed.get(prompt.action)
        if narrow is None:
            return prompt
        narrowed = narrow(state, prompt, self.dealt, self.generator)
        if narrowed is None:
            return None
        first = self.game.read_action(narrowed.sample(lambda _size: 0), narrowed.faction)
        return replace(narrowed, example=first)

    def play_on(self, state: Any, most: int = 5000) -> Iterator[Played]:
        """Play from a state until there are no prompts left."""
        for _ in range(most):
            entry = self.entry(state)
            if entry is None:
                return
            prompt, action = entry
            outcome = self.game.apply(state, action)
            yield Played(state, prompt, action, outcome)
            state = outcome.state
        raise RuntimeError(f"{self.game.slug} does not end within {most} entries")
