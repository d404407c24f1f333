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

from companion.charts.course import Moment, Series
from companion.charts.plots import (
    DASHES,
    HATCHES,
    SYMBOLS,
    Bar,
    Gain,
    Row,
    bars_figure,
    control_figure,
    lines_figure,
    order_figure,
    parts_figure,
    scores_within_rounds,
    spread,
)
from companion.charts.sections import Figure
from companion.titles.tokens import SHAPES
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
    figure = lines_figure(BY_ENTRY, PAIR, titles=TITLES, by_entry=True)
    red, blue = figure["data"]
    assert (red["x"], red["y"]) == ([0, 1, 2, 3, 4, 5], [0, 1, 1, 3, 3, 3])
    assert blue["y"] == [0, 0, 2, 2, 2.5, 3]
    assert red["line"]["shape"] == "hv"
    assert [at for at, size in enumerate(red["marker"]["size"]) if size] == [2, 4, 5], "ends of rounds"
    assert figure["layout"]["xaxis"]["tickvals"] == [0, 3, 5]
    assert figure["layout"]["xaxis"]["ticktext"] == ["1", "2", "3"]


def test_a_game_that_scores_once_a_round_is_drawn_from_round_to_round() -> None:
    assert not scores_within_rounds(BY_ROUND)
    figure = lines_figure(BY_ROUND, PAIR, titles=TITLES, by_entry=False)
    assert figure["data"][0]["x"] == [1, 2, 3]
    assert figure["data"][0]["y"] == [0, 4, 6]
    assert all(figure["data"][0]["marker"]["size"])


def test_one_slip_does_not_make_it_another_chart() -> None:
    assert not scores_within_rounds(course((1, 0, 0), (1, 1, 0), (1, 2, 0), (2, 2, 2), (3, 3, 3)))
    assert scores_within_rounds(BY_ENTRY)


def test_a_game_that_only_began() -> None:
    figure = lines_figure(course((0, 0, 0)), PAIR, titles=TITLES, by_entry=False)
    assert figure["data"][0]["y"] == [0]
    assert figure["layout"]["xaxis"]["ticktext"] == ["0"]


def test_many_rounds_do_not_crowd_the_axis() -> None:
    figure = lines_figure(course(*((n, n, 0) for n in range(1, 41))), PAIR, titles=TITLES, by_entry=False)
    assert len(figure["layout"]["xaxis"]["tickvals"]) <= 12


def test_rounds_that_begin_soon_after_each_other_share_a_number() -> None:
    """Entry by entry some rounds are short: their numbers would stand upon each other."""
    lengths = [3, 30, 1, 30, 36]
    rounds = [(n, 0, 0) for n, length in enumerate(lengths, start=1) for _entry in range(length)]
    axis = lines_figure(course(*rounds), PAIR, titles=TITLES, by_entry=True)["layout"]["xaxis"]
    assert axis["ticktext"] == ["1", "3", "5"]
    assert axis["tickvals"] == [0, 33, 64]
    assert axis["tickangle"] == 0


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_no_two_lines_of_a_game_look_alike_without_colour(slug: str) -> None:
    shapes = [SHAPES[faction] for faction in GAMES[slug].factions]
    looks = {(SYMBOLS[shape], DASHES[shape]) for shape in shapes}
    assert len(looks) == len(shapes) == len({SYMBOLS[shape] for shape in shapes})


def test_every_colour_stands_in_the_style_sheet_for_each_look() -> None:
    rows = [(one, [Fraction(1)] * 6) for one in PAIR]
    used = set().union(*map(colours, every_figure(PAIR))) | colours(
        parts_figure(rows, list("abcdef"), titles=TITLES)
    )
    used |= {f"--chart-{faction}" for faction in SHAPES if faction not in ("neutral", "peasants")}
    for colour in used:
        times = len(re.findall(rf"{colour}: ", SHEET)) or len(re.findall(rf"{colour}: ", MAIN_SHEET))
        assert times == 3, colour


def test_names_stand_apart_at_the_ends_of_the_lines() -> None:
    level = [Moment(0, 1, "turn", dict.fromkeys(("red", "blue", "green"), Fraction(30)))]
    series = [*PAIR, Series("green", "A very long name & <b>")]
    names = lines_figure(level, series, titles=TITLES, by_entry=False)["layout"]["annotations"]
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


def test_a_part_too_short_for_its_number_has_none() -> None:
    rows = [(PAIR[0], [Fraction(40), Fraction(9), Fraction(2), Fraction(9, 2)])]
    figure = parts_figure(rows, list("abcd"), titles=TITLES)
    assert [trace["text"] for trace in figure["data"]] == [["40"], ["9"], [""], [""]]


