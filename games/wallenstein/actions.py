"""What people enter in Wallenstein."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action
from games.core.codec import Count
from games.wallenstein.cards import EventCard

# Set-up


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill(Action):
    """The cubes that fell out when the tower was filled, by colour."""

    type: ClassVar[str] = "fill"
    fallen: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """The letter whose provinces a player takes from the table for a first game."""

    type: ClassVar[str] = "take"
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Action):
    """The two province cards that lie face up when the draft begins."""

    type: ClassVar[str] = "open"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(Action):
    """Both open cards go under the deck; these two are turned up instead."""

    type: ClassVar[str] = "replace"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Action):
    """Take an open card, or the top one of the deck, and put a group of cubes into its province."""

    type: ClassVar[str] = "draft"
    province: str
    armies: Count
    turned: str | None = None  # the card that takes the place of an open one


# A year and its seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Action):
    """The four event cards of a year."""

    type: ClassVar[str] = "events"
    cards: tuple[EventCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Action):
    """The five open action cards, in their order."""

    type: ClassVar[str] = "row"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Action):
    """The actions on which a player short of cards lays none."""

    type: ClassVar[str] = "announce"
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Action):
    """The province in which each action is planned; blank cards lie on all others."""

    type: ClassVar[str] = "plan"
    hidden: ClassVar[bool] = True
    cards: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Action):
    """The general cards, as they were shuffled."""

    type: ClassVar[str] = "order"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Action):
    """Which of the year's event cards was drawn for the season, counted from 0."""

    type: ClassVar[str] = "event"
    card: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Action):
    """The action card that was turned up after one was done."""

    type: ClassVar[str] = "turn"
    card: str


# Actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Action):
    """The province card that lay on the action, where a group plans on its boards; None: a blank one."""

    type: ClassVar[str] = "reveal"
    province: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit(Action):
    """Recruit 1: pay for an army, move armies into a province of one's own, or both."""

    type: ClassVar[str] = "recruit"
    place: bool
    target: str | None = None
    armies: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """Armies leave a province for a neighbouring one, peacefully or not."""

    type: ClassVar[str] = "move"
    target: str
    armies: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Defend(Action):
    """How many armies of the province fight."""

    type: ClassVar[str] = "defend"
    armies: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(Action):
    """The cubes that lie in the cup after a throw, by colour."""

    type: ClassVar[str] = "throw"
    fallen: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    """The provinces that revolt out of hunger, in the order in which their owner fights."""

    type: ClassVar[str] = "hunger"
    provinces: tuple[str, ...]


ACTIONS: tuple[type[Action], ...] = (
    Fill,
    Take,
    Open,
    Replace,
    Draft,
    Events,
    Row,
    Announce,
    Plan,
    Order,
    Event,
    Turn,
    Reveal,
    Recruit,
    March,
    Defend,
    Throw,
    Draw,
)
