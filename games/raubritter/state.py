"""The game state and the queries the rules make on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from games.core.actions import Ruling
from games.core.flow import Frame
from games.core.game import Setup
from games.core.ledger import Ledger, Pile, Places
from games.raubritter.knights import Ground, Reading
from games.raubritter.land import BOARD_MAX, DIRECTIONS, Cell, cell_of, place_of
from games.raubritter.tiles import KNIGHT, SUPPLY, TILE, TYPES

PLACES = Places(
    ordered=frozenset({"cell"}),
    unseen=frozenset({SUPPLY}),
    backs=dict.fromkeys(TYPES, TILE),
)


@dataclass(frozen=True, slots=True)
class State:
    """Game state. A player's hand and stack are one supply of unseen tiles in the ledger."""

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]  # clockwise from the first player
    ruled: Mapping[str, int] | None = None  # final points, if the table overruled the computed ones
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


def land_of(state: State) -> dict[Cell, str]:
    """Return the tile of each cell that has one; a correction can leave knights on a cell without a tile."""
    land = {cell_of(place): _tile_in(pile) for place, pile in state.ledger.piles("cell")}
    return {cell: tile for cell, tile in land.items() if cell is not None and tile is not None}


def tile_at(state: State, cell: Cell) -> str | None:
    return _tile_in(state.ledger.pile(place_of(cell)))


def _tile_in(pile: Pile) -> str | None:
    return next((piece for _, piece in pile if piece in TYPES), None)


def knights_on(state: State, cell: Cell) -> list[str]:
    """Return the owners of the knights on a cell, from the bottom up."""
    return [owner for owner, piece in state.ledger.pile(place_of(cell)) if piece == KNIGHT]


def knights_left(state: State, faction: str) -> int:
    return state.ledger.count(faction, KNIGHT, SUPPLY)


def tiles_left(state: State, faction: str) -> int:
    """Return the number of tiles in hand and stack together, because the hand is secret."""
    return state.ledger.count(faction, TILE, SUPPLY)


def types_left(state: State, faction: str) -> dict[str, int]:
    """Return the number of tiles of each type that a player has not placed yet."""
    laid = Counter(
        piece for _, pile in state.ledger.piles("cell") for owner, piece in pile if owner == faction
    )
    tile_set = state.setup.options["tile_set"]
    return {tile: tile_set[tile] - laid[tile] for tile in TYPES}


def line_from(state: State, castle: Cell, direction: str) -> list[Ground | None]:
    """Return the tiles from the castle outward, up to the first gap."""
    dx, dy = DIRECTIONS[direction]
    line: list[Ground | None] = []
    for i in range(BOARD_MAX[state.setup.players]):
        cell = (castle[0] + i * dx, castle[1] + i * dy)
        tile = tile_at(state, cell)
        if tile is None:
            break
        line.append(Ground(TYPES[tile].terrain, len(knights_on(state, cell))))
    return line


def reading_of(state: State) -> Reading:
    options = state.setup.options
    return Reading(must_move=options["must_move"], lone_knight=options["lone_knight"])


def next_with_tiles(state: State, faction: str) -> tuple[str, bool] | None:
    """Return the next player who has tiles and whether a new round begins; None if nobody has tiles."""
    order = state.order
    at = order.index(faction)
    for i in range(1, len(order) + 1):
        candidate = order[(at + i) % len(order)]
        if tiles_left(state, candidate):
            return candidate, at + i >= len(order)
    return None
