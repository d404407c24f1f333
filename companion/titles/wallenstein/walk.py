"""Stops of Wallenstein's walk: the provinces by region, then the players."""

from __future__ import annotations

from django.utils.translation import gettext

from companion import wording
from companion.titles.walks import Spot, Stop, Walk, chunks
from companion.titles.wallenstein.names import name
from games.wallenstein.board import in_play, province_of, regions_in_play
from games.wallenstein.pieces import (
    ARMY,
    CUP,
    GOLD,
    GRAIN,
    PARTS,
    PEASANTS,
    POINT,
    SUPPLY,
    TILES,
    TOWER,
    UNREST,
    place_of,
    score_place,
)
from games.wallenstein.state import State

MAX_PROVINCES = 5  # per stop
COMMON = frozenset({*TILES, UNREST})


def walk(state: State) -> Walk:
    regions = [stop for region in regions_in_play(state.setup) for stop in _region(state, region)]
    players = [_player(faction) for faction in state.order]
    return Walk((*regions, *_cup(state), *players, _peasants()), COMMON)


def _region(state: State, region: str) -> list[Stop]:
    inside = [slug for slug in in_play(state.setup) if province_of(state.setup, slug).region == region]
    parts = chunks(inside, MAX_PROVINCES)
    return [
        Stop(
            f"{region}-{number}", _title(region, number, len(parts)), tuple(_province(slug) for slug in part)
        )
        for number, part in enumerate(parts, 1)
    ]


def _title(region: str, number: int, parts: int) -> str:
    title = name("region", region)
    return f"{title} {number}/{parts}" if parts > 1 else title


def _province(slug: str) -> Spot:
    return Spot(place_of(slug), name("province", slug), frozenset({ARMY}) | COMMON)


def _cup(state: State) -> list[Stop]:
    """Return a stop for the cup, unless it is empty, as it usually is."""
    if not state.ledger.at(CUP):
        return []
    title = wording.capital(name("place", CUP))
    return [Stop("cup", title, (Spot(CUP, title, frozenset({ARMY})),))]


def _player(faction: str) -> Stop:
    first, *others = (score_place(part) for part in PARTS)
    return Stop(
        f"of-{faction}",
        name("faction", faction),
        (
            Spot(
                SUPPLY,
                gettext("Beside the board"),
                offered=((faction, GOLD), (faction, GRAIN)),
                owner=faction,
            ),
            Spot(
                first,
                gettext("On the score track"),
                offered=((faction, POINT),),
                owner=faction,
                also=tuple(others),
            ),
            _cubes(faction),
        ),
        owner=faction,
    )


def _cubes(colour: str) -> Spot:
    note = gettext("Nobody sees into the tower. What is missing here is taken to be there.")
    return Spot(
        SUPPLY, gettext("Cubes in supply"), offered=((colour, ARMY),), owner=colour, against=TOWER, note=note
    )


def _peasants() -> Stop:
    return Stop(f"of-{PEASANTS}", name("faction", PEASANTS), (_cubes(PEASANTS),), owner=PEASANTS)
