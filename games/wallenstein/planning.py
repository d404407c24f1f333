"""Planning: players assign provinces to actions, secretly and simultaneously (5.1)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.core import prompts as asking
from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, goto, not_now
from games.core.messages import faction_name, say
from games.core.prompts import Choice, Prompt
from games.core.steps import Account, Outcome
from games.wallenstein.actions import Announce, Plan
from games.wallenstein.board import refuse_unknown
from games.wallenstein.cards import ACTIONS, action_name, refuse_action
from games.wallenstein.deeds import refuse_before
from games.wallenstein.options import PHONES
from games.wallenstein.state import State, province_name, provinces_of

RULE = "5.1"
BLANKS = 5


def begin(state: State) -> State:
    """Begin planning with the province cards that players hold now."""
    return replace(
        state,
        hands={faction: provinces_of(state, faction) for faction in state.setup.factions},
        empty={},
        plans={},
        turned={},
        lost=(),
        last=None,
        frames=goto(state, Frame("planning")),
    )


# Pending entries


def missing(state: State, faction: str) -> int:
    """Return the number of action spaces that a player cannot cover (5.1)."""
    return max(0, len(ACTIONS) - BLANKS - len(state.hands[faction]))


def on_phones(state: State) -> bool:
    return bool(state.setup.options["planning"] == PHONES)


def _must_announce(state: State, faction: str) -> bool:
    """Return True if a player with too few cards has not announced the empty spaces (5.1).

    A player without a province announces nothing (A-28).
    """
    return bool(missing(state, faction) and state.hands[faction]) and faction not in state.empty


def _next_to_announce(state: State) -> str | None:
    """Return the next player to announce, in the turn order of the previous season (5.1)."""
    return next((faction for faction in state.order if _must_announce(state, faction)), None)


def _must_plan(state: State, faction: str) -> bool:
    ready = bool(state.hands[faction]) and not _must_announce(state, faction)
    return on_phones(state) and ready and faction not in state.plans


def spaces_of(state: State, faction: str) -> list[str]:
    """Return the actions on which a player places a card."""
    return [action for action in ACTIONS if action not in state.empty.get(faction, ())]


def fewest(state: State, faction: str) -> int:
    """Return how many province cards must be placed, since there are only five blank ones (5.1)."""
    return len(spaces_of(state, faction)) - BLANKS


def most(state: State, faction: str) -> int:
    return min(len(spaces_of(state, faction)), len(state.hands[faction]))


@dataclass(frozen=True, slots=True)
class Planning:
    """All players plan simultaneously; only empty spaces are announced, in turn order."""

    name = "planning"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        prompts = []
        for faction in state.order:
            if faction == _next_to_announce(state):
                prompts.append(_announce_prompt(state, faction))
            elif _must_plan(state, faction):
                prompts.append(_plan_prompt(state, faction))
        return prompts

    def act(self, state: State, action: Action) -> Outcome[State]:
        if isinstance(action, Announce):
            return announce(state, action)
        if isinstance(action, Plan):
            return plan(state, action)
        raise not_now(action, rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Continue with the turn order when everybody has planned."""
        if _next_to_announce(state) or any(_must_plan(state, f) for f in state.order):
            return None
        account = Account(state)
        account.step(RULE, say("all-planned"), options=["planning"])
        empty_plans: dict[str, dict[str, str]] = {
            f: {} for f in state.order if on_phones(state) and not state.hands[f]
        }
        account.set(plans={**state.plans, **empty_plans}, frames=goto(state, Frame("order")))
        return account.outcome()


# Empty spaces


def _announce_prompt(state: State, faction: str) -> Prompt:
    count = missing(state, faction)
    ways = tuple(itertools.combinations(ACTIONS, count))
    return Prompt(
        faction=faction,
        title=say("prompt-announce", count=count),
        rule=RULE,
        example=Announce(faction=faction, actions=ways[0]),
        fields=(Choice("actions", ways),),
    )


def announce(state: State, action: Announce) -> Outcome[State]:
    """Record the spaces that stay empty, publicly and in the previous turn order (5.1)."""
    if not missing(state, action.faction):
        raise Illegal(say("enough-cards"), rule=RULE)
    turn = _next_to_announce(state)
    if turn is None or not _must_announce(state, action.faction):
        raise Illegal(say("announced-already"), rule=RULE)
    refuse_before(RULE, action, turn)
    for space in action.actions:
        refuse_action(space)
    needed = missing(state, action.faction)
    if len(set(action.actions)) != needed or len(action.actions) != needed:
        raise Illegal(say("announce-exactly", count=needed), rule=RULE)
    account = Account(state)
    spaces = tuple(a for a in ACTIONS if a in action.actions)
    account.step(
        RULE,
        say("announces", faction=faction_name(action.faction), actions=tuple(map(action_name, spaces))),
    )
    account.set(empty={**state.empty, action.faction: spaces})
    return account.outcome()


# Plans


