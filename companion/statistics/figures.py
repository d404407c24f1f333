"""Figures for Plotly, as plain data and layout. Colours are names of the style sheet's properties
(``--ink``): the page fills them in, as it is dark, light, or printed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from companion.mirror import plain
from companion.statistics.course import Moment, ends_of_rounds
from companion.tokens import SHAPES

Figure = dict[str, Any]

# A line is told by its marker and its dashes as well as by its colour.
SYMBOLS: Mapping[str, str] = {
    "square": "square",
    "circle": "circle",
    "triangle": "triangle-up",
    "diamond": "diamond",
    "hexagon": "hexagon2",
    "star": "star",
    "cross": "cross",
    "crown": "star-triangle-up",
    "shield": "triangle-down",
    "scales": "hourglass",
    "book": "bowtie",
    "ring": "circle-open",
}
DASHES: Mapping[str, str] = {
    "square": "solid",
    "circle": "2px,4px",
    "triangle": "7px,4px",
    "diamond": "12px,5px",
    "hexagon": "12px,4px,2px,4px",
    "star": "6px,3px,2px,3px,2px,3px",
    "cross": "solid",
    "crown": "7px,4px",
    "shield": "12px,5px",
    "scales": "2px,4px",
    "book": "12px,4px,2px,4px",
    "ring": "4px,8px",
}
# Of the parts of a score, in their order: told by the pattern as well as by the tone.
PATTERNS = ("", "/", ".", "x", "-", "\\", "|", "+")
TONES = 4

MOST_TICKS = 12
LONGEST_LABEL = 10
LINES = 15  # of labels that have room one above the other


@dataclass(frozen=True, slots=True)
class Series:
    """A faction as a figure names it."""

    faction: str
    name: str


def standings_figure(
    moments: Sequence[Moment], series: Sequence[Series], *, titles: Mapping[str, str]
) -> Figure:
    """Points over time: one line for each faction, its name at the end.

    A game that scores with every entry is drawn entry by entry, in steps, since points hold until
    somebody changes them; one that scores once a round is drawn from round to round.
    """
    by_entry = scores_within_rounds(moments)
    shown = list(moments) if by_entry else ends_of_rounds(moments)
    xs = list(range(len(shown))) if by_entry else [moment.round for moment in shown]
    marked = _marked(shown) if by_entry else list(range(len(shown)))
    traces = [_line(one, shown, xs, marked, titles["x"], by_entry=by_entry) for one in series]
    ticks, labels = _ticks(shown, xs)
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "tickvals": ticks, "ticktext": labels}
    layout["xaxis"] |= {"range": [xs[0] - 0.01 * len(xs), xs[-1] + 0.01 * len(xs)], "showgrid": by_entry}
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "rangemode": "tozero"}
    layout["annotations"] = _names(shown[-1], series, xs[-1])
    layout["margin"] |= {"r": 92}
    layout["hovermode"] = "closest"
    return {"data": traces, "layout": layout}


def scores_within_rounds(moments: Sequence[Moment]) -> bool:
    """Whether it belongs to the game, and was no slip, that points change several times in a round."""
    changes = Counter(after.round for before, after in pairwise(moments) if before.points != after.points)
    return sum(count > 1 for count in changes.values()) > 1


def _marked(moments: Sequence[Moment]) -> list[int]:
    """Where markers stand: at the end of each round; on every moment they would hide the line."""
    last = len(moments) - 1
    return [at for at, moment in enumerate(moments) if at == last or moments[at + 1].round != moment.round]


def _line(
    one: Series,
    moments: Sequence[Moment],
    xs: Sequence[int],
    marked: Sequence[int],
    title: str,
    *,
    by_entry: bool,
) -> dict[str, Any]:
    shape = SHAPES.get(one.faction, "ring")
    sizes = [0] * len(xs)
    for at in marked:
        sizes[at] = 11
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": _plain_text(one.name),
        "cliponaxis": False,
        "x": list(xs),
        "y": [plain(moment.points.get(one.faction, Fraction(0))) for moment in moments],
        "line": {
            "color": f"--chart-{one.faction}",
            "width": 2.5,
            "dash": DASHES[shape],
            "shape": "hv" if by_entry else "linear",
        },
        "marker": {
            "symbol": SYMBOLS[shape],
            "size": sizes,
            "opacity": [1 if size else 0 for size in sizes],
            "color": f"--chart-{one.faction}",
            "line": {"color": "--ground", "width": 1},
        },
        "customdata": [[moment.number, moment.round] for moment in moments],
        "hovertemplate": f"<b>%{{fullData.name}} %{{y}}</b><br>{title} %{{customdata[1]}}<extra></extra>",
    }


def _ticks(moments: Sequence[Moment], xs: Sequence[int]) -> tuple[list[int], list[str]]:
    """Where rounds begin, thinned out so that their numbers do not touch."""
    begins = {moment.round: x for moment, x in reversed(list(zip(moments, xs, strict=True)))}
    rounds = sorted(round_ for round_ in begins if round_) or sorted(begins)
    every = math.ceil(len(rounds) / MOST_TICKS)
    chosen = rounds[::every]
    return [begins[round_] for round_ in chosen], [str(round_) for round_ in chosen]


def _names(last: Moment, series: Sequence[Series], x: int) -> list[dict[str, Any]]:
    """Names at the ends of the lines, moved apart where those lie close together."""
    ends = sorted(series, key=lambda one: last.points.get(one.faction, Fraction(0)))
    values = [float(last.points.get(one.faction, Fraction(0))) for one in ends]
    highest = max([*values, 1.0])
    return [
        {
            "x": x,
            "y": y,
            "xanchor": "left",
            "xshift": 10,
            "showarrow": False,
            "align": "left",
            "text": f"{_short(one.name)} {plain(last.points.get(one.faction, Fraction(0)))}",
            "font": {"color": "--ink", "size": 13},
        }
        for one, y in zip(ends, spread(values, highest / LINES), strict=True)
    ]


def spread(values: Sequence[float], gap: float) -> list[float]:
    """Sorted values, moved as little as needed to lie a gap apart: groups that meet share their middle."""
    groups: list[list[float]] = []
    for value in values:
        groups.append([value])
        while len(groups) > 1 and _top(groups[-2], gap) + gap > _bottom(groups[-1], gap):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [_bottom(group, gap) + gap * at for group in groups for at in range(len(group))]


def _bottom(group: Sequence[float], gap: float) -> float:
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _top(group: Sequence[float], gap: float) -> float:
    return _bottom(group, gap) + gap * (len(group) - 1)


def _short(name: str) -> str:
    """A name that fits beside the chart."""
    return _plain_text(name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…")


def _plain_text(name: str) -> str:
    """People call themselves what they like; Plotly is not to take it for markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


