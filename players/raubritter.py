"""Heuristic for Robber Knights: put knights on buildings, in stacks high enough to keep control."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.core.game import Setup
from games.core.prompts import Choice, Prompt
from games.raubritter.setup import free_starting_cells
from games.raubritter.state import State, knights_left, types_left
from games.raubritter.tiles import KNIGHT, POINTS, TYPES, is_castle
from games.raubritter.turn import HAND
from players.chance import Chance, shuffled
from players.heuristic import Sense
from players.randomly import Generator

# Fraction of its points that a controlled building counts, by stack height: low stacks are easily taken.
SURE = {1: 0.7, 2: 0.8, 3: 0.9}
KNIGHT_WORTH = 0.3
KNIGHTS_PER_CASTLE = 4

Piles = Mapping[str, tuple[str, ...]]  # faction -> its tiles from the top, letter A first


# Chance: the order of each player's tiles


def _deal(setup: Setup, generator: Generator) -> Piles:
    """Return a pile per faction: the tiles of each letter shuffled, from A (the hand) to E (3)."""
    letters: Mapping[str, Sequence[str]] = setup.figures["letters"]
    return {
        faction: tuple(tile for letter in sorted(letters) for tile in shuffled(letters[letter], generator))
        for faction in setup.factions
    }


def _hand(state: State, faction: str, pile: Sequence[str], count: int = HAND) -> list[str]:
    """Return the first tiles of the pile that are not on the table.

    With another tile set the letters may name tiles that do not exist; tiles without a letter come last.
    """
    left = Counter({tile: n for tile, n in types_left(state, faction).items() if n > 0})
    laid = Counter(pile) - left
    hand = []
    for tile in (*pile, *sorted(left.elements())):
        if laid[tile]:
            laid[tile] -= 1
        elif left[tile]:
            left[tile] -= 1
            hand.append(tile)
    return hand[:count]


def _from_hand(state: State, prompt: Prompt, dealt: Piles, _generator: Generator) -> Prompt:
    hand = tuple(dict.fromkeys(_hand(state, prompt.faction, dealt[prompt.faction])))
    cells = next(f for f in prompt.fields if f.names == ("at",))
    return replace(prompt, fields=(Choice("tile", hand), cells))


def _starting_tiles(state: State, prompt: Prompt, dealt: Piles, generator: Generator) -> Prompt:
    """Keep a castle and another one of the four A tiles and place the other two (3.4)."""
    first = shuffled(_hand(state, prompt.faction, dealt[prompt.faction], 2 * HAND), generator)
    laid = sorted(first, key=is_castle)[:HAND]
    cells = shuffled(free_starting_cells(state), generator)[:HAND]
    return replace(prompt, fields=(Choice("tiles", (tuple(laid),)), Choice("at", (tuple(cells),))))


CHANCE = Chance(narrowed={"lay": _starting_tiles, "place": _from_hand}, deal=_deal)


# Evaluation


def _worth(state: State) -> dict[str, float]:
    """Value buildings by how safe they are, and knights while there are castles left to enter from."""
    worths = dict.fromkeys(state.order, 0.0)
    tile_set: Mapping[str, int] = state.setup.options["tile_set"]
    castles = dict.fromkeys(state.order, sum(n for tile, n in tile_set.items() if is_castle(tile)))
    for _place, pile in state.ledger.piles("cell"):
        owner, tile = pile[0]
        top, piece = pile[-1]
        building = TYPES[tile].building if tile in TYPES else None
        if piece == KNIGHT and building:
            worths[top] += POINTS[building] * SURE.get(len(pile) - 1, 1.0)
        if tile in TYPES and is_castle(tile):
            castles[owner] -= 1
    return {
        faction: worth
        + KNIGHT_WORTH * min(knights_left(state, faction), KNIGHTS_PER_CASTLE * castles[faction])
        for faction, worth in worths.items()
    }


def _goes_on(state: State, faction: str) -> bool:
    return state.frames[-1].phase == "knights" and state.frames[-2].data["faction"] == faction


SENSE = Sense(worth=_worth, tries={"place": 10, "march": 40}, goes_on=_goes_on)
