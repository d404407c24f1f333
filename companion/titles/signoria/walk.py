"""Stops of Signoria's walk: cities, tracks and dice, then the player boards."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from companion import wording
from companion.titles.signoria.names import name, title
from companion.titles.walks import Spot, Stop, Walk, chunks
from games.signoria.pieces import (
    ALLIANCES,
    BRIDE,
    CAREERS,
    COLOURS,
    DICE,
    DISC,
    EARLIER,
    FIELDS,
    FLORIN,
    HELPER,
    MAN,
    MEMBERS,
    NEUTRAL,
    POINT,
    RESERVE,
    SOURCES,
    SUPPLY,
    THRESHOLD,
    TILE,
    WOMAN,
    action_place,
    city_place,
    dice_place,
    face_down_place,
    face_up_place,
    helper_place,
    initiative_place,
    portraits_place,
    score_place,
    tile_place,
    track_place,
    unrolled,
)
from games.signoria.state import State, discs, printed

MAX_CITIES = 2  # per stop
TILES, FIGURES = frozenset(ALLIANCES), frozenset(MEMBERS)
COMMON = frozenset({*ALLIANCES, *DICE, *map(unrolled, COLOURS), HELPER, BRIDE, TILE})


def walk(state: State) -> Walk:
    players = [_player(state, faction) for faction in state.order]
    return Walk((*_cities(state), _tracks(state), _initiative(state), _dice(), *players, _common()), COMMON)


def _spot(place: str, allowed: frozenset[str], note: str = "") -> Spot:
    return Spot(place, wording.capital(name("place", place)), allowed, note=note)


def _cities(state: State) -> list[Stop]:
    """Return the stops of the cities: the tiles above and the figures below each."""
    return [
        Stop(
            part[0],
            ", ".join(name("city", city) for city in part),
            tuple(spot for city in part for spot in _city(state, city)),
        )
        for part in chunks(state.cities, MAX_CITIES)
    ]


def _city(state: State, city: str) -> list[Spot]:
    above = [_spot(tile_place(kind, city), TILES) for kind in ("mission", "marriage")]
    below = [_spot(city_place(city, number), FIGURES) for number in printed(state).city_spaces(city)]
    return [*above, *below]


def _tracks(state: State) -> Stop:
    spaces = [
        track_place(career, index)
        for career in CAREERS
        for index in range(1, printed(state).spaces(career) + 1)
    ]
    spots = (*(_spot(place, frozenset({MAN})) for place in spaces), _spot(THRESHOLD, FIGURES))
    return Stop("tracks", gettext("Career tracks"), spots)


def _initiative(state: State) -> Stop:
    """Return the initiative track, with a note on the order of stacked discs."""
    stacks = discs(state)
    spots = [
        _spot(initiative_place(space), frozenset({DISC}), _from_top(stacks.get(space, ())))
        for space in range(printed(state).top + 1)
    ]
    return Stop("initiative", gettext("Initiative track"), tuple(spots))


def _from_top(stack: Sequence[str]) -> str:
    if len(stack) < 2:  # noqa: PLR2004
        return ""
    return gettext("From the top: {stack}").format(
        stack=", ".join(name("faction", f) for f in reversed(stack))
    )


def _dice() -> Stop:
    faces = {colour: frozenset(p for p, die in DICE.items() if die.colour == colour) for colour in COLOURS}
    spots = tuple(_spot(dice_place(colour), faces[colour]) for colour in COLOURS)
    return Stop("dice", gettext("Dice areas"), spots)


def _player(state: State, faction: str) -> Stop:
    own = tuple((faction, piece) for piece in (FLORIN, *MEMBERS))
    earlier, *sources = (score_place(source) for source in (*SOURCES, EARLIER))
    spots = [
        Spot(RESERVE, gettext("Reserve"), offered=own, owner=faction),
        Spot(
            earlier,
            gettext("On the score track"),
            offered=((faction, POINT),),
            owner=faction,
            also=tuple(sources),
        ),
        Spot(
            portraits_place(faction),
            gettext("Married descendants"),
            frozenset({BRIDE}),
            offered=((NEUTRAL, BRIDE),),
        ),
    ]
    for field in FIELDS:
        spots.append(Spot(face_up_place(faction, field), title("field", field), TILES))
        down = gettext("{field}, face down").format(field=title("field", field))
        spots.append(Spot(face_down_place(faction, field), down, frozenset({TILE})))
    for colour in COLOURS:
        faces = frozenset(p for p, die in DICE.items() if die.colour == colour)
        spots.append(_spot(action_place(faction, colour), faces))
    spots += [
        _spot(helper_place(faction, space.column, space.row), frozenset({HELPER}))
        for space in printed(state).helper_spaces()
    ]
    members = tuple((faction, member) for member in (MAN, WOMAN))
    spots.append(Spot(SUPPLY, gettext("In the general supply"), offered=members, owner=faction))
    return Stop(f"of-{faction}", name("faction", faction), tuple(spots), owner=faction)


def _common() -> Stop:
    """Return the stop of the general supply; the bank is not counted."""
    offered = tuple((NEUTRAL, piece) for piece in (HELPER, BRIDE, TILE))
    spots = (Spot(SUPPLY, wording.capital(name("place", SUPPLY)), offered=offered),)
    return Stop("supply", wording.capital(name("place", SUPPLY)), spots)
