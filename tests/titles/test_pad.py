"""Forms of score pads."""

from __future__ import annotations

import pytest

from companion.registry import titles


@pytest.mark.parametrize("slug", sorted(titles()))
def test_field_named_like_the_type_does_not_change_it(slug: str) -> None:
    form = {"type": "final", "type.": "", "type.blue": "3", "castles.blue": "2"}
    assert titles()[slug].pad.screen.parse(form) == {"type": "final", "castles": {"blue": 2}}
