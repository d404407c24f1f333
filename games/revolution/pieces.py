"""Counters, armies and Water Beggars, and the hands that put them down and take them away (rulebook 2.2)."""

from __future__ import annotations

from games.core.ledger import Move

COUNTER = "counter"
ARMY = "army"
BEGGAR = "beggar"  # a Water Beggar; its owner is neutral
SUPPLY = "supply"
HERE = "here"  # the place a calculator was asked about


def taken(owner: str, count: int = 1, *, place: str = HERE, piece: str = COUNTER) -> tuple[Move, ...]:
    """Pieces that go back to their supply; no move for none."""
    return (Move(owner, piece, place, SUPPLY, count),) if count else ()


def placed(owner: str, count: int = 1, *, place: str = HERE, piece: str = COUNTER) -> tuple[Move, ...]:
    """Pieces that come from their supply; no move for none."""
    return (Move(owner, piece, SUPPLY, place, count),) if count else ()