def test_a_legend_has_room_above_the_rows() -> None:
    """Long names stand one below the other on a phone; the bars get no thinner by that."""
    rows = [(one, [Fraction(1)] * 8) for one in PAIR]
    short, long = (
        parts_figure(rows, [f"{name} {n}" for n in range(8)], titles=TITLES)["layout"]
        for name in ("Part", "Men on a long career track")
    )
    bars = [one["height"] - one["margin"]["t"] - one["margin"]["b"] for one in (short, long)]
    assert bars[0] == bars[1] >= 2 * 30
    assert (short["margin"]["t"], long["margin"]["t"]) >= (4 * 19, 8 * 19)


def test_rows_that_differ_at_their_ends_are_told_apart() -> None:
    names = ["Start", "Spring of the year 1", "Spring of the year 2", "<i> of the year 1"]
    axis = bars_figure([Bar(name, {}) for name in names], PAIR, titles=TITLES)["layout"]["yaxis"]
    assert axis["ticktext"] == ["Start", "Spring…year 1", "Spring…year 2", "&lt;i> of…year 1"]
    same = bars_figure([Bar("A province of the north", {})] * 2, PAIR, titles=TITLES)["layout"]["yaxis"]
    assert set(same["ticktext"]) == {"A province of …"}, "the same name twice stays the same"


def every_figure(series: list[Series]) -> list[Figure]:
    """One of each kind, of the same two people."""
    one = series[0]
    return [
        lines_figure(BY_ENTRY, series, titles=TITLES, by_entry=True),
        bars_figure(
            [Bar(one.name, {one.faction: Fraction(2)}, {"blue": Fraction(1)})], series, titles=TITLES
        ),
        control_figure(
            [Row(one.name, {}, is_title=True), Row(one.name, {0: "red", 1: None})],
            ["1", "2"],
            series,
            titles=TITLES,
        ),
        order_figure(
            [Gain("red", 1, 1, Fraction(3))],
            {1: Fraction(3)},
            series,
            titles={**TITLES, "round": "Round", "mean": "Mean"},
        ),
    ]


def test_bars_stand_on_both_sides_of_zero() -> None:
    rows = [
        Bar("Conflict", {}, {"red": Fraction(3)}),
        Bar("Support", {"red": Fraction(2), "blue": Fraction(1)}),
    ]
    figure = bars_figure(rows, PAIR, titles=TITLES)
    drawn = [(trace["legendgroup"], trace["x"]) for trace in figure["data"]]
    assert drawn == [("red", [0, 2]), ("red", [-3, 0]), ("blue", [0, 1]), ("blue", [0, 0])]
    assert [trace["showlegend"] for trace in figure["data"]] == [True, False, True, False]
    assert figure["layout"]["yaxis"]["ticktext"] == ["Conflict", "Support"]


def test_a_place_has_the_colour_and_the_symbol_of_its_holder() -> None:
    rows = [
        Row("Towns", {}, is_title=True),
        Row("Gent", {0: "red", 1: None, 2: "blue"}),
        Row("Brugge", {2: "blue"}),
    ]
    figure = control_figure(rows, ["1", "2", "3"], PAIR, titles=TITLES)
    ground, nobody, red, blue, *keys = figure["data"]
    assert ground["z"] == [[None, None, None], [0, None, 1], [None, None, 1]]
    assert (nobody["x"], nobody["y"]) == ([1], [1]), "a place that is not there yet has no dot"
    assert (red["x"], red["y"]) == ([0], [1])
    assert (blue["x"], blue["y"]) == ([2, 2], [1, 2])
    assert [key["name"] for key in keys] == ["Ada", "Béla"]
    assert red["marker"]["symbol"] != blue["marker"]["symbol"]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["Towns"]


def test_rounds_stand_beside_each_other_above_their_place_in_the_order() -> None:
    gains = [
        Gain("red", 1, 1, Fraction(3)),
        Gain("red", 2, 2, Fraction(-1)),
        Gain("blue", 1, 2, Fraction(1, 2)),
    ]
    figure = order_figure(
        gains, {1: Fraction(3), 2: Fraction(-1, 4)}, PAIR, titles={**TITLES, "round": "Round", "mean": "Mean"}
    )
    bars, red, blue = figure["data"]
    assert (bars["x"], bars["y"]) == ([1, 2], [3.0, -0.25])
    assert (red["x"], red["y"]) == ([0.7, 2.3], [3, -1])
    assert (blue["x"], blue["y"]) == ([1.7], [0.5])


def test_no_markup_that_would_be_inline_style() -> None:
    """Plotly writes bold text with a style attribute, which the policy refuses."""
    assert "<b>" not in json.dumps(every_figure(PAIR))


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_no_two_areas_of_a_game_look_alike_without_colour(slug: str) -> None:
    hatches = [HATCHES[SHAPES[faction]] for faction in GAMES[slug].factions]
    assert len(set(hatches)) == len(hatches)


def test_a_name_is_never_markup() -> None:
    series = [Series("red", "<b>&"), PAIR[1]]
    rows = [(one, [Fraction(1)]) for one in series]
    for figure in (*every_figure(series), parts_figure(rows, ["a"], titles=TITLES)):
        text = json.dumps(figure)
        assert "<b>&" not in text
        assert "&lt;b>&amp;" in text
