"""Figures are plain data: what is drawn, in which colours and shapes."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.statistics.course import Moment
from companion.statistics.figures import (
    DASHES,
    SYMBOLS,
    Series,
    parts_figure,
    scores_within_rounds,
    spread,
    standings_figure,
)
from companion.tokens import SHAPES
from games.registry import GAMES

SHEET = (Path(__file__).parents[2] / "static" / "css" / "report.css").read_text()
MAIN_SHEET = (Path(__file__).parents[2] / "static" / "css" / "seneschal.css").read_text()
TITLES = {"x": "Round", "y": "Points"}
PAIR = [Series("red", "Ada"), Series("blue", "Béla")]


def course(*points: tuple[int, float, float]) -> list[Moment]:
    return [
        Moment(number, round_, "turn", {"red": Fraction(red), "blue": Fraction(blue)})
        for number, (round_, red, blue) in enumerate(points)
    ]


BY_ENTRY = course((1, 0, 0), (1, 1, 0), (1, 1, 2), (2, 3, 2), (2, 3, 2.5), (3, 3, 3))
BY_ROUND = course((1, 0, 0), (1, 0, 0), (2, 4, 3), (2, 4, 3), (3, 6, 7), (3, 6, 7))


def colours(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} if value.startswith("--") else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return set().union(*map(colours, inner))


def test_entry_by_entry_points_hold_until_somebody_changes_them() -> None:
    figure = standings_figure(BY_ENTRY, PAIR, titles=TITLES)
    red, blue = figure["data"]
    assert (red["x"], red["y"]) == ([0, 1, 2, 3, 4, 5], [0, 1, 1, 3, 3, 3])
    assert blue["y"] == [0, 0, 2, 2, 2.5, 3]
    assert red["line"]["shape"] == "hv"
    assert [at for at, size in enumerate(red["marker"]["size"]) if size] == [2, 4, 5], "ends of rounds"
    assert figure["layout"]["xaxis"]["tickvals"] == [0, 3, 5]
    assert figure["layout"]["xaxis"]["ticktext"] == ["1", "2", "3"]


def test_a_game_that_scores_once_a_round_is_drawn_from_round_to_round() -> None:
    figure = standings_figure(BY_ROUND, PAIR, titles=TITLES)
    assert figure["data"][0]["x"] == [1, 2, 3]
    assert figure["data"][0]["y"] == [0, 4, 6]
    assert all(figure["data"][0]["marker"]["size"])


def test_one_slip_does_not_make_it_another_chart() -> None:
    assert not scores_within_rounds(course((1, 0, 0), (1, 1, 0), (1, 2, 0), (2, 2, 2), (3, 3, 3)))
    assert scores_within_rounds(BY_ENTRY)


def test_a_game_that_only_began() -> None:
    figure = standings_figure(course((0, 0, 0)), PAIR, titles=TITLES)
    assert figure["data"][0]["y"] == [0]
    assert figure["layout"]["xaxis"]["ticktext"] == ["0"]


def test_many_rounds_do_not_crowd_the_axis() -> None:
    figure = standings_figure(course(*((n, n, 0) for n in range(1, 41))), PAIR, titles=TITLES)
    assert len(figure["layout"]["xaxis"]["tickvals"]) <= 12


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_no_two_lines_of_a_game_look_alike_without_colour(slug: str) -> None:
    shapes = [SHAPES[faction] for faction in GAMES[slug].factions]
    looks = {(SYMBOLS[shape], DASHES[shape]) for shape in shapes}
    assert len(looks) == len(shapes) == len({SYMBOLS[shape] for shape in shapes})


def test_every_colour_stands_in_the_style_sheet_for_each_look() -> None:
    rows = [(one, [Fraction(1)] * 6) for one in PAIR]
    used = colours(standings_figure(BY_ENTRY, PAIR, titles=TITLES)) | colours(
        parts_figure(rows, list("abcdef"), titles=TITLES)
    )
    used |= {f"--chart-{faction}" for faction in SHAPES if faction not in ("neutral", "peasants")}
    for colour in used:
        times = len(re.findall(rf"{colour}: ", SHEET)) or len(re.findall(rf"{colour}: ", MAIN_SHEET))
        assert times == 3, colour


def test_names_stand_apart_at_the_ends_of_the_lines() -> None:
    level = [Moment(0, 1, "turn", dict.fromkeys(("red", "blue", "green"), Fraction(30)))]
    series = [*PAIR, Series("green", "A very long name & <b>")]
    names = standings_figure(level, series, titles=TITLES)["layout"]["annotations"]
    heights = [name["y"] for name in names]
    assert all(high - low >= 1.9 for low, high in pairwise(heights))
    assert names[-1]["text"] == "A very lo… 30"


@given(st.lists(st.integers(0, 60), min_size=1, max_size=6), st.integers(1, 6))
def test_values_that_are_spread(values: list[int], gap: int) -> None:
    found = spread(sorted(map(float, values)), gap)
    assert all(high - low >= gap - 1e-9 for low, high in pairwise(found))
    if all(high - low >= gap for low, high in pairwise(sorted(values))):
        assert found == sorted(map(float, values))
    assert abs(sum(found) - sum(values)) < 1e-6, "none is moved more than the others ask for"


def test_parts_are_told_apart_by_pattern_and_tone() -> None:
    rows = [(PAIR[0], [Fraction(3), Fraction(0)]), (PAIR[1], [Fraction(1, 2), Fraction(-2)])]
    figure = parts_figure(rows, ["Castles", "<i>Towns</i>"], titles=TITLES)
    castles, towns = figure["data"]
    assert castles["x"] == [3, 0.5]
    assert towns["x"] == [0, -2]
    assert towns["text"] == ["", "-2"]
    assert castles["marker"]["pattern"]["shape"] != towns["marker"]["pattern"]["shape"]
    assert figure["layout"]["barmode"] == "relative"
    assert "<i>" not in json.dumps(figure)


def test_a_name_is_never_markup() -> None:
    series = [Series("red", "<b>&"), PAIR[1]]
    rows = [(one, [Fraction(1)]) for one in series]
    for figure in (
        standings_figure(BY_ENTRY, series, titles=TITLES),
        parts_figure(rows, ["a"], titles=TITLES),
    ):
        text = json.dumps(figure)
        assert "<b>&" not in text
        assert "&lt;b>&amp;" in text
