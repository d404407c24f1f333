"""Hiring helpers (digest 5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.checks import check_one_of
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import Frame, done
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome
from games.signoria.actions import Hire
from games.signoria.asking import asked, skip, whose
from games.signoria.board import HelperSpace
from games.signoria.options import HELPERS_UNLIMITED, NEW_HELPER_AT_ONCE
from games.signoria.pieces import BANK, COLOURS, HELPER, NEUTRAL, SUPPLY, helper_place
from games.signoria.state import State, florins, frame_data, has_helper, option, pay, printed

RULE = "5.2"
FEW = 4  # remaining helpers from which players are warned


def hire_frame(faction: str, colour: str | None) -> Frame:
    """Return the frame for hiring with a die's ring and price; `colour` None: any space, free."""
    return Frame("hire", {"faction": faction, "colour": colour})


def price_of(state: State, colour: str | None, space: HelperSpace) -> int:
    """Return the price printed at the helper space, else the one at the hire icon (R-22)."""
    if colour is None:
        return 0
    return space.price or printed(state).action(colour).price


def stock(state: State) -> int:
    return state.ledger.count(NEUTRAL, HELPER, SUPPLY)


def _empty(state: State, faction: str, colour: str | None) -> list[HelperSpace]:
    """Return the empty helper spaces with the ring that a die of this colour hires for."""
    ring = None if colour is None else printed(state).action(colour).ring
    spaces = printed(state).helper_spaces()
    return [s for s in spaces if ring in (None, s.ring) and not has_helper(state, faction, s)]


def why_not_hire(state: State, faction: str, colour: str | None) -> Message | None:
    """Return the reason why a die of this colour cannot hire a helper, or None (5.1)."""
    if not stock(state) and not option(state, HELPERS_UNLIMITED.name):
        return say("helpers-gone")
    empty = _empty(state, faction, colour)
    if not empty:
        if colour is None:
            return say("no-helper-space")
        return say("no-ring-free", ring=Name("ring", printed(state).action(colour).ring))
    price = min(price_of(state, colour, space) for space in empty)
    have = florins(state, faction)
    return say("hire-price", count=price, have=have) if price > have else None


def can_hire(state: State, data: Mapping[str, Json]) -> bool:
    return why_not_hire(state, data["faction"], data["colour"]) is None


@dataclass(frozen=True, slots=True)
class Hiring:
    """Phase: choose the space for the hired helper."""

    name = "hire"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, colour = whose(state), frame_data(state)["colour"]
        have = florins(state, faction)
        ways = tuple(
            (space.column, space.row)
            for space in _empty(state, faction, colour)
            if price_of(state, colour, space) <= have
        )
        column, row = ways[0]
        return [
            Prompt(
                faction=faction,
                title=say("prompt-hire"),
                rule=RULE,
                example=Hire(faction=faction, column=column, row=row),
                fields=(Joint(("column", "row"), ways),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        hire = asked(state, action, Hire, RULE)
        space = _space_of(state, hire)
        _refuse(state, hire, space)
        account = Account(state)
        _hire(account, hire, space)
        account.set(frames=_with_new_helper(done(account.state), hire))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if can_hire(state, frame_data(state)) else skip(state, RULE)


def _space_of(state: State, hire: Hire) -> HelperSpace:
    check_one_of(hire.column, COLOURS, "column", rule=RULE)
    matches = [space for space in printed(state).column(hire.column) if space.row == hire.row]
    if not matches:
        raise Illegal(say("no-such-helper-space", column=Name("die", hire.column), row=hire.row), rule=RULE)
    return matches[0]


def _refuse(state: State, hire: Hire, space: HelperSpace) -> None:
    colour = frame_data(state)["colour"]
    if colour is not None:
        ring = printed(state).action(colour).ring
        if space.ring != ring:
            message = say("wrong-ring", colour=Name("die", colour), ring=Name("ring", ring))
            raise Illegal(message, rule=RULE)
    if has_helper(state, hire.faction, space):
        raise Illegal(say("helper-there"), rule=RULE)
    _refuse_price(price_of(state, colour, space), florins(state, hire.faction))


def _hire(account: Account[State], hire: Hire, space: HelperSpace) -> None:
    """Pay for a helper and put it on its space; it has no immediate effect (5.2)."""
    state, faction = account.state, hire.faction
    have = florins(state, faction)
    colour = frame_data(state)["colour"]
    cost = price_of(state, colour, space)
    verdict = judge(state, f"hire:{faction}", cost, Count, lambda price: _refuse_price(price, have))
    source = SUPPLY if stock(state) else BANK  # BANK: a substitute piece
    helper = Move(NEUTRAL, HELPER, source, helper_place(faction, hire.column, hire.row))
    message = say(
        "hired",
        faction=faction_name(faction),
        helper=Name("helper", space.kind),
        column=Name("die", hire.column),
        row=hire.row,
        count=verdict.result,
    )
    options = [HELPERS_UNLIMITED.name] if source == BANK else []
    options += [NEW_HELPER_AT_ONCE.name] if space.column == colour else []
    moves = [*pay(faction, verdict.result), helper]
    account.step(RULE, message, moves=moves, options=options, verdict=verdict)
    if source == SUPPLY and stock(account.state) <= FEW:
        account.step(RULE, say("helpers-few", count=stock(account.state)), options=[HELPERS_UNLIMITED.name])


def _refuse_price(price: int, have: int) -> None:
    if price > have:
        raise Illegal(say("hire-price", count=price, have=have), rule=RULE)


def _with_new_helper(frames: tuple[Frame, ...], hire: Hire) -> tuple[Frame, ...]:
    """Store the new helper's space in the helpers frame, which must skip it this turn (R-04)."""
    if not frames or frames[-1].phase != "helpers":
        return frames
    return (*frames[:-1], frames[-1].with_data(hired=[hire.column, hire.row]))
