"""Standings as small SVG line drawings without a library: on the score tab and in the summary picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion import wording
from companion.charts.course import Moment, Series, players_of
from companion.charts.plots import DASHES, space_apart
from companion.journal.states import game_of
from companion.models import Table
from companion.web.tokens import shape_of


@dataclass(frozen=True, slots=True)
class Box:
    """The drawing area: corner, size, and the least vertical distance between labels."""

    left: float
    top: float
    width: float
    height: float
    gap: float

    @property
    def right(self) -> float:
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Line:
    """A faction's points over time as the attributes of an SVG line."""

    faction: str
    shape: str
    name: str
    points: str  # final points, formatted
    path: str
    dash: str
    x: float  # end point
    y: float
    label: float  # y of its name


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines, the y of zero points, and the round numbers with their x."""

    box: Box
    lines: Sequence[Line]
    zero: float
    rounds: Sequence[tuple[float, int]]

    @property
    def final_points(self) -> str:
        return ", ".join(f"{line.name} {line.points}" for line in self.lines)


def drawing_of(moments: Sequence[Moment], series: Sequence[Series], box: Box) -> Drawing:
    """Draw one line per faction, from the first moment on the left to the last on the right."""
    values = [moment.of(player.faction) for moment in moments for player in series]
    low, high = min([*values, Fraction(0)]), max([*values, Fraction(1)])
    step = box.width / max(len(moments) - 1, 1)

    def height(points: Fraction) -> float:
        return round(box.top + box.height * float((high - points) / (high - low)), 1)

    xs = [round(box.left + step * index, 1) for index in range(len(moments))]
    labels = _label_heights(
        {player.faction: height(moments[-1].of(player.faction)) for player in series}, box
    )
    lines = [
        _line(
            player,
            xs,
            [height(moment.of(player.faction)) for moment in moments],
            moments[-1],
            labels[player.faction],
        )
        for player in series
    ]
    rounds = [(x, moment.round) for x, moment in zip(xs, moments, strict=True)]
    return Drawing(box, lines, height(Fraction(0)), rounds)


def _line(player: Series, xs: Sequence[float], ys: Sequence[float], last: Moment, label: float) -> Line:
    shape = shape_of(player.faction)
    return Line(
        player.faction,
        shape,
        player.name,
        wording.number(last.of(player.faction)),
        " ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True)),
        "" if DASHES[shape] == "solid" else DASHES[shape].replace("px", ""),
        xs[-1],
        ys[-1],
        label,
    )


def _label_heights(ends: Mapping[str, float], box: Box) -> dict[str, float]:
    """Return label heights at least a gap apart, all within the box."""
    order = sorted(ends, key=lambda faction: ends[faction])
    apart = space_apart([ends[faction] for faction in order], box.gap)
    over = max(0.0, apart[-1] - (box.top + box.height)) if apart else 0.0
    under = max(0.0, box.top - (apart[0] - over)) if apart else 0.0
    return {faction: round(y - over + under, 1) for faction, y in zip(order, apart, strict=True)}


# The score tab

PHONE = Box(left=8, top=14, width=206, height=112, gap=24)


def live_drawing(table: Table) -> Drawing | None:
    """Draw the stored standings (end of each round, and now); return None if there are fewer than two."""
    rounds: dict[int, dict[str, Fraction]] = {}
    for row in table.standings.order_by("round", "id"):
        rounds.setdefault(row.round, {})[row.faction] = Fraction(row.points)
    if len(rounds) < 2:  # noqa: PLR2004 - a line needs two points
        return None
    moments = [Moment(0, round_, "", points) for round_, points in rounds.items()]
    players = {player.faction: player for player in players_of(table, game_of(table))}
    series = [players[faction] for faction in moments[-1].points if faction in players]
    return drawing_of(moments, series, PHONE)
