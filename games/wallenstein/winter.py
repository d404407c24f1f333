"""Winter: grain loss, hunger revolts, scoring, removal of unrest (5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, goto, not_now
from games.core.ledger import Move
from games.core.messages import faction_name, say
from games.core.prompts import Plan, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome, Step
from games.wallenstein.actions import Draw
from games.wallenstein.battles import Clash, begin
from games.wallenstein.board import in_play, refuse_unknown
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
    """Winter. The frame holds the pending draws and the drawn provinces still to revolt."""

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
    """Return the player who draws next, the number of provinces, and the extra rebels in each."""
    faction, count, extra = state.frames[-1].data["hungry"][0]
    return faction, min(count, len(provinces_of(state, faction))), extra


# a. Grain loss


def lose_grain(state: State) -> Outcome[State]:
    """Apply the grain loss of the last event card and list the players with a shortage (5.9 a, b)."""
    account = Account(state)
    loss = state.events[0].loss if state.events else 0
    account.step(RULE, say("last-event", loss=loss))
    hungry = []
    for faction in state.order:
        result = _hunger(account, faction, loss)
        if result.revolts:
            hungry.append([faction, result.revolts, result.extra_rebels])
    data: dict[str, Json] = {"begun": True, "hungry": hungry, "drawn": []}
    account.set(events=(), frames=goto(state, Frame("winter", data)))
    return account.outcome()


def _hunger(account: Account[State], faction: str, loss: int) -> Hunger:
    state = account.state
    reading = reading_of(state.setup.options)
    winter = Winter(grain_of(state, faction), loss, len(provinces_of(state, faction)))
    computed = hunger(winter, reading)
    verdict = judge(state, f"hunger:{faction}", computed, Hunger, lambda ruled: _refuse_hunger(winter, ruled))
    result = verdict.result
    lost = winter.grain - result.grain
    steps = [_assigned_to(step, faction) for step in hunger_steps(winter, result, reading)]
    summary = Step(
        RULE,
        say("hunger-of", faction=faction_name(faction)),
        moves=(Move(faction, GRAIN, SUPPLY, BANK, lost),) if lost else (),
        steps=tuple(steps),
    )
    account.add(summary.settles(verdict))
    return result


def _assigned_to(step: Step, faction: str) -> Step:
    """Return the step with its acts assigned to the player; the ledger move replaces `move-grain`."""
    acts = tuple(replace(act, hand=faction) for act in step.acts if act.message.code != "move-grain")
    return replace(step, acts=acts)


def _refuse_hunger(winter: Winter, ruled: Hunger) -> None:
    possible = 0 <= ruled.grain <= winter.grain and 0 <= ruled.revolts <= winter.provinces
    if not possible or ruled.extra_rebels < 0 or ruled.shortage < 0:
        raise Illegal(say("ruling-hunger"), rule=RULE)


# b. Hunger revolts


def draw(state: State, provinces: Sequence[str]) -> Outcome[State]:
    """Record the drawn provinces, in the order of revolts chosen by their owner (5.9 b, A-29)."""
    faction, count, extra = _hungry(state)
    owned = provinces_of(state, faction)
    for province in provinces:
        refuse_unknown(state.setup, province)
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
    """Begin the next revolt: unrest markers plus extra rebels; events do not apply (5.8, A-19)."""
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


# c. and d. Scoring and removal of unrest


def _end_of_winter(state: State) -> Outcome[State]:
    """Score, remove all unrest markers, then begin the next year or end the game (5.9 c, d)."""
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
    """Remove all unrest markers (5.9 d), with one combined act for the whole board."""
    state = account.state
    counts = [(p, unrest_in(state, p)) for p in in_play(state.setup)]
    marked = [(p, count) for p, count in counts if count]
    total = sum(count for _, count in marked)
    places = tuple(say("unrest-at", province=province_name(p), count=count) for p, count in marked)
    account.step(
        RULE,
        say("unrest-cleared", count=total),
        moves=[Move(PEASANTS, UNREST, place_of(p), BANK, count, reported=True) for p, count in marked],
        acts=[Act(None, say("clear-unrest", count=total, provinces=places))] if marked else [],
    )
