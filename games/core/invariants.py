"""Messages that invariants of all games have in common."""

from __future__ import annotations

from games.core.messages import Message, Name, faction_name, say


def wrong_total(owner: str, piece: str, count: int, expected: int) -> Message:
    """Return the message for an owner who has more or fewer pieces than there are."""
    return say(
        "core.impossible-total",
        owner=faction_name(owner),
        count=count,
        piece=Name("piece", piece),
        expected=expected,
    )
