"""Collecting gold and grain, and the unrest it causes (5.4)."""

from __future__ import annotations

from games.core.messages import faction_name, say
from games.core.steps import Account, Step
from games.wallenstein.battles import Clash, add_unrest, begin
from games.wallenstein.board import province_of
from games.wallenstein.cards import COLLECT_GOLD, HARVEST
from games.wallenstein.deeds import Deed, Turned, bites, cancel, event_in, judged, moves_of
from games.wallenstein.state import State, grain_of, province_name, unrest_in

RULE = "5.4"


def collect(account: Account[State], card: Turned) -> None:
    """Collect the yield, then hold a revolt if there is unrest, then add an unrest marker (5.4, A-01)."""
    state = account.state
    verdict = judged(state, card, yield_of(state, card))
    if verdict.result.cancelled is not None:
        cancel(account, card, verdict, say("cancelled-by-ruling"))
        return
    deed = verdict.result
    named = {"faction": faction_name(card.faction), "province": province_name(card.province)}
    if card.action == COLLECT_GOLD:
        message = say("collects-gold", count=deed.gold, **named)
    else:
        now = grain_of(state, card.faction) + deed.grain
        message = say("collects-grain", count=deed.grain, now=now, **named)
    account.step(
        RULE, message, moves=moves_of(card, deed), steps=_harvest_steps(state, card), verdict=verdict
    )
    _unrest(account, card)


def yield_of(state: State, card: Turned) -> Deed:
    """Return the yield of the province card; a harvest event changes grain, not below 0 (5.4, A-11)."""
    province = province_of(state.setup, card.province)
    if card.action == COLLECT_GOLD:
        return Deed(gold=province.gold)
    return Deed(grain=max(0, province.grain + _harvest(state, card)))


def _harvest(state: State, card: Turned) -> int:
    return sum(more for event, more in HARVEST.items() if event_in(state, event, card.province))


def _harvest_steps(state: State, card: Turned) -> list[Step]:
    more = _harvest(state, card)
    if card.action == COLLECT_GOLD or not more:
        return []
    return [bites(state, say("harvest-more" if more > 0 else "harvest-less", count=abs(more)))]


def _unrest(account: Account[State], card: Turned) -> None:
    rebels = unrest_in(account.state, card.province)
    if not rebels:
        add_unrest(account, card.province)
        return
    clash = Clash(kind="revolt", province=card.province, defender=card.faction, rebels=rebels, marker=True)
    account.follow(begin(account.state, clash))
