"""Stops of Revolution's walk: regions, then support boxes, treasuries and supplies."""

from __future__ import annotations

from django.utils.translation import gettext

from companion import wording
from companion.titles.revolution.names import name, place_name
from companion.titles.walks import Spot, Stop, Walk
from games.revolution.board import Atlas, Province, Region
from games.revolution.factions import NEUTRAL
from games.revolution.pieces import ARMY, BEGGAR, BEGGARS_BOX, COUNTER, SUPPLY
from games.revolution.state import TREASURY, State, atlas, everybody, siege_places, used_place

MAX_PLACES = 9  # per stop
COUNTERS, ARMIES = frozenset({COUNTER}), frozenset({ARMY})


def walk(state: State) -> Walk:
    land = atlas(state)
    regions = [stop for region in land.regions.values() for stop in _region(state, land, region)]
    beside = (_support(state, land), _treasuries(state), _supplies(state))
    return Walk((*regions, *beside), common=frozenset({BEGGAR}))


def _region(state: State, land: Atlas, region: Region) -> list[Stop]:
    """Return the stops of a region: as many provinces as fit a screen, the command strip in the last stop."""
    groups: list[list[Province]] = []
    for province in (land.provinces[slug] for slug in region.provinces):
        fits = groups and sum(len(p.places) for p in groups[-1]) + len(province.places) < MAX_PLACES
        groups[-1].append(province) if fits else groups.append([province])
    stops = [_provinces(state, group) for group in groups]
    last = stops.pop()
    spots = (*last.spots, *_armies(state, region))
    return [*stops, Stop(last.slug, last.title, spots)]


def _provinces(state: State, group: list[Province]) -> Stop:
    spots = [spot for province in group for spot in _province(state, province, alone=len(group) == 1)]
    return Stop(group[0].slug, ", ".join(name("province", p.slug) for p in group), tuple(spots))


def _province(state: State, province: Province, *, alone: bool) -> list[Spot]:
    """Return the spots of a province, with the coins beside a city only if there are any."""
    title = gettext("Countryside") if alone else wording.capital(place_name(province.countryside))
    settled = [Spot(place, place_name(place), COUNTERS) for place in (*province.towns, *province.cities)]
    coins = [city.replace("city:", "influence:", 1) for city in province.cities]
    beside = [
        Spot(place, wording.capital(place_name(place)), COUNTERS) for place in coins if state.ledger.at(place)
    ]
    return [Spot(province.countryside, title, COUNTERS), *settled, *beside]


def _armies(state: State, region: Region) -> list[Spot]:
    """Return the command strip, and places of besieging or released armies and Water Beggars unless empty."""
    out = (*siege_places(state, region.slug), region.released, f"region:{region.slug}")
    rare = [place for place in out if state.ledger.at(place)]
    return [Spot(place, wording.capital(place_name(place)), ARMIES) for place in (region.strip, *rare)]


def _support(state: State, land: Atlas) -> Stop:
    spots = []
    for cell in land.cells:
        spots.append(Spot(cell, place_name(cell), COUNTERS))
        if state.ledger.at(used_place(cell)):
            spots.append(Spot(used_place(cell), place_name(used_place(cell)), COUNTERS))
    return Stop("support", gettext("Support boxes"), tuple(spots))


def _treasuries(state: State) -> Stop:
    coins = tuple((faction, COUNTER) for faction in state.order)
    beggars = Spot(
        BEGGARS_BOX, wording.capital(place_name(BEGGARS_BOX)), frozenset({BEGGAR}), ((NEUTRAL, BEGGAR),)
    )
    treasury = Spot(TREASURY, gettext("Treasuries"), COUNTERS, coins)
    return Stop("treasuries", gettext("Treasuries and Water Beggars"), (treasury, beggars))


def _supplies(state: State) -> Stop:
    counters = tuple((owner, COUNTER) for owner in everybody(state))
    armies = tuple((faction, ARMY) for faction in state.order)
    spots = (Spot(SUPPLY, gettext("Supplies"), offered=(*counters, *armies)),)
    return Stop("supplies", gettext("Supplies"), spots, note=gettext("Counted last, this proves the rest."))
