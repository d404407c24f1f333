"""Counters, armies and Water Beggars, and their moves from and to supply (rulebook 2.2)."""

from __future__ import annotations

from games.core.ledger import Move

COUNTER = "counter"
ARMY = "army"
BEGGAR = "beggar"  # a Water Beggar; its owner is neutral
SUPPLY = "supply"
BEGGARS_BOX = "beggars"
HERE = "here"  # the place that a calculator works on


def taken(owner: str, count: int = 1, *, place: str = HERE, piece: str = COUNTER) -> tuple[Move, ...]:
    """Return the moves of pieces back to their supply; empty if `count` is 0."""
    return (Move(owner, piece, place, SUPPLY, count),) if count else ()


def placed(owner: str, count: int = 1, *, place: str = HERE, piece: str = COUNTER) -> tuple[Move, ...]:
    """Return the moves of pieces from their supply; empty if `count` is 0."""
    return (Move(owner, piece, SUPPLY, place, count),) if count else ()
