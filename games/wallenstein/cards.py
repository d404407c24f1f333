"""The ten action cards and the 25 event cards (2.3, 2.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.core.codec import Count
from games.core.errors import BadInput, Illegal
from games.core.messages import Message, Name, say
from games.wallenstein.pieces import CHURCH, PALACE, REGIONS, TRADING_HOUSE

# Actions

BUILD: Mapping[str, str] = {
    "build-palace": PALACE,
    "build-church": CHURCH,
    "build-trading-house": TRADING_HOUSE,
}
COLLECT_GOLD = "collect-gold"
COLLECT_GRAIN = "collect-grain"
RECRUIT_1 = "recruit-1"


class Recruits(NamedTuple):
    """Armies that a recruiting action brings, normally and under a troop shortage."""

    armies: int
    short: int


RECRUIT: Mapping[str, Recruits] = {"recruit-5": Recruits(5, 3), "recruit-3": Recruits(3, 2)}
MOVEMENT = ("movement-a", "movement-b")
ACTIONS = (*BUILD, COLLECT_GOLD, COLLECT_GRAIN, *RECRUIT, RECRUIT_1, *MOVEMENT)

OPEN_ACTIONS = 5  # face up during planning


def action_name(action: str) -> Name:
    return Name("action", action)


def refuse_action(action: str) -> None:
    """Raise `BadInput` if there is no such action card (2.3)."""
    if action not in ACTIONS:
        raise BadInput(say("unknown-card", card=action[:40], known=ACTIONS), rule="2.3")


# Events

TRADE_BONUS = "trade-bonus"
GOOD_HARVEST = "good-harvest"
BAD_HARVEST = "bad-harvest"
TROOP_SHORTAGE = "troop-shortage"
CHURCH_PEACE = "church-peace"
ANGRY_PEASANTS = "angry-peasants"
WEARY_PEASANTS = "battle-weary-peasants"
PALACE_GUARDS = "palace-guards"

REGIONAL = (GOOD_HARVEST, BAD_HARVEST, TROOP_SHORTAGE)  # one card per region
HARVEST: Mapping[str, int] = {GOOD_HARVEST: 2, BAD_HARVEST: -2}

# Copies of each event card; regional events have keys such as `good-harvest:bayern`.
EVENTS: Mapping[str, int] = {
    TRADE_BONUS: 2,
    **{f"{event}:{region}": 1 for event in REGIONAL for region in REGIONS},
    CHURCH_PEACE: 3,
    ANGRY_PEASANTS: 2,
    WEARY_PEASANTS: 2,
    PALACE_GUARDS: 1,
}

EVENTS_OF_A_YEAR = 4
LARGEST_LOSS = 12  # upper bound for input; the printed numbers are not in the source


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event card: the event, and the grain loss applied if it is the last card of the year."""

    event: str
    loss: Count


def event_name(event: str) -> Name | Message:
    """Return the display name of an event, with its region if it has one."""
    title, _, region = event.partition(":")
    if not region:
        return Name("event", title)
    return say("event-in", event=Name("event", title), region=Name("region", region))


def region_of(event: str) -> str | None:
    """Return the region of an event, or None if it applies everywhere (2.4)."""
    return event.partition(":")[2] or None


def copies_left(deck: Mapping[str, int], drawn: Iterable[str]) -> dict[str, int]:
    """Return how many cards of each event remain in the deck."""
    gone = Counter(drawn)
    return {event: copies - gone[event] for event, copies in deck.items()}


def refuse_event(event: str) -> None:
    """Raise `BadInput` if there is no such event (2.4)."""
    if event not in EVENTS:
        raise BadInput(say("unknown-card", card=event[:40], known=tuple(EVENTS)), rule="2.4")


def refuse_losses(cards: Iterable[EventCard]) -> None:
    """Raise `Illegal` if a grain loss is larger than any card can show (2.4)."""
    if any(card.loss > LARGEST_LOSS for card in cards):
        raise Illegal(say("loss-too-large", most=LARGEST_LOSS), rule="2.4")
