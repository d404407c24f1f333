"""Corrections: set counts to what the real table shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core.actions import Correct
from games.core.checks import check_holding
from games.core.errors import BadInput, Illegal
from games.core.ledger import BANK, SUPPLY, Ledger, Move
from games.core.messages import Name, faction_name, say
from games.core.steps import Account, Outcome

if TYPE_CHECKING:
    from games.core.game import Game

RULE = "correction"
COMPARED = "compared"
ACCIDENT = "accident"  # pieces were moved by mistake and stay there
# Offered by the page and translated; any other reason is free text.
REASONS = (
    "miscounted",
    COMPARED,
    ACCIDENT,
)


def correct(game: Game[Any], state: Any, action: Correct) -> Outcome[Any]:
    """Set the count of an owner's pieces at a place; on the real table they are there already."""
    _check_action(game, state, action)
    ledger: Ledger = state.ledger
    before = ledger.count(action.owner, action.piece, action.place)
    account = Account(state)
    account.step(
        RULE,
        say(
            "core.corrected",
            owner=faction_name(action.owner),
            piece=Name("piece", action.piece),
            place=Name("place", action.place),
            before=before,
            after=action.count,
            reason=Name("reason", action.reason) if action.reason in REASONS else action.reason,
        ),
        moves=_moves(game, ledger, action, action.count - before),
    )
    return account.outcome()


def _check_action(game: Game[Any], state: Any, action: Correct) -> None:
    places = [place for place in (action.place, action.against) if place is not None]
    check_holding(game, state, action.owner, action.piece, *places)
    if not action.reason.strip():
        raise BadInput(say("core.reason-missing"))
    if action.piece != game.places.piece_at(action.piece, action.place):
        raise BadInput(say("core.piece-unseen", place=Name("place", action.place)))
    other = _other_place(game, action)
    if other == action.place:
        raise BadInput(say("core.against-missing", place=Name("place", action.place)))
    seen = [place for place in (action.place, other) if game.places.is_seen(place)]
    if seen and action.piece in game.places.backs.values():
        raise BadInput(say("core.piece-seen", place=Name("place", seen[0])))


def _other_place(game: Game[Any], action: Correct) -> str:
    """Return the balancing place: ``against``, else the bank for uncounted pieces, else the supply."""
    banked = action.piece in game.uncounted and game.places.is_unlimited(BANK)
    return action.against or (BANK if banked else SUPPLY)


def _moves(game: Game[Any], ledger: Ledger, action: Correct, more: int) -> list[Move]:
    """Return the move that adds ``more`` pieces from the other place, or returns them there if negative."""
    other = _other_place(game, action)
    if not more:
        return []
    there = game.places.piece_at(action.piece, other)
    if more < 0:
        becomes = there if there != action.piece else None
        return [Move(action.owner, action.piece, action.place, other, -more, becomes, reported=True)]
    available = ledger.count(action.owner, there, other)
    if not game.places.is_unlimited(other) and available < more:
        raise Illegal(
            say(
                "core.correct-too-many",
                owner=faction_name(action.owner),
                piece=Name("piece", there),
                place=Name("place", other),
                count=available,
                needed=more,
            ),
            rule=RULE,
        )
    becomes = action.piece if there != action.piece else None
    return [Move(action.owner, there, other, action.place, more, becomes, reported=True)]
