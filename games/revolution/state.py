"""The state of a game of Revolution, and queries of the rules on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.core.actions import Ruling
from games.core.flow import Frame
from games.core.game import Setup
from games.core.ledger import Ledger, Places
from games.revolution.board import Atlas, Province, atlas_of
from games.revolution.factions import EVERYBODY, NEUTRAL, Counts, alliances_of
from games.revolution.pieces import ARMY, COUNTER, SUPPLY

PLACES = Places()
TREASURY = "treasury"
HUGUENOTS = "huguenots"
SPANISH_TREASURY = "spanish-treasury"
LAST_ROUND = 5

Parts = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class State:
    """Immutable state of a game: a ledger of counters, armies and Water Beggars, plus cards and charts.

    Money is a counter at `treasury`. A besieging army is at `siege:<city>` and still occupies a box of the
    city's region; a released army is at `released:<region>`; a used Huguenot is at `used:huguenots:<cell>`.
    """

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    cities: Mapping[str, str | None]  # city -> faction that holds its card
    provinces: Mapping[str, str | None]  # province -> faction that holds its card
    bishoprics: Mapping[str, str] = field(default_factory=dict)  # province -> column, from phase 0.7 on
    universities: Mapping[str, str] = field(default_factory=dict)  # place -> status, from phase 0.7 on
    allegiance: Mapping[str, int] = field(default_factory=dict)  # city -> column, from phase 0.7 on
    scores: Mapping[str, Mapping[str, Parts]] = field(default_factory=dict)  # round -> faction -> parts
    hirer: str | None = None  # faction that hired the Water Beggars this round
    driven_back: Mapping[str, Counts] = field(default_factory=dict)  # region -> armies driven back by beggars
    stopped: Mapping[str, int] = field(default_factory=dict)  # region -> armies stopped by beggars
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


def atlas(state: State) -> Atlas:
    """Return the board of this table's copy."""
    return atlas_of(state.setup.figures)


def option(state: State, name: str) -> object:
    return state.setup.options[name]


def alliances(state: State) -> Sequence[Collection[str]]:
    """Return the allied pairs (3.1)."""
    return alliances_of(state.setup.players)


def everybody(state: State) -> tuple[str, ...]:
    """Return the factions in play in fixed order, followed by the neutrals."""
    return tuple(f for f in EVERYBODY if f in state.order or f == NEUTRAL)


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
    """Return each owner's total of counters at the places, zeros included."""
    all_places = list(places)
    return {owner: sum(counters(state, owner, place) for place in all_places) for owner in everybody(state)}


def is_besieged(state: State, city: str) -> bool:
    """Return whether an army or Water Beggars besiege the city, given as `city:haarlem` (6.6)."""
    return bool(state.ledger.at(city.replace("city:", "siege:", 1)))


def open_places(state: State, province: Province) -> tuple[str, ...]:
    """Return the countryside, the towns and the cities that are not besieged (6.6)."""
    cities = tuple(city for city in province.cities if not is_besieged(state, city))
    return (province.countryside, *province.towns, *cities)


def countable(state: State, province: Province) -> dict[str, int]:
    """Return each owner's counters in the province, besieged cities excluded (6.11)."""
    return counts_at(state, open_places(state, province))


def outside_cities(state: State, province: Province) -> dict[str, int]:
    """Return each owner's counters in countryside and towns (5.7)."""
    return counts_at(state, (province.countryside, *province.towns))


def town_holder(state: State, town: str) -> str | None:
    """Return the faction whose counter is in the town, or None if it is empty or neutral (6.10)."""
    return next((f for f in state.order if counters(state, f, town)), None)


def holder(state: State, settlement: str) -> str | None:
    """Return the holder of a city's card, or the faction in a town (6.10)."""
    kind, _, slug = settlement.partition(":")
    return state.cities[slug] if kind == "city" else town_holder(state, settlement)


def cities_held(state: State, faction: str) -> list[str]:
    return [city for city, held_by in state.cities.items() if held_by == faction]


def provinces_held(state: State, faction: str) -> list[str]:
    return [province for province, held_by in state.provinces.items() if held_by == faction]


# Support boxes


def in_support(state: State, faction: str) -> list[str]:
    """Return the cells with a face-up counter of the faction, in board order."""
    return [cell for cell in atlas(state).cells if counters(state, faction, cell)]


def used_place(cell: str) -> str:
    """Return the place of a Huguenot that has intercepted: the same cell, face down (6.2.2)."""
    return cell.replace("support:", "used:", 1)


def is_free(state: State, cell: str) -> bool:
    """Return whether the cell holds no counter, used or not (5.2)."""
    return not state.ledger.at(cell) and not state.ledger.at(used_place(cell))


def box_users(state: State, box: str) -> list[str]:
    """Return the factions with counters in the box, used ones included."""
    cells = atlas(state).support[box].places
    places = [place for cell in cells for place in (cell, used_place(cell))]
    return [f for f in state.order if any(counters(state, f, place) for place in places)]


def why_closed(state: State, faction: str, box: str) -> str | None:
    """Return the faction that keeps another out of the Huguenots' box, which is never shared (5.2)."""
    if box != HUGUENOTS:
        return None
    return next((user for user in box_users(state, box) if user != faction), None)


def free_cells(state: State, faction: str) -> list[str]:
    """Return the empty cells of the boxes that the faction may use now (5.2, 6.10)."""
    return [
        cell
        for slug, box in atlas(state).support.items()
        if faction in box.factions and why_closed(state, faction, slug) is None
        for cell in box.places
        if is_free(state, cell)
    ]


def box_of(cell: str) -> str:
    """Return the box of a cell: `support:jesuits:2` -> `jesuits`."""
    return cell.split(":")[1]


# Armies


def armies_at(state: State, place: str) -> dict[str, int]:
    """Return the armies by faction at a strip, a siege or the released place of a region."""
    return {f: n for f in state.order if (n := state.ledger.count(f, ARMY, place))}


def siege_places(state: State, region: str) -> tuple[str, ...]:
    """Return the siege places of all cities of the region."""
    land = atlas(state)
    return tuple(
        city.replace("city:", "siege:", 1)
        for province in land.regions[region].provinces
        for city in land.provinces[province].cities
    )


def boxes_taken(state: State, region: str) -> int:
    """Return the occupied boxes of a strip; besieging and released armies keep theirs (6.4)."""
    here = atlas(state).regions[region]
    places = (here.strip, here.released, *siege_places(state, region))
    return sum(sum(armies_at(state, place).values()) for place in places)


def free_boxes(state: State, region: str) -> int:
    return max(0, atlas(state).regions[region].boxes - boxes_taken(state, region))


def active_armies(state: State, region: str) -> dict[str, int]:
    """Return the armies by faction in the strip or besieging in the region, without released ones (6.20)."""
    places = (atlas(state).regions[region].strip, *siege_places(state, region))
    armies_by_place = [armies_at(state, place) for place in places]
    return {f: n for f in state.order if (n := sum(here.get(f, 0) for here in armies_by_place))}
