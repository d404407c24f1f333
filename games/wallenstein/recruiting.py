"""Recruiting armies (5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import done, not_now
from games.core.messages import Message, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.steps import Account, Outcome
from games.wallenstein.actions import Recruit
from games.wallenstein.board import price_of
from games.wallenstein.cards import RECRUIT, RECRUIT_1, TROOP_SHORTAGE
from games.wallenstein.deeds import (
    NO_CUBES,
    NO_GOLD,
    NO_TARGET,
    ONE_ARMY_ONLY,
    Deed,
    Turned,
    bites,
    cancel,
    decide,
    event_in,
    judged,
    moves_of,
    no_cubes,
    no_gold,
    refuse_before,
)
from games.wallenstein.movement import card_of, move_peacefully, refuse_target
from games.wallenstein.state import (
    State,
    armies_in,
    gold_of,
    neighbours_of,
    owner_of,
    province_name,
    supply_of,
)

RULE = "5.5"


# Recruit 5 and recruit 3


def recruit(account: Account[State], card: Turned) -> None:
    """Pay and put all armies into the province, or cancel the action (5.5)."""
    state = account.state
    reason = why_not_recruit(state, card)
    count, price = recruits_of(state, card), price_of(state.setup, card.action)
    computed = Deed(cancelled=reason) if reason else Deed(gold=-price, armies=count)
    verdict = judged(state, card, computed)
    if verdict.result.cancelled is not None:
        why = no_gold(state, card.faction, price) if reason == NO_GOLD else no_cubes(state, card.faction)
        cancel(account, card, verdict, why)
        return
    account.step(
        RULE,
        _recruits_message(state, card, verdict.result),
        moves=moves_of(card, verdict.result),
        steps=[bites(state, say("troops-short", count=count))] if _is_troop_shortage(state, card) else [],
        verdict=verdict,
    )


def _recruits_message(state: State, card: Turned, deed: Deed) -> Message:
    return say(
        "recruits",
        count=deed.armies,
        gold=-deed.gold,
        now=armies_in(state, card.province, card.faction) + deed.armies,
        faction=faction_name(card.faction),
        province=province_name(card.province),
    )


def _is_troop_shortage(state: State, card: Turned) -> bool:
    return event_in(state, TROOP_SHORTAGE, card.province)


def recruits_of(state: State, card: Turned) -> int:
    """Return the number of armies an action brings; fewer under a troop shortage (5.5)."""
    recruits = RECRUIT[card.action]
    return recruits.short if _is_troop_shortage(state, card) else recruits.armies


def why_not_recruit(state: State, card: Turned) -> str | None:
    """Return the reason why recruiting is impossible, or None: gold and cubes must suffice (5.5)."""
    if gold_of(state, card.faction) < price_of(state.setup, card.action):
        return NO_GOLD
    if supply_of(state, card.faction) < recruits_of(state, card):
        return NO_CUBES
    return None


# Recruit 1: one army and/or a move


def levy(account: Account[State], card: Turned) -> None:
    """Let the player choose one half of the action or both, or cancel it (5.5)."""
    verdict = judged(account.state, card, Deed(cancelled=why_not_levy(account.state, card)), _refuse_nothing)
    if verdict.result.cancelled is not None:
        cancel(account, card, verdict, _cancel_message(account.state, card))
        return
    decide(account, card, "recruit")


def _refuse_nothing(_deed: Deed) -> None:
    """Raise `Illegal`: a ruling demands the action although neither half is possible."""
    raise Illegal(say("ruling-deed"), rule=RULE)


def why_not_levy(state: State, card: Turned) -> str | None:
    """Return the reason why neither half is possible, or None (5.5)."""
    if levies(state, card):
        return None
    if armies_in(state, card.province, card.faction) > 1:
        return NO_TARGET
    return NO_GOLD if not gold_of(state, card.faction) else ONE_ARMY_ONLY


def _cancel_message(state: State, card: Turned) -> Message:
    price = price_of(state.setup, RECRUIT_1)
    first = (
        no_gold(state, card.faction, price)
        if gold_of(state, card.faction) < price
        else no_cubes(state, card.faction)
    )
    return say("neither-half", first=first, province=province_name(card.province))


def can_place(state: State, card: Turned) -> bool:
    return (
        gold_of(state, card.faction) >= price_of(state.setup, RECRUIT_1)
        and supply_of(state, card.faction) > 0
    )


def own_neighbours(state: State, card: Turned) -> list[str]:
    return [p for p in neighbours_of(state, card.province) if owner_of(state, p) == card.faction]


def levies(state: State, card: Turned) -> tuple[tuple[bool, str | None, int], ...]:
    """Return all choices: whether to place an army, and a move of armies into an own neighbour or none."""
    standing = armies_in(state, card.province, card.faction)
    placing = (True, False) if can_place(state, card) else (False,)
    targets = own_neighbours(state, card)
    staying: list[tuple[bool, str | None, int]] = [(True, None, 0)] if placing[0] else []
    moving = [
        (place, target, armies)
        for place in placing
        for target in targets
        for armies in range(1, standing + place)
    ]
    return (*staying, *moving)


@dataclass(frozen=True, slots=True)
class Levy:
    """The player places an army, moves armies, or both. The frame holds the card."""

    name = "recruit"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        card = card_of(state)
        ways = levies(state, card)
        place, target, armies = ways[0]
        example = Recruit(faction=card.faction, place=place, target=target, armies=armies)
        title = say("prompt-recruit", province=province_name(card.province))
        fields = (Joint(("place", "target", "armies"), ways),)
        return [Prompt(faction=card.faction, title=title, rule=RULE, example=example, fields=fields)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        card = card_of(state)
        if not isinstance(action, Recruit):
            raise not_now(action, rule=RULE)
        refuse_before(RULE, action, card.faction)
        _refuse_levy(state, card, action)
        return _carry_out(state, card, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Skip the prompt if there is one choice; cancel if a correction left none."""
        card = card_of(state)
        ways = levies(state, card)
        if len(ways) > 1:
            return None
        if ways:
            place, target, armies = ways[0]
            action = Recruit(faction=card.faction, place=place, target=target, armies=armies)
            return _carry_out(state, card, action)
        account = Account(state)
        verdict = judged(state, card, Deed(cancelled=why_not_levy(state, card)))
        cancel(account, card, verdict, _cancel_message(state, card))
        account.set(frames=done(state))
        return account.outcome()


