"""Standings as small drawings that need no library: on phones during the game, and on its summary picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion import wording
from companion.charts.course import Moment, Series, players_of
from companion.charts.plots import DASHES, spread
from companion.journal.states import game_of
from companion.models import Table
from companion.titles.tokens import SHAPES


@dataclass(frozen=True, slots=True)
class Box:
    """Where lines are drawn: its corner and size, and how far apart their labels stand."""

    left: float
    top: float
    width: float
    height: float
    gap: float


@dataclass(frozen=True, slots=True)
class Line:
    """A faction's points over time, as SVG draws them."""

    faction: str
    shape: str
    name: str
    points: str  # at the end
    path: str
    dash: str
    x: float  # of its end
    y: float
    label: float  # the height at which its name stands


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines, where zero is, and the rounds below."""

    lines: Sequence[Line]
    zero: float
    rounds: Sequence[tuple[float, int]]


def drawing_of(moments: Sequence[Moment], series: Sequence[Series], box: Box) -> Drawing:
    """From the first moment to the last, from left to right, one line for each faction."""
    values = [moment.of(one.faction) for moment in moments for one in series]
    low, high = min([*values, Fraction(0)]), max([*values, Fraction(1)])
    step = box.width / max(len(moments) - 1, 1)

    def height(points: Fraction) -> float:
        return round(box.top + box.height * float((high - points) / (high - low)), 1)

    xs = [round(box.left + step * at, 1) for at in range(len(moments))]
    labels = _labels({one.faction: height(moments[-1].of(one.faction)) for one in series}, box)
    lines = [
        _line(
            one, xs, [height(moment.of(one.faction)) for moment in moments], moments[-1], labels[one.faction]
        )
        for one in series
    ]
    rounds = [(x, moment.round) for x, moment in zip(xs, moments, strict=True)]
    return Drawing(lines, height(Fraction(0)), rounds)


def _line(one: Series, xs: Sequence[float], ys: Sequence[float], last: Moment, label: float) -> Line:
    shape = SHAPES.get(one.faction, "ring")
    return Line(
        one.faction,
        shape,
        one.name,
        wording.number(last.of(one.faction)),
        " ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True)),
        "" if DASHES[shape] == "solid" else DASHES[shape].replace("px", ""),
        xs[-1],
        ys[-1],
        label,
    )


def _labels(ends: Mapping[str, float], box: Box) -> dict[str, float]:
    """Heights that lie apart, none of them outside the box."""
    order = sorted(ends, key=lambda faction: ends[faction])
    apart = spread([ends[faction] for faction in order], box.gap)
    over = max(0.0, apart[-1] - (box.top + box.height)) if apart else 0.0
    under = max(0.0, box.top - (apart[0] - over)) if apart else 0.0
    return {faction: round(y - over + under, 1) for faction, y in zip(order, apart, strict=True)}


# On phones

PHONE = Box(left=8, top=14, width=206, height=112, gap=24)


def live_drawing(table: Table) -> Drawing | None:
    """Points at the end of each round and now, out of the mirror; None before there are two of them."""
    rounds: dict[int, dict[str, Fraction]] = {}
    for row in table.standings.order_by("round", "id"):
        rounds.setdefault(row.round, {})[row.faction] = Fraction(row.points)
    if len(rounds) < 2:  # noqa: PLR2004 - a line needs two ends
        return None
    moments = [Moment(0, round_, "", points) for round_, points in rounds.items()]
    named = {one.faction: one for one in players_of(table, game_of(table))}
    series = [named[faction] for faction in moments[-1].points if faction in named]
    return drawing_of(moments, series, PHONE)
