"""State of a game of Wallenstein and queries on it.

The ledger holds cubes, gold, grain, buildings, unrest markers and points. The owner of a province follows
from the armies that stand there; `kept` names the owner of a province without armies.
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
    """The newest entered throw: the province fought for and the fallen cubes per colour."""

    province: str
    fallen: Mapping[str, Count]


@dataclass(frozen=True, slots=True)
class State:
    """Immutable state of a game; rounds are seasons, 1 to 4 in the first year and 5 to 8 in the second."""

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    events: tuple[EventCard, ...] = ()  # cards of the year that are still in the row
    current: str | None = None  # event in force this season
    drawn: tuple[str, ...] = ()  # events drawn in this and earlier years
    row: tuple[str, ...] = ()  # action cards turned up this season, in order
    # Province cards held when planning began.
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Actions announced to stay without a card.
    empty: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plans: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # secret: action -> province
    # Revealed cards: action -> province or None.
    turned: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    lost: tuple[str, ...] = ()  # provinces conquered or destroyed this season
    kept: Mapping[str, str] = field(default_factory=dict)  # owners of provinces without armies
    falls: Falls = field(default_factory=Falls)  # statistics of all throws; not used by any rule
    last: Fell | None = None  # newest throw of the season, to detect a second entry of it
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
    """Return the faction with (most) armies in a province, else its owner in `kept`, else None.

    Only a correction can leave armies of several factions in one province.
    """
    standing = {f: armies_in(state, province, f) for f in state.setup.factions}
    most = max(standing.values())
    if most:
        return next(faction for faction, armies in standing.items() if armies == most)
    return state.kept.get(province)


def provinces_of(state: State, faction: str) -> tuple[str, ...]:
    """Return the provinces of a player, sorted."""
    return tuple(p for p in in_play(state.setup) if owner_of(state, p) == faction)


def unrest_in(state: State, province: str) -> int:
    return state.ledger.count(PEASANTS, UNREST, place_of(province))


def buildings_in(state: State, province: str) -> list[str]:
    place = place_of(province)
    return [b for b in BUILDINGS if state.ledger.count(PEASANTS, TILE[b], place)]


def tiles_in(state: State, province: str) -> int:
    """Return the number of building tiles in a province."""
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
    """Return the number of cubes in the supply of a colour."""
    return state.ledger.count(colour, ARMY, SUPPLY)


def colours_of(state: State) -> tuple[str, ...]:
    """Return all owners of cubes: the players clockwise, then the peasants."""
    return (*state.setup.factions, PEASANTS)


def in_tower(state: State) -> dict[str, int]:
    return {colour: state.ledger.count(colour, ARMY, TOWER) for colour in colours_of(state)}


def in_cup(state: State) -> dict[str, int]:
    return {colour: state.ledger.count(colour, ARMY, CUP) for colour in colours_of(state)}


# Table-wide entries


def clerk(state: State) -> str:
    """Return the first player in turn order, who enters cards drawn for the whole table."""
    return state.order[0]
