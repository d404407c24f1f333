"""Figures: a printed figure of the group's own copy is another one than the board file says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core.actions import SetFigure
from games.core.boards import fits
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.messages import say
from games.core.steps import Account, Outcome

if TYPE_CHECKING:
    from games.core.game import Game

RULE = "figure"


def set_figure(game: Game[Any], state: Any, action: SetFigure) -> Outcome[Any]:
    """From now on the game is played with another figure."""
    path = action.path
    try:
        before = figure_at(state.setup.figures, path)
        figures = with_figure(state.setup.figures, path, action.value)
    except LookupError:
        raise BadInput(say("core.unknown-figure", figure=".".join(path)[:80])) from None
    if isinstance(before, Mapping) or not fits(figures, game.board.figures):
        raise BadInput(say("core.figure-value", figure=".".join(path)[:80]))
    wrong = game.figures_wrong(figures)
    if wrong:
        raise Illegal(RULE, wrong[0])
    account = Account(state)
    account.step(
        RULE,
        say(
            "core.figure-set",
            figure=".".join(path),
            before=str(before),
            after=str(action.value),
            reason=action.reason,
        ),
    )
    account.set(setup=replace(state.setup, figures=figures))
    return account.outcome()


def figure_at(figures: Json, path: Sequence[str]) -> Json:
    """The figure to which the names lead. Raises ``LookupError``."""
    if not path:
        return figures
    inner = figures[path[0]] if isinstance(figures, Mapping) else None
    if inner is None:
        raise LookupError(path[0])
    return figure_at(inner, path[1:])


def with_figure(figures: Json, path: Sequence[str], value: Json) -> Json:
    """The figures with one of them another. Raises ``LookupError``."""
    if not path:
        return value
    if not isinstance(figures, Mapping) or path[0] not in figures:
        raise LookupError(path[0])
    return {**figures, path[0]: with_figure(figures[path[0]], path[1:], value)}
