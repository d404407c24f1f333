from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import SetOption
from games.core.errors import BadInput, Illegal
from games.core.options import read_options
from tests.core.rendering import sentence
from tests.core.toy import TOY, toy


def test_missing_options_take_their_default() -> None:
    assert read_options(TOY.options, {}) == {"short": False, "heaps": 1, "mix": {"ruby": 1, "glass": 2}}


def test_given_options_are_used() -> None:
    mix = {"glass": 0, "ruby": 3}
    given = read_options(TOY.options, {"short": True, "heaps": 2, "mix": mix})
    assert given == {"short": True, "heaps": 2, "mix": mix}
    assert list(given["mix"]) == ["ruby", "glass"]  # in the order of the default


NUMBERS = "The table option “mix” needs a number for each of glass, ruby, 3 in all."

BAD = [
    ({"tall": 1}, "There is no table option “tall”; there are short, heaps, mix."),
    ({1: 1}, "There is no table option “1”; there are short, heaps, mix."),
    ({"short": 1}, "The table option “short” must be one of false, true."),
    ({"short": "true"}, "The table option “short” must be one of false, true."),
    ({"short": None}, "The table option “short” must be one of false, true."),
    ({"heaps": True}, "The table option “heaps” must be one of 1, 2."),
    ({"heaps": 3}, "The table option “heaps” must be one of 1, 2."),
    ({"heaps": 1.0}, "The table option “heaps” must be one of 1, 2."),
    ({"heaps": [1]}, "The table option “heaps” must be one of 1, 2."),
    ({"mix": {}}, NUMBERS),
    ({"mix": {"ruby": 3}}, NUMBERS),
    ({"mix": {"ruby": 1, "glass": 1}}, NUMBERS),
    ({"mix": {"ruby": 4, "glass": -1}}, NUMBERS),
    ({"mix": {"ruby": 1, "glass": 1, "coal": 1}}, NUMBERS),
    ({"mix": {"ruby": 1.0, "glass": 2}}, "Please enter a whole number."),
    ({"mix": [1, 2]}, "“mix” must be a table of names and values."),
    ([], "“options” must be a table of names and values."),
    ("short", "“options” must be a table of names and values."),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_invalid_option_is_rejected(given: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        TOY.prepare(["red", "blue"], options=given)
    assert sentence(TOY, caught.value.message) == message


def test_option_can_change_during_the_game() -> None:
    outcome = TOY.apply(toy(), SetOption(faction="blue", name="short", value=True, reason="It is late."))
    assert outcome.state.setup.options["short"] is True
    (step,) = outcome.steps
    assert step.rule == "option"
    assert sentence(TOY, step.message) == "The table now plays “A short game”: yes. It is late."


def test_fixed_option_cannot_change_during_the_game() -> None:
    refusal = TOY.why_not(toy(), SetOption(faction="red", name="heaps", value=2))
    assert isinstance(refusal, Illegal)
    assert refusal.rule == "option"
    assert sentence(TOY, refusal.message) == "The table option “heaps” cannot change once the game has begun."


@pytest.mark.parametrize(("name", "value"), [("tall", 1), ("short", 1), ("mix", {"ruby": 9})])
def test_unknown_option_or_value_is_rejected_during_the_game(name: str, value: Any) -> None:
    assert isinstance(TOY.why_not(toy(), SetOption(faction="red", name=name, value=value)), BadInput)
