from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Correct
from games.core.errors import BadInput, Illegal
from games.core.ledger import Move
from games.core.messages import Name
from tests.core.rendering import sentence
from tests.core.toy import TOY, toy


def correction(**changes: Any) -> Correct:
    fields = {
        "faction": "blue",
        "owner": "red",
        "piece": "coin",
        "place": "taken",
        "count": 2,
        "reason": "It lay under the box.",
    }
    return Correct(**{**fields, **changes})


def test_missing_pieces_come_from_the_supply() -> None:
    outcome = TOY.apply(toy(), correction())
    (step,) = outcome.steps
    assert step.rule == "correction"
    assert step.moves == (Move("red", "coin", "supply", "taken", 2, reported=True),)
    text = "Red: coins at taken corrected from 0 to 2. It lay under the box."
    assert sentence(TOY, step.message) == text
    assert outcome.state.ledger.count("red", "coin", "supply") == 3


def test_surplus_pieces_return_to_the_supply() -> None:
    state = TOY.apply(toy(), correction()).state
    outcome = TOY.apply(state, correction(count=1))
    assert outcome.state.ledger.count("red", "coin", "supply") == 4
    assert outcome.state.ledger.count("red", "coin", "taken") == 1


def test_predefined_reason_is_stored_as_a_translatable_name() -> None:
    (step,) = TOY.apply(toy(), correction(reason="miscounted")).steps
    assert step.message.params["reason"] == Name("reason", "miscounted")
    assert sentence(TOY, step.message).endswith("It was miscounted.")


def test_difference_may_come_from_another_place() -> None:
    outcome = TOY.apply(toy(), correction(count=9, against="bank"))
    assert outcome.state.ledger.count("red", "coin", "taken") == 9
    assert outcome.state.ledger.count("red", "coin", "supply") == 5
    outcome = TOY.apply(toy(), correction(place="supply", count=1, against="taken"))
    assert outcome.state.ledger.count("red", "coin", "taken") == 4


def test_correct_count_needs_no_move() -> None:
    outcome = TOY.apply(toy(), correction(place="supply", count=5, against="bank"))
    assert outcome.steps[0].moves == ()
    assert outcome.state == toy()


def test_piece_is_turned_between_seen_and_unseen_places() -> None:
    shown = TOY.apply(toy(), correction(piece="glass", place="tray:2", count=1, against="bag"))
    assert shown.state.ledger.pile("tray:2") == (("red", "glass"),)
    assert shown.state.ledger.count("red", "gem", "bag") == 2
    hidden = TOY.apply(shown.state, correction(piece="glass", place="tray:2", count=0, against="bag"))
    assert hidden.state == toy()


def test_correction_triggers_automatic_phases() -> None:
    outcome = TOY.apply(
        toy(), correction(owner="neutral", piece="stone", place="heap", count=0, against="taken")
    )
    assert TOY.phase(outcome.state) == "finished"
    assert [step.rule for step in outcome.steps] == ["correction", "2"]


def test_correction_needs_enough_pieces_at_the_other_place() -> None:
    refusal = TOY.why_not(toy(), correction(count=6))
    assert isinstance(refusal, Illegal)
    assert refusal.rule == "correction"
    text = "Red: only 5 coins at supply, but 6 would have to come from there."
    assert sentence(TOY, refusal.message) == text


UNKNOWN = [
    ({"owner": "green"}, "There are no pieces of “green” at this table."),
    ({"owner": "x" * 90}, f"There are no pieces of “{'x' * 40}” at this table."),
    (
        {"piece": "crown"},
        "There is no piece “crown” in this game; there are coin, gem, glass, ruby, stone.",
    ),
    ({"place": "moon"}, "There is no place “moon” on this table."),
    ({"against": "moon"}, "There is no place “moon” on this table."),
    ({"reason": "  "}, "Please say in a word why the count is corrected."),
    ({"piece": "ruby", "place": "bag"}, "Pieces at bag lie unseen; correct them by their back."),
    ({"piece": "gem", "place": "tray:1"}, "Pieces at tray:1 lie face up; say what they show."),
    (
        {"piece": "gem", "place": "bag", "against": "tray:1"},
        "Pieces at tray:1 lie face up; say what they show.",
    ),
    ({"place": "supply"}, "Say where pieces at supply came from or went to."),
    ({"against": "taken"}, "Say where pieces at taken came from or went to."),
]


@pytest.mark.parametrize(("changes", "message"), UNKNOWN)
def test_correction_of_unknown_things_is_rejected(changes: dict[str, Any], message: str) -> None:
    refusal = TOY.why_not(toy(), correction(**changes))
    assert isinstance(refusal, BadInput)
    assert sentence(TOY, refusal.message) == message


@pytest.mark.parametrize("count", [-1, 1.5, "2", None, True])
def test_corrected_count_must_be_a_whole_number(count: Any) -> None:
    data = {
        "type": "correct",
        "owner": "red",
        "piece": "coin",
        "place": "taken",
        "count": count,
        "reason": "x",
    }
    with pytest.raises(BadInput) as caught:
        TOY.read_action(data, "red")
    assert sentence(TOY, caught.value.message) == "Please enter a whole number, 0 or more."
