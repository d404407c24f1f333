from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Ruling
from games.core.errors import BadInput
from tests.core.rendering import sentence
from tests.core.toy import TOY, Take, toy

LAST = {"winner": Ruling(result="blue", reason="house-rule")}


def almost_over() -> Any:
    state = toy()
    for faction in ("red", "blue"):
        state = TOY.apply(state, Take(faction=faction, stones=3)).state
    return state


def test_rules_decide_without_a_ruling() -> None:
    outcome = TOY.apply(almost_over(), Take(faction="red", stones=1))
    assert (outcome.steps[-1].key, outcome.steps[-1].result) == ("winner", "red")
    assert outcome.steps[-1].ruling is None


def test_ruling_replaces_the_result_and_records_its_reason() -> None:
    outcome = TOY.apply(almost_over(), Take(faction="red", stones=1, rulings=LAST))
    assert TOY.result(outcome.state).winners == ("blue",)  # type: ignore[union-attr]
    assert (outcome.steps[-1].result, outcome.steps[-1].ruling) == ("blue", "house-rule")
    assert outcome.state.rulings == {}, "a ruling applies to one entry"


@pytest.mark.parametrize(
    ("rulings", "message"),
    [
        (
            {"loser": LAST["winner"]},
            "This entry decides nothing called “loser”; there is nothing to rule on.",
        ),
        ({"winner": Ruling(result=3, reason="house-rule")}, "“winner” must be a text."),
        (
            {"winner": Ruling(result="blue", reason=" ")},
            "Please say in a word why the table rules differently.",
        ),
    ],
)
def test_invalid_ruling_is_rejected(rulings: dict[str, Ruling], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        TOY.apply(almost_over(), Take(faction="red", stones=1, rulings=rulings))
    assert sentence(TOY, caught.value.message) == message


def test_ruling_without_a_decision_is_rejected() -> None:
    with pytest.raises(BadInput):
        TOY.apply(toy(), Take(faction="red", stones=1, rulings=LAST))
