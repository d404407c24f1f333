"""Execution of the ten actions in the order of the row, each by all players in turn order (4, 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, check_turn, goto, not_now
from games.core.messages import faction_name, say
from games.core.prompts import Choice, Prompt
from games.core.steps import Account, Act, Outcome
from games.wallenstein.actions import Reveal, Turn
from games.wallenstein.building import build
from games.wallenstein.cards import (
    ACTIONS,
    BUILD,
    COLLECT_GOLD,
    COLLECT_GRAIN,
    OPEN_ACTIONS,
    RECRUIT,
    RECRUIT_1,
    action_name,
)
from games.wallenstein.deeds import Turned, refuse_before
from games.wallenstein.movement import move
from games.wallenstein.planning import may_turn, refuse_hand
from games.wallenstein.recruiting import levy, recruit
from games.wallenstein.season import end_season, refuse_row
from games.wallenstein.state import State, clerk, owner_of, province_name
from games.wallenstein.taxes import collect

RULE = "5.2"


def _progress(state: State) -> tuple[int, int]:
    data = state.frames[-1].data
    return data["action"], data["turn"]


def _hidden_actions(state: State) -> tuple[str, ...]:
    """Return the action cards that are still face down."""
    return tuple(action for action in ACTIONS if action not in state.row)


def _must_turn(state: State) -> bool:
    """Return True if the next action card must be turned up, after each of the first five actions (4)."""
    action, turn = _progress(state)
    done = turn >= len(state.order) and action < OPEN_ACTIONS
    return done and len(state.row) <= OPEN_ACTIONS + action


@dataclass(frozen=True, slots=True)
class Execution:
    """Cards are turned over one by one. The frame holds the action number and the turn."""

    name = "actions"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        if _must_turn(state):
            return [_turn_prompt(state)]
        return [_reveal_prompt(state)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if _must_turn(state) and isinstance(action, Turn):
            return turn_up(state, action)
        if not _must_turn(state) and isinstance(action, Reveal):
            return reveal(state, action)
        raise not_now(action, rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Continue automatically as long as the next card is known."""
        number, turn = _progress(state)
        if number >= len(ACTIONS):
            return end_season(state)
        if _must_turn(state):
            hidden = _hidden_actions(state)
            return _turned_up(state, hidden[0]) if len(hidden) == 1 else None
        if turn >= len(state.order):
            return _next_action(state)
        faction, action = state.order[turn], state.row[number]
        if faction in state.plans:
            return turn_over(state, state.plans[faction].get(action))
        if action in state.empty.get(faction, ()):
            return turn_over(state, None)
        cards = may_turn(state, faction)
        return turn_over(state, cards[0]) if len(cards) == 1 else None


# Turning up action cards


def _turn_prompt(state: State) -> Prompt:
    faction, hidden = clerk(state), _hidden_actions(state)
    example = Turn(faction=faction, card=hidden[0])
    title = say("prompt-turn")
    return Prompt(faction=faction, title=title, rule="4", example=example, fields=(Choice("card", hidden),))


def turn_up(state: State, action: Turn) -> Outcome[State]:
    """Validate and add the next action card of the row (4)."""
    check_turn(action, clerk(state), rule="4")
    refuse_row((*state.row, action.card))
    return _turned_up(state, action.card)


def _turned_up(state: State, card: str) -> Outcome[State]:
    account = Account(state)
    account.step(
        "4",
        say("turned-up", action=action_name(card), place=len(state.row) + 1),
        acts=[Act(None, say("turn-card"))],
    )
    account.set(row=(*state.row, card))
    return account.outcome()


def _next_action(state: State) -> Outcome[State]:
    number, _ = _progress(state)
    account = Account(state)
    if number + 1 < len(ACTIONS):
        place, action = number + 2, action_name(state.row[number + 1])
        account.step("4", say("next-action", place=place, action=action))
    else:
        account.step("4", say("actions-done"))
    account.set(frames=goto(state, Frame("actions", {"action": number + 1, "turn": 0})))
    return account.outcome()


# Revealing province cards when planning on boards


def _reveal_prompt(state: State) -> Prompt:
    number, turn = _progress(state)
    faction = state.order[turn]
    cards: tuple[Json, ...] = tuple(may_turn(state, faction))
    return Prompt(
        faction=faction,
        title=say("prompt-reveal", action=action_name(state.row[number])),
        rule=RULE,
        example=Reveal(faction=faction, province=cards[0]),
        fields=(Choice("province", cards),),
    )


def reveal(state: State, action: Reveal) -> Outcome[State]:
    """Validate the card that was on the action and turn it over (5.2)."""
    _, turn = _progress(state)
    faction = state.order[turn]
    refuse_before(RULE, action, faction)
    if action.province is None:
        if None not in may_turn(state, faction):
            raise Illegal(say("five-blanks"), rule="5.1")
        return turn_over(state, None)
    refuse_hand(state, faction, action.province)
    if action.province in state.turned.get(faction, {}).values():
        raise Illegal(say("has-acted", province=province_name(action.province)), rule="5.1")
    return turn_over(state, action.province)


# Carrying out actions


def turn_over(state: State, province: str | None) -> Outcome[State]:
    """Reveal a card and carry its action out if possible, else cancel it (5.2)."""
    number, turn = _progress(state)
    faction, action = state.order[turn], state.row[number]
    account = Account(state)
    turned = {**state.turned.get(faction, {}), action: province}
    plans = {
        player: {a: p for a, p in cards.items() if (player, a) != (faction, action)}
        for player, cards in state.plans.items()
    }
    account.set(
        plans=plans,
        turned={**state.turned, faction: turned},
        frames=goto(state, Frame("actions", {"action": number, "turn": turn + 1})),
    )
    if province is None:
        empty = action in state.empty.get(faction, ())
        code = "empty-space" if empty else "blank-card"
        account.step(RULE, say(code, faction=faction_name(faction), action=action_name(action)))
    elif province in state.lost or owner_of(state, province) != faction:
        params = {"province": province_name(province), "action": action_name(action)}
        account.step(
            RULE,
            say("lost-province", faction=faction_name(faction), **params),
            acts=[Act(faction, say("not-done-lost", **params))],
        )
    else:
        carry_out(account, Turned(faction, action, province))
    return account.outcome()


def carry_out(account: Account[State], card: Turned) -> None:
    """Carry out the action of a card (5.3 to 5.6)."""
    if card.action in BUILD:
        build(account, card)
    elif card.action in (COLLECT_GOLD, COLLECT_GRAIN):
        collect(account, card)
    elif card.action in RECRUIT:
        recruit(account, card)
    elif card.action == RECRUIT_1:
        levy(account, card)
    else:
        move(account, card)
