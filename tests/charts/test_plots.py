"""Plots: traces, axes, labels, colours and symbols."""

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
    PlaceRow,
    bars_plot,
    control_plot,
    lines_plot,
    order_plot,
    parts_plot,
    scores_within_rounds,
    space_apart,
)
from companion.charts.sections import Plot
from companion.registry import titles
from companion.web.tokens import shape_of, shapes

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


def test_points_by_entry_are_step_lines_with_markers_at_round_ends() -> None:
    plot = lines_plot(BY_ENTRY, PAIR, titles=TITLES, by_entry=True)
    red, blue = plot["data"]
    assert (red["x"], red["y"]) == ([0, 1, 2, 3, 4, 5], [0, 1, 1, 3, 3, 3])
    assert blue["y"] == [0, 0, 2, 2, 2.5, 3]
    assert red["line"]["shape"] == "hv"
    assert [at for at, size in enumerate(red["marker"]["size"]) if size] == [2, 4, 5], "ends of rounds"
    assert plot["layout"]["xaxis"]["tickvals"] == [0, 3, 5]
    assert plot["layout"]["xaxis"]["ticktext"] == ["1", "2", "3"]


def test_points_by_round_have_one_marker_per_round() -> None:
    assert not scores_within_rounds(BY_ROUND)
    plot = lines_plot(BY_ROUND, PAIR, titles=TITLES, by_entry=False)
    assert plot["data"][0]["x"] == [1, 2, 3]
    assert plot["data"][0]["y"] == [0, 4, 6]
    assert all(plot["data"][0]["marker"]["size"])


def test_single_round_with_several_changes_still_scores_by_round() -> None:
    assert not scores_within_rounds(course((1, 0, 0), (1, 1, 0), (1, 2, 0), (2, 2, 2), (3, 3, 3)))
    assert scores_within_rounds(BY_ENTRY)


def test_game_without_entries() -> None:
    plot = lines_plot(course((0, 0, 0)), PAIR, titles=TITLES, by_entry=False)
    assert plot["data"][0]["y"] == [0]
    assert plot["layout"]["xaxis"]["ticktext"] == ["0"]


def test_many_rounds_have_at_most_12_ticks() -> None:
    plot = lines_plot(course(*((n, n, 0) for n in range(1, 41))), PAIR, titles=TITLES, by_entry=False)
    assert len(plot["layout"]["xaxis"]["tickvals"]) <= 12


def test_round_that_begins_soon_after_another_has_no_tick() -> None:
    """By entry, short rounds would have overlapping labels."""
    lengths = [3, 30, 1, 30, 36]
    rounds = [(n, 0, 0) for n, length in enumerate(lengths, start=1) for _entry in range(length)]
    axis = lines_plot(course(*rounds), PAIR, titles=TITLES, by_entry=True)["layout"]["xaxis"]
    assert axis["ticktext"] == ["1", "3", "5"]
    assert axis["tickvals"] == [0, 33, 64]
    assert axis["tickangle"] == 0


@pytest.mark.parametrize("slug", sorted(titles()))
def test_lines_of_a_game_differ_without_colour(slug: str) -> None:
    shapes = [shape_of(faction) for faction in titles()[slug].game.factions]
    looks = {(SYMBOLS[shape], DASHES[shape]) for shape in shapes}
    assert len(looks) == len(shapes) == len({SYMBOLS[shape] for shape in shapes})


def test_every_colour_is_defined_for_each_look() -> None:
    rows = [(player, [Fraction(1)] * 6) for player in PAIR]
    used = set().union(*map(colours, every_plot(PAIR))) | colours(
        parts_plot(rows, list("abcdef"), titles=TITLES)
    )
    used |= {f"--chart-{faction}" for faction in shapes() if faction not in ("neutral", "peasants")}
    for colour in used:
        times = len(re.findall(rf"{colour}: ", SHEET)) or len(re.findall(rf"{colour}: ", MAIN_SHEET))
        assert times == 3, colour


def test_names_at_line_ends_do_not_overlap() -> None:
    level = [Moment(0, 1, "turn", dict.fromkeys(("red", "blue", "green"), Fraction(30)))]
    series = [*PAIR, Series("green", "A very long name & <b>")]
    names = lines_plot(level, series, titles=TITLES, by_entry=False)["layout"]["annotations"]
    heights = [name["y"] for name in names]
    assert all(high - low >= 1.9 for low, high in pairwise(heights))
    assert names[-1]["text"] == "A very lo… 30"


@given(st.lists(st.integers(0, 60), min_size=1, max_size=6), st.integers(1, 6))
def test_space_apart_keeps_gaps_order_and_mean(values: list[int], gap: int) -> None:
    spaced = space_apart(sorted(map(float, values)), gap)
    assert all(high - low >= gap - 1e-9 for low, high in pairwise(spaced))
    if all(high - low >= gap for low, high in pairwise(sorted(values))):
        assert spaced == sorted(map(float, values))
    assert abs(sum(spaced) - sum(values)) < 1e-6, "the mean stays the same"


def test_parts_differ_by_pattern() -> None:
    rows = [(PAIR[0], [Fraction(3), Fraction(0)]), (PAIR[1], [Fraction(1, 2), Fraction(-2)])]
    plot = parts_plot(rows, ["Castles", "<i>Towns</i>"], titles=TITLES)
    castles, towns = plot["data"]
    assert castles["x"] == [3, 0.5]
    assert towns["x"] == [0, -2]
    assert towns["text"] == ["", "-2"]
    assert castles["marker"]["pattern"]["shape"] != towns["marker"]["pattern"]["shape"]
    assert plot["layout"]["barmode"] == "relative"
    assert "<i>" not in json.dumps(plot)


