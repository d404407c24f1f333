"""Course of the game: rounds, phases and turns (rulebook 4.0 to 4.2)."""

from __future__ import annotations

from games.core.actions import Action
from games.core.codec import Json
from games.core.flow import Frame, check_turn, goto
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
"""Phases of round 0 (5.1 to 5.8); section 5.7 is split into cards, bishoprics and universities."""

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
"""Phases of rounds 1 to 5 (6.1 to 6.20)."""


def phases_of(round_: int) -> tuple[str, ...]:
    return ROUND if round_ else ROUND_0


def section(state: State, first: str, later: str) -> str:
    """Return the section of a rule that has one number for round 0 and another for later rounds."""
    return later if state.round else first


def advance(account: Account[State], **data: Json) -> None:
    """Begin the next phase of the round; `data` is passed to its frame (4.1)."""
    phases = phases_of(account.state.round)
    following = phases[phases.index(account.state.frames[-1].phase) + 1]
    account.set(frames=goto(account.state, Frame(following, data)))


# Turns in play order; the frame lists the factions that have acted


def still_to_act(state: State) -> list[str]:
    """Return the factions that have not acted in this phase, in play order."""
    acted = state.frames[-1].data.get("had", ())
    return [faction for faction in state.order if faction not in acted]


def turn_of(state: State) -> str | None:
    """Return the next faction to act: in play order, each finishes before the next begins (4.1)."""
    return next(iter(still_to_act(state)), None)


def end_turn(account: Account[State], faction: str) -> None:
    top = account.state.frames[-1]
    account.set(frames=goto(account.state, top.with_data(had=[*top.data.get("had", ()), faction])))


def refuse_unless_turn(state: State, action: Action) -> None:
    """Raise `Illegal` if it is another faction's turn (4.1)."""
    waiting = turn_of(state)
    if waiting is not None:
        refuse_unless(waiting, action)


def refuse_unless(faction: str, action: Action) -> None:
    """Raise `Illegal` if the action is not of this faction (4.1)."""
    check_turn(action, faction, rule=RULE, code="waiting-for")
