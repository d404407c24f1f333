"""Forms for results of any structure, and their parsing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import Refusal
from companion.pages.ruling_forms import fields_of, read_result
from games.raubritter import RAUBRITTER as GAME

LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.integers(0, 999),
    st.booleans(),
    st.none(),
    st.sampled_from(["blue", "held", "13/2", "1/2"]),
)
RESULTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["blue", "red", "left", "cell:0,0"]), inner, max_size=3),
    ),
    max_leaves=8,
)


@given(result=RESULTS)
@settings(max_examples=60, deadline=None)
def test_unchanged_form_yields_the_same_result(result: Any) -> None:
    fields = fields_of(GAME, result)
    assert len({field.name for field in fields}) == len(fields)
    assert all(field.value in dict(field.options) for field in fields if field.kind == "choice")
    assert read_result(result, {field.name: field.value for field in fields}) == result


def test_fields_have_names_and_kinds() -> None:
    points, access, held = fields_of(GAME, {"blue": 3, "cell:0,0": None, "left": {"red": "13/2"}})
    assert (points.label, points.kind, points.value, points.key) == ("Blue", "number", "3", "blue")
    assert (access.label, access.kind, access.value) == ("K11", "choice", "null")
    assert (held.label, held.value, held.step) == ("left · Red", "6.5", "0.5")
    assert [words for _value, words in access.options] == ["Blue", "Yellow", "Green", "Red", "Nobody"]


def test_changed_fields_replace_the_values() -> None:
    assert read_result({"red": "13/2"}, {"result.red": "7"}) == {"red": "7"}
    assert read_result("blue", {"result": "null"}) is None
    assert read_result({"red": False}, {"result.red": "true"}) == {"red": True}
    assert read_result("held", {"result": " lost "}) == "lost"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        *((3, ""), (3, "x"), (3, "1e3"), (3, "1" * 9), ("1/2", "x"), (True, "1"), (True, "x")),
        *(("held", " "), ("held", "x" * 61), ("blue", '"'), ("blue", "nullx"), (None, "")),
    ],
)
def test_invalid_fields_are_rejected(result: Any, text: str) -> None:
    with pytest.raises(Refusal):
        read_result(result, {"result": text})
