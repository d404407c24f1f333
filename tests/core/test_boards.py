"""Board files: figures, their sources and valid replacements, and changes during a game."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from companion.registry import titles
from games.core.actions import SetFigure
from games.core.boards import (
    DRAWING,
    Board,
    Called,
    differences,
    figure_at,
    load_board,
    walk,
    with_figure,
)
from games.core.errors import BadInput, Illegal, Refused
from games.core.messages import Name
from games.raubritter import RAUBRITTER
from tests.core.rendering import sentence

ISLES = Board(
    figures={
        "ports": ["city:ur", "town:ash"],
        "isles": {
            "north": {
                "limit": 3,
                "tax": 0.5,
                "wild": True,
                "realm": "old",
                "towns": ["ash"],
                "next": ["south"],
            },
            "south": {"limit": 4, "tax": 2.0, "wild": False, "realm": "new", "towns": [], "next": ["north"]},
        },
        "realms": {"old": {"size": 1}, "new": {"size": 1}, "far": {"size": 0}},
        "cities": {"ur": {"column": 2}, "uruk": {"column": 3}},
        "way": {"course": ["north", "south"], "passes": [["city:ur"], ["town:ash"]]},
        "cells": ["red", "red", "blue"],
        "ladder": [1, 2, 4],
        "map": {"north": [-40, 5000]},
    },
    sources={
        "ports": "rulebook",
        "isles": "unverified",
        "isles.north": "found",
        "isles.north.limit": "rulebook",
        "map": DRAWING,
    },
    ordered=("course",),
)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("ports", "rulebook"),
        ("isles.south.limit", "unverified"),
        ("isles.north.tax", "found"),
        ("isles.north.limit", "rulebook"),
        ("cells", "unverified"),
    ],
)
def test_source_is_that_of_the_longest_path_prefix(path: str, source: str) -> None:
    assert ISLES.source_of(path.split(".")) == source
    assert ISLES.leaves[tuple(path.split("."))].source == source


def test_drawing_data_is_not_a_figure() -> None:
    assert not [path for path in ISLES.leaves if path[0] == "map"]
    assert ISLES.leaves["way", "passes"].kind == "lists"


@pytest.mark.parametrize(
    ("path", "kind", "choices"),
    [
        ("isles.north.limit", "number", ()),
        ("isles.north.wild", "flag", ()),
        ("isles.north.realm", "name", ("old", "new", "far")),
        ("isles.north.towns", "names", ("ash",)),
        ("isles.south.towns", "names", ("ash",)),
        ("isles.north.next", "names", ("north", "south")),
        ("ports", "names", ("city:ur", "city:uruk", "town:ash")),
        ("cells", "names", ("blue", "red")),
        ("ladder", "numbers", ()),
    ],
)
def test_kind_and_choices_of_figures(path: str, kind: str, choices: tuple[str, ...]) -> None:
    figure = ISLES.leaves[tuple(path.split("."))]
    assert (figure.kind, figure.choices) == (kind, choices)


def test_unit_is_the_common_divisor_of_related_numbers() -> None:
    assert ISLES.leaves["isles", "south", "tax"].unit == Fraction(1, 2)
    assert ISLES.leaves["isles", "south", "limit"].unit == 1


def test_order_matters_if_declared_or_if_names_repeat() -> None:
    in_order = {".".join(path) for path, figure in ISLES.leaves.items() if figure.in_order}
    assert in_order == {"way.course", "cells"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("isles.north.limit", 0),
        ("isles.south.tax", 1.25),
        ("isles.south.tax", 1),
        ("isles.north.wild", False),
        ("isles.north.realm", "far"),
        ("isles.north.next", []),
        ("isles.south.next", ["north", "south"]),
        ("ports", ["city:uruk"]),
        ("cells", ["blue", "blue", "blue", "blue"]),
        ("way.course", ["south", "north", "south"]),
        ("way.passes", [["town:ash", "city:uruk"], ["town:ash"]]),
        ("way.passes", [["city:ur"]]),
        ("way.passes", [["city:ur"], ["town:ash"], ["city:uruk"]]),
        ("way.passes", [[]]),
        ("ladder", [1, 3, 5]),
    ],
)
def test_plausible_figure_is_accepted(path: str, value: Any) -> None:
    assert ISLES.fits(with_figure(ISLES.figures, path.split("."), value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("isles.north.limit", -1),
        ("isles.north.limit", 1001),
        ("isles.north.limit", 2.5),
        ("isles.north.limit", True),
        ("isles.north.limit", "3"),
        ("isles.south.tax", 0.125),
        ("isles.south.tax", float("nan")),
        ("isles.south.tax", float("inf")),
        ("isles.north.wild", 1),
        ("isles.north.realm", "moon"),
        ("isles.north.realm", ["old"]),
        ("isles.north.next", ["moon"]),
        ("isles.north.next", ["south", "south"]),
        ("isles.north.next", "south"),
        ("isles.north.next", [["south"]]),
        ("ports", ["ur"]),
        ("cells", ["red"] * 61),
        ("ladder", [1, 2]),
        ("way.passes", []),
        ("way.passes", ["city:ur"]),
        ("way.passes", [["city:ur", "city:ur"]]),
        ("way.passes", [["moon"]]),
        ("way.passes", [[["city:ur"]]]),
        ("way.passes", [["city:ur"]] * 61),
        ("way.passes", {"1": ["city:ur"], "2": ["town:ash"]}),
        ("isles.north", {}),
        ("isles", None),
        ("map.north", [0, 0]),
    ],
)
def test_impossible_figure_is_rejected(path: str, value: Any) -> None:
    assert not ISLES.fits(with_figure(ISLES.figures, path.split("."), value))


def test_board_with_missing_or_extra_part_does_not_fit() -> None:
    assert not ISLES.fits({name: part for name, part in ISLES.figures.items() if name != "ports"})
    assert not ISLES.fits({**ISLES.figures, "moon": 1})
    assert not ISLES.fits([])


def test_with_figure_changes_one_figure_in_a_copy() -> None:
    other = with_figure(ISLES.figures, ("way", "passes"), [["city:ur"], ["city:uruk"], ["town:ash"]])
    assert figure_at(other, ("way", "passes")) == [["city:ur"], ["city:uruk"], ["town:ash"]]
    assert differences(ISLES.figures, other) == [("way", "passes")]
    assert figure_at(ISLES.figures, ("way", "passes")) == [["city:ur"], ["town:ash"]]
    for path in (("moon",), ("ladder", "1"), ("way", "passes", "3")):
        with pytest.raises(LookupError):
            with_figure(ISLES.figures, path, 1)
        with pytest.raises(LookupError):
            figure_at(ISLES.figures, path)


def test_additional_names_are_valid_choices() -> None:
    board = Board(
        {"isles": {"north": {"kind": "wild"}, "south": {"kind": "tame"}}}, {}, also={"kind": ["lost"]}
    )
    assert board.leaves["isles", "north", "kind"].choices == ("lost", "tame", "wild")
    assert board.leaves["isles", "north", "kind"].takes("lost")
    assert not board.leaves["isles", "north", "kind"].takes("sunk")
    helpers = titles()["signoria"].game.board.leaves["helpers", "grey", "1", "kind"]
    assert helpers.takes("either-blind")


def test_display_name_prefers_the_kind_of_its_part() -> None:
    called = Called(
        {"figure:limit": "Limit", "isle:north": "Norland", "realm:north": "Empire", "number:1": "one"}
    )
    assert called.name("limit") == Name("figure", "limit")
    assert called.name("north", "realms") == Name("realm", "north")
    assert called.name("north", "elsewhere") == Name("isle", "north")
    assert called.name("isle:north") == Name("isle", "north")
    assert called.name("south") == "south"
    assert called.name("1") == "1"


@pytest.mark.parametrize("slug", ["raubritter", "revolution", "wallenstein", "signoria"])
def test_shipped_board_fits_itself_and_has_valid_source_paths(slug: str) -> None:
    board = load_board(f"games.{slug}")
    assert board.fits(board.figures)
    assert not [path for path, _value in walk(board.figures) if any("." in name for name in path)]
    assert set(board.sources.values()) <= {"rulebook", "found", "unverified", DRAWING}
    known = {
        ".".join(path[:length]) for path, _value in walk(board.figures) for length in range(1, len(path) + 1)
    }
    assert set(board.sources) <= known


@pytest.mark.parametrize("slug", list(titles()))
def test_shipped_figures_are_consistent(slug: str) -> None:
    assert titles()[slug].game.figures_wrong(titles()[slug].game.board.figures) == []


# In a game

PLAYING = RAUBRITTER.start(RAUBRITTER.prepare(["red", "blue"])).state
LETTERS = RAUBRITTER.board.figures["letters"]
SWAPPED = {
    **LETTERS,
    "A": ["plain-castle", "plain", "plain-village", "lake"],
    "B": ["mountain", *LETTERS["B"][1:]],
}
SET = RAUBRITTER.board.figures["tile_set"]
OTHER_SET = {
    **RAUBRITTER.board.figures,
    "tile_set": {**SET, "lake": 2, "mountain": 1},
    "letters": {**LETTERS, "A": ["plain-castle", "plain", "plain-village", "lake"]},
}


def set_figure(path: tuple[str, ...], value: Any) -> Any:
    return RAUBRITTER.apply(PLAYING, SetFigure(faction="red", path=path, value=value, reason="We looked."))


def test_dependent_figures_must_change_together() -> None:
    with pytest.raises(Illegal) as caught:
        set_figure(("letters", "A"), SWAPPED["A"])
    assert sentence(RAUBRITTER, caught.value.message) == "lake: the set has 1, but 2 bear a letter."
    outcome = set_figure(("letters",), SWAPPED)
    assert outcome.state.setup.figures["letters"] == SWAPPED
    assert sentence(RAUBRITTER, outcome.steps[0].message) == (
        "The figure “Letters on the backs, Letter A” on this copy is plain castle, plain, plain village, lake, "
        "not plain castle, plain, plain village, mountain. We looked."
    )
    assert len(outcome.steps) == 2


def test_printed_option_follows_its_figure() -> None:
    outcome = set_figure((), OTHER_SET)
    assert outcome.state.setup.options["tile_set"]["lake"] == 2
    assert PLAYING.setup.options["tile_set"]["lake"] == 1


def test_figure_of_a_fixed_option_cannot_change() -> None:
    with pytest.raises(Illegal) as caught:
        set_figure(("start", "rows"), 1)
    assert caught.value.rule == "figure"


def test_unchanged_figure_is_rejected() -> None:
    with pytest.raises(BadInput) as caught:
        set_figure(("start", "rows"), 2)
    assert sentence(RAUBRITTER, caught.value.message) == "The figure “start.rows” is that already."


def test_printed_options_are_defaults_that_the_host_may_override() -> None:
    figures = {**OTHER_SET, "start": {"rows": 1}}
    setup = RAUBRITTER.prepare(["red", "blue"], figures=figures)
    assert (setup.options["start_rows"], setup.options["tile_set"]["lake"]) == (1, 2)
    by_hand = RAUBRITTER.prepare(["red", "blue"], figures=figures, options={"start_rows": 2})
    assert (by_hand.options["start_rows"], by_hand.options["tile_set"]["lake"]) == (2, 2)


def test_game_cannot_start_with_impossible_figures() -> None:
    with pytest.raises(Refused):
        RAUBRITTER.prepare(["red", "blue"], figures={**RAUBRITTER.board.figures, "start": {"rows": 7}})
