"""The state of a game of Signoria, and queries on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from games.core.actions import Ruling
from games.core.codec import Json
from games.core.flow import Frame
from games.core.game import Setup
from games.core.ledger import Holding, Ledger, Move, Places
from games.core.messages import faction_name, say
from games.core.steps import Step
from games.signoria.board import HelperSpace, Printed
from games.signoria.initiative import Track, ranking, space_of
from games.signoria.pieces import (
    ALLIANCES,
    BACKS,
    BANK,
    BRIDE,
    COLOURS,
    DICE,
    DISC,
    EARLIER,
    FLORIN,
    HELPER,
    HOUSES,
    MEMBERS,
    NEUTRAL,
    POINT,
    RESERVE,
    SOURCES,
    SUPPLY,
    THRESHOLD,
    TILE,
    TILES_PER_HOUSE,
    TILES_REMOVED,
    Alliance,
    Die,
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
from games.signoria.scoring import Field

PLACES = Places(
    ordered=frozenset({"initiative"}),
    unlimited=frozenset({BANK}),
    unseen=frozenset({SUPPLY, "unseen"}),
    backs=BACKS,
)


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game.

    The ledger holds figures, discs, florins, points, dice, helpers, brides and alliance tiles.
    """

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]  # player-order track, first player first
    cities: tuple[str, ...] = ()  # cities in play
    rewards: tuple[str, ...] = ()  # reward tile of each of the seven rounds
    boards: Mapping[str, str] = field(default_factory=dict)  # player board number by faction
    tasks: Mapping[str, str] = field(default_factory=dict)  # task by task space, such as "red:upper"
    passed: tuple[str, ...] = ()
    bought: tuple[str, ...] = ()  # factions that have bought points
    ranked: tuple[str, ...] | None = None  # final ranking if set by a ruling
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


def printed(state: State) -> Printed:
    return Printed(state.setup.figures)


def option(state: State, name: str) -> bool:
    return bool(state.setup.options[name])


def frame_data(state: State) -> Mapping[str, Json]:
    return state.frames[-1].data


def after(state: State, *moves: Move) -> State:
    """Return a copy of the state with the moves applied to its ledger."""
    return replace(state, ledger=state.ledger.move(*moves))


# Possessions of a player


def florins(state: State, faction: str) -> int:
    return state.ledger.count(faction, FLORIN, RESERVE)


def available(state: State, faction: str, member: str) -> int:
    return state.ledger.count(faction, member, RESERVE)


def in_supply(state: State, faction: str, member: str) -> int:
    return state.ledger.count(faction, member, SUPPLY)


def on_threshold(state: State, faction: str) -> int:
    """Count a player's figures that raise their threshold (5.12)."""
    return sum(state.ledger.count(faction, member, THRESHOLD) for member in MEMBERS)


def brides(state: State, faction: str) -> int:
    return state.ledger.count(NEUTRAL, BRIDE, portraits_place(faction))


def points_from(state: State, faction: str, source: str) -> int:
    return state.ledger.count(faction, POINT, score_place(source))


def receive(faction: str, count: int) -> list[Move]:
    """Return the move of florins from the bank to a player, or no move for 0."""
    return [Move(faction, FLORIN, BANK, RESERVE, count)] if count else []


def pay(faction: str, count: int) -> list[Move]:
    """Return the move of florins from a player to the bank, or no move for 0."""
    return [Move(faction, FLORIN, RESERVE, BANK, count)] if count else []


def score(faction: str, source: str, count: int) -> list[Move]:
    """Return the move that scores points under a source, or no move for 0 (6.1)."""
    return [Move(faction, POINT, BANK, score_place(source), count)] if count else []


def point_disc(state: State, faction: str, count: int) -> tuple[Step, ...]:
    """Return a step that names the new space of the disc on the VP track, so players can check it (6.1)."""
    if not count:
        return ()
    before = sum(points_from(state, faction, source) for source in (EARLIER, *SOURCES))
    lap, space = divmod(before + count, printed(state).point_spaces)
    name = faction_name(faction)
    if not lap:
        return (Step("6.1", say("point-disc", faction=name, space=space)),)
    return (Step("6.1", say("point-disc-lap", faction=name, space=space, lap=lap + 1)),)


def common(state: State, place: str, pieces: Collection[str]) -> list[Holding]:
    """Return the neutral holdings at a place whose piece is in `pieces`."""
    return [h for h in state.ledger.at(place) if h.owner == NEUTRAL and h.piece in pieces]


# Dice


def dice_left(state: State, colour: str) -> list[int]:
    """Return the faces of the dice in a dice area of the main board, one entry per die."""
    return [DICE[h.piece].face for h in common(state, dice_place(colour), DICE) for _ in range(h.count)]


def dice_on(state: State, faction: str) -> list[Die]:
    """Return the dice on a player board."""
    return [DICE[line.piece] for line in dice_lines(state, faction) for _ in range(line.count)]


def dice_lines(state: State, faction: str) -> list[Holding]:
    places = (action_place(faction, colour) for colour in COLOURS)
    return [line for place in places for line in common(state, place, DICE)]


