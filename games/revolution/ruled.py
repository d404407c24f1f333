"""Validation of rulings of the table: any result that can be carried out with the pieces is allowed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from games.core.errors import BadInput, Illegal
from games.core.messages import faction_name, say
from games.revolution.factions import Counts


def refuse_more_than(ruled: Mapping[str, int], available: Counts, rule: str) -> None:
    """Raise `Illegal` if a ruling leaves more counters of a faction than there are."""
    refuse_unknown(ruled, available, rule)
    over = sorted(f for f, count in ruled.items() if count > available[f])
    if over:
        raise Illegal(say("ruling-more", faction=faction_name(over[0]), count=available[over[0]]), rule=rule)


def refuse_unknown(ruled: Collection[str], known: Collection[str], rule: str) -> None:
    unknown = sorted(set(ruled) - set(known))
    if unknown:
        raise BadInput(say("unknown-key", key=unknown[0][:40], known=tuple(known)), rule=rule)


def refuse_not_one_of(ruled: str | None, known: Collection[str | None], rule: str) -> None:
    if ruled not in known:
        raise BadInput(
            say("unknown-key", key=str(ruled)[:40], known=tuple(str(name) for name in known)), rule=rule
        )
