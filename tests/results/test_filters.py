"""Filters: read from an address, written back to it, refused with a sentence."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from django.http import QueryDict

from companion.errors import Refusal
from companion.results.filters import DEFAULT, Filter, options_of, read_filter


def test_nothing_asked_is_no_condition() -> None:
    assert read_filter("raubritter", {}) == Filter("raubritter")
    assert read_filter("raubritter", {"mode": "", "players": "", "clean": "", "more": "x"}) == Filter(
        "raubritter"
    )
    assert Filter("raubritter").query == ""


@pytest.mark.parametrize(
    "asked",
    [
        Filter("raubritter", players=3),
        Filter("raubritter", mode="pad", since="2025-12", until="2026-01"),
        Filter("raubritter", option=DEFAULT, clean=True),
        Filter("wallenstein", option="saved_by_peasants=place-one", players=5),
    ],
)
def test_there_and_back(asked: Filter) -> None:
    assert read_filter(asked.game, QueryDict(asked.query)) == asked
    assert set(dict(parse_qsl(asked.query))) <= {"mode", "since", "until", "players", "option", "clean"}


@pytest.mark.parametrize(
    ("query", "sentence"),
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
def test_what_cannot_be_is_refused_with_a_sentence(query: str, sentence: str) -> None:
    with pytest.raises(Refusal) as found:
        read_filter("raubritter", QueryDict(query))
    assert found.value.code == "bad-input"
    assert sentence in found.value.message


def test_a_game_that_is_not_here_is_unknown() -> None:
    with pytest.raises(Refusal) as found:
        read_filter("chess", {})
    assert found.value.code == "unknown"


def test_options_are_those_that_differ_from_the_default() -> None:
    assert options_of("raubritter") == {
        "tile_set=other": ("tile_set", None),
        "must_move=true": ("must_move", True),
        "lone_knight=true": ("lone_knight", True),
        "start_rows=1": ("start_rows", 1),
    }
