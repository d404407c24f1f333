"""The form of a score pad."""

from __future__ import annotations

import pytest

from companion.titles.pad import SCREENS


@pytest.mark.parametrize("slug", sorted(SCREENS))
def test_a_field_that_is_called_as_no_field_is_changes_no_kind(slug: str) -> None:
    sent = {"type": "final", "type.": "", "type.blue": "3", "castles.blue": "2"}
    assert SCREENS[slug].action(sent) == {"type": "final", "castles": {"blue": 2}}
