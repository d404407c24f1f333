"""Helpers shared by the phases of a turn: whose turn it is, turn checks, and skipping."""

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
    """Return the faction that decides in the current phase."""
    return str(frame_data(state)["faction"])


def asked(state: State, action: Action, kind: type[A], rule: str) -> A:
    """Return the action if it is of type `kind` and its player is on turn; raise `Illegal` otherwise."""
    refuse_turn(state, action)
    if not isinstance(action, kind):
        raise not_now(action, rule=rule)
    return action


def refuse_turn(state: State, action: Action) -> None:
    """Raise `Illegal` if the action's player is not on turn (5.1)."""
    turn = whose(state)
    if state.frames[0].phase != "turn":
        check_turn(action, turn, rule=TURN_RULE)
    elif action.faction != turn:
        _refuse_others(state, action.faction, turn)


def _refuse_others(state: State, faction: str, turn: str) -> None:
    """Raise `Illegal`: the player has passed, or other players come first (5.1)."""
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
    """End a phase whose effect is no longer possible, and record that."""
    account = Account(state)
    account.step(rule, say("not-possible", faction=faction_name(whose(state))))
    account.set(frames=done(state))
    return account.outcome()
