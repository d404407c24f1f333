"""Taking a game up in mid-course: a position is drafted tap by tap, and sent as one entry.

A draft is the entry itself, ``games.core.actions.Position``, before it counts. Its lines are those of
the entry: what is not named lies in its owner's supply.
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
from games.core.ledger import Ledger
from games.core.positions import SUPPLY

MOST_LINES = 2_000
MOST_ROUNDS = 99


def draft_of(table: Table, faction: str) -> Position:
    """What lies on the table as the app knows it: where a draft begins."""
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
    """All that lies outside the supplies; and in them what nobody counts, since it does not follow."""
    return tuple(
        Lying(owner=owner, piece=piece, place=place, count=count)
        for place, lines in ledger.to_json().items()
        for owner, piece, count in lines
        if place != SUPPLY or piece in game.uncounted
    )


def read_draft(game: AnyGame, data: Any, faction: str) -> Position | None:
    """A draft that was kept; None if there is none, or none that can be read any more."""
    try:
        action = game.read_action(data, faction)
    except Refused:
        return None
    return action if isinstance(action, Position) else None


def drawn(game: AnyGame, state: State, draft: Position) -> State:
    """A state to draw the draft from: what is named lies there, the rest of the pieces in the supply.

    What stands beside the ledger is as the game would be taken up, if it could be.
    """
    begun = game.start(state.setup).state
    start: Ledger = begun.ledger
    backs = game.places.backs
    have = Counter[tuple[str, str]]()
    for line in start.holdings():
        have[line.owner, backs.get(line.piece, line.piece)] += line.count
    have.subtract(_named(game, draft.holdings))
    named = [(line.owner, line.piece, line.place, line.count) for line in draft.holdings]
    counted = [(key, count) for key, count in sorted(have.items()) if key[1] not in game.uncounted]
    rest = [(owner, piece, SUPPLY, count) for (owner, piece), count in counted]
    lying = replace(
        begun, ledger=Ledger.of(game.places, [*named, *rest]), round=draft.round, order=draft.order
    )
    try:
        return game.resume(lying, draft)
    except Refused:
        return lying


def _named(game: AnyGame, lines: Iterable[Lying]) -> Counter[tuple[str, str]]:
    named = Counter[tuple[str, str]]()
    for line in lines:
        named[line.owner, game.places.backs.get(line.piece, line.piece)] += line.count
    return named


# One tap each


def put(draft: Position, owner: str, piece: str, place: str, *, ordered: bool) -> Position:
    """One more piece: on top of what lies there, where that has an order."""
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


def take(draft: Position, owner: str, piece: str, place: str) -> Position:
    """One piece fewer; the topmost of its kind."""
    lines = list(draft.holdings)
    for at in reversed(range(len(lines))):
        line = lines[at]
        if (line.owner, line.piece, line.place) == (owner, piece, place) and line.count:
            lines[at] = replace(line, count=line.count - 1)
            break
    return replace(draft, holdings=tuple(line for line in lines if line.count))


def clear(draft: Position, place: str | None = None) -> Position:
    """Nothing lies at a place any more; or nowhere."""
    kept = tuple(line for line in draft.holdings if place is not None and line.place != place)
    return replace(draft, holdings=kept)


def earlier(draft: Position, faction: str) -> Position:
    """A faction goes one place up in the play order; the first goes to the end."""
    order = list(draft.order)
    at = order.index(faction)
    order.insert(at - 1 if at else len(order), order.pop(at))
    return replace(draft, order=tuple(order))