def test_part_too_short_for_its_number_has_no_label() -> None:
    rows = [(PAIR[0], [Fraction(40), Fraction(9), Fraction(2), Fraction(9, 2)])]
    plot = parts_plot(rows, list("abcd"), titles=TITLES)
    assert [trace["text"] for trace in plot["data"]] == [["40"], ["9"], [""], [""]]


def test_legend_has_room_above_the_rows() -> None:
    """A longer legend makes the plot taller, not the bars thinner."""
    rows = [(player, [Fraction(1)] * 8) for player in PAIR]
    short, long = (
        parts_plot(rows, [f"{name} {n}" for n in range(8)], titles=TITLES)["layout"]
        for name in ("Part", "Men on a long career track")
    )
    bars = [layout["height"] - layout["margin"]["t"] - layout["margin"]["b"] for layout in (short, long)]
    assert bars[0] == bars[1] >= 2 * 30
    assert (short["margin"]["t"], long["margin"]["t"]) >= (4 * 19, 8 * 19)


def test_row_names_that_differ_at_the_end_are_cut_in_the_middle() -> None:
    names = ["Start", "Spring of the year 1", "Spring of the year 2", "<i> of the year 1"]
    axis = bars_plot([Bar(name, {}) for name in names], PAIR, titles=TITLES)["layout"]["yaxis"]
    assert axis["ticktext"] == ["Start", "Spring…year 1", "Spring…year 2", "&lt;i> of…year 1"]
    same = bars_plot([Bar("A province of the north", {})] * 2, PAIR, titles=TITLES)["layout"]["yaxis"]
    assert set(same["ticktext"]) == {"A province of …"}, "equal names get equal labels"


def every_plot(series: list[Series]) -> list[Plot]:
    """Return a plot of each kind."""
    player = series[0]
    return [
        lines_plot(BY_ENTRY, series, titles=TITLES, by_entry=True),
        bars_plot(
            [Bar(player.name, {player.faction: Fraction(2)}, {"blue": Fraction(1)})], series, titles=TITLES
        ),
        control_plot(
            [PlaceRow(player.name, {}, is_title=True), PlaceRow(player.name, {0: "red", 1: None})],
            ["1", "2"],
            series,
            titles=TITLES,
        ),
        order_plot(
            [Gain("red", 1, 1, Fraction(3))],
            {1: Fraction(3)},
            series,
            titles={**TITLES, "round": "Round", "mean": "Mean"},
        ),
    ]


def test_bars_extend_to_both_sides_of_zero() -> None:
    rows = [
        Bar("Conflict", {}, {"red": Fraction(3)}),
        Bar("Support", {"red": Fraction(2), "blue": Fraction(1)}),
    ]
    plot = bars_plot(rows, PAIR, titles=TITLES)
    drawn = [(trace["legendgroup"], trace["x"]) for trace in plot["data"]]
    assert drawn == [("red", [0, 2]), ("red", [-3, 0]), ("blue", [0, 1]), ("blue", [0, 0])]
    assert [trace["showlegend"] for trace in plot["data"]] == [True, False, True, False]
    assert plot["layout"]["yaxis"]["ticktext"] == ["Conflict", "Support"]


def test_place_has_colour_and_symbol_of_its_holder() -> None:
    rows = [
        PlaceRow("Towns", {}, is_title=True),
        PlaceRow("Gent", {0: "red", 1: None, 2: "blue"}),
        PlaceRow("Brugge", {2: "blue"}),
    ]
    plot = control_plot(rows, ["1", "2", "3"], PAIR, titles=TITLES)
    ground, nobody, red, blue, *keys = plot["data"]
    assert ground["z"] == [[None, None, None], [0, None, 1], [None, None, 1]]
    assert (nobody["x"], nobody["y"]) == ([1], [1]), "no dot where a place does not exist yet"
    assert (red["x"], red["y"]) == ([0], [1])
    assert (blue["x"], blue["y"]) == ([2, 2], [1, 2])
    assert [key["name"] for key in keys] == ["Ada", "Béla"]
    assert red["marker"]["symbol"] != blue["marker"]["symbol"]
    assert [note["text"] for note in plot["layout"]["annotations"]] == ["Towns"]


def test_gains_of_several_rounds_are_side_by_side_within_a_place() -> None:
    gains = [
        Gain("red", 1, 1, Fraction(3)),
        Gain("red", 2, 2, Fraction(-1)),
        Gain("blue", 1, 2, Fraction(1, 2)),
    ]
    plot = order_plot(
        gains, {1: Fraction(3), 2: Fraction(-1, 4)}, PAIR, titles={**TITLES, "round": "Round", "mean": "Mean"}
    )
    bars, red, blue = plot["data"]
    assert (bars["x"], bars["y"]) == ([1, 2], [3.0, -0.25])
    assert (red["x"], red["y"]) == ([0.7, 2.3], [3, -1])
    assert (blue["x"], blue["y"]) == ([1.7], [0.5])


def test_plots_contain_no_bold_markup() -> None:
    """Plotly renders bold text with a style attribute, which the CSP forbids."""
    assert "<b>" not in json.dumps(every_plot(PAIR))


@pytest.mark.parametrize("slug", sorted(titles()))
def test_areas_of_a_game_differ_without_colour(slug: str) -> None:
    hatches = [HATCHES[shape_of(faction)] for faction in titles()[slug].game.factions]
    assert len(set(hatches)) == len(hatches)


def test_markup_in_names_is_escaped() -> None:
    series = [Series("red", "<b>&"), PAIR[1]]
    rows = [(player, [Fraction(1)]) for player in series]
    for plot in (*every_plot(series), parts_plot(rows, ["a"], titles=TITLES)):
        text = json.dumps(plot)
        assert "<b>&" not in text
        assert "&lt;b>&amp;" in text