def _refuse_levy(state: State, card: Turned, action: Recruit) -> None:
    if not action.place and action.target is None:
        raise Illegal(say("must-be-done"), rule="5.2")
    if action.place and gold_of(state, card.faction) < price_of(state.setup, RECRUIT_1):
        raise Illegal(no_gold(state, card.faction, price_of(state.setup, RECRUIT_1)), rule=RULE)
    if action.place and not supply_of(state, card.faction):
        raise Illegal(no_cubes(state, card.faction), rule=RULE)
    if action.target is None:
        if action.armies:
            raise Illegal(say("where-to"), rule=RULE)
        return
    refuse_target(state, RULE, card.province, action.target)
    if owner_of(state, action.target) != card.faction:
        raise Illegal(say("own-only"), rule=RULE)
    most = armies_in(state, card.province, card.faction) + action.place - 1
    if not 1 <= action.armies <= most:
        raise Illegal(say("move-between", count=most), rule=RULE)


def _carry_out(state: State, card: Turned, action: Recruit) -> Outcome[State]:
    account = Account(state)
    if action.place:
        deed = Deed(gold=-price_of(state.setup, RECRUIT_1), armies=1)
        account.step(RULE, _recruits_message(state, card, deed), moves=moves_of(card, deed))
    if action.target is not None:
        move_peacefully(account, RULE, card, action.target, action.armies)
    account.set(frames=done(state))
    return account.outcome()