def parts_figure(
    rows: Sequence[tuple[Series, Sequence[Fraction]]], parts: Sequence[str], *, titles: Mapping[str, str]
) -> Figure:
    """Where points came from: a bar for each faction, the first on top, made of the parts."""
    traces = []
    for at, part in enumerate(parts):
        values = [points[at] for _one, points in rows]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": _plain_text(part),
                "x": [plain(value) for value in values],
                "y": list(range(len(rows))),
                "text": [str(plain(value)) if value else "" for value in values],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {"color": "--ink", "size": 14},
                "constraintext": "none",
                "marker": {
                    "color": f"--part-{at % TONES + 1}",
                    "line": {"color": "--quiet", "width": 1},
                    "pattern": {
                        "shape": PATTERNS[at % len(PATTERNS)],
                        "fgcolor": "--part-lines",
                        "fillmode": "overlay",
                        "solidity": 0.25,
                    },
                },
                "hovertemplate": f"{_plain_text(part)} %{{x}}<extra></extra>",
            }
        )
    layout = _layout()
    layout["barmode"] = "relative"
    layout["bargap"] = 0.35
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "rangemode": "tozero"}
    layout["yaxis"] |= {"autorange": "reversed", "showgrid": False, "zeroline": False, "automargin": True}
    layout["yaxis"] |= {
        "ticksuffix": " ",
        "tickvals": list(range(len(rows))),
        "ticktext": [_short(one.name) for one, _points in rows],
    }
    layout["showlegend"] = True
    layout["legend"] = {
        "orientation": "h",
        "x": 0,
        "y": 1.02,
        "yanchor": "bottom",
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
        "font": {"color": "--ink"},
    }
    layout["margin"] |= {"t": 48}
    return {"data": traces, "layout": layout}


def _layout() -> dict[str, Any]:
    """What all figures share. Nothing is dragged: a finger on a chart scrolls the page."""
    axis = {
        "fixedrange": True,
        "gridcolor": "--line",
        "linecolor": "--quiet",
        "zerolinecolor": "--quiet",
        "tickfont": {"color": "--quiet"},
        "color": "--quiet",
    }
    return {
        "autosize": True,
        "dragmode": False,
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "--ink", "size": 13, "family": "system-ui, sans-serif"},
        "hoverlabel": {
            "bgcolor": "--raised",
            "bordercolor": "--quiet",
            "font": {"color": "--ink", "size": 14},
        },
        "margin": {"l": 44, "r": 12, "t": 12, "b": 44},
        "xaxis": {**axis, "zeroline": False},
        "yaxis": {**axis},
    }
