"""Checks of names and counts in entries and rulings of the table.

A ruling may be any result that can be carried out with the pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from games.core.errors import BadInput, Illegal
from games.core.messages import faction_name, say
from games.revolution.factions import Counts


def refuse_more_than(ruled: Mapping[str, int], available: Counts, rule: str) -> None:
    """Raise `Illegal` if a ruling leaves more counters of a faction than there are."""
    refuse_unknown(ruled, available, rule)
    over = sorted(f for f, count in ruled.items() if count > available[f])
    if over:
        raise Illegal(say("ruling-more", faction=faction_name(over[0]), count=available[over[0]]), rule=rule)


def refuse_unknown(given: Iterable[str], known: Collection[str], rule: str | None = None) -> None:
    """Raise `BadInput` for an unknown name."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadInput(say("unknown-key", key=unknown[0][:40], known=tuple(known)), rule=rule)


def refuse_not_one_of(given: str | None, known: Collection[str | None], rule: str) -> None:
    """Raise `BadInput` for an unknown name, or for None where it is not allowed."""
    if given not in known:
        raise BadInput(
            say("unknown-key", key=str(given)[:40], known=tuple(str(name) for name in known)), rule=rule
        )
