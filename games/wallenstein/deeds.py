"""One action of one player: its effect, or the reason why it is cancelled (5.2)."""

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
    """A card that was turned over: its player, its action and the province it shows."""

    faction: str
    action: str
    province: str

    @property
    def key(self) -> str:
        return f"action:{self.action}:{self.faction}"


@dataclass(frozen=True, slots=True)
class Deed:
    """Effect of an action: gold and grain (negative: cost) and armies, or the reason for its cancellation."""

    cancelled: str | None = None
    gold: int = 0
    grain: int = 0
    armies: int = 0


Check: TypeAlias = Callable[[Deed], None]


def judged(state: State, card: Turned, computed: Deed, check: Check = lambda _deed: None) -> Verdict[Deed]:
    """Return the effect of an action, or the ruling of the table that replaces it."""

    def refuse(deed: Deed) -> None:
        _refuse_impossible(state, card, deed)
        if deed.cancelled is None:
            check(deed)

    return judge(state, card.key, computed, Deed, refuse)


def _refuse_impossible(state: State, card: Turned, deed: Deed) -> None:
    """Raise `Illegal` if a ruling needs gold, grain or cubes that the player does not have."""
    enough = (
        gold_of(state, card.faction) + deed.gold >= 0
        and grain_of(state, card.faction) + deed.grain >= 0
        and 0 <= deed.armies <= supply_of(state, card.faction)
    )
    if not enough:
        raise Illegal(say("ruling-deed"), rule=RULE)


def moves_of(card: Turned, deed: Deed) -> list[Move]:
    """Return the moves of gold and grain from or to the bank and of armies into the province."""
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
    """Turn the card over and call the phase in which its player decides (5.2)."""
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
    """Cancel an action that cannot be carried out in full, and tell its player why (5.2)."""
    params: dict[str, Param] = {
        "action": action_name(card.action),
        "province": province_name(card.province),
        "reason": say("cancelled-by-ruling") if verdict.ruling else why,
    }
    account.step(
        RULE,
        say("cancelled", faction=faction_name(card.faction), **params),
        acts=[Act(card.faction, say("not-done", **params))],
        verdict=verdict,
    )


def refuse_before(rule: str, action: Action, turn: str) -> None:
    """Raise `Illegal` if the player acts before `turn`; turn order matters where armies move or fight (4)."""
    if action.faction != turn:
        raise Illegal(
            say("acts-before", first=faction_name(turn), faction=faction_name(action.faction)), rule=rule
        )


# Events


def event_in(state: State, event: str, province: str) -> bool:
    """Return True if an event is in force in a province this season (2.4)."""
    if state.current is None or state.current.partition(":")[0] != event:
        return False
    return region_of(state.current) in (None, region_of_province(state, province))


def bites(state: State, message: Message) -> Step:
    """Return the step that names the current event as the cause of an effect (2.4)."""
    return Step("2.4", say("event-bites", event=event_name(state.current or ""), effect=message))


# Reasons for cancelling


def no_gold(state: State, faction: str, price: int) -> Message:
    return say("no-gold", count=price, gold=gold_of(state, faction))


def no_cubes(state: State, faction: str) -> Message:
    return say("no-cubes", count=supply_of(state, faction))
