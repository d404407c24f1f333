"""Checks that entries of all games have in common."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from games.core.errors import BadInput
from games.core.messages import say

if TYPE_CHECKING:
    from games.core.game import Game


def check_one_of(value: str | None, allowed: Collection[str], field: str, *, rule: str | None = None) -> None:
    """Raise ``BadInput`` unless the value is allowed in this field."""
    check_all_of([value], allowed, field, rule=rule)


def check_all_of(
    values: Collection[str | None], allowed: Collection[str], field: str, *, rule: str | None = None
) -> None:
    """Raise ``BadInput`` unless all values are allowed in this field."""
    if not set(values) <= set(allowed):
        raise BadInput(say("core.not-one-of", field=field, allowed=tuple(allowed)), rule=rule)


def check_order(order: Sequence[str], factions: Sequence[str], *, rule: str | None = None) -> None:
    """Raise ``BadInput`` unless the order names each faction once."""
    if sorted(order) != sorted(factions):
        raise BadInput(say("core.position-order", known=tuple(factions)), rule=rule)


def check_holding(game: Game[Any], state: Any, owner: str, piece: str, *places: str) -> None:
    """Raise ``BadInput`` unless the owner, the piece and the places exist at this table."""
    if owner not in (*state.setup.factions, *game.neutrals):
        raise BadInput(say("core.unknown-owner", owner=owner[:40]))
    if piece not in game.pieces:
        raise BadInput(say("core.unknown-piece", piece=piece[:40], known=tuple(sorted(game.pieces))))
    for place in places:
        if not game.knows_place(state, place):
            raise BadInput(say("core.unknown-place", place=place[:40]))
