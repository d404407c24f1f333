"""Where a game of Wallenstein stands, and the questions the rules ask about it.

The ledger holds cubes, gold, grain, buildings, unrest markers and points. Who has a province's
card follows from whose armies stand there; ``kept`` says it where none does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.core.actions import Ruling
from games.core.codec import Count
from games.core.flow import Frame
from games.core.game import Setup
from games.core.ledger import Ledger, Places
from games.core.messages import Name
from games.wallenstein.board import in_play, province_of
from games.wallenstein.cards import EventCard
from games.wallenstein.learning import Falls
from games.wallenstein.pieces import (
    ARMY,
    BANK,
    BUILDINGS,
    CUP,
    GOLD,
    GRAIN,
    PEASANTS,
    SUPPLY,
    TILE,
    TOWER,
    UNREST,
    place_of,
)

PLACES = Places(unlimited=frozenset({BANK}))

SEASONS = ("spring", "summer", "autumn", "winter")
YEARS = 2
ROUNDS = YEARS * len(SEASONS)


@dataclass(frozen=True, slots=True)
class Fell:
    """What was entered of a throw: for which province, and how many cubes of each colour."""

    province: str
    fallen: Mapping[str, Count]


@dataclass(frozen=True, slots=True)
class State:
    """A round is a season: 1 to 4 in the first year, 5 to 8 in the second."""

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    events: tuple[EventCard, ...] = ()  # of the year, still in the row
    current: str | None = None  # the event of the season
    drawn: tuple[str, ...] = ()  # events that were in a row before and are set aside
    row: tuple[str, ...] = ()  # the action cards that have been open this season, in order
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # province cards at planning
    empty: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # actions announced to stay without
    plans: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # secret: action -> province
    turned: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)  # what was revealed
    lost: tuple[str, ...] = ()  # provinces whose card changed hands this season
    kept: Mapping[str, str] = field(default_factory=dict)  # owners of provinces without an army
    falls: Falls = field(default_factory=Falls)  # what came out of the tower so far; no rule asks for it
    last: Fell | None = None  # the newest throw of the season, for phones that enter it once more
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


# Time


def year_of(state: State) -> int:
    return (max(state.round, 1) - 1) // len(SEASONS) + 1


def season_of(state: State) -> str:
    return SEASONS[(max(state.round, 1) - 1) % len(SEASONS)]


# Provinces


def armies_in(state: State, province: str, faction: str) -> int:
    return state.ledger.count(faction, ARMY, place_of(province))


def owner_of(state: State, province: str) -> str | None:
    """Whose armies stand in a province (after a correction, most of them); else who kept it without one."""
    standing = {f: armies_in(state, province, f) for f in state.setup.factions}
    most = max(standing.values())
    if most:
        return next(faction for faction, armies in standing.items() if armies == most)
    return state.kept.get(province)


def provinces_of(state: State, faction: str) -> tuple[str, ...]:
    """The provinces of a player, sorted."""
    return tuple(p for p in in_play(state.setup) if owner_of(state, p) == faction)


def unrest_in(state: State, province: str) -> int:
    return state.ledger.count(PEASANTS, UNREST, place_of(province))


def buildings_in(state: State, province: str) -> list[str]:
    place = place_of(province)
    return [b for b in BUILDINGS if state.ledger.count(PEASANTS, TILE[b], place)]


def tiles_in(state: State, province: str) -> int:
    """How many building tiles lie in a province."""
    place = place_of(province)
    return sum(state.ledger.count(PEASANTS, TILE[b], place) for b in BUILDINGS)


def region_of(state: State, province: str) -> str:
    return province_of(state.setup, province).region


def neighbours_of(state: State, province: str) -> tuple[str, ...]:
    return province_of(state.setup, province).neighbours


def province_name(province: str) -> Name:
    return Name("province", province)


# Supplies


def gold_of(state: State, faction: str) -> int:
    return state.ledger.count(faction, GOLD, SUPPLY)


def grain_of(state: State, faction: str) -> int:
    return state.ledger.count(faction, GRAIN, SUPPLY)


def supply_of(state: State, colour: str) -> int:
    """Cubes that are not in play."""
    return state.ledger.count(colour, ARMY, SUPPLY)


def colours_of(state: State) -> tuple[str, ...]:
    """Everybody with cubes: the players clockwise, and the peasants."""
    return (*state.setup.factions, PEASANTS)


def in_tower(state: State) -> dict[str, int]:
    return {colour: state.ledger.count(colour, ARMY, TOWER) for colour in colours_of(state)}


def in_cup(state: State) -> dict[str, int]:
    return {colour: state.ledger.count(colour, ARMY, CUP) for colour in colours_of(state)}


# Who enters what nobody decides


def clerk(state: State) -> str:
    """The first in play order enters cards that were drawn for the whole table."""
    return state.order[0]
