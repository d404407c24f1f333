"""Phases in which each faction with a decision makes one entry, in play order (rulebook 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import not_now
from games.core.ledger import Move
from games.core.messages import say
from games.core.prompts import Prompt
from games.core.steps import Account, Outcome
from games.revolution.pieces import COUNTER, SUPPLY
from games.revolution.regions import refuse_regions
from games.revolution.rounds import advance, end_turn, refuse_unless_turn, turn_of
from games.revolution.state import TREASURY, State, atlas, treasury


def _skip_silently(_account: Account[State], _faction: str) -> None:
    """Skip a faction that has nothing to decide without recording a step."""


def _close_silently(_account: Account[State]) -> None:
    """End the phase without further steps."""


@dataclass(frozen=True, slots=True)
class InTurn:
    """Phase with one entry per faction in play order; factions with nothing to decide are skipped."""

    name: str
    rule: str
    action: type[Action]
    prompt: Callable[[State, str], Prompt | None]  # None: nothing to decide
    enter: Callable[[Account[State], Any], None]  # raises `Refused`
    skip: Callable[[Account[State], str], None] = _skip_silently
    close: Callable[[Account[State]], None] = _close_silently

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = turn_of(state)
        prompt = self.prompt(state, faction) if faction else None
        return [prompt] if prompt else []

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, self.action):
            raise not_now(action, rule=self.rule)
        refuse_unless_turn(state, action)
        account = Account(state)
        end_turn(account, action.faction)
        self.enter(account, action)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        faction = turn_of(state)
        if faction and self.prompt(state, faction):
            return None
        account = Account(state)
        if faction:
            end_turn(account, faction)
            self.skip(account, faction)
        else:
            self.close(account)
            advance(account)
        return account.outcome()


# Paying


def refuse_price(state: State, faction: str, cost: int, rule: str) -> None:
    """Raise `Illegal` if the cost exceeds the treasury (2.2.2)."""
    coins = treasury(state, faction)
    if cost > coins:
        raise Illegal(say("treasury-short", cost=cost, count=coins), rule=rule)


def paid(faction: str, cost: int) -> tuple[Move, ...]:
    """Return the moves of coins from treasury to supply; empty if the cost is 0 (6.3, 6.4, 6.7)."""
    return (Move(faction, COUNTER, TREASURY, SUPPLY, cost),) if cost else ()


# Maps of armies by region


def by_region(state: State, given: Mapping[str, int], rule: str) -> dict[str, int]:
    """Return the numbers in board order without zeros; raise `BadInput` for unknown regions."""
    refuse_regions(state, given, rule)
    return {region: given[region] for region in atlas(state).regions if given.get(region)}
