"""Changing printed figures during a game to match the group's own copy."""

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
    """Replace a figure, or a subtree of figures, from this entry on. Raise ``Refused`` if it does not fit."""
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
    options = _changed_options(game.options, state.setup, figures)
    account = Account(state)
    called = Called(game.texts.names)
    for leaf in changed:
        account.step(
            RULE,
            say(
                "core.figure-set",
                figure=called.path(leaf),
                before=called.value(figure_at(before, leaf), game.board.leaves[leaf].part),
                after=called.value(figure_at(figures, leaf), game.board.leaves[leaf].part),
                reason=action.reason,
            ),
        )
    account.set(setup=replace(state.setup, figures=figures, options={**state.setup.options, **options}))
    _check_places_remain(game, state, account.state)
    return account.outcome()


def _check_places_remain(game: Game[Any], before: Any, after: Any) -> None:
    """Raise ``Illegal`` if the change removes a place that has pieces, such as the end of a track."""
    for place in before.ledger.occupied():
        if game.knows_place(before, place) and not game.knows_place(after, place):
            raise Illegal(say("core.figure-place", place=Name("place", place)), rule=RULE)


def printed(options: Sequence[AnyOption], figures: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values of the table options that are printed figures."""
    return {option.name: figure_at(figures, option.figure) for option in options if option.figure}


def _changed_options(
    options: Sequence[AnyOption], setup: Setup, figures: Mapping[str, Json]
) -> dict[str, Json]:
    """Return the options that change with the figures. Raise ``Illegal`` if one of them is fixed."""
    before, after = printed(options, setup.figures), printed(options, figures)
    changed = [option for option in options if option.figure and before[option.name] != after[option.name]]
    for option in changed:
        if option.fixed:
            raise Illegal(say("core.option-fixed", option=option.name), rule=RULE)
    return {option.name: option.read(after[option.name]) for option in changed}
