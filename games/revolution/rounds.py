"""The course of the game: rounds, phases, and whose turn it is (rulebook 4.0 to 4.2)."""

from __future__ import annotations

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, goto
from games.core.messages import faction_name, say
from games.core.steps import Account
from games.revolution.state import State

RULE = "4.1"

ROUND_0 = (
    "support",
    "new-units",
    "conflict",
    "neutrals",
    "overflow",
    "movement",
    "allocation",
    "bishoprics",
    "universities",
    "status",
    "draft",
)
"""5.1 to 5.8. Cards, bishoprics and universities are one phase there, 5.7."""

ROUND = (
    "taxes",
    "support",
    "maintenance",
    "recruiting",
    "battles",
    "sieges",
    "beggars",
    "army-movement",
    "military-influence",
    "new-units",
    "conflict",
    "neutrals",
    "overflow",
    "movement",
    "completing",
    "influence",
    "allocation",
    "bishoprics",
    "universities",
    "status",
    "draft",
)
"""6.1 to 6.20, in rounds 1 to 5."""


def phases_of(round_: int) -> tuple[str, ...]:
    return ROUND if round_ else ROUND_0


def section(state: State, first: str, later: str) -> str:
    """The section of a rule that round 0 has at another place than the rounds after it."""
    return later if state.round else first


def advance(account: Account[State], **data: Json) -> None:
    """4.1: the phase is over; the next one of the round begins, and knows what it has to know of this one."""
    phases = phases_of(account.state.round)
    following = phases[phases.index(account.state.frames[-1].phase) + 1]
    account.set(frames=goto(account.state, Frame(following, data)))


# Turns in play order, kept in the frame as those who have had theirs


def still_to_act(state: State) -> list[str]:
    """Who has not acted in this phase, in play order."""
    had = state.frames[-1].data.get("had", ())
    return [faction for faction in state.order if faction not in had]


def turn_of(state: State) -> str | None:
    """4.1: who is to act now: in play order each finishes before the next begins."""
    return next(iter(still_to_act(state)), None)


def end_turn(account: Account[State], faction: str) -> None:
    top = account.state.frames[-1]
    account.set(frames=goto(account.state, top.with_data(had=[*top.data.get("had", ()), faction])))


def refuse_unless_turn(state: State, action: Action) -> None:
    """4.1: somebody else is to act."""
    waiting = turn_of(state)
    if waiting is not None:
        refuse_unless(waiting, action)


def refuse_unless(faction: str, action: Action) -> None:
    """4.1: only this faction is asked now."""
    if action.faction != faction:
        raise Illegal(say("waiting-for", faction=faction_name(faction)), rule=RULE)
