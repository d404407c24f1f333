"""What the phases of a turn have in common: whose they are, and how they end."""

from __future__ import annotations

from typing import TypeVar

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import check_turn, done, not_now
from games.core.messages import Name, faction_name, say
from games.core.steps import Account, Outcome
from games.signoria.dice import MOST_DICE
from games.signoria.state import State, dice_on, frame_data

TURN_RULE = "5.1"

A = TypeVar("A", bound=Action)


def whose(state: State) -> str:
    """Who decides in the phase that is under way."""
    return str(frame_data(state)["faction"])


def asked(state: State, action: Action, kind: type[A], rule: str) -> A:
    """The action, if it is of the player whose turn it is, and of the kind that is asked for."""
    refuse_turn(state, action)
    if not isinstance(action, kind):
        raise not_now(action, rule=rule)
    return action


def refuse_turn(state: State, action: Action) -> None:
    """5.1: only the player whose turn it is."""
    turn = whose(state)
    if state.frames[0].phase != "turn":
        check_turn(action, turn, rule=TURN_RULE)
    elif action.faction != turn:
        _refuse_others(state, action.faction, turn)


def _refuse_others(state: State, faction: str, turn: str) -> None:
    """5.1: somebody else's turn; when it will be theirs."""
    if faction in state.passed:
        if len(dice_on(state, faction)) >= MOST_DICE:
            raise Illegal(say("four-dice", count=MOST_DICE), rule=TURN_RULE)
        raise Illegal(say("passed-already"), rule=TURN_RULE)
    at = state.order.index(turn)
    following = [other for other in (*state.order[at + 1 :], *state.order[:at]) if other not in state.passed]
    between = following.index(faction)
    name = faction_name(turn)
    if not between:
        raise Illegal(say("turn-next", faction=name), rule=TURN_RULE)
    raise Illegal(say("turn-next-but", faction=name, number=Name("number", str(between))), rule=TURN_RULE)


def skip(state: State, rule: str) -> Outcome[State]:
    """What was to be done is not possible any more; play goes on."""
    account = Account(state)
    account.step(rule, say("not-possible", faction=faction_name(whose(state))))
    account.set(frames=done(state))
    return account.outcome()
