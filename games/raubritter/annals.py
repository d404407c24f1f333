"""What the report tells of a game of Robber Knights: who controls which building."""

from __future__ import annotations

from games.core.annals import Annals, Control
from games.core.messages import Name
from games.raubritter.land import place_of
from games.raubritter.scoring import PARTS, controller
from games.raubritter.state import State, knights_on, land_of
from games.raubritter.tiles import TYPES


def control(state: State) -> Control:
    """5.4: whose knight is on top, for each building that is laid, from the north-west on."""
    land = sorted(land_of(state).items(), key=lambda tile: (tile[0][1], tile[0][0]))
    return {
        Name("part", part): {
            Name("place", place_of(cell)): controller(knights_on(state, cell))
            for cell, tile in land
            if TYPES[tile].building == building
        }
        for building, part in PARTS.items()
    }


# Knights never leave the board again: what changes is whose buildings they are.
ANNALS: Annals[State] = Annals(control=control)
