"""Where a game of Revolution stands, and the questions the rules ask about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.core.actions import Ruling
from games.core.flow import Frame
from games.core.game import Setup
from games.core.ledger import Ledger, Places
from games.revolution.board import Atlas, Province, atlas_of
from games.revolution.factions import ALLIANCES, EVERYBODY, FACTIONS, NEUTRAL, Counts
from games.revolution.pieces import ARMY, COUNTER, SUPPLY

PLACES = Places()
TREASURY = "treasury"
HUGUENOTS = "huguenots"
SPANISH_TREASURY = "spanish-treasury"
LAST_ROUND = 5
TWO_PLAYERS = 2

Parts = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class State:
    """The ledger holds counters, armies and beggars; cards and the three charts stand beside it.

    Money is a counter at ``treasury``. A besieging army lies at ``siege:city`` and keeps a box of the
    city's region; a released one at ``released:region``; a used Huguenot at ``used:huguenots:cell``.
    """

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    cities: Mapping[str, str | None]  # who holds each city card
    provinces: Mapping[str, str | None]  # who holds each province card
    bishoprics: Mapping[str, str] = field(default_factory=dict)  # province -> column, from 0.7 on
    universities: Mapping[str, str] = field(default_factory=dict)  # place -> state, from 0.7 on
    allegiance: Mapping[str, int] = field(default_factory=dict)  # city -> column, from 0.7 on
    scores: Mapping[str, Mapping[str, Parts]] = field(default_factory=dict)  # round -> faction -> parts
    hirer: str | None = None  # who uses the Water Beggars this round
    driven_back: Mapping[str, Counts] = field(default_factory=dict)  # region -> armies beggars drove back
    stopped: Mapping[str, int] = field(default_factory=dict)  # region -> armies beggars kept from leaving
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


def atlas(state: State) -> Atlas:
    """The board of this table's copy."""
    return atlas_of(state.setup.figures)


def option(state: State, name: str) -> object:
    return state.setup.options[name]


def alliances(state: State) -> Sequence[Collection[str]]:
    """3.1: with two players each has two factions, which are allied."""
    return ALLIANCES if state.setup.players == TWO_PLAYERS else ()


def everybody(state: State) -> tuple[str, ...]:
    """The factions in play in their fixed order, and the neutrals."""
    return tuple(f for f in EVERYBODY if f in state.order or f == NEUTRAL)


def in_fixed_order(factions: Collection[str]) -> tuple[str, ...]:
    """4.2.1."""
    return tuple(f for f in FACTIONS if f in factions)


# Counters


def counters(state: State, owner: str, place: str) -> int:
    return state.ledger.count(owner, COUNTER, place)


def supply(state: State, owner: str) -> int:
    return counters(state, owner, SUPPLY)


def treasury(state: State, faction: str) -> int:
    return counters(state, faction, TREASURY)


def army_supply(state: State, faction: str) -> int:
    return state.ledger.count(faction, ARMY, SUPPLY)


def counts_at(state: State, places: Iterable[str]) -> dict[str, int]:
    """Everybody's counters at some places together, zeros included."""
    lying = list(places)
    return {owner: sum(counters(state, owner, place) for place in lying) for owner in everybody(state)}


def is_besieged(state: State, city: str) -> bool:
    """6.6: an army, or Water Beggars, lie on the city (``city:haarlem``)."""
    return bool(state.ledger.at(city.replace("city:", "siege:", 1)))


def open_places(state: State, province: Province) -> tuple[str, ...]:
    """6.6: countryside, towns, and the cities nobody besieges."""
    cities = tuple(city for city in province.cities if not is_besieged(state, city))
    return (province.countryside, *province.towns, *cities)


def countable(state: State, province: Province) -> dict[str, int]:
    """6.11: everybody's counters in a province without besieged cities."""
    return counts_at(state, open_places(state, province))


def outside_cities(state: State, province: Province) -> dict[str, int]:
    """5.7: everybody's counters in countryside and towns."""
    return counts_at(state, (province.countryside, *province.towns))


def town_holder(state: State, town: str) -> str | None:
    """6.10: a town belongs to whose counter stands on it; nobody's if it is neutral."""
    return next((f for f in state.order if counters(state, f, town)), None)


def holder(state: State, settlement: str) -> str | None:
    """6.10: of a city who has the card, of a town who stands on it."""
    kind, _, slug = settlement.partition(":")
    return state.cities[slug] if kind == "city" else town_holder(state, settlement)


def cities_held(state: State, faction: str) -> list[str]:
    return [city for city, held_by in state.cities.items() if held_by == faction]


def provinces_held(state: State, faction: str) -> list[str]:
    return [province for province, held_by in state.provinces.items() if held_by == faction]


# Support boxes


def in_support(state: State, faction: str) -> list[str]:
    """The cells where a faction has a counter that is not used up, in the order of the board."""
    return [cell for cell in atlas(state).cells if counters(state, faction, cell)]


def used_place(cell: str) -> str:
    """6.2.2: where a Huguenot counter lies that has intercepted: the same cell, face down."""
    return cell.replace("support:", "used:", 1)


def is_free(state: State, cell: str) -> bool:
    """5.2: one counter to a cell, a used one too."""
    return not state.ledger.at(cell) and not state.ledger.at(used_place(cell))


def box_users(state: State, box: str) -> list[str]:
    """Who has counters in a box, used ones too."""
    cells = atlas(state).support[box].places
    places = [place for cell in cells for place in (cell, used_place(cell))]
    return [f for f in state.order if any(counters(state, f, place) for place in places)]


def why_closed(state: State, faction: str, box: str) -> str | None:
    """5.2: who else uses the Huguenots' box, which the Burghers and Reformers never share."""
    if box != HUGUENOTS:
        return None
    return next((user for user in box_users(state, box) if user != faction), None)


def free_cells(state: State, faction: str) -> list[str]:
    """5.2, 6.10: the empty cells of boxes a faction may use now."""
    return [
        cell
        for slug, box in atlas(state).support.items()
        if faction in box.factions and why_closed(state, faction, slug) is None
        for cell in box.places
        if is_free(state, cell)
    ]


def box_of(cell: str) -> str:
    """``support:jesuits:2`` -> ``jesuits``."""
    return cell.split(":")[1]


# Armies


def armies_at(state: State, place: str) -> dict[str, int]:
    """Whose armies are at a place: a strip, the released ones of a region, a siege."""
    return {f: n for f in state.order if (n := state.ledger.count(f, ARMY, place))}


def siege_places(state: State, region: str) -> tuple[str, ...]:
    """The cities of a region, as places of a siege."""
    land = atlas(state)
    return tuple(
        city.replace("city:", "siege:", 1)
        for province in land.regions[region].provinces
        for city in land.provinces[province].cities
    )


def boxes_taken(state: State, region: str) -> int:
    """6.4: armies in the strip, and those besieging or released, which keep their box."""
    here = atlas(state).regions[region]
    places = (here.strip, here.released, *siege_places(state, region))
    return sum(sum(armies_at(state, place).values()) for place in places)


def free_boxes(state: State, region: str) -> int:
    return max(0, atlas(state).regions[region].boxes - boxes_taken(state, region))


def active_armies(state: State, region: str) -> dict[str, int]:
    """6.20: armies of a region in its strip or besieging, not released ones."""
    places = (atlas(state).regions[region].strip, *siege_places(state, region))
    found = [armies_at(state, place) for place in places]
    return {f: n for f in state.order if (n := sum(here.get(f, 0) for here in found))}
