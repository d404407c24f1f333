"""Template data beside the map: action row, event row, holdings of players, tower.

On a TV they are in a panel to the right of the map and in a strip below it; on a phone they are lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.titles.wallenstein.names import event_title, name
from companion.titles.wallenstein.svg import attributes, square, translate
from games.wallenstein.cards import ACTIONS, EventCard
from games.wallenstein.pieces import ARMY, CUP, PEASANTS, TOWER
from games.wallenstein.state import (
    State,
    gold_of,
    grain_of,
    provinces_of,
    supply_of,
)

# Layout on a TV, in SVG units
CARD_PITCH, PURSE_PITCH = 46, 50  # vertical distances of rows
EVENT_COLUMN = 710  # horizontal distance of the two columns of the event row
EVENT_COLUMNS = 2
SYMBOL, TOKEN = 32, 34
TOKEN_TO_TEXT = 28  # from the top of a token to the baseline of the text beside it

SEASON_Y = 54  # baselines, unless they say otherwise
UPPER_TITLE_Y, CARD_Y, HUNGRY_TOP = 120, 170, 144
ORDER_TITLE_Y, PURSE_TOP = 690, 716
EVENT_Y, EVENTS_TITLE_Y, EVENT_ROW_Y = 1030, 1084, 1130
CARD_X, NAME_X = 50, 46
MOST_LETTERS = 21  # of an action that fits into the panel
SQUEEZE = attributes(textLength=376, lengthAdjust="spacingAndGlyphs")

# Columns of the play order: symbol, its left edge, right edge of the numbers below.
COLUMNS = (
    ("gold", 166, 198),
    ("grain", 222, 252),
    ("army", 284, 314),
    ("tower", 338, 368),
    ("cup", 382, 410),
)

LAYOUT: Mapping[str, Any] = {
    "side": translate(1000, 0),
    "below": translate(12, 0),
    "season": attributes(y=SEASON_Y),
    "upper_title": attributes(y=UPPER_TITLE_Y),
    "card_place": attributes(x=36, y=CARD_Y),
    "card_name": attributes(x=CARD_X, y=CARD_Y),
    "card_back": attributes(x=CARD_X, y=CARD_Y - 24, width=220, height=30, rx=4),
    "hungry_token": square(TOKEN, y=HUNGRY_TOP),
    "hungry_name": attributes(x=NAME_X, y=HUNGRY_TOP + TOKEN_TO_TEXT),
    "hungry_sum": attributes(x=340, y=HUNGRY_TOP + TOKEN_TO_TEXT),
    "hungry_short": attributes(x=420, y=HUNGRY_TOP + TOKEN_TO_TEXT),
    "order_title": attributes(y=ORDER_TITLE_Y),
    "heads": [(symbol, square(SYMBOL, x=left, y=ORDER_TITLE_Y - 26)) for symbol, left, _right in COLUMNS],
    "purse_token": square(TOKEN, y=PURSE_TOP),
    "purse_name": attributes(x=NAME_X, y=PURSE_TOP + TOKEN_TO_TEXT),
    **{symbol: attributes(x=right, y=PURSE_TOP + TOKEN_TO_TEXT) for symbol, _left, right in COLUMNS},
    "event": attributes(y=EVENT_Y),
    "events_title": attributes(y=EVENTS_TITLE_Y),
    "event_name": attributes(y=EVENT_ROW_Y),
    "event_loss": attributes(x=680, y=EVENT_ROW_Y),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A space of the action row: an action card, open or face down."""

    place: int
    action: str  # empty: face down
    is_done: bool
    is_now: bool

    @property
    def name(self) -> str:
        return name("action", self.action) if self.action else ""

    @property
    def transform(self) -> str:
        return translate(0, CARD_PITCH * (self.place - 1))

    @property
    def css(self) -> str:
        return f"card{' done' if self.is_done else ''}{' now' if self.is_now else ''}"

    @property
    def squeeze(self) -> str:
        """Return the attributes that fit a long name into the panel."""
        return SQUEEZE if len(self.name) > MOST_LETTERS else ""


@dataclass(frozen=True, slots=True)
class EventSlot:
    """An event card in the row of the year."""

    index: int
    title: str
    loss: int

    @property
    def transform(self) -> str:
        row, column = divmod(self.index, EVENT_COLUMNS)
        return translate(EVENT_COLUMN * column, CARD_PITCH * row)


@dataclass(frozen=True, slots=True)
class Purse:
    """Holdings of a player beside the board; peasants have only cubes."""

    faction: str
    index: int
    armies: int  # in supply
    tower: int
    cup: int
    gold: int = 0
    grain: int = 0
    provinces: int = 0

    @property
    def name(self) -> str:
        return name("faction", self.faction)

    @property
    def transform(self) -> str:
        return translate(0, PURSE_PITCH * self.index)

    @property
    def short(self) -> int:
        """Return the grain shortage: provinces minus grain, at least 0."""
        return max(0, self.provinces - self.grain)

    @property
    def is_player(self) -> bool:
        return self.faction != PEASANTS


def cards_of(state: State) -> list[Card]:
    """Return the action row; an action is marked as current only during the actions phase."""
    if not state.row:
        return []
    frame = next((frame for frame in state.frames if frame.phase == "actions"), None)
    current = frame.data["action"] if frame else 0
    return [
        Card(
            place=i + 1,
            action=state.row[i] if i < len(state.row) else "",
            is_done=i < current,
            is_now=frame is not None and i == current,
        )
        for i in range(len(ACTIONS))
    ]


def event_slot(index: int, card: EventCard) -> EventSlot:
    return EventSlot(index, event_title(card.event), card.loss)


def purse_of(state: State, colour: str, index: int) -> Purse:
    cubes = Purse(
        faction=colour,
        index=index,
        armies=supply_of(state, colour),
        tower=state.ledger.count(colour, ARMY, TOWER),
        cup=state.ledger.count(colour, ARMY, CUP),
    )
    if colour == PEASANTS:
        return cubes
    return replace(
        cubes,
        gold=gold_of(state, colour),
        grain=grain_of(state, colour),
        provinces=len(provinces_of(state, colour)),
    )
