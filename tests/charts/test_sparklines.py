"""Sparklines: paths of lines, and distances between labels."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from companion.charts.course import Moment, Series
from companion.charts.sparklines import PHONE, Box, drawing_of, live_drawing
from companion.models import Standing
from tests.statistics.journals import played

PAIR = [Series("red", "Ada"), Series("black", "Béla")]
BOX = Box(left=10, top=20, width=100, height=50, gap=12)


def course(*points: tuple[int, float]) -> list[Moment]:
    return [
        Moment(number, number + 1, "turn", {"red": Fraction(red), "black": Fraction(black)})
        for number, (red, black) in enumerate(points)
    ]


def test_lines_span_the_box() -> None:
    drawing = drawing_of(course((0, 0), (5, 0), (10, 2.5)), PAIR, BOX)
    red, black = drawing.lines
    assert red.path == "10.0,70.0 60.0,45.0 110.0,20.0"
    assert black.path == "10.0,70.0 60.0,70.0 110.0,57.5"
    assert (red.points, black.points) == ("10", "2.5")
    assert drawing.zero == 70
    assert drawing.rounds == [(10, 1), (60, 2), (110, 3)]
    assert red.dash != black.dash


def test_negative_points_are_below_the_zero_line() -> None:
    drawing = drawing_of(course((0, 0), (5, -5)), PAIR, BOX)
    assert drawing.zero == 45
    assert drawing.lines[1].y == 70


@given(st.lists(st.integers(-9, 60), min_size=2, max_size=2))
def test_labels_are_a_gap_apart_and_within_the_box(ends: list[int]) -> None:
    lines = drawing_of(course((0, 0), (ends[0], ends[1])), PAIR, BOX).lines
    heights = sorted(line.label for line in lines)
    assert all(low + BOX.gap <= high + 0.11 for low, high in pairwise(heights))
    assert heights[0] >= BOX.top - 0.1
    assert heights[-1] <= BOX.top + BOX.height + 0.1


@pytest.mark.django_db
def test_score_tab_draws_the_stored_standings(client: Client) -> None:
    table = played("raubritter", 3, entries=60).table
    drawing = live_drawing(table)
    assert drawing
    rounds = sorted(set(Standing.objects.filter(table=table).values_list("round", flat=True)))
    assert [round_ for _x, round_ in drawing.rounds] == rounds
    last = Standing.objects.filter(table=table, round=rounds[-1])
    assert {line.faction: Fraction(line.points) for line in drawing.lines} == {
        row.faction: Fraction(row.points) for row in last
    }
    assert all(line.x == PHONE.left + PHONE.width for line in drawing.lines)
    text = client.get(f"/t/{table.code}/?tab=score", headers={"accept-language": "hu"}).content.decode()
    for line in drawing.lines:
        assert f'points="{line.path}"' in text
        assert f"translate(226 {line.label})" in text, "coordinates are not localised"


@pytest.mark.django_db
def test_no_drawing_for_a_single_round(client: Client) -> None:
    table = played("raubritter", 3, entries=1).table
    assert live_drawing(table) is None
    assert 'class="course"' not in client.get(f"/t/{table.code}/?tab=score").content.decode()
