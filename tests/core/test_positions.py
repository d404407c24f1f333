from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Lying, Position, SetFigure
from games.core.errors import Refused
from tests.core.rendering import sentence
from tests.core.toy import TOY, Take, toy


def position(*lines: tuple[str, str, str, int], **changes: Any) -> Position:
    holdings = tuple(
        Lying(owner=owner, piece=piece, place=place, count=count) for owner, piece, place, count in lines
    )
    fields = {
        "faction": "red",
        "round": 3,
        "phase": "taking",
        "order": ("blue", "red"),
        "holdings": holdings,
        "turn": "red",
    }
    return Position(**{**fields, **changes})


HEAP = ("neutral", "stone", "heap", 2)


def test_game_continues_from_a_position() -> None:
    state = TOY.apply(toy(), position(HEAP, ("red", "ruby", "tray:2", 1))).state
    assert (state.round, state.order, TOY.waiting_for(state)) == (3, ("blue", "red"), ("red",))
    assert state.ledger.count("neutral", "stone", "heap") == 2
    assert state.ledger.count("neutral", "stone", "supply") == 5, "unlisted pieces are in the supply"
    assert state.ledger.count("red", "gem", "supply") == 3, "the gem on the tray is not counted again"


def test_position_is_independent_of_earlier_entries() -> None:
    later = TOY.apply(toy(), Take(faction="red", stones=3)).state
    assert TOY.apply(later, position(HEAP)).state == TOY.apply(toy(), position(HEAP)).state


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            position(("neutral", "stone", "heap", 8)),
            "Neutral: there are only 7 stones in the box, but 8 are named. Please recount.",
        ),
        (
            position(("red", "ruby", "tray:1", 3), ("red", "gem", "bag", 2)),
            "Red: there are only 4 gems in the box, but 5 are named. Please recount.",
        ),
        (position(HEAP, order=("blue",)), "The play order must name each of red, blue once."),
        (position(HEAP, turn="green"), "Nobody at this table plays “green”."),
        (position(("green", "coin", "taken", 1)), "There are no pieces of “green” at this table."),
        (position(("red", "coin", "moon", 1)), "There is no place “moon” on this table."),
        (position(("red", "ruby", "bag", 1)), "Pieces at bag lie unseen; correct them by their back."),
        (position(("red", "gem", "tray:1", 1)), "Pieces at tray:1 lie face up; say what they show."),
    ],
)
def test_impossible_position_is_rejected(wrong: Position, message: str) -> None:
    with pytest.raises(Refused) as caught:
        TOY.apply(toy(), wrong)
    assert sentence(TOY, caught.value.message) == message


def test_figure_can_change_during_the_game() -> None:
    outcome = TOY.apply(toy(), SetFigure(faction="red", path=("heap",), value=9, reason="We looked."))
    assert outcome.state.setup.figures == {"heap": 9}
    assert sentence(TOY, outcome.steps[0].message) == "The figure “heap” on this copy is 9, not 7. We looked."


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("moon",), 3, "The board has no figure “moon”."),
        (("heap", "height"), 3, "The board has no figure “heap.height”."),
        (("heap",), -1, "This cannot stand for the figure “heap”."),
        (("heap",), "many", "This cannot stand for the figure “heap”."),
        ((), {}, "This cannot stand for the figure “”."),
    ],
)
def test_invalid_figure_is_rejected(path: tuple[str, ...], value: Any, message: str) -> None:
    with pytest.raises(Refused) as caught:
        TOY.apply(toy(), SetFigure(faction="red", path=path, value=value))
    assert sentence(TOY, caught.value.message) == message
