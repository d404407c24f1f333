"""Consistency checks of a state; each returns a message per violation (digest 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from games.core.invariants import wrong_total
from games.core.messages import Message, Name, faction_name, say
from games.raubritter.knights import STACK_LIMIT
from games.raubritter.land import BOARD_MAX, Cell, label, neighbours, span, too_wide
from games.raubritter.state import State, knights_left, knights_on, land_of, tiles_left, types_left
from games.raubritter.tiles import KNIGHT, KNIGHTS, TILES_IN_SET, TYPES

# Possible stack heights by default: at least two knights enter a forest, three a mountain.
HEIGHTS = {"lake": (0,), "plain": (0, 1, 2, 3, 4), "forest": (0, 2, 3, 4), "mountain": (0, 3, 4)}


def invariants(state: State) -> list[Message]:
    return [*_sets(state), *_land(state), *_stacks(state)]


def _sets(state: State) -> list[Message]:
    """Check that each player has exactly 24 tiles and 30 knights, and no surplus of a type (9.1, 9.4)."""
    wrong = []
    on_table = Counter(piece for _, pile in state.ledger.piles("cell") for piece in pile)
    for faction in state.order:
        laid = sum(on_table[faction, tile] for tile in TYPES)
        if laid + tiles_left(state, faction) != TILES_IN_SET:
            left = tiles_left(state, faction)
            wrong.append(
                say("impossible-tiles", faction=faction_name(faction), laid=laid, left=left, all=TILES_IN_SET)
            )
        knights = on_table[faction, KNIGHT] + knights_left(state, faction)
        if knights != KNIGHTS:
            wrong.append(wrong_total(faction, KNIGHT, knights, KNIGHTS))
        over = [tile for tile, count in types_left(state, faction).items() if count < 0]
        wrong += [
            say("impossible-type", faction=faction_name(faction), tile=Name("piece", tile)) for tile in over
        ]
    return wrong


def _land(state: State) -> list[Message]:
    """Check that the land is connected and inside the area (9.3)."""
    land = land_of(state)
    wrong = []
    if max(span(land)) > BOARD_MAX[state.setup.players]:
        wrong.append(too_wide(state.setup.players))
    if len(_connected(land)) != len(land) and state.frames[0].phase != "setup":
        wrong.append(say("impossible-land"))
    return wrong


def _connected(land: Collection[Cell]) -> set[Cell]:
    seen: set[Cell] = set()
    todo = list(land)[:1]
    while todo:
        cell = todo.pop()
        seen.add(cell)
        todo += [n for n in neighbours(cell) if n in land and n not in seen]
    return seen


def _stacks(state: State) -> list[Message]:
    """Check that each cell has one tile and a stack height its terrain allows (9.3, 9.5)."""
    wrong = []
    lone = state.setup.options["lone_knight"]
    for place, pile in state.ledger.piles("cell"):
        tiles = [piece for _, piece in pile if piece in TYPES]
        if len(tiles) != 1:
            wrong.append(say("impossible-pile", place=Name("place", place), count=len(tiles)))
    for cell, tile in land_of(state).items():
        terrain = TYPES[tile].terrain
        height = len(knights_on(state, cell))
        allowed = range(STACK_LIMIT + 1) if terrain == "forest" and lone else HEIGHTS[terrain]
        if height not in allowed:
            wrong.append(
                say("impossible-height", count=height, terrain=Name("terrain", terrain), cell=label(cell))
            )
    return wrong
