"""Winter: grain loss, hunger revolts, scoring, the end of unrest (digest 5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, goto, not_now
from games.core.ledger import Move
from games.core.messages import faction_name, say
from games.core.prompts import Plan, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome, Step
from games.wallenstein.actions import Draw
from games.wallenstein.battles import Clash, begin
from games.wallenstein.board import in_play
from games.wallenstein.deeds import refuse_before
from games.wallenstein.ending import finish, score_winter
from games.wallenstein.hunger import Hunger, Winter, hunger, hunger_steps
from games.wallenstein.options import reading_of
from games.wallenstein.pieces import BANK, GRAIN, PEASANTS, SUPPLY, UNREST, place_of
from games.wallenstein.planning import AnySome
from games.wallenstein.state import (
    YEARS,
    State,
    grain_of,
    owner_of,
    province_name,
    provinces_of,
    unrest_in,
    year_of,
)

RULE = "5.9"


@dataclass(frozen=True, slots=True)
class WinterPhase:
    """The frame knows who is still to draw, how many, and which drawn provinces are still to revolt."""

    name = "winter"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, count, _ = _hungry(state)
        owned = provinces_of(state, faction)
        described: Json = {"provinces": list(owned), "count": count}
        return [
            Prompt(
                faction=faction,
                title=say("prompt-hunger", count=count),
                rule=RULE,
                example=Draw(faction=faction, provinces=owned[:count]),
                fields=(Plan(("provinces",), AnySome(owned, count), described),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Draw):
            raise not_now(action, rule=RULE)
        faction, _, _ = _hungry(state)
        refuse_before(RULE, action, faction)
        return draw(state, action.provinces)

    def resolve(self, state: State) -> Outcome[State] | None:
        data = state.frames[-1].data
        if not data["begun"]:
            return lose_grain(state)
        if data["drawn"]:
            return _next_revolt(state)
        if data["hungry"]:
            faction, count, _ = _hungry(state)
            owned = provinces_of(state, faction)
            if count > 0 and len(owned) > 1:
                return None
            return draw(state, owned[:count])
        return _end_of_winter(state)


def _hungry(state: State) -> tuple[str, int, int]:
    """Who draws now, how many provinces, and how many rebels join in each."""
    faction, count, extra = state.frames[-1].data["hungry"][0]
    return faction, min(count, len(provinces_of(state, faction))), extra


# a. Grain loss


def lose_grain(state: State) -> Outcome[State]:
    """5.9 a and b: the number of the last event card, and who has not enough for all provinces."""
    account = Account(state)
    loss = state.events[0].loss if state.events else 0
    account.step(RULE, say("last-event", loss=loss))
    hungry = []
    for faction in state.order:
        found = _hunger(account, faction, loss)
        if found.revolts:
            hungry.append([faction, found.revolts, found.extra_rebels])
    data: dict[str, Json] = {"begun": True, "hungry": hungry, "drawn": []}
    account.set(events=(), frames=goto(state, Frame("winter", data)))
    return account.outcome()


def _hunger(account: Account[State], faction: str, loss: int) -> Hunger:
    state = account.state
    reading = reading_of(state.setup.options)
    winter = Winter(grain_of(state, faction), loss, len(provinces_of(state, faction)))
    found = hunger(winter, reading)
    verdict = judge(state, f"hunger:{faction}", found, Hunger, lambda ruled: _refuse_hunger(winter, ruled))
    result = verdict.result
    lost = winter.grain - result.grain
    steps = [_of_hand(step, faction) for step in hunger_steps(winter, result, reading)]
    told = Step(
        RULE,
        say("hunger-of", faction=faction_name(faction)),
        moves=(Move(faction, GRAIN, SUPPLY, BANK, lost),) if lost else (),
        steps=tuple(steps),
    )
    account.add(told.settles(verdict))
    return result


def _of_hand(step: Step, faction: str) -> Step:
    """The step with its player's hand; the grain marker moves by a move of its own."""
    acts = tuple(replace(act, hand=faction) for act in step.acts if act.message.code != "move-grain")
    return replace(step, acts=acts)


def _refuse_hunger(winter: Winter, ruled: Hunger) -> None:
    possible = 0 <= ruled.grain <= winter.grain and 0 <= ruled.revolts <= winter.provinces
    if not possible or ruled.extra_rebels < 0 or ruled.shortage < 0:
        raise Illegal(say("ruling-hunger"), rule=RULE)


# b. Hunger revolts


def draw(state: State, provinces: Sequence[str]) -> Outcome[State]:
    """5.9 b: cards drawn at random; their owner chooses the order of the revolts (A-29)."""
    faction, count, extra = _hungry(state)
    owned = provinces_of(state, faction)
    unknown = [p for p in provinces if p not in state.setup.figures["provinces"]]
    if unknown:
        raise BadInput(say("unknown-province", name=unknown[0][:40]), rule="2.1")
    if not set(provinces) <= set(owned) or len(set(provinces)) != len(provinces):
        raise Illegal(say("own-cards-once"), rule=RULE)
    if len(provinces) != count:
        raise Illegal(say("draw-exactly", count=count), rule=RULE)
    data = state.frames[-1].data
    account = Account(state)
    names = tuple(map(province_name, provinces))
    account.step(RULE, say("drew", faction=faction_name(faction), provinces=names, count=count))
    drawn = [[faction, province, extra] for province in provinces]
    frame = Frame("winter", {**data, "hungry": data["hungry"][1:], "drawn": drawn})
    account.set(frames=goto(state, frame))
    return account.outcome()


def _next_revolt(state: State) -> Outcome[State]:
    """5.8: unrest markers and hunger together; events of the season do not count (A-19)."""
    data = state.frames[-1].data
    faction, province, extra = data["drawn"][0]
    account = Account(state)
    account.set(frames=goto(state, Frame("winter", {**data, "drawn": data["drawn"][1:]})))
    if owner_of(state, province) != faction:
        account.step(RULE, say("no-longer-owned", province=province_name(province)))
        return account.outcome()
    rebels = unrest_in(state, province) + extra
    clash = Clash(kind="revolt", province=province, defender=faction, rebels=rebels)
    account.follow(begin(account.state, clash))
    return account.outcome()


# c. and d.


def _end_of_winter(state: State) -> Outcome[State]:
    """5.9 c and d: scoring, then all unrest markers come off; after the second winter the game ends."""
    account = Account(state)
    score_winter(account)
    _clear_unrest(account)
    if year_of(state) >= YEARS:
        finish(account)
    else:
        account.step("4", say("year-ends", year=year_of(state)))
        account.set(frames=(Frame("events"),))
    return account.outcome()


def _clear_unrest(account: Account[State]) -> None:
    """5.9 d: one sweep over the board, so one line for the hands."""
    state = account.state
    counts = [(p, unrest_in(state, p)) for p in in_play(state.setup)]
    marked = [(p, count) for p, count in counts if count]
    total = sum(count for _, count in marked)
    told = tuple(say("unrest-at", province=province_name(p), count=count) for p, count in marked)
    account.step(
        RULE,
        say("unrest-cleared", count=total),
        moves=[Move(PEASANTS, UNREST, place_of(p), BANK, count, reported=True) for p, count in marked],
        acts=[Act(None, say("clear-unrest", count=total, provinces=told))] if marked else [],
    )
