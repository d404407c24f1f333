"""Actions that players enter in Wallenstein."""

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
    """Enter the cubes that fell out when the tower was filled, by colour."""

    type: ClassVar[str] = "fill"
    fallen: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """Take the provinces of a letter of the first-game table."""

    type: ClassVar[str] = "take"
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Action):
    """Enter the two province cards that are face up when the draft begins."""

    type: ClassVar[str] = "open"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(Action):
    """Put both open cards under the deck and enter the two that replace them."""

    type: ClassVar[str] = "replace"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Action):
    """Take an open card or the top card of the deck and place a group of armies in its province."""

    type: ClassVar[str] = "draft"
    province: str
    armies: Count
    turned: str | None = None  # card turned up to replace a taken open card


# A year and its seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Action):
    """Enter the four event cards of a year."""

    type: ClassVar[str] = "events"
    cards: tuple[EventCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Action):
    """Enter the five open action cards in order."""

    type: ClassVar[str] = "row"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Action):
    """Announce the actions on which a player with too few cards places none."""

    type: ClassVar[str] = "announce"
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Action):
    """Plan a province for each action; actions not listed get blank cards."""

    type: ClassVar[str] = "plan"
    hidden: ClassVar[bool] = True
    cards: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Action):
    """Enter the shuffled general cards as the turn order."""

    type: ClassVar[str] = "order"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Action):
    """Enter the index (from 0) of the event card drawn for the season."""

    type: ClassVar[str] = "event"
    card: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Action):
    """Enter the action card turned up after an action is completed."""

    type: ClassVar[str] = "turn"
    card: str


# Actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(Action):
    """Enter the province card that was on the action when planning on boards; None is a blank card."""

    type: ClassVar[str] = "reveal"
    province: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit(Action):
    """Recruit 1: buy an army, move armies into a neighbouring province of one's own, or both."""

    type: ClassVar[str] = "recruit"
    place: bool
    target: str | None = None
    armies: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """Move armies into a neighbouring province, peacefully or as an attack."""

    type: ClassVar[str] = "move"
    target: str
    armies: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Defend(Action):
    """Commit a number of the province's armies to the battle."""

    type: ClassVar[str] = "defend"
    armies: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(Action):
    """Enter the cubes that fell into the cup, by colour."""

    type: ClassVar[str] = "throw"
    fallen: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    """Enter the provinces that revolt because of hunger, in the order in which their owner fights."""

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
