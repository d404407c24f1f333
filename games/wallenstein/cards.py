"""The ten action cards and the 25 event cards (digest 2.3 and 2.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.core.codec import Count
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
    """How many armies an action brings, and how many where troops are short."""

    armies: int
    short: int


RECRUIT: Mapping[str, Recruits] = {"recruit-5": Recruits(5, 3), "recruit-3": Recruits(3, 2)}
MOVEMENT = ("movement-a", "movement-b")
ACTIONS = (*BUILD, COLLECT_GOLD, COLLECT_GRAIN, *RECRUIT, RECRUIT_1, *MOVEMENT)

OPEN_ACTIONS = 5  # face up while people plan


def action_name(action: str) -> Name:
    return Name("action", action)


# Events

TRADE_BONUS = "trade-bonus"
GOOD_HARVEST = "good-harvest"
BAD_HARVEST = "bad-harvest"
TROOP_SHORTAGE = "troop-shortage"
CHURCH_PEACE = "church-peace"
ANGRY_PEASANTS = "angry-peasants"
WEARY_PEASANTS = "battle-weary-peasants"
PALACE_GUARDS = "palace-guards"

REGIONAL = (GOOD_HARVEST, BAD_HARVEST, TROOP_SHORTAGE)  # one card for each region
HARVEST: Mapping[str, int] = {GOOD_HARVEST: 2, BAD_HARVEST: -2}

# How many cards there are of each event; those of a region are called ``good-harvest:bayern``.
EVENTS: Mapping[str, int] = {
    TRADE_BONUS: 2,
    **{f"{event}:{region}": 1 for event in REGIONAL for region in REGIONS},
    CHURCH_PEACE: 3,
    ANGRY_PEASANTS: 2,
    WEARY_PEASANTS: 2,
    PALACE_GUARDS: 1,
}

EVENTS_OF_A_YEAR = 4
LARGEST_LOSS = 12  # no card shows a larger number; the printed ones are not known


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event card: what it does for a season, and the grain everybody loses if it is the last one."""

    event: str
    loss: Count


def event_name(event: str) -> Name | Message:
    """What an event is called; most are only in a region."""
    title, _, region = event.partition(":")
    if not region:
        return Name("event", title)
    return say("event-in", event=Name("event", title), region=Name("region", region))


def region_of(event: str) -> str | None:
    """2.4: the region that an event is about, if it is about one."""
    return event.partition(":")[2] or None


def copies_left(deck: Mapping[str, int], drawn: Iterable[str]) -> dict[str, int]:
    """How many cards of each event are still to be drawn."""
    gone = Counter(drawn)
    return {event: copies - gone[event] for event, copies in deck.items()}
