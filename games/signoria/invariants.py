"""Invariants of a state (digest 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.core.invariants import wrong_total
from games.core.ledger import kind_of
from games.core.messages import Message, Name, faction_name, say
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


def invariants(state: State) -> list[Message]:
    """Return a message for every violated invariant."""
    totals = state.ledger.totals()
    checks = (_figures, _dice, _track, _cities, _tiles, _helpers, _round)
    return [message for check in checks for message in check(state, totals)]


def _figures(state: State, totals: Totals) -> Iterator[Message]:
    """Check the number of figures and brides of each player (9.1, 9.20)."""
    for faction in state.order:
        for member, count in ((MAN, MEN), (WOMAN, WOMEN)):
            if totals[faction, member] != count:
                yield wrong_total(faction, member, totals[faction, member], count)
        if brides(state, faction) > printed(state).descendants:
            yield say(
                "impossible-brides",
                faction=faction_name(faction),
                count=brides(state, faction),
                most=printed(state).descendants,
            )
    places = {(line.piece, kind_of(line.place)) for line in state.ledger.holdings()}
    if (WOMAN, "track") in places:
        yield say("impossible-woman")
    if totals[NEUTRAL, BRIDE] != BRIDES:
        yield wrong_total(NEUTRAL, BRIDE, totals[NEUTRAL, BRIDE], BRIDES)


def _dice(state: State, totals: Totals) -> Iterator[Message]:
    """Check dice: as many of each colour as players; per board one of a colour and four in all (9.4)."""
    counts = Counter({unrolled(c): totals[NEUTRAL, unrolled(c)] for c in COLOURS})
    for piece, die in DICE.items():
        counts[unrolled(die.colour)] += totals[NEUTRAL, piece]
    for colour in COLOURS:
        if counts[unrolled(colour)] != state.setup.players:
            yield wrong_total(NEUTRAL, unrolled(colour), counts[unrolled(colour)], state.setup.players)
        for faction in state.order:
            if sum(line.count for line in state.ledger.at(action_place(faction, colour))) > 1:
                yield say("impossible-die", faction=faction_name(faction), colour=Name("die", colour))
    for faction in state.order:
        if len(dice_on(state, faction)) > MOST_DICE:
            count = len(dice_on(state, faction))
            yield say("impossible-dice", faction=faction_name(faction), count=count, most=MOST_DICE)


def _track(state: State, _totals: Totals) -> Iterator[Message]:
    """Check that every disc is on the initiative track once the play order is entered (9.7)."""
    track = discs(state)
    if state.round or track:
        for faction in state.order:
            if space_of(track, faction) is None:
                yield say("impossible-disc", faction=faction_name(faction))


def _cities(state: State, _totals: Totals) -> Iterator[Message]:
    """Check cities: one figure per space, lowest numbers first, unused cities empty (9.12, 9.18)."""
    for city in CITIES:
        members = MEMBERS if not printed(state).shared else (MAN,)
        for member in members:
            yield from _city(state, city, MEMBERS if printed(state).shared else (member,))
        if city in state.cities:
            continue
        tiles = [kind for kind in ("mission", "marriage") if tile_above(state, kind, city)]
        figures = [n for n in printed(state).city_spaces(city) if state.ledger.at(city_place(city, n))]
        if tiles or figures:
            yield say("impossible-city", city=Name("city", city))


def _city(state: State, city: str, members: tuple[str, ...]) -> Iterator[Message]:
    free = lowest_free(state, city, members[0])
    for number, spaces in printed(state).city_spaces(city).items():
        holdings = state.ledger.at(city_place(city, number))
        count = sum(line.count for line in holdings if line.piece in members)
        if count > spaces:
            yield say("impossible-space", count=count, number=number, city=Name("city", city), spaces=spaces)
        if free is not None and number > free and count:
            yield say("impossible-skipped", number=number, city=Name("city", city), free=free)


def _tiles(state: State, totals: Totals) -> Iterator[Message]:
    """Check the number of alliance tiles, and that face-up tiles fit beside their field (9.15 to 9.17)."""
    per_house = TILES_PER_HOUSE - TILES_REMOVED[state.setup.players]
    counts = Counter({tile: totals[NEUTRAL, tile] for tile in ALLIANCES})
    total = totals[NEUTRAL, TILE] + sum(counts.values())
    if total != per_house * len(HOUSES):
        yield say("impossible-tiles", count=total, expected=per_house * len(HOUSES))
    for house in HOUSES:
        seen = sum(count for tile, count in counts.items() if ALLIANCES[tile].house == house)
        if seen > per_house:
            yield say("impossible-house", count=seen, house=Name("house", house), most=per_house)
    for faction, board in state.boards.items():
        for field in FIELDS:
            houses = Counter(tile.house for tile in face_up(state, faction, field))
            if houses - printed(state).shields(board, field):
                yield say("impossible-fit", faction=faction_name(faction), field=Name("field", field))


def _helpers(state: State, totals: Totals) -> Iterator[Message]:
    """Check the number of helpers, and that each space has at most one (9.19)."""
    total = totals[NEUTRAL, HELPER]
    if total != HELPERS and not (option(state, HELPERS_UNLIMITED.name) and total > HELPERS):
        yield wrong_total(NEUTRAL, HELPER, total, HELPERS)
    for faction in state.order:
        for space in printed(state).helper_spaces():
            place = helper_place(faction, space.column, space.row)
            if state.ledger.count(NEUTRAL, HELPER, place) > 1:
                yield say("impossible-helper", place=Name("place", place))


def _round(state: State, _totals: Totals) -> Iterator[Message]:
    """Check the threshold spaces, tasks and passes of a round (9.23, 9.24, 9.29)."""
    phase = state.frames[0].phase
    if phase == "preparation" and any(on_threshold(state, faction) for faction in state.order):
        yield say("impossible-threshold")
    if (
        phase == "turn"
        and not option(state, LIGHT_ENTRY.name)
        and sorted(state.tasks.values()) != sorted(TASKS)
    ):
        yield say("impossible-tasks")
    if not set(state.passed) <= set(state.order):
        yield say("impossible-passed")
