"""Drafts of positions, for starting the app in the middle of a game: edited tap by tap, sent as one entry.

A draft is the action itself, ``games.core.actions.Position``, before it is submitted. Pieces that it does
not list are in the supply of their owner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from companion.errors import Refusal
from companion.journal import secrets
from companion.journal.states import State, game_of
from companion.models import Table
from games.core.actions import Lying, Position
from games.core.errors import Refused
from games.core.game import AnyGame
from games.core.ledger import SUPPLY, Ledger

MOST_LINES = 2_000
MOST_ROUNDS = 99


def draft_of(table: Table, faction: str) -> Position:
    """Return a draft with the pieces as the app knows them."""
    game, state = game_of(table), secrets.public(table, table.head)
    waiting = game.waiting_for(state)
    return Position(
        faction=faction,
        round=max(state.round, 1),
        phase=game.phase(state),
        order=tuple(state.order),
        turn=waiting[0] if waiting else state.order[0],
        holdings=_lines(game, state.ledger),
    )


def _lines(game: AnyGame, ledger: Ledger) -> tuple[Lying, ...]:
    """Return the holdings outside the supply, and uncounted pieces in it, which cannot be inferred."""
    return tuple(
        Lying(owner=owner, piece=piece, place=place, count=count)
        for place, lines in ledger.to_json().items()
        for owner, piece, count in lines
        if place != SUPPLY or piece in game.uncounted
    )


def read_draft(game: AnyGame, data: Any, faction: str) -> Position | None:
    """Parse a stored draft; return None if there is none, or if it cannot be parsed."""
    try:
        action = game.read_action(data, faction)
    except Refused:
        return None
    return action if isinstance(action, Position) else None


def draft_state(game: AnyGame, state: State, draft: Position) -> State:
    """Return a state to render a draft from: listed pieces at their places, all others in the supply.

    Fields besides the ledger are those that the game would resume with, if the draft is legal.
    """
    begun = game.start(state.setup).state
    start: Ledger = begun.ledger
    backs = game.places.backs
    available = Counter[tuple[str, str]]()
    for line in start.holdings():
        available[line.owner, backs.get(line.piece, line.piece)] += line.count
    available.subtract(_count_pieces(game, draft.holdings))
    listed = [(line.owner, line.piece, line.place, line.count) for line in draft.holdings]
    counted = [(key, count) for key, count in sorted(available.items()) if key[1] not in game.uncounted]
    supply = [(owner, piece, SUPPLY, count) for (owner, piece), count in counted]
    drafted = replace(
        begun, ledger=Ledger.of(game.places, [*listed, *supply]), round=draft.round, order=draft.order
    )
    try:
        return game.resume(drafted, draft)
    except Refused:
        return drafted


def _count_pieces(game: AnyGame, lines: Iterable[Lying]) -> Counter[tuple[str, str]]:
    counts = Counter[tuple[str, str]]()
    for line in lines:
        counts[line.owner, game.places.backs.get(line.piece, line.piece)] += line.count
    return counts


# Edits, one per tap


def add_piece(draft: Position, owner: str, piece: str, place: str, *, ordered: bool) -> Position:
    """Add one piece; at an ordered place, on top."""
    lines = list(draft.holdings)
    same = [
        at for at, line in enumerate(lines) if (line.owner, line.piece, line.place) == (owner, piece, place)
    ]
    if same and not ordered:
        lines[same[0]] = replace(lines[same[0]], count=lines[same[0]].count + 1)
    else:
        lines.append(Lying(owner=owner, piece=piece, place=place, count=1))
    if len(lines) > MOST_LINES:
        raise Refusal("too-large", _("So many pieces are in no box."))
    return replace(draft, holdings=tuple(lines))


def remove_piece(draft: Position, owner: str, piece: str, place: str) -> Position:
    """Remove one piece, the topmost of its kind."""
    lines = list(draft.holdings)
    for at in reversed(range(len(lines))):
        line = lines[at]
        if (line.owner, line.piece, line.place) == (owner, piece, place) and line.count:
            lines[at] = replace(line, count=line.count - 1)
            break
    return replace(draft, holdings=tuple(line for line in lines if line.count))


def clear(draft: Position, place: str | None = None) -> Position:
    """Remove all pieces at a place; without a place, all pieces."""
    remaining = tuple(line for line in draft.holdings if place is not None and line.place != place)
    return replace(draft, holdings=remaining)


def move_up(draft: Position, faction: str) -> Position:
    """Move a faction one place up in the play order; the first moves to the end."""
    order = list(draft.order)
    at = order.index(faction)
    order.insert(at - 1 if at else len(order), order.pop(at))
    return replace(draft, order=tuple(order))
