"""Building a palace, a church or a trading house (5.3)."""

from __future__ import annotations

from games.core.errors import Illegal
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.steps import Account
from games.wallenstein.board import price_of, province_of
from games.wallenstein.cards import BUILD, TRADE_BONUS
from games.wallenstein.deeds import (
    NO_FREE_CITY,
    NO_GOLD,
    NO_TILE,
    SAME_BUILDING,
    Deed,
    Turned,
    bites,
    cancel,
    event_in,
    judged,
    moves_of,
    no_gold,
)
from games.wallenstein.pieces import PEASANTS, SUPPLY, TILE, TRADING_HOUSE, place_of
from games.wallenstein.state import State, buildings_in, gold_of, province_name, tiles_in

RULE = "5.3"
BONUS = 1


def build(account: Account[State], card: Turned) -> None:
    """Pay the price and put the tile on a free city (5.3)."""
    state = account.state
    building, bonus = BUILD[card.action], _has_bonus(state, card)
    reason = why_not_build(state, card)
    computed = (
        Deed(cancelled=reason)
        if reason
        else Deed(gold=BONUS if bonus else -price_of(state.setup, card.action))
    )
    verdict = judged(state, card, computed, lambda _deed: _refuse_without_tile(state, building))
    if verdict.result.cancelled is not None:
        cancel(account, card, verdict, _cancel_message(state, card, reason or ""))
        return
    tile = Move(PEASANTS, TILE[building], SUPPLY, place_of(card.province))
    gold = verdict.result.gold
    code = "builds" if gold <= 0 else "builds-with-bonus"
    params = {"faction": faction_name(card.faction), "province": province_name(card.province)}
    account.step(
        RULE,
        say(code, building=Name("building", building), count=abs(gold), **params),
        moves=[*moves_of(card, verdict.result), tile],
        steps=[bites(state, say("bonus", count=BONUS))] if bonus else [],
        verdict=verdict,
    )


def _has_bonus(state: State, card: Turned) -> bool:
    """Return True if the trade bonus makes this trading house free and pays gold (2.4)."""
    return BUILD[card.action] == TRADING_HOUSE and event_in(state, TRADE_BONUS, card.province)


def why_not_build(state: State, card: Turned) -> str | None:
    """Return the reason why the building is impossible, or None (5.3).

    At most one building per city and one of a type per province, while tiles and gold last.
    """
    building = BUILD[card.action]
    if building in buildings_in(state, card.province):
        return SAME_BUILDING
    if tiles_in(state, card.province) >= province_of(state.setup, card.province).cities:
        return NO_FREE_CITY
    if not state.ledger.count(PEASANTS, TILE[building], SUPPLY):
        return NO_TILE
    if not _has_bonus(state, card) and gold_of(state, card.faction) < price_of(state.setup, card.action):
        return NO_GOLD
    return None


def _refuse_without_tile(state: State, building: str) -> None:
    if not state.ledger.count(PEASANTS, TILE[building], SUPPLY):
        raise Illegal(_no_tile(building), rule=RULE)


def _cancel_message(state: State, card: Turned, reason: str) -> Message:
    building, province = BUILD[card.action], province_name(card.province)
    match reason:
        case "same-building":
            return say("same-building", province=province, building=Name("building", building))
        case "no-free-city":
            return say("no-free-city", province=province)
        case "no-tile":
            return _no_tile(building)
    return no_gold(state, card.faction, price_of(state.setup, card.action))


def _no_tile(building: str) -> Message:
    return say("no-tile", buildings=Name("all-buildings", building))
