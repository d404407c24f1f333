"""The players of one game together, and the chance that befalls them all."""

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
    """Somebody who decides for a faction, from what that faction may see."""

    def decide(
        self, game: AnyGame, state: Any, prompts: Sequence[Prompt], generator: Generator
    ) -> Entry | None:
        """What is entered; None leaves it to others, or as it is."""
        ...


class Careless:
    """Enters anything that is allowed. It says how much a plan is worth."""

    def decide(
        self, game: AnyGame, _state: Any, prompts: Sequence[Prompt], generator: Generator
    ) -> Entry | None:
        return choose(game, prompts, generator)


class Party:
    """Everybody at a table. What was dealt to them, such as tiles in a hand, is kept here."""

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
        """What is entered next; None when nobody is asked any more."""
        prompts = self.game.prompts(state)
        if not prompts:
            return None
        fallen = next((prompt for prompt in prompts if prompt.action in self.chance.falls), None)
        if fallen:
            data = self.chance.falls[fallen.action](state, fallen, self.generator)
            return fallen, self.game.read_action(data, fallen.faction)
        for faction in dict.fromkeys(prompt.faction for prompt in prompts):
            decided = self._decision(state, faction, prompts)
            if decided:
                return decided
        return prompts[0], prompts[0].example  # nobody minds

    def _decision(self, state: Any, faction: str, prompts: Sequence[Prompt]) -> Entry | None:
        seen = self.game.view(state, faction)
        mine = [self._narrowed(seen, prompt) for prompt in prompts if prompt.faction == faction]
        open_ = [prompt for prompt in mine if prompt]
        if not open_:
            return None
        return self.players[faction].decide(self.game, seen, open_, self.generator)

    def _narrowed(self, state: Any, prompt: Prompt) -> Prompt | None:
        """The prompt as it is open to its player; its example is one of what is left, too."""
        narrow = self.chance.narrowed.get(prompt.action)
        if narrow is None:
            return prompt
        left = narrow(state, prompt, self.dealt, self.generator)
        if left is None:
            return None
        first = self.game.read_action(left.sample(lambda _size: 0), left.faction)
        return replace(left, example=first)

    def play_on(self, state: Any, most: int = 5000) -> Iterator[Played]:
        """Play from a state until nobody is asked any more."""
        for _ in range(most):
            entered = self.entry(state)
            if entered is None:
                return
            prompt, action = entered
            outcome = self.game.apply(state, action)
            yield Played(state, prompt, action, outcome)
            state = outcome.state
        raise RuntimeError(f"{self.game.slug} does not end within {most} entries")
