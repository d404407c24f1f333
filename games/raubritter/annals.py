"""Data for the game report: the controller of each building."""

from __future__ import annotations

from games.core.annals import Annals, Control
from games.core.messages import Name
from games.raubritter.land import place_of
from games.raubritter.scoring import PARTS, controller
from games.raubritter.state import State, knights_on, land_of
from games.raubritter.tiles import TYPES


def control(state: State) -> Control:
    """Return the controller of each building on the table, row by row from the north-west (5.4)."""
    land = sorted(land_of(state).items(), key=lambda tile: (tile[0][1], tile[0][0]))
    return {
        Name("part", part): {
            Name("place", place_of(cell)): controller(knights_on(state, cell))
            for cell, tile in land
            if TYPES[tile].building == building
        }
        for building, part in PARTS.items()
    }


# Knights never leave the board, so only the control of buildings can change.
ANNALS: Annals[State] = Annals(control=control)
