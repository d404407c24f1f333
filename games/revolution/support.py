"""Support movement, and interception of the Spanish Treasury by the Huguenots (rulebook 5.1 and 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, call, done, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, Param, faction_name, say
from games.core.prompts import Choices, Number, Prompt
from games.core.steps import Account, Act, Outcome
from games.revolution import board
from games.revolution.actions import Intercept, Support
from games.revolution.pieces import COUNTER, SUPPLY
from games.revolution.provinces import countryside, province_name
from games.revolution.rounds import (
    advance,
    end_turn,
    refuse_unless,
    refuse_unless_turn,
    section,
    turn_of,
)
from games.revolution.state import (
    HUGUENOTS,
    SPANISH_TREASURY,
    TREASURY,
    State,
    atlas,
    box_of,
    counters,
    in_support,
    option,
    supply,
    used_place,
)

INTERCEPTION = "6.2.2"
COIN_SOURCE = "huguenot_coin_source"


def rule_of(state: State) -> str:
    return section(state, "5.1", "6.2.1")


# Support movement


def targets(state: State, cell: str) -> tuple[str, ...]:
    """Return the targets of a counter by the colour of its cell (5.1).

    Light cells lead to the map, coloured ones to the treasury, half-coloured ones to either.
    """
    land = atlas(state)
    kind = land.cells[cell]
    provinces = land.support[box_of(cell)].provinces if kind != board.TREASURY else ()
    return (*provinces, *((TREASURY,) if kind != board.MAP else ()))


def movable(state: State, faction: str) -> dict[str, tuple[str, ...]]:
    """Return the cells (`jesuits:2`) with a movable counter, and its targets."""
    by_cell = {cell: targets(state, cell) for cell in in_support(state, faction)}
    return {cell.removeprefix("support:"): allowed for cell, allowed in by_cell.items() if allowed}


@dataclass(frozen=True, slots=True)
class SupportMovement:
    """Phases 5.1 and 6.2.1: in play order each faction moves support counters or leaves them."""

    name = "support"
    rule = "6.2.1"

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = turn_of(state)
        if faction is None:
            return []
        return [
            Prompt(
                faction=faction,
                title=say("prompt-support"),
                rule=rule_of(state),
                example=Support(faction=faction),
                fields=(Choices("moves", movable(state, faction)),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Support):
            raise not_now(action, rule=rule_of(state))
        refuse_unless_turn(state, action)
        _refuse_moves(state, action)
        return _move(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        faction = turn_of(state)
        account = Account(state)
        if faction is None:
            advance(account)
            return account.outcome()
        if movable(state, faction):
            return None
        account.step(rule_of(state), say("support-none", faction=faction_name(faction)))
        end_turn(account, faction)
        return account.outcome()


def _refuse_moves(state: State, action: Support) -> None:
    rule = rule_of(state)
    for key, target in action.moves.items():
        cell = f"support:{key}"
        if cell not in atlas(state).cells:
            raise BadInput(say("unknown-cell", cell=key[:40]), rule=rule)
        if not counters(state, action.faction, cell):
            raise _nothing_there(state, action.faction, cell)
        if target not in targets(state, cell):
            raise Illegal(_why_not_target(state, cell, target), rule=rule)


def _nothing_there(state: State, faction: str, cell: str) -> Illegal:
    if counters(state, faction, used_place(cell)):
        return Illegal(say("huguenot-used"), rule=INTERCEPTION)
    return Illegal(say("cell-empty", place=Name("place", cell)), rule=rule_of(state))


def _why_not_target(state: State, cell: str, target: str) -> Message:
    land = atlas(state)
    kind = land.cells[cell]
    if target == TREASURY:
        return say("cell-map-only")
    if target in land.home or target.removeprefix("countryside:") != target:
        return say("support-countryside")
    if target not in land.provinces:
        return say("unknown-province", province=target[:40])
    if kind == board.TREASURY:
        return say("cell-treasury-only")
    return say("box-serves-not", province=province_name(target))


def _move(state: State, action: Support) -> Outcome[State]:
    """Move counters to countryside or treasury (5.1, 6.2.1).

    Spanish Treasury counters bound for the treasury can be intercepted first.
    """
    account = Account(state)
    faction = action.faction
    moved = [(f"support:{key}", action.moves[key]) for key in movable(state, faction) if key in action.moves]
    fleet = [cell for cell, target in moved if target == TREASURY and box_of(cell) == SPANISH_TREASURY]
    others = [(cell, target) for cell, target in moved if cell not in fleet]
    name = faction_name(faction)
    if not moved:
        account.step(rule_of(state), say("support-stays", faction=name))
    if others:
        moves = [Move(faction, COUNTER, cell, _place(target)) for cell, target in others]
        message = say("support-moves", faction=name, count=len(others), moves=_move_messages(others))
        account.step(rule_of(state), message, moves=moves)
    end_turn(account, faction)
    if fleet:
        account.step(INTERCEPTION, say("fleet", faction=name, count=len(fleet)))
        frame = Frame("interception", {"faction": faction, "cells": fleet})
        account.set(frames=call(account.state, frame))
    return account.outcome()


def _place(target: str) -> str:
    return TREASURY if target == TREASURY else countryside(target)


def _move_messages(moved: Sequence[tuple[str, str]]) -> tuple[Param, ...]:
    return tuple(
        say("support-move", box=Name("box", box_of(cell)), target=Name("place", _place(target)))
        for cell, target in moved
    )


# Interception


def interceptor(state: State) -> str | None:
    """Return the faction with face-up counters in the Huguenots' box, which is never shared (6.2.2)."""
    cells = atlas(state).support[HUGUENOTS].places
    return next((f for f in state.order if any(counters(state, f, cell) for cell in cells)), None)


