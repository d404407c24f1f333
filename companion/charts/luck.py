"""Luck: actual results against expected ones, and how often chances came true.

Luck is the sum of actual minus expected values. It is shown with its standard deviation, within which
chance alone stays about two times in three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from django.utils.translation import gettext as _

from companion import wording
from companion.charts.course import Course
from companion.charts.plots import LuckRow, ObservedShare, luck_plot, signed
from companion.charts.sections import Cell, Chart, Grid
from companion.results.intervals import wilson

PER_CENT = 100


@dataclass(frozen=True, slots=True)
class Luck:
    """Actual and expected results of some tries, with the variance."""

    tries: int = 0
    actual: float = 0
    expected: float = 0
    variance: float = 0

    def __add__(self, other: Luck) -> Luck:
        return Luck(
            self.tries + other.tries,
            self.actual + other.actual,
            self.expected + other.expected,
            self.variance + other.variance,
        )

    @property
    def luck(self) -> float:
        return self.actual - self.expected

    @property
    def deviation(self) -> float:
        """The standard deviation; tries are independent, so their variances add up."""
        return sqrt(self.variance)


def add_up(parts: Iterable[tuple[str, Luck]]) -> dict[str, Luck]:
    """Return the total luck of each faction."""
    sums: dict[str, Luck] = defaultdict(Luck)
    for faction, luck in parts:
        sums[faction] += luck
    return dict(sums)


def usual_note() -> str:
    return _("A bar is what is usual: luck stays within it about two times in three.")


class Kind(NamedTuple):
    """Slug and texts of a luck chart."""

    slug: str
    title: str
    unit: str
    tries: str


def luck_chart(course: Course, kind: Kind, sums: Mapping[str, Luck]) -> Chart:
    series = [player for player in course.series if player.faction in sums]
    luck_rows = [
        LuckRow(player, sums[player.faction].luck, sums[player.faction].deviation) for player in series
    ]
    plot = luck_plot(luck_rows, titles={"x": _("%(what)s, more or fewer") % {"what": kind.unit}})
    description = _(
        "What each player had beyond what was to be expected. The table below has the same numbers."
    )
    heads = (_("Player"), kind.tries, _("Expected"), _("Actual"), _("Luck"), _("Usual"))
    rows = [[Cell(player.name, player.faction), *_luck_cells(sums[player.faction])] for player in series]
    return Chart(kind.slug, description, plot, Grid([Cell(head) for head in heads], rows), kind.title)


def _luck_cells(luck: Luck) -> list[Cell]:
    return [
        Cell(str(luck.tries)),
        Cell(wording.localized(f"{luck.expected:.1f}")),
        Cell(wording.localized(f"{luck.actual:g}")),
        Cell(signed(luck.luck)),
        Cell(wording.localized(f"±{luck.deviation:.1f}")),
    ]


def observed_share(at: float, came_true: int, count: int) -> ObservedShare:
    interval = wilson(came_true, count)
    return ObservedShare(at, came_true / count, interval.low, interval.high, count)


def interval_text(came_true: int, count: int) -> str:
    interval = wilson(came_true, count)
    return between(interval.low, interval.high)


def between(low: float, high: float) -> str:
    return f"{round(PER_CENT * low)}–{percent(high)}"


def percent(share: float) -> str:
    return f"{round(PER_CENT * share)}%"