def unrolled_dice(state: State, colour: str) -> int:
    return state.ledger.count(NEUTRAL, unrolled(colour), SUPPLY)


# Tracks


def men_on(state: State, faction: str, career: str) -> dict[int, int]:
    """Count a player's men per space of a career track; spaces are numbered from 1 at the bottom."""
    counts = {
        index: state.ledger.count(faction, "man", track_place(career, index))
        for index in range(1, printed(state).spaces(career) + 1)
    }
    return {index: count for index, count in counts.items() if count}


def discs(state: State) -> Track:
    """Return the stacks of the initiative track by space, each from the bottom up."""
    track = {}
    for space in range(printed(state).top + 1):
        pile = state.ledger.pile(initiative_place(space))
        stack = tuple(owner for owner, piece in pile if piece == DISC and owner in state.order)
        if stack:
            track[space] = stack
    return track


def steps_left(state: State, faction: str) -> int:
    """Return the distance of a disc from the top space, or 0 if it is not on the track."""
    space = space_of(discs(state), faction)
    return 0 if space is None else printed(state).top - space


def initiative_order(state: State) -> tuple[str, ...]:
    """Return the players by initiative: higher space first, then upper disc first (5.12, 3.2).

    A disc that a correction took off the track ranks last.
    """
    ranked = ranking(discs(state))
    return (*ranked, *(faction for faction in state.order if faction not in ranked))


# Cities


def lowest_free(state: State, city: str, member: str) -> int | None:
    """Return the lowest number among the free spaces below a city, or None if it is full (5.6)."""
    counted = MEMBERS if printed(state).shared else (member,)
    for number, spaces in printed(state).city_spaces(city).items():
        holdings = state.ledger.at(city_place(city, number))
        if sum(line.count for line in holdings if line.piece in counted) < spaces:
            return number
    return None


def in_city(state: State, faction: str, city: str, member: str) -> int:
    """Count a player's figures of one gender below a city."""
    numbers = printed(state).city_spaces(city)
    return sum(state.ledger.count(faction, member, city_place(city, number)) for number in numbers)


def in_cities(state: State, faction: str, member: str) -> int:
    return sum(in_city(state, faction, city, member) for city in printed(state).figures["cities"])


# Alliance tiles


def tile_above(state: State, kind: str, city: str) -> str | None:
    """Return the alliance tile on the mission or marriage space of a city, or None."""
    tiles = common(state, tile_place(kind, city), ALLIANCES)
    return tiles[0].piece if tiles else None


def face_up(state: State, faction: str, field_name: str) -> list[Alliance]:
    tiles = common(state, face_up_place(faction, field_name), ALLIANCES)
    return [ALLIANCES[line.piece] for line in tiles for _ in range(line.count)]


def tiles_beside(state: State, faction: str, field_name: str) -> Field:
    """Return the tiles beside a field of a plan in the form that scoring expects."""
    values = tuple(tile.value for tile in face_up(state, faction, field_name))
    down = state.ledger.count(NEUTRAL, TILE, face_down_place(faction, field_name))
    return Field(values, down)


def shields_left(state: State, faction: str, field_name: str) -> Counter[str]:
    """Count the free shields of each house beside a field (5.11)."""
    board = state.boards.get(faction) or printed(state).boards[0]
    taken = Counter(tile.house for tile in face_up(state, faction, field_name))
    return printed(state).shields(board, field_name) - taken


def fits(state: State, faction: str, field_name: str, tile: str) -> bool:
    """Return whether a face-up tile fits beside a field; only its house matters, not its value (5.11)."""
    return shields_left(state, faction, field_name)[ALLIANCES[tile].house] > 0


def tiles_in_supply(state: State) -> int:
    return state.ledger.count(NEUTRAL, TILE, SUPPLY)


def tiles_seen(state: State) -> Counter[str]:
    """Count the alliance tiles that lie face up on the table."""
    seen: Counter[str] = Counter()
    for kind in ("mission", "marriage", "plan"):
        for place in state.ledger.occupied(kind):
            for line in common(state, place, ALLIANCES):
                seen[line.piece] += line.count
    return seen


def house_left(state: State) -> Counter[str]:
    """Count the tiles of each house that are not face up on the table yet (9.17)."""
    per_house = TILES_PER_HOUSE - TILES_REMOVED[state.setup.players]
    left = Counter(dict.fromkeys(HOUSES, per_house))
    for tile, count in tiles_seen(state).items():
        house = ALLIANCES[tile].house
        left[house] = max(0, left[house] - count)
    return left


# Helpers


def has_helper(state: State, faction: str, space: HelperSpace) -> bool:
    return bool(state.ledger.count(NEUTRAL, HELPER, helper_place(faction, space.column, space.row)))


def helpers_on(state: State, faction: str) -> int:
    """Count the helpers on a player board."""
    spaces = printed(state).helper_spaces()
    places = (helper_place(faction, space.column, space.row) for space in spaces)
    return sum(state.ledger.count(NEUTRAL, HELPER, place) for place in places)
