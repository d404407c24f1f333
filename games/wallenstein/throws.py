"""Cubes going into and coming out of the tower (3.4, 5.7, 5.8)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.errors import BadInput, Illegal
from games.core.ledger import Move
from games.core.messages import Name, say
from games.wallenstein.pieces import ARMY, COLOURS, CUP, TOWER
from games.wallenstein.state import State, colours_of, in_cup, in_tower

RULE = "5.7"


def colour_name(colour: str) -> Name:
    """Return the display name of a cube colour (the peasants are green)."""
    return Name("colour", colour)


def likely(fresh: int, stuck: int) -> int:
    """Return a plausible number of fallen cubes: 2/3 of those thrown in and 1/3 of those inside."""
    return (2 * fresh + stuck + 1) // 3


def cup_moves(state: State) -> list[Move]:
    """Return the moves that throw the content of the cup in with the other cubes (5.7)."""
    return [Move(colour, ARMY, CUP, TOWER, count) for colour, count in in_cup(state).items() if count]


def fallen_moves(state: State, fallen: Mapping[str, int]) -> list[Move]:
    """Return the moves of the fallen cubes, marked as already carried out at the table."""
    counts = [(colour, fallen.get(colour, 0)) for colour in colours_of(state)]
    return [Move(colour, ARMY, TOWER, CUP, count, reported=True) for colour, count in counts if count]


def refuse_strangers(state: State, fallen: Mapping[str, int]) -> None:
    """Raise `Illegal` or `BadInput` if a fallen cube has a colour that nobody plays."""
    for colour in fallen:
        if colour in COLOURS and colour not in colours_of(state):
            raise Illegal(say("nobody-plays-colour", colour=colour_name(colour)), rule=RULE)
        if colour not in COLOURS:
            raise BadInput(say("unknown-colour", name=colour[:40], known=colours_of(state)), rule=RULE)


def refuse_fallen(state: State, fallen: Mapping[str, int], thrown: Mapping[str, int]) -> None:
    """Raise `Illegal` if more cubes of a colour fell than were in the tower (5.7)."""
    refuse_strangers(state, fallen)
    for colour, most in in_tower(state).items():
        if fallen.get(colour, 0) > most:
            fresh = min(thrown.get(colour, 0), most)
            raise Illegal(
                say(
                    "fell-too-many",
                    count=most,
                    colour=colour_name(colour),
                    thrown=fresh,
                    inside=most - fresh,
                ),
                rule=RULE,
            )
