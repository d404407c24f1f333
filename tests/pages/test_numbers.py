"""Numbers in requests."""

from __future__ import annotations

import pytest

from companion.pages.numbers import parse_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("17", 17), ("007", 7), ("999999999", 999_999_999)])
def test_digits_are_parsed(text: str, number: int) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize("text", [None, "", " ", "-1", "1.5", "1e3", "²", "٣", "x", "1000000000", "1\n"])
def test_other_text_is_no_number(text: str | None) -> None:
    assert parse_number(text) is None
