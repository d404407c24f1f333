"""One action of one player: what it brings, or why it is cancelled (digest 5.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import Frame, call
from games.core.ledger import Move
from games.core.messages import Message, Param, faction_name, say
from games.core.rulings import Verdict, judge
from games.core.steps import Account, Act, Step
from games.wallenstein.cards import action_name, event_name, region_of
from games.wallenstein.pieces import ARMY, BANK, GOLD, GRAIN, SUPPLY, place_of
from games.wallenstein.state import (
    State,
    gold_of,
    grain_of,
    province_name,
    supply_of,
)
from games.wallenstein.state import region_of as region_of_province

RULE = "5.2"

NO_GOLD = "no-gold"
NO_CUBES = "no-cubes"
NO_FREE_CITY = "no-free-city"
SAME_BUILDING = "same-building"
NO_TILE = "no-tile"
ONE_ARMY_ONLY = "one-army-only"
NO_TARGET = "no-target"


@dataclass(frozen=True, slots=True)
class Turned:
    """A card that was turned over: whose it is, on which action it lay, and the province it shows."""

    faction: str
    action: str
    province: str

    @property
    def key(self) -> str:
        return f"action:{self.action}:{self.faction}"


@dataclass(frozen=True, slots=True)
class Deed:
    """What an action brings: gold and grain (less than 0: costs), armies; or why it is cancelled."""

    cancelled: str | None = None
    gold: int = 0
    grain: int = 0
    armies: int = 0


Check: TypeAlias = Callable[[Deed], None]


def judged(state: State, card: Turned, found: Deed, check: Check = lambda _deed: None) -> Verdict[Deed]:
    """What an action brings, unless the table rules differently."""

    def refuse(deed: Deed) -> None:
        _refuse_impossible(state, card, deed)
        if deed.cancelled is None:
            check(deed)

    return judge(state, card.key, found, Deed, refuse)


def _refuse_impossible(state: State, card: Turned, deed: Deed) -> None:
    """A ruling that no hand could carry out: gold, grain or cubes that are not there."""
    enough = (
        gold_of(state, card.faction) + deed.gold >= 0
        and grain_of(state, card.faction) + deed.grain >= 0
        and 0 <= deed.armies <= supply_of(state, card.faction)
    )
    if not enough:
        raise Illegal(say("ruling-deed"), rule=RULE)


def moves_of(card: Turned, deed: Deed) -> list[Move]:
    """Gold and grain from or to the bank, armies into the province."""
    moves = []
    for piece, count in ((GOLD, deed.gold), (GRAIN, deed.grain)):
        if count > 0:
            moves.append(Move(card.faction, piece, BANK, SUPPLY, count))
        if count < 0:
            moves.append(Move(card.faction, piece, SUPPLY, BANK, -count))
    if deed.armies:
        moves.append(Move(card.faction, ARMY, SUPPLY, place_of(card.province), deed.armies))
    return moves


def decide(account: Account[State], card: Turned, phase: str) -> None:
    """5.2: the card is turned over, and its player has something to decide."""
    account.step(
        RULE,
        say(
            "turns-over",
            faction=faction_name(card.faction),
            action=action_name(card.action),
            province=province_name(card.province),
        ),
    )
    data = {"faction": card.faction, "province": card.province, "action": card.action}
    account.set(frames=call(account.state, Frame(phase, data)))


def cancel(account: Account[State], card: Turned, verdict: Verdict[Deed], why: Message) -> None:
    """5.2: an action that cannot be done in full is not done at all; its player is told why."""
    told: dict[str, Param] = {
        "action": action_name(card.action),
        "province": province_name(card.province),
        "reason": say("cancelled-by-ruling") if verdict.ruling else why,
    }
    account.step(
        RULE,
        say("cancelled", faction=faction_name(card.faction), **told),
        acts=[Act(card.faction, say("not-done", **told))],
        verdict=verdict,
    )


def refuse_before(rule: str, action: Action, turn: str) -> None:
    """4: play order is essential where armies move or fight."""
    if action.faction != turn:
        raise Illegal(
            say("acts-before", first=faction_name(turn), faction=faction_name(action.faction)), rule=rule
        )


# Events


def event_in(state: State, event: str, province: str) -> bool:
    """2.4: whether an event is in force for a province this season."""
    if state.current is None or state.current.partition(":")[0] != event:
        return False
    return region_of(state.current) in (None, region_of_province(state, province))


def bites(state: State, message: Message) -> Step:
    """2.4: that the event of the season has an effect here."""
    return Step("2.4", say("event-bites", event=event_name(state.current or ""), effect=message))


# Why an action is cancelled


def no_gold(state: State, faction: str, price: int) -> Message:
    return say("no-gold", count=price, gold=gold_of(state, faction))


def no_cubes(state: State, faction: str) -> Message:
    return say("no-cubes", count=supply_of(state, faction))
