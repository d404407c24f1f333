"""Forms of score pads."""

from __future__ import annotations

from typing import Any

import pytest

from companion.registry import titles


@pytest.mark.parametrize("slug", sorted(titles()))
def test_field_named_like_the_type_does_not_change_it(slug: str) -> None:
    form = {"type": "final", "type.": "", "type.blue": "3", "castles.blue": "2"}
    assert titles()[slug].pad.screen.parse(form) == {"type": "final", "castles": {"blue": 2}}


@pytest.mark.parametrize(
    "action",
    [
        {"type": "draft", "position": 2},
        {"type": "stack", "stack": ["red", "blue", "yellow"]},
        {"type": "final", "castles": {"blue": 2}, "knights": {"red": 1, "blue": 3}},
    ],
)
def test_form_filled_from_an_action_is_parsed_to_the_same_action(action: dict[str, Any]) -> None:
    screen = titles()["raubritter"].pad.screen
    assert screen.parse({**screen.fill(action), "type": action["type"]}) == action


def test_hidden_field_names_the_action_where_no_typed_button_is_pressed() -> None:
    action = {"type": "draft", "position": 0}
    assert titles()["revolution"].pad.screen.parse({"kind": "draft", "position": "0"}) == action
