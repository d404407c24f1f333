"""Filters: parsing from a query string, writing it, and refusing invalid values."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from django.http import QueryDict

from companion.errors import Refusal
from companion.results.filters import DEFAULT, Filter, options_of, read_filter


def test_empty_and_unknown_fields_are_no_condition() -> None:
    assert read_filter("raubritter", {}) == Filter("raubritter")
    assert read_filter("raubritter", {"mode": "", "players": "", "clean": "", "more": "x"}) == Filter(
        "raubritter"
    )
    assert Filter("raubritter").query == ""


@pytest.mark.parametrize(
    "expected",
    [
        Filter("raubritter", players=3),
        Filter("raubritter", mode="pad", since="2025-12", until="2026-01"),
        Filter("raubritter", option=DEFAULT, clean=True),
        Filter("wallenstein", option="saved_by_peasants=place-one", players=5),
    ],
)
def test_filter_survives_round_trip_through_query_string(expected: Filter) -> None:
    assert read_filter(expected.game, QueryDict(expected.query)) == expected
    assert set(dict(parse_qsl(expected.query))) <= {"mode", "since", "until", "players", "option", "clean"}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("mode=fast", "mode “full”"),
        ("since=2026-13", "“2026-13” is not a month"),
        ("until=yesterday", "“yesterday” is not a month"),
        ("since=2026-1", "is not a month"),
        ("since=2026-05&until=2026-04", "ends before it begins"),
        ("players=1", "2 to 4 people"),
        ("players=five", "2 to 4 people"),
        ("players=-3", "2 to 4 people"),
        ("players=%D9%A3", "2 to 4 people"),
        ("players=99999999999999999999999", "2 to 4 people"),
        ("option=must_move=false", "no option “must_move=false”"),
        ("option=gold", "no option “gold”"),
        ("clean=perhaps", "without corrections"),
        ("since=%00", "is not a month"),
    ],
)
def test_invalid_values_are_refused_with_a_message(query: str, message: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_filter("raubritter", QueryDict(query))
    assert refusal.value.code == "bad-input"
    assert message in refusal.value.message


def test_unknown_game_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        read_filter("chess", {})
    assert refusal.value.code == "unknown"


def test_options_of_lists_non_default_values() -> None:
    assert options_of("raubritter") == {
        "tile_set=other": ("tile_set", None),
        "must_move=true": ("must_move", True),
        "lone_knight=true": ("lone_knight", True),
        "start_rows=1": ("start_rows", 1),
    }