def face_up(state: State, faction: str) -> list[str]:
    return [cell for cell in atlas(state).support[HUGUENOTS].places if counters(state, faction, cell)]


def fleet_of(state: State) -> tuple[str, list[str]]:
    """Return the owner of the Spanish Treasury counters in transit, and the cells they left."""
    data = state.frames[-1].data
    faction = data["faction"]
    return faction, [cell for cell in data["cells"] if counters(state, faction, cell)]


def most_intercepted(state: State) -> int:
    """Return the limit of interception: fleet, face-up Huguenots, and coins in supply (6.2.2, Q-07)."""
    catcher = interceptor(state)
    _, cells = fleet_of(state)
    if catcher is None:
        return 0
    most = min(len(cells), len(face_up(state, catcher)))
    return most if _from_box(state) else min(most, supply(state, catcher))


def _from_box(state: State) -> bool:
    return option(state, COIN_SOURCE) == "box_counter"


@dataclass(frozen=True, slots=True)
class Interception:
    """The Huguenots decide how many counters of the Spanish Treasury they intercept (6.2.2)."""

    name = "interception"
    rule = INTERCEPTION

    def prompts(self, state: State) -> Sequence[Prompt]:
        catcher = interceptor(state)
        most = most_intercepted(state)
        if catcher is None or not most:
            return []
        mover, cells = fleet_of(state)
        return [
            Prompt(
                faction=catcher,
                title=say("prompt-intercept", faction=faction_name(mover), count=len(cells)),
                rule=INTERCEPTION,
                example=Intercept(faction=catcher, count=most),
                fields=(Number("count", 0, most),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Intercept):
            raise not_now(action, rule=INTERCEPTION)
        refuse_unless(interceptor(state) or "", action)
        most = most_intercepted(state)
        if action.count > most:
            raise Illegal(_too_many(state, action.faction, most), rule=INTERCEPTION)
        return _arrive(state, action.faction, action.count)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Let the whole fleet arrive if nobody can intercept."""
        if most_intercepted(state):
            return None
        return _arrive(state, None, 0)


def _too_many(state: State, catcher: str, most: int) -> Message:
    if not _from_box(state) and most == supply(state, catcher):
        return say("intercept-supply", count=most)
    _, cells = fleet_of(state)
    if most == len(cells):
        return say("intercept-fleet", count=most)
    return say("intercept-huguenots", count=most)


def _arrive(state: State, catcher: str | None, count: int) -> Outcome[State]:
    """Send intercepted counters to supply and pay the Huguenots; the others reach the treasury (6.2.2)."""
    account = Account(state)
    faction, cells = fleet_of(state)
    if catcher is not None and count:
        _catch(account, catcher, cells[:count])
    elif catcher is not None:
        account.step(INTERCEPTION, say("intercept-none", faction=faction_name(catcher)))
    arriving = cells[count:]
    if arriving:
        moves = [Move(faction, COUNTER, cell, TREASURY) for cell in arriving]
        message = say("fleet-arrives", faction=faction_name(faction), count=len(arriving))
        # Q-07 matters if Huguenots are present but not prompted, as their supply has no coins.
        unasked = catcher is None and interceptor(state) is not None
        account.step("6.2.1", message, moves=moves, options=(COIN_SOURCE,) if unasked else ())
    account.set(frames=done(account.state))
    return account.outcome()


def _catch(account: Account[State], catcher: str, cells: Sequence[str]) -> None:
    state = account.state
    mover, _ = fleet_of(state)
    huguenots = face_up(state, catcher)[: len(cells)]
    moves = [Move(mover, COUNTER, cell, SUPPLY) for cell in cells]
    if _from_box(state):
        moves += [Move(catcher, COUNTER, cell, TREASURY) for cell in huguenots]
        acts = []
    else:
        moves.append(Move(catcher, COUNTER, SUPPLY, TREASURY, len(cells)))
        moves += [Move(catcher, COUNTER, cell, used_place(cell)) for cell in huguenots]
        acts = [Act(catcher, say("huguenots-turn", count=len(huguenots)))]
    message = say("intercepted", faction=faction_name(catcher), count=len(cells), mover=faction_name(mover))
    account.step(INTERCEPTION, message, moves=moves, acts=acts, options=(COIN_SOURCE,))
