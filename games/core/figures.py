"""Figures: a printed figure of the group's own copy is another one than the table plays with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core.actions import SetFigure
from games.core.boards import Called, differences, figure_at, with_figure
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.messages import Name, say
from games.core.options import AnyOption
from games.core.steps import Account, Outcome

if TYPE_CHECKING:
    from games.core.game import Game, Setup

RULE = "figure"


def set_figure(game: Game[Any], state: Any, action: SetFigure) -> Outcome[Any]:
    """From now on the game is played with another figure, or with a part that has others in it."""
    before, path = state.setup.figures, action.path
    try:
        figures = with_figure(before, path, action.value)
    except LookupError:
        raise BadInput(say("core.unknown-figure", figure=".".join(path)[:80])) from None
    if not game.board.fits(figures):
        raise BadInput(say("core.figure-value", figure=".".join(path)[:80]))
    changed = differences(before, figures)
    if not changed:
        raise BadInput(say("core.figure-same", figure=".".join(path)[:80]))
    wrong = game.figures_wrong(figures)
    if wrong:
        raise Illegal(wrong[0], rule=RULE)
    options = _following(game.options, state.setup, figures)
    account = Account(state)
    called = Called(game.texts.names)
    for one in changed:
        account.step(
            RULE,
            say(
                "core.figure-set",
                figure=called.path(one),
                before=called.value(figure_at(before, one), game.board.leaves[one].part),
                after=called.value(figure_at(figures, one), game.board.leaves[one].part),
                reason=action.reason,
            ),
        )
    account.set(setup=replace(state.setup, figures=figures, options={**state.setup.options, **options}))
    _refuse_lost(game, state, account.state)
    return account.outcome()


def _refuse_lost(game: Game[Any], before: Any, after: Any) -> None:
    """A track that is shorter leaves no piece beyond its end: people say first where it lies."""
    for place in before.ledger.occupied():
        if game.knows_place(before, place) and not game.knows_place(after, place):
            raise Illegal(say("core.figure-place", place=Name("place", place)), rule=RULE)


def printed(options: Sequence[AnyOption], figures: Mapping[str, Json]) -> dict[str, Json]:
    """The table options that are printed figures, as these figures have them."""
    return {option.name: figure_at(figures, option.figure) for option in options if option.figure}


def _following(options: Sequence[AnyOption], setup: Setup, figures: Mapping[str, Json]) -> dict[str, Json]:
    """Those of them that change with the figures. Raises ``Illegal`` where one no longer can."""
    before, after = printed(options, setup.figures), printed(options, figures)
    changed = [option for option in options if option.figure and before[option.name] != after[option.name]]
    for option in changed:
        if option.fixed:
            raise Illegal(say("core.option-fixed", option=option.name), rule=RULE)
    return {option.name: option.read(after[option.name]) for option in changed}