def _plan_prompt(state: State, faction: str) -> Prompt:
    hand, spaces = state.hands[faction], spaces_of(state, faction)
    least, largest = fewest(state, faction), most(state, faction)
    described: Json = {
        "actions": spaces,
        "provinces": list(hand),
        "least": least,
        "most": largest,
    }
    example = dict(zip(spaces, hand[:largest], strict=False))
    return Prompt(
        faction=faction,
        title=say("prompt-plan"),
        rule=RULE,
        example=Plan(faction=faction, cards=example),
        fields=(asking.Plan(("cards",), AnyPlan(tuple(spaces), hand, least, largest), described),),
    )


@dataclass(frozen=True, slots=True)
class AnyPlan:
    """Sampler for plans: places some provinces of the hand on as many spaces."""

    spaces: tuple[str, ...]
    hand: tuple[str, ...]
    least: int
    most: int

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        count = self.least + below(self.most - self.least + 1)
        chosen = dict(zip(some(below, self.spaces, count), some(below, self.hand, count), strict=True))
        return ({action: chosen[action] for action in self.spaces if action in chosen},)


@dataclass(frozen=True, slots=True)
class AnySome:
    """Sampler for `count` of some things in random order."""

    things: tuple[str, ...]
    count: int

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        return (some(below, self.things, self.count),)


def some(below: Callable[[int], int], things: Sequence[str], count: int) -> list[str]:
    """Return `count` of some things in random order."""
    left = list(things)
    return [left.pop(below(len(left))) for _ in range(count)]


def plan(state: State, action: Plan) -> Outcome[State]:
    """Record a secret plan with one card per space (5.1)."""
    if not on_phones(state):
        raise Illegal(say("planned-on-boards"), rule=RULE)
    if action.faction in state.plans or not state.hands[action.faction]:
        raise Illegal(say("planned-already"), rule=RULE)
    if _must_announce(state, action.faction):
        raise Illegal(say("announce-first"), rule=RULE)
    _refuse_plan(state, action.faction, action.cards)
    account = Account(state)
    account.step(RULE, say("planned", faction=faction_name(action.faction)), options=["planning"])
    cards = {a: action.cards[a] for a in ACTIONS if a in action.cards}
    account.set(plans={**state.plans, action.faction: cards})
    return account.outcome()


def _refuse_plan(state: State, faction: str, cards: Mapping[str, str]) -> None:
    for space in cards:
        refuse_action(space)
    announced = [action for action in cards if action in state.empty.get(faction, ())]
    if announced:
        raise Illegal(say("space-announced", action=action_name(announced[0])), rule=RULE)
    for province in cards.values():
        refuse_hand(state, faction, province)
    used = list(cards.values())
    twice = [province for province in used if used.count(province) > 1]
    if twice:
        raise Illegal(say("one-action-each", province=province_name(twice[0])), rule=RULE)
    if len(cards) < fewest(state, faction):
        raise Illegal(say("five-blanks"), rule=RULE)


def refuse_hand(state: State, faction: str, province: str) -> None:
    """Raise `BadInput` or `Illegal` unless the card was in the hand at planning (5.1)."""
    refuse_unknown(state.setup, province)
    if province not in state.hands[faction]:
        raise Illegal(say("not-in-hand", province=province_name(province)), rule=RULE)


# Secrets


def view(state: State, faction: str | None) -> State:
    """Return the state as a seat sees it (None: the public): plans of others are empty."""
    return replace(
        state, plans={player: cards if player == faction else {} for player, cards in state.plans.items()}
    )


def is_hidden(state: State, action: Action) -> bool:
    """Return True if a journal entry holds a plan of this season with cards still face down."""
    if not isinstance(action, Plan) or action.faction not in state.plans:
        return False
    turned = state.turned.get(action.faction, {})
    known = {a: province for a, province in turned.items() if province is not None}
    return len(turned) < len(ACTIONS) and {**known, **state.plans[action.faction]} == dict(action.cards)


def reveals(now: State, then: State) -> bool:
    """Return True if `then` shows plan cards that are face down in the earlier state `now`."""
    down = {player: set(ACTIONS) - set(now.turned.get(player, {})) for player in now.plans}
    if then.round > now.round:
        return any(down.values())
    return then.round == now.round and any(down[player] & set(then.turned.get(player, {})) for player in down)


# Planning on boards


def cards_left(state: State, faction: str) -> list[str]:
    """Return the province cards that can still be turned over this season."""
    used = state.turned.get(faction, {}).values()
    return [province for province in state.hands.get(faction, ()) if province not in used]


def blanks_left(state: State, faction: str) -> int:
    """Return how many blank cards can still be turned over."""
    empty = state.empty.get(faction, ())
    turned = state.turned.get(faction, {})
    return BLANKS - sum(1 for a, province in turned.items() if province is None and a not in empty)


def may_turn(state: State, faction: str) -> list[str | None]:
    """Return the possible cards on an action: unused ones, and None if a blank one is left."""
    cards: list[str | None] = [*cards_left(state, faction)]
    return [*cards, None] if blanks_left(state, faction) > 0 or not cards else cards
