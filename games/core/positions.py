"""Positions: continue a game from the pieces on the real table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core.actions import Lying, Position
from games.core.checks import check_holding, check_order
from games.core.errors import BadInput, Illegal
from games.core.ledger import SUPPLY, Holding, Ledger
from games.core.messages import Name, faction_name, say
from games.core.steps import Account, Outcome

if TYPE_CHECKING:
    from games.core.game import Game

RULE = "position"

Pieces = Counter[tuple[str, str]]  # (owner, piece or its back)


def take_position(game: Game[Any], state: Any, action: Position) -> Outcome[Any]:
    """Return the described state, built from the start state alone, so that it mends a broken journal."""
    setup = state.setup
    start = game.start(setup).state
    _check_order(action, start.order)
    for line in action.holdings:
        _check_line(game, start, line)
    ledger = _ledger(game, start.ledger, action.holdings)
    placed = replace(
        start, ledger=ledger, round=action.round, order=tuple(action.order), rulings=state.rulings
    )
    resumed = game.resume(placed, action)
    wrong = game.invariants(resumed)
    if wrong:
        raise Illegal(wrong[0], rule=RULE)
    account = Account(resumed)
    account.step(RULE, say("core.position", round=action.round, phase=Name("phase", action.phase)))
    return account.outcome()


def check_phase(position: Position, known: Sequence[str]) -> None:
    """Raise ``Illegal`` unless a game can be taken up in the position's phase."""
    if position.phase not in known:
        message = say("core.position-phase", phase=position.phase[:40], known=tuple(known))
        raise Illegal(message, rule=RULE)


def _check_order(action: Position, factions: tuple[str, ...]) -> None:
    check_order(action.order, factions)
    if action.turn is not None and action.turn not in factions:
        raise BadInput(say("core.not-seated", faction=action.turn[:40]))


def _check_line(game: Game[Any], start: Any, line: Lying) -> None:
    check_holding(game, start, line.owner, line.piece, line.place)
    if line.piece != game.places.piece_at(line.piece, line.place):
        raise BadInput(say("core.piece-unseen", place=Name("place", line.place)))
    if game.places.is_seen(line.place) and line.piece in game.places.backs.values():
        raise BadInput(say("core.piece-seen", place=Name("place", line.place)))


def _ledger(game: Game[Any], start: Ledger, lines: Iterable[Lying]) -> Ledger:
    """Return a ledger with the listed pieces in place and all others in their owner's supply."""
    named = [Holding(line.owner, line.piece, line.place, line.count) for line in lines]
    available = _count_pieces(game, start.holdings())
    for (owner, piece), count in sorted(_count_pieces(game, named).items()):
        if piece not in game.uncounted and count > available[owner, piece]:
            raise Illegal(
                say(
                    "core.position-too-many",
                    owner=faction_name(owner),
                    piece=Name("piece", piece),
                    count=available[owner, piece],
                    named=count,
                ),
                rule=RULE,
            )
    remaining = available - _count_pieces(game, named)
    supply = [(owner, piece, SUPPLY, count) for (owner, piece), count in remaining.items()]
    if not game.places.is_unlimited(SUPPLY):
        supply = [line for line in supply if line[1] not in game.uncounted]
    return Ledger.of(game.places, [*named, *supply])


def _count_pieces(game: Game[Any], lines: Iterable[Holding]) -> Pieces:
    total: Pieces = Counter()
    for owner, piece, _place, count in lines:
        total[owner, game.places.backs.get(piece, piece)] += count
    return total
