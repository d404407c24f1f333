"""What is wrong with a state, all of it at once (digest 9). Empty when nothing is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.core.ledger import kind_of
from games.signoria.dice import MOST_DICE
from games.signoria.initiative import space_of
from games.signoria.options import HELPERS_UNLIMITED, LIGHT_ENTRY
from games.signoria.pieces import (
    ALLIANCES,
    BRIDE,
    BRIDES,
    CITIES,
    COLOURS,
    DICE,
    FIELDS,
    HELPER,
    HELPERS,
    HOUSES,
    MAN,
    MEMBERS,
    MEN,
    NEUTRAL,
    TILE,
    TILES_PER_HOUSE,
    TILES_REMOVED,
    WOMAN,
    WOMEN,
    action_place,
    city_place,
    helper_place,
    unrolled,
)
from games.signoria.state import (
    State,
    brides,
    dice_on,
    discs,
    face_up,
    lowest_free,
    on_threshold,
    option,
    printed,
    tile_above,
)
from games.signoria.tasks import TASKS

Totals = Counter[tuple[str, str]]  # (owner, piece)


def invariants(state: State) -> list[str]:
    totals: Totals = Counter()
    for line in state.ledger.holdings():
        totals[line.owner, line.piece] += line.count
    checks = (_figures, _dice, _track, _cities, _tiles, _helpers, _round)
    return [wrong for check in checks for wrong in check(state, totals)]


def _figures(state: State, totals: Totals) -> Iterator[str]:
    """9.1 and 9.20: nobody has a figure or a bride too many."""
    for faction in state.order:
        for member, count in ((MAN, MEN), (WOMAN, WOMEN)):
            if totals[faction, member] != count:
                yield f"{faction} has {totals[faction, member]} of {count} {member}"
        if brides(state, faction) > printed(state).descendants:
            yield f"{faction} has {brides(state, faction)} brides"
    places = {(line.piece, kind_of(line.place)) for line in state.ledger.holdings()}
    if (WOMAN, "track") in places:
        yield "a woman stands on a career track"
    if totals[NEUTRAL, BRIDE] != BRIDES:
        yield f"there are {totals[NEUTRAL, BRIDE]} brides"


def _dice(state: State, totals: Totals) -> Iterator[str]:
    """9.4: as many dice of each colour as players; one of a colour and four in all on a board."""
    counts = Counter({unrolled(c): totals[NEUTRAL, unrolled(c)] for c in COLOURS})
    for piece, die in DICE.items():
        counts[unrolled(die.colour)] += totals[NEUTRAL, piece]
    for colour in COLOURS:
        if counts[unrolled(colour)] != state.setup.players:
            yield f"there are {counts[unrolled(colour)]} {colour} dice"
        for faction in state.order:
            if sum(line.count for line in state.ledger.at(action_place(faction, colour))) > 1:
                yield f"{faction} has several {colour} dice"
    for faction in state.order:
        if len(dice_on(state, faction)) > MOST_DICE:
            yield f"{faction} has {len(dice_on(state, faction))} dice"


def _track(state: State, _totals: Totals) -> Iterator[str]:
    """9.7: every disc is on the initiative track, once the order is entered."""
    track = discs(state)
    if state.round or track:
        for faction in state.order:
            if space_of(track, faction) is None:
                yield f"{faction}’s disc is not on the initiative track"


def _cities(state: State, _totals: Totals) -> Iterator[str]:
    """9.12 and 9.18: one figure to a space, the lowest numbers first; nothing in unused cities."""
    for city in CITIES:
        members = MEMBERS if not printed(state).shared else (MAN,)
        for member in members:
            yield from _city(state, city, MEMBERS if printed(state).shared else (member,))
        if city in state.cities:
            continue
        tiles = [kind for kind in ("mission", "marriage") if tile_above(state, kind, city)]
        figures = [n for n in printed(state).city_spaces(city) if state.ledger.at(city_place(city, n))]
        if tiles or figures:
            yield f"{city} is not used, but something lies there"


def _city(state: State, city: str, members: tuple[str, ...]) -> Iterator[str]:
    free = lowest_free(state, city, members[0])
    for number, spaces in printed(state).city_spaces(city).items():
        lying = state.ledger.at(city_place(city, number))
        count = sum(line.count for line in lying if line.piece in members)
        if count > spaces:
            yield f"{count} figures stand on the {number} below {city}"
        if free is not None and number > free and count:
            yield f"a figure stands on the {number} below {city}, but a {free} is free"


def _tiles(state: State, totals: Totals) -> Iterator[str]:
    """9.15 to 9.17: tiles are as many as there were, and lie where they fit."""
    each = TILES_PER_HOUSE - TILES_REMOVED[state.setup.players]
    counts = Counter({tile: totals[NEUTRAL, tile] for tile in ALLIANCES})
    total = totals[NEUTRAL, TILE] + sum(counts.values())
    if total != each * len(HOUSES):
        yield f"there are {total} alliance tiles"
    for house in HOUSES:
        seen = sum(count for tile, count in counts.items() if ALLIANCES[tile].house == house)
        if seen > each:
            yield f"{seen} tiles of house {house} are face up"
    for faction, board in state.boards.items():
        for field in FIELDS:
            houses = Counter(tile.house for tile in face_up(state, faction, field))
            if houses - printed(state).shields(board, field):
                yield f"a tile does not fit beside {faction}’s {field} field"


def _helpers(state: State, totals: Totals) -> Iterator[str]:
    """9.19: helpers are as many as there were, one to a space."""
    total = totals[NEUTRAL, HELPER]
    if total != HELPERS and not (option(state, HELPERS_UNLIMITED.name) and total > HELPERS):
        yield f"there are {total} helpers"
    for faction in state.order:
        for space in printed(state).helper_spaces():
            place = helper_place(faction, space.column, space.row)
            if state.ledger.count(NEUTRAL, HELPER, place) > 1:
                yield f"several helpers stand on {place}"


def _round(state: State, _totals: Totals) -> Iterator[str]:
    """9.23, 9.24 and 9.29: what belongs to a round."""
    phase = state.frames[0].phase
    if phase == "preparation" and any(on_threshold(state, faction) for faction in state.order):
        yield "figures stand on the threshold space at the start of a round"
    if (
        phase == "turn"
        and not option(state, LIGHT_ENTRY.name)
        and sorted(state.tasks.values()) != sorted(TASKS)
    ):
        yield "the tasks are not those of the game"
    if not set(state.passed) <= set(state.order):
        yield "somebody passed who does not play"
