"""Luck in the report: totals, unlikely throws, calibration of the odds, and dice."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from companion.charts.course import Course, Series, read_course
from companion.charts.luck import Luck, add_up
from companion.charts.plots import LuckRow, ObservedShare, luck_plot, shares_plot, signed
from companion.charts.sections import Chart, Section
from companion.report.contents import sections_of
from companion.results.intervals import wilson
from companion.titles.signoria.luck import Rolled, dice_section, pips_of
from companion.titles.wallenstein import luck
from companion.titles.wallenstein.luck import (
    Forecast,
    Thrown,
    bins_of,
    calibration_section,
    forecasts_of,
    luck_section,
    moments_of,
    throws_of,
)
from games.wallenstein.learning import THUMB
from games.wallenstein.luck import Side, Weighed, weigh
from tests.statistics.journals import played

CSS = Path(__file__).parents[2] / "static" / "css"
SHEETS = (CSS / "report.css").read_text() + (CSS / "seneschal.css").read_text()
ADA, BELA = Series("red", "Ada"), Series("blue", "Béla")


def colours(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} if value.startswith("--") else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return set().union(*map(colours, inner))


# Totals


def test_luck_and_variances_add_up() -> None:
    whole = Luck(1, 1, 0.25, 0.1875) + Luck(2, 0, 1.5, 0.5)
    assert (whole.tries, whole.actual, whole.luck) == (3, 1, -0.75)
    assert whole.deviation == sqrt(0.6875)
    sums = add_up([("red", Luck(1, 1, 0.5)), ("blue", Luck(1, 0, 0.5)), ("red", Luck(1, 1, 0.25))])
    assert {faction: total.luck for faction, total in sums.items()} == {"red": 1.25, "blue": -0.5}


def throw(number: int, *sides: tuple[str, float, bool], kind: Any = "player") -> Thrown:
    entry: Any = SimpleNamespace(number=number)
    results = tuple(Side(faction, chance, won, 1.5, 1.0, int(won)) for faction, chance, won in sides)
    return Thrown(entry, Weighed(kind, "passau", "conquered", 0.5, results))


def test_battles_and_armies_are_counted_per_player() -> None:
    throws = [
        throw(1, ("red", 0.8, True), ("blue", 0.1, False)),
        throw(2, ("blue", 0.4, False), kind="neutral"),
        throw(3, ("red", 0.5, False), ("blue", 0.3, True)),
    ]
    battles = luck.battles_of(throws)
    assert (battles["red"].tries, battles["red"].actual) == (2, 1)
    assert battles["red"].luck == pytest.approx(1 - 1.3)
    assert battles["red"].deviation == pytest.approx(sqrt(0.16 + 0.25))
    assert battles["blue"].luck == pytest.approx(1 - 0.8)
    armies = luck.armies_of(throws)
    assert (armies["blue"].actual, armies["blue"].expected, armies["blue"].variance) == (1, 4.5, 3)


# Throws against the odds


def test_moments_are_the_throws_most_against_the_odds() -> None:
    throws = [
        throw(3, ("red", 0.05, True), ("blue", 0.9, False)),
        throw(5, ("red", 0.6, True), ("blue", 0.3, False)),
        throw(8, ("blue", 0.95, False)),
        throw(9, ("blue", 0.2, True)),
    ]
    moments = [(thrown.entry.number, side.faction, side.won) for thrown, side in moments_of(throws)]
    assert moments == [(3, "red", True), (8, "blue", False), (9, "blue", True)], (
        "5 went as expected; 3 is listed once"
    )


def test_at_most_three_lucky_and_three_unlucky_moments() -> None:
    lucky = [throw(number, ("red", 0.01 * number, True)) for number in range(1, 9)]
    unlucky = [throw(number, ("blue", 1 - 0.01 * number, False)) for number in range(11, 19)]
    numbers = [thrown.entry.number for thrown, _side in moments_of([*unlucky, *lucky])]
    assert numbers == [1, 2, 3, 11, 12, 13]


# Calibration


def test_forecasts_are_grouped_by_chance() -> None:
    forecasts = [
        Forecast(0, came_true=False),
        Forecast(0.1, came_true=True),
        Forecast(0.2, came_true=False),
        Forecast(0.55, came_true=True),
        Forecast(1, came_true=True),
    ]
    bins = bins_of(forecasts)
    assert [(bin_.low, bin_.high, bin_.came_true, bin_.times) for bin_ in bins] == [
        (0, 0.2, 1, 2),
        (0.2, 0.4, 0, 1),
        (0.4, 0.6, 1, 1),
        (0.8, 1, 1, 1),
    ]
    assert [bin_.chance for bin_ in bins] == pytest.approx([0.05, 0.2, 0.55, 1])
    assert sum(bin_.times for bin_ in bins) == len(forecasts)


def test_correct_chances_are_well_calibrated() -> None:
    generator = random.Random(1)
    chances = [generator.random() for _ in range(4000)]
    for bin_ in bins_of([Forecast(chance, generator.random() < chance) for chance in chances]):
        assert bin_.came_true / bin_.times == pytest.approx(bin_.chance, abs=0.05)
        interval = wilson(bin_.came_true, bin_.times, level=0.999)
        assert interval.low < bin_.chance < interval.high


def test_one_forecast_for_each_throw() -> None:
    throws = [
        throw(1, ("red", 0.8, True), ("blue", 0.1, False)),
        throw(2, ("blue", 0.4, False), kind="revolt"),
    ]
    assert forecasts_of(throws) == [Forecast(0.8, came_true=True), Forecast(0.4, came_true=False)]


# Dice


def test_dice_are_expected_to_show_3_5_each() -> None:
    sums = pips_of([Rolled("", (6, 5, 1)), Rolled("red", (1, 2)), Rolled("red", ()), Rolled("", (2,))])
    assert (sums[""].tries, sums[""].actual, sums[""].expected) == (4, 14, 14)
    assert (sums["red"].actual, sums["red"].luck) == (3, -4)
    assert sums["red"].variance == pytest.approx(float(2 * Fraction(35, 12)))


# Plots


def test_luck_plot_has_a_deviation_bar_and_a_marker() -> None:
    plot = luck_plot([LuckRow(ADA, 2.25, 1.5), LuckRow(BELA, -0.5, 1.25)], titles={"x": "Battles"})
    usual, ada, bela = plot["data"]
    assert (usual["base"], usual["x"], usual["y"]) == ([-1.5, -1.25], [3, 2.5], [0, 1])
    assert (ada["x"], ada["y"], ada["text"]) == ([2.25], [0], ["+2.2"])
    assert (bela["x"], bela["text"]) == ([-0.5], ["−0.5"])
    assert ada["marker"]["symbol"] != bela["marker"]["symbol"]
    assert plot["layout"]["yaxis"]["ticktext"] == ["Ada", "Béla"]


def test_shares_plot_has_intervals_and_counts() -> None:
    plot = shares_plot(
        [ObservedShare(30, 0.25, 0.1, 0.5, 8)], [(0, 0), (100, 1)], titles={"x": "Told", "y": "True"}
    )
    line, points = plot["data"]
    assert (line["x"], line["y"]) == ([0, 100], [0, 100])
    assert (points["x"], points["y"], points["text"]) == ([30], [25], [" ×8"])
    assert (points["error_y"]["array"], points["error_y"]["arrayminus"]) == ([25], [15])


def test_markup_in_names_is_escaped() -> None:
    plot = luck_plot([LuckRow(Series("red", "<b>Ada"), 0, 1)], titles={"x": ""})
    assert "<b>" not in json.dumps([trace.get("name", "") for trace in plot["data"]])
    assert "<b>" not in json.dumps(plot["layout"])


def test_every_colour_is_defined_in_a_style_sheet() -> None:
    plots = [
        luck_plot([LuckRow(ADA, 1, 1), LuckRow(BELA, 0, 1)], titles={"x": ""}),
        shares_plot([ObservedShare(1, 0.5, 0.2, 0.8, 3)], [(0, 0), (1, 1)], titles={"x": "", "y": ""}),
    ]
    for name in colours(plots):
        assert f"{name}:" in SHEETS, name


# Sections of real journals


@pytest.fixture(scope="module")
def wallenstein(django_db_setup: Any, django_db_blocker: Any) -> Any:
    """A game with about 20 throws: its course, sections and report page."""
    with django_db_blocker.unblock(), transaction.atomic():
        sitting = played("wallenstein", 4, seed=2, entries=110)
        course = read_course(sitting.table)
        sections = {
            section.slug: section
            for section in (luck_section(course), calibration_section(course))
            if section
        }
        throws = throws_of(course)
        page = Client().get(f"/t/{sitting.table.code}/report/").content.decode()
        whole = sections_of(course)
        transaction.set_rollback(True)
    return SimpleNamespace(course=course, sections=sections, throws=throws, page=page, whole=whole)


def cells(chart: Chart) -> list[list[str]]:
    return [[cell.text for cell in row] for row in chart.grid.rows]


def test_every_throw_of_the_journal_is_compared_with_its_odds(wallenstein: Any) -> None:
    course: Course = wallenstein.course
    entered = [entry.number for entry in course.entries() if entry.action["type"] == "throw"]
    assert [thrown.entry.number for thrown in wallenstein.throws] == entered
    assert len(entered) > 8
    states = {moment.number: state for moment, state in zip(course.moments, course.states, strict=True)}
    for thrown in wallenstein.throws:
        before = states[thrown.entry.parent]
        assert thrown.weighed == weigh(before, thrown.entry.action["fallen"], THUMB)


def test_table_has_the_numbers_of_its_chart(wallenstein: Any) -> None:
    section: Section = wallenstein.sections["luck"]
    assert [chart.slug for chart in section.charts] == ["luck-battles", "luck-armies"]
    for chart, sums in zip(
        section.charts, (luck.battles_of(wallenstein.throws), luck.armies_of(wallenstein.throws)), strict=True
    ):
        markers = chart.plot["data"][1:]
        rows = cells(chart)
        assert len(rows) == len(markers) == len(sums)
        for row, cell, marker in zip(rows, chart.grid.rows, markers, strict=True):
            total = sums[cell[0].faction]
            assert marker["x"] == [round(total.luck, 3)]
            assert row[1:] == [
                str(total.tries),
                f"{total.expected:.1f}",
                f"{total.actual:g}",
                marker["text"][0],
                f"±{total.deviation:.1f}",
            ]


def test_moments_link_to_the_replay(wallenstein: Any) -> None:
    section: Section = wallenstein.sections["luck"]
    numbers = {thrown.entry.number for thrown in wallenstein.throws}
    assert section.turns
    assert {turn.at for turn in section.turns} <= numbers
    assert all(
        turn.sentence.startswith(("Lucky: ", "Unlucky: ")) and turn.entry_text for turn in section.turns
    )
    for turn in section.turns:
        assert f"/replay/?at={turn.at}" in wallenstein.page


def test_calibration_covers_all_throws(wallenstein: Any) -> None:
    (chart,) = wallenstein.sections["calibration"].charts
    rows = cells(chart)
    assert sum(int(row[1]) for row in rows) == len(wallenstein.throws)
    points = chart.plot["data"][1]
    assert [f"{round(y)}%" for y in points["y"]] == [row[3] for row in rows]
    assert [text.strip() for text in points["text"]] == [f"×{row[1]}" for row in rows]


def test_report_page_has_both_sections(wallenstein: Any) -> None:
    slugs = [section.slug for section in wallenstein.whole]
    assert {"luck", "calibration"} <= set(slugs)
    for text in (
        "Luck with the tower",
        "Whether the odds were right",
        "luck-battles-figure",
        "calibration-figure",
    ):
        assert text in wallenstein.page


@pytest.mark.django_db
def test_no_sections_without_throws() -> None:
    course = read_course(played("wallenstein", 3, entries=3).table)
    assert luck_section(course) is None
    assert calibration_section(course) is None


@pytest.mark.django_db
def test_signoria_report_has_a_dice_section() -> None:
    sitting = played("signoria", 3, seed=3, entries=60)
    course = read_course(sitting.table)
    section = dice_section(course)
    assert section is not None
    rolled = Counter(
        face
        for entry in course.entries()
        for face in (
            [face for dice in entry.action["dice"].values() for face in dice]
            if entry.action["type"] == "roll"
            else entry.action["dice"]
            if entry.action["type"] == "descendants"
            else []
        )
    )
    assert rolled.total() >= 15
    faces = section.charts[-1]
    assert faces.slug == "dice-faces"
    assert [row[1] for row in cells(faces)] == [str(rolled[face]) for face in range(1, 7)]
    pips = sum(face * count for face, count in rolled.items())
    assert (
        f"{rolled.total()} dice showed {pips} in all; {3.5 * rolled.total():g} was to be expected"
        in section.sentences[0]
    )
    assert "dice" in [other.slug for other in sections_of(course)]


@pytest.mark.django_db
def test_no_dice_section_without_dice() -> None:
    assert dice_section(read_course(played("signoria", 2, entries=1).table)) is None


@pytest.mark.parametrize(
    ("number", "text"), [(1.25, "+1.2"), (-0.36, "−0.4"), (-0.02, "0.0"), (0.04, "0.0"), (0.0, "0.0")]
)
def test_signed_omits_the_sign_of_zero(number: float, text: str) -> None:
    assert signed(number) == text
