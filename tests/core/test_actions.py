from __future__ import annotations

import json
from typing import Any

import pytest

from games.core.actions import Correct, Ruling, SetOption, action_json
from games.core.errors import BadInput
from tests.core.rendering import sentence
from tests.core.toy import TOY, Take


def test_action_json_omits_the_faction() -> None:
    assert action_json(Take(faction="red", stones=2)) == {"type": "take", "stones": 2}


def test_actions_round_trip_through_json() -> None:
    actions = [
        Take(faction="red", stones=2),
        Take(faction="red", stones=2, rulings={"heap": Ruling(result={"left": 1}, reason="agreed")}),
        Correct(faction="red", owner="red", piece="coin", place="taken", count=1, reason="x", against="bank"),
        SetOption(faction="red", name="mix", value={"ruby": 3, "glass": 0}, reason="x"),
    ]
    for action in actions:
        assert TOY.read_action(json.loads(json.dumps(action_json(action))), "red") == action


TYPES = "correct, figure, option, position, take"

BAD = [
    (None, "An entry must be a table of names and values with a “type”."),
    ([], "An entry must be a table of names and values with a “type”."),
    ("take", "An entry must be a table of names and values with a “type”."),
    ({}, "The field “type” is missing."),
    ({"stones": 1}, "The field “type” is missing."),
    ({"type": 3}, f"There is no entry of type “3”; there are {TYPES}."),
    ({"type": ["take"]}, f"There is no entry of type “['take']”; there are {TYPES}."),
    ({"type": "steal"}, f"There is no entry of type “steal”; there are {TYPES}."),
    ({"type": "s" * 90}, f"There is no entry of type “{'s' * 40}”; there are {TYPES}."),
    ({"type": "take"}, "The field “stones” is missing."),
    ({"type": "take", "stones": -1}, "Please enter a whole number, 0 or more."),
    ({"type": "take", "stones": 1, "faction": "blue"}, "There is no field “faction” here."),
    ({"type": "take", "stones": 1, "why": ""}, "There is no field “why” here."),
    ({"type": "take", "stones": 1, "rulings": []}, "“rulings” must be a table of names and values."),
    ({"type": "take", "stones": 1, "rulings": {"a": {"result": 1}}}, "The field “reason” is missing."),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_malformed_action_is_rejected(data: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        TOY.read_action(data, "red")
    assert sentence(TOY, caught.value.message) == message
