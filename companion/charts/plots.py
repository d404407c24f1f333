"""Figures for Plotly, as plain data and layout. Colours are names of the style sheet's properties
(``--ink``): the page fills them in, as it is dark, light, or printed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.formats import get_format

from companion import wording
from companion.charts.course import Moment, Series, ends_of_rounds
from companion.charts.sections import Figure
from companion.journal.mirror import plain
from companion.titles.tokens import SHAPES

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
# Where a faction's share is an area: its lines, besides its colour.
HATCHES: Mapping[str, str] = {
    "square": "",
    "circle": ".",
    "triangle": "/",
    "diamond": "x",
    "hexagon": "-",
    "star": "\\",
    "cross": "+",
    "crown": "",
    "shield": "\\",
    "scales": ".",
    "book": "/",
    "ring": "|",
}

# What has room on a narrow phone.
NARROW = 200  # pixels, beside names of rows
MOST_TICKS = 12  # above columns
TICKS = 10  # below lines, which leave room for names at their ends
LONGEST_LABEL = 10
LONGEST_ROW = 15
DIGITS = 24  # in a bar that is as long as the chart is wide
WIDE_ROW = 44  # pixels
ROW = 26
THIN_ROW = 22
LEGEND_LINE = 20
LETTER = 7.5
LEGEND_MARK = 42  # a mark, and the gaps beside it
LINES = 12  # of labels that have room one above the other
MOST_MARKERS = 40  # that have room one beside the other


# Lines


def lines_figure(
    moments: Sequence[Moment], series: Sequence[Series], *, titles: Mapping[str, str], by_entry: bool
) -> Figure:
    """Points, or money, over time: one line for each faction, its name at the end.

    Entry by entry it is drawn in steps, since points hold until somebody changes them; otherwise
    from the end of a round to the next.
    """
    shown = list(moments) if by_entry else ends_of_rounds(moments)
    xs = list(range(len(shown))) if by_entry else [moment.round for moment in shown]
    marked = _marked(shown) if by_entry else list(range(len(shown)))
    traces = [_line(one, shown, xs, marked, titles["x"], by_entry=by_entry) for one in series]
    ticks, labels = _ticks(shown, xs)
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "tickvals": ticks, "ticktext": labels}
    layout["xaxis"] |= {"tickangle": 0}
    layout["xaxis"] |= {"range": [xs[0] - 0.01 * len(xs), xs[-1] + 0.01 * len(xs)], "showgrid": by_entry}
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "rangemode": "tozero"}
    layout["annotations"] = _names(shown, series, xs[-1])
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
        "hovertemplate": f"%{{fullData.name}} %{{y}}<br>{title} %{{customdata[1]}}<extra></extra>",
    }


def _ticks(moments: Sequence[Moment], xs: Sequence[int]) -> tuple[list[int], list[str]]:
    """Where rounds begin; one that begins so soon after another that their numbers would touch has none."""
    begins = {moment.round: x for moment, x in reversed(list(zip(moments, xs, strict=True)))}
    rounds = sorted(round_ for round_ in begins if round_) or sorted(begins)
    chosen: list[int] = []
    for round_ in rounds:
        if not chosen or TICKS * (begins[round_] - begins[chosen[-1]]) >= xs[-1] - xs[0]:
            chosen.append(round_)
    return [begins[round_] for round_ in chosen], [str(round_) for round_ in chosen]


def _names(moments: Sequence[Moment], series: Sequence[Series], x: int) -> list[dict[str, Any]]:
    """Names at the ends of the lines, moved apart where those lie close together."""
    last = moments[-1]
    ends = sorted(series, key=lambda one: last.points.get(one.faction, Fraction(0)))
    values = [float(last.points.get(one.faction, Fraction(0))) for one in ends]
    highest = float(max(Fraction(1), *(moment.of(one.faction) for moment in moments for one in series)))
    return [
        {
            "x": x,
            "y": y,
            "xanchor": "left",
            "xshift": 10,
            "showarrow": False,
            "align": "left",
            "text": f"{_short(one.name)} {wording.number(last.points.get(one.faction, Fraction(0)))}",
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


def _short(name: str, most: int = LONGEST_LABEL) -> str:
    """A name that fits beside the chart."""
    return _plain_text(name if len(name) <= most else name[: most - 1] + "…")


def _plain_text(name: str) -> str:
    """People call themselves what they like; Plotly is not to take it for markup."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


# Bars


def parts_figure(
    rows: Sequence[tuple[Series, Sequence[Fraction]]], parts: Sequence[str], *, titles: Mapping[str, str]
) -> Figure:
    """Where points came from: a bar for each faction, the first on top, made of the parts.

    A part too short for its number has none; the table has them all.
    """
    longest = max((_reach(points) for _one, points in rows), default=Fraction(0))
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
                "text": [_fitting(value, longest) for value in values],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {"color": "--ink", "size": 14},
                "constraintext": "none",
                "marker": {
                    "color": f"--part-{(at + at // len(PATTERNS)) % TONES + 1}",
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
    layout["yaxis"] |= {"autorange": "reversed", "showgrid": False, "zeroline": False}
    layout["yaxis"] |= {
        "ticksuffix": " ",
        "tickvals": list(range(len(rows))),
        "ticktext": [_short(one.name) for one, _points in rows],
    }
    layout["height"] = 80 + WIDE_ROW * max(len(rows), 2)
    _add_legend(layout, parts)
    return {"data": traces, "layout": layout}


def _reach(points: Sequence[Fraction]) -> Fraction:
    """How long a bar is, to both sides of zero."""
    return sum((abs(value) for value in points), Fraction(0))


def _fitting(value: Fraction, longest: Fraction) -> str:
    number = wording.number(value)
    return number if value and DIGITS * abs(value) >= longest * len(number) else ""


class Bar(NamedTuple):
    """A row of bars: what it is of, and each faction's share to the right and to the left of zero."""

    name: str
    more: Mapping[str, Fraction]
    less: Mapping[str, Fraction] = {}


def bars_figure(rows: Sequence[Bar], series: Sequence[Series], *, titles: Mapping[str, str]) -> Figure:
    """For each row the shares of the factions, in their colours, one beside the other."""
    traces = []
    for one in series:
        sides = [[row.more.get(one.faction, Fraction(0)) for row in rows]]
        if any(row.less for row in rows):
            sides.append([-row.less.get(one.faction, Fraction(0)) for row in rows])
        traces += [_share(one, values, legend=side == 0) for side, values in enumerate(sides)]
    layout = _layout()
    layout["barmode"] = "relative"
    layout["bargap"] = 0.25
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "rangemode": "tozero"}
    layout["xaxis"] |= {"zeroline": True, "nticks": 6}
    layout["yaxis"] |= _rows([row.name for row in rows])
    layout["height"] = 80 + ROW * max(len(rows), 2)
    _add_legend(layout, [one.name for one in series])
    return {"data": traces, "layout": layout}


def _share(one: Series, values: Sequence[Fraction], *, legend: bool) -> dict[str, Any]:
    """A faction's bars on one side of zero."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": _plain_text(one.name),
        "legendgroup": one.faction,
        "showlegend": legend,
        "x": [plain(value) for value in values],
        "y": list(range(len(values))),
        "marker": {
            "color": f"--chart-{one.faction}",
            "line": {"color": "--ground", "width": 1},
            "pattern": {
                "shape": HATCHES[SHAPES.get(one.faction, "ring")],
                "fgcolor": "--ground",
                "fillmode": "overlay",
                "solidity": 0.2,
                "size": 6,
            },
        },
        "hovertemplate": "%{fullData.name} %{x}<extra></extra>",
    }


def _rows(names: Sequence[str]) -> dict[str, Any]:
    """An axis that names rows, the first on top."""
    return {
        "autorange": "reversed",
        "showgrid": False,
        "zeroline": False,
        "ticksuffix": " ",
        "tickvals": list(range(len(names))),
        "ticktext": _cut(names),
    }


def _cut(names: Sequence[str]) -> list[str]:
    """Names that fit beside the rows; where only their ends tell some of them apart, the ends are kept."""
    cut = [_short(name, LONGEST_ROW) for name in names]
    if len(set(cut)) == len(set(names)):
        return cut
    half = LONGEST_ROW // 2
    ends = [f"{name[:half].rstrip()}…{name[-half:].lstrip()}" for name in names]
    return [
        _plain_text(end) if len(name) > LONGEST_ROW else one
        for name, one, end in zip(names, cut, ends, strict=True)
    ]


# Places


class Row(NamedTuple):
    """A place as rounds went by: who held it, None for nobody; a round in which it was not there is left out."""

    name: str
    holders: Mapping[int, str | None]  # by the number of the column
    is_title: bool = False  # of the rows that follow


def control_figure(
    rows: Sequence[Row], rounds: Sequence[str], series: Sequence[Series], *, titles: Mapping[str, str]
) -> Figure:
    """Who held which place in which round: colour, and the faction's symbol upon it."""
    index = {one.faction: at for at, one in enumerate(series)}
    columns = range(len(rounds))
    colours = [f"--chart-{one.faction}" for one in series]
    ground = {
        "type": "heatmap",
        "x": list(columns),
        "y": list(range(len(rows))),
        "z": [[index.get(row.holders.get(x) or "") for x in columns] for row in rows],
        "zmin": 0,
        "zmax": len(series),
        "colorscale": [
            [(at + side) / len(series), colour] for at, colour in enumerate(colours) for side in (0, 1)
        ],
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
    }
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "side": "top", "showgrid": False, "ticks": ""}
    layout["xaxis"] |= {
        "tickvals": list(columns),
        "ticktext": list(rounds),
        "range": [-0.5, len(rounds) - 0.5],
    }
    layout["yaxis"] |= _rows(["" if row.is_title else row.name for row in rows])
    layout["yaxis"] |= {"autorange": False, "range": [len(rows) - 0.5, -0.5], "ticks": ""}
    layout["annotations"] = [_title(row.name, y) for y, row in enumerate(rows) if row.is_title]
    _add_legend(layout, [one.name for one in series])
    layout["legend"] |= {"y": 1, "yref": "container", "yanchor": "top"}
    above = layout["margin"]["t"] + 40  # below the names come the rounds
    layout["margin"] |= {"t": above, "b": 8, "r": 4}
    layout["height"] = above + 8 + THIN_ROW * len(rows)
    symbols = [_holdings(one, rows) for one in series]
    return {"data": [ground, _nobodys(rows), *symbols, *map(_key, series)], "layout": layout}


def _title(name: str, y: int) -> dict[str, Any]:
    """Above the rows of a group, in a row of its own; bold text by markup would be inline style."""
    return {
        "x": -0.5,
        "y": y,
        "xanchor": "left",
        "yanchor": "middle",
        "showarrow": False,
        "text": _plain_text(name),
        "font": {"color": "--ink", "size": 14, "weight": 600},
    }


def _holdings(one: Series, rows: Sequence[Row]) -> dict[str, Any]:
    """A faction's symbol wherever it held something."""
    held = [(x, y) for y, row in enumerate(rows) for x, who in row.holders.items() if who == one.faction]
    return {
        **_marks(held),
        "name": _plain_text(one.name),
        "marker": {"symbol": SYMBOLS[SHAPES.get(one.faction, "ring")], "size": 8, "color": "--ground"},
        "hovertemplate": "%{fullData.name}<br>%{y}<extra></extra>",
    }


def _nobodys(rows: Sequence[Row]) -> dict[str, Any]:
    """A dot where a place was there and nobody held it."""
    free = [(x, y) for y, row in enumerate(rows) for x, who in row.holders.items() if who is None]
    return {
        **_marks(free),
        "name": "nobody",
        "marker": {"symbol": "circle", "size": 3, "color": "--quiet"},
        "hoverinfo": "skip",
    }


def _marks(points: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, _y in points],
        "y": [y for _x, y in points],
        "showlegend": False,
    }


def _key(one: Series) -> dict[str, Any]:
    """A line of the legend: the symbols on the chart have the colour of the ground."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [None],
        "y": [None],
        "name": _plain_text(one.name),
        "marker": {
            "symbol": SYMBOLS[SHAPES.get(one.faction, "ring")],
            "size": 11,
            "color": f"--chart-{one.faction}",
        },
    }


# Play order


class Gain(NamedTuple):
    """What somebody gained in a round in which they were at a place of the play order, from 1 on."""

    faction: str
    round: int
    place: int
    points: Fraction


def order_figure(
    gains: Sequence[Gain],
    means: Mapping[int, Fraction],
    series: Sequence[Series],
    *,
    titles: Mapping[str, str],
) -> Figure:
    """What each place of the play order brought: a bar for the mean, a symbol for each round."""
    bars = {
        "type": "bar",
        "name": titles["mean"],
        "x": list(means),
        "y": [float(mean) for mean in means.values()],
        "width": 0.8,
        "marker": {"color": "--part-1", "line": {"color": "--quiet", "width": 1}},
        "hovertemplate": "%{y:.2f}<extra></extra>",
        "showlegend": False,
    }
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "tickvals": list(means), "showgrid": False}
    layout["yaxis"] |= {"title": {"text": titles["y"]}}
    layout["hovermode"] = "closest"
    _add_legend(layout, [one.name for one in series])
    marks = [_marked_gains(one, gains, titles["round"]) for one in series]
    return {"data": [bars, *marks], "layout": layout}


def _marked_gains(one: Series, gains: Sequence[Gain], title: str) -> dict[str, Any]:
    """Rounds stand beside each other within the bar, from left to right."""
    own = [gain for gain in gains if gain.faction == one.faction]
    rounds = sorted({gain.round for gain in gains})
    step = 0.6 / max(len(rounds) - 1, 1)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _plain_text(one.name),
        "x": [gain.place + (rounds.index(gain.round) * step - 0.3 if len(rounds) > 1 else 0) for gain in own],
        "y": [plain(gain.points) for gain in own],
        "customdata": [gain.round for gain in own],
        "marker": {
            "symbol": SYMBOLS[SHAPES.get(one.faction, "ring")],
            "size": 10,
            "color": f"--chart-{one.faction}",
            "line": {"color": "--ground", "width": 1},
        },
        "cliponaxis": False,
        "hovertemplate": f"%{{fullData.name}} %{{y}}<br>{title} %{{customdata}}<extra></extra>",
    }


# Luck


class Draw(NamedTuple):
    """What fell to a faction beyond what was to be expected, and how far that strays two times in three."""

    one: Series
    luck: float
    strays: float


def signed(number: float) -> str:
    """With its sign, as luck is told; next to nothing has none."""
    told = f"{number:+.1f}".replace("-", "−")
    return wording.written(told if told[1:] != "0.0" else "0.0")


def luck_figure(draws: Sequence[Draw], *, titles: Mapping[str, str]) -> Figure:
    """A row for each faction: a bar for what is usual, its marker where luck has taken it."""
    usual = {
        "type": "bar",
        "orientation": "h",
        "base": [-draw.strays for draw in draws],
        "x": [2 * draw.strays for draw in draws],
        "y": list(range(len(draws))),
        "width": 0.3,
        "marker": {"color": "--line", "line": {"color": "--quiet", "width": 1}},
        "hoverinfo": "skip",
    }
    layout = _layout()
    layout["bargap"] = 0.35
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "zeroline": True, "nticks": 7}
    layout["yaxis"] |= _rows([draw.one.name for draw in draws])
    layout["height"] = 80 + WIDE_ROW * max(len(draws), 2)
    return {"data": [usual, *(_drawn(draw, row) for row, draw in enumerate(draws))], "layout": layout}


def _drawn(draw: Draw, row: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": _plain_text(draw.one.name),
        "cliponaxis": False,
        "x": [round(draw.luck, 3)],
        "y": [row],
        "text": [signed(draw.luck)],
        "textposition": "top center",
        "textfont": {"color": "--ink", "size": 13},
        "marker": {
            "symbol": SYMBOLS[SHAPES.get(draw.one.faction, "ring")],
            "size": 13,
            "color": f"--chart-{draw.one.faction}",
            "line": {"color": "--ground", "width": 1},
        },
        "hovertemplate": "%{fullData.name} %{text}<extra></extra>",
    }


class Seen(NamedTuple):
    """How often something came true, where it was expected, and how sure one can be of that."""

    at: float
    share: float
    low: float
    high: float
    times: int


def shares_figure(
    seen: Sequence[Seen], expected: Sequence[tuple[float, float]], *, titles: Mapping[str, str]
) -> Figure:
    """Shares in per cent with their intervals, against a line where they should lie; counts beside them."""
    line = {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _y in expected],
        "y": [100 * y for _x, y in expected],
        "line": {"color": "--quiet", "width": 1.5, "dash": "6px,4px"},
        "hoverinfo": "skip",
    }
    points = {
        "type": "scatter",
        "mode": "markers+text",
        "cliponaxis": False,
        "x": [one.at for one in seen],
        "y": [100 * one.share for one in seen],
        "error_y": {
            "type": "data",
            "array": [100 * (one.high - one.share) for one in seen],
            "arrayminus": [100 * (one.share - one.low) for one in seen],
            "color": "--ink",
            "thickness": 1.5,
            "width": 5,
        },
        "text": [f" ×{one.times}" for one in seen],
        "textposition": "top right",
        "textfont": {"color": "--ink", "size": 13},
        "marker": {"symbol": "circle", "size": 10, "color": "--accent"},
        "hovertemplate": "%{y:.0f}%<extra></extra>",
    }
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True}
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "rangemode": "tozero", "ticksuffix": "%"}
    layout["margin"] |= {"l": 56, "r": 36, "t": 28}
    return {"data": [line, points], "layout": layout}


# Across games


class Won(NamedTuple):
    """How often something won, and between what its true share lies."""

    name: str
    faction: str  # empty: it is none
    share: float
    low: float
    high: float
    games: int


def wins_figure(won: Sequence[Won], even: float, *, titles: Mapping[str, str]) -> Figure:
    """A row for each: the share of wins in per cent with its interval; dashed, where all would be even."""
    layout = _layout()
    quarters = [0, 25, 50, 75, 100]
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "range": [-2, 102]}
    layout["xaxis"] |= {"tickvals": quarters, "ticktext": [f"{quarter}%" for quarter in quarters]}
    layout["yaxis"] |= _rows([one.name for one in won])
    layout["yaxis"] |= {"autorange": False, "range": [len(won) - 0.4, -0.75]}
    layout["shapes"] = [
        {
            "type": "line",
            "xref": "x",
            "yref": "paper",
            "x0": 100 * even,
            "x1": 100 * even,
            "y0": 0,
            "y1": 1,
            "line": {"color": "--quiet", "width": 1.5, "dash": "6px,4px"},
        }
    ]
    layout["margin"] |= {"r": 20}
    layout["height"] = 80 + WIDE_ROW * max(len(won), 2)
    return {"data": [_winner(one, row, titles["hover"]) for row, one in enumerate(won)], "layout": layout}


def _winner(one: Won, row: int, hover: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": _plain_text(one.name),
        "cliponaxis": False,
        "x": [round(100 * one.share, 2)],
        "y": [row],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [round(100 * (one.high - one.share), 2)],
            "arrayminus": [round(100 * (one.share - one.low), 2)],
            "color": "--ink",
            "thickness": 1.5,
            "width": 5,
        },
        "text": [f"{100 * one.share:.0f}%"],
        "textposition": "top center",
        "textfont": {"color": "--ink", "size": 13},
        "customdata": [one.games],
        "marker": _symbol(one.faction),
        "hovertemplate": f"%{{fullData.name}} %{{text}}<br>{hover} %{{customdata}}<extra></extra>",
    }


def _symbol(faction: str) -> dict[str, Any]:
    """A faction's marker; what is none has a plain one."""
    return {
        "symbol": SYMBOLS[SHAPES[faction]] if faction in SHAPES else "circle",
        "size": 13,
        "color": f"--chart-{faction}" if faction in SHAPES else "--accent",
        "line": {"color": "--ground", "width": 1},
    }


class Spread(NamedTuple):
    """How a faction's points are spread: the ends, the quarters, the mean."""

    one: Series
    least: int
    lower: int
    median: int
    upper: int
    most: int
    mean: float


def spreads_figure(spreads: Sequence[Spread], *, titles: Mapping[str, str]) -> Figure:
    """A box for each faction, its symbol where the mean lies."""
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "nticks": 6}
    layout["yaxis"] |= _rows([spread.one.name for spread in spreads])
    layout["yaxis"] |= {"autorange": False, "range": [len(spreads) - 0.5, -0.5]}
    layout["height"] = 80 + WIDE_ROW * max(len(spreads), 2)
    boxes = [_box(spread, row) for row, spread in enumerate(spreads)]
    means = [_mean(spread, row, titles["mean"]) for row, spread in enumerate(spreads)]
    return {"data": [*boxes, *means], "layout": layout}


def _box(spread: Spread, row: int) -> dict[str, Any]:
    return {
        "type": "box",
        "orientation": "h",
        "name": _plain_text(spread.one.name),
        "y": [row],
        "lowerfence": [spread.least],
        "q1": [spread.lower],
        "median": [spread.median],
        "q3": [spread.upper],
        "upperfence": [spread.most],
        "width": 0.5,
        "fillcolor": "--raised",
        "line": {"color": f"--chart-{spread.one.faction}", "width": 2},
        "hoverinfo": "x",
    }


def _mean(spread: Spread, row: int, title: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _plain_text(spread.one.name),
        "cliponaxis": False,
        "x": [round(spread.mean, 2)],
        "y": [row],
        "marker": _symbol(spread.one.faction),
        "hovertemplate": f"%{{fullData.name}}<br>{title} %{{x:.1f}}<extra></extra>",
    }


MOST_LENGTH_TICKS = 5


def lengths_figure(bins: Sequence[tuple[int, int]], width: int, *, titles: Mapping[str, str]) -> Figure:
    """How many games took how long: a bar from so many minutes to the next."""
    bars = {
        "type": "bar",
        "x": [minutes + width / 2 for minutes, _games in bins],
        "y": [games for _minutes, games in bins],
        "width": 0.9 * width,
        "customdata": [[minutes, minutes + width] for minutes, _games in bins],
        "marker": {"color": "--part-1", "line": {"color": "--quiet", "width": 1}},
        "hovertemplate": "%{customdata[0]}–%{customdata[1]}: %{y}<extra></extra>",
    }
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "rangemode": "tozero", "showgrid": False, "nticks": 7}
    every = math.ceil(max(games for _minutes, games in bins) / MOST_LENGTH_TICKS)
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "rangemode": "tozero", "dtick": every}
    return {"data": [bars], "layout": layout}


def halves_figure(
    rows: Sequence[str], winners: Sequence[float], others: Sequence[float], *, titles: Mapping[str, str]
) -> Figure:
    """What winners and others had: two bars in each row, told by tone and by lines."""
    layout = _layout()
    layout["barmode"] = "group"
    layout["bargap"] = 0.3
    most = max(*winners, *others, 1.0)
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "nticks": 6}
    layout["xaxis"] |= {"range": [min(*winners, *others, 0.0), 1.15 * most]}  # with room for its number
    layout["yaxis"] |= _rows(rows)
    layout["height"] = 80 + WIDE_ROW * max(len(rows), 2)
    _add_legend(layout, [titles["winners"], titles["others"]])
    kinds = ((titles["winners"], winners, 0), (titles["others"], others, 1))
    return {"data": [_half(title, values, at) for title, values, at in kinds], "layout": layout}


def _half(title: str, values: Sequence[float], at: int) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": title,
        "x": [round(value, 2) for value in values],
        "y": list(range(len(values))),
        "text": [wording.written(f"{value:.1f}") for value in values],
        "textposition": "outside",
        "textfont": {"color": "--ink", "size": 12},
        "cliponaxis": False,
        "marker": {
            "color": f"--part-{at + 1}",
            "line": {"color": "--quiet", "width": 1},
            "pattern": {
                "shape": PATTERNS[at],
                "fgcolor": "--part-lines",
                "fillmode": "overlay",
                "solidity": 0.25,
            },
        },
        "hovertemplate": f"{title} %{{x:.1f}}<extra></extra>",
    }


class Rated(NamedTuple):
    """A rating after a game, and how far it may be off."""

    day: str
    tick: str  # the same in short, below the chart
    rating: float
    strays: float
    won: bool


def rating_figure(rated: Sequence[Rated], *, titles: Mapping[str, str]) -> Figure:
    """A rating from game to game within the band in which it surely lies; what was won is filled."""
    xs = list(range(len(rated)))
    layout = _layout()
    ticks = sorted({0, (len(rated) - 1) // 2, len(rated) - 1})
    layout["xaxis"] |= {"tickvals": ticks, "ticktext": [rated[at].tick for at in ticks], "showgrid": False}
    layout["xaxis"] |= {"range": [-0.5, len(rated) - 0.5]}
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "zeroline": False}
    layout["margin"] |= {"r": 36}
    ends = [_edge(xs, [one.rating + side * one.strays for one in rated]) for side in (1, -1)]
    ends[1] |= {"fill": "tonexty", "fillcolor": "--line"}
    return {"data": [*ends, _ratings(xs, rated)], "layout": layout}


def _edge(xs: Sequence[int], ys: Sequence[float]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(xs),
        "y": [round(y, 3) for y in ys],
        "line": {"color": "--quiet", "width": 1},
        "hoverinfo": "skip",
    }


def _ratings(xs: Sequence[int], rated: Sequence[Rated]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "cliponaxis": False,
        "x": list(xs),
        "y": [round(one.rating, 3) for one in rated],
        "error_y": {  # of a single game no band is seen
            "type": "data",
            "array": [round(one.strays, 3) for one in rated],
            "color": "--quiet",
            "thickness": 1.5,
            "visible": len(rated) == 1,
        },
        "line": {"color": "--accent", "width": 2.5},
        "marker": {
            "symbol": ["circle" if one.won else "circle-open" for one in rated],
            "size": 9 if len(rated) <= MOST_MARKERS else 5,
            "color": "--accent",
        },
        "customdata": [[one.day, wording.written(f"{one.strays:.1f}")] for one in rated],
        "hovertemplate": "%{customdata[0]}<br>%{y:.1f} ± %{customdata[1]}<extra></extra>",
    }


# What figures share


def _add_legend(layout: dict[str, Any], names: Sequence[str]) -> None:
    """Above the chart, in the lines it needs on a narrow phone; nothing is hidden by tapping on it."""
    needed = LEGEND_LINE * _legend_lines(names)
    layout["showlegend"] = True
    layout["legend"] = {
        "orientation": "h",
        "x": 0,
        "y": 1.02,
        "yanchor": "bottom",
        "maxheight": 1,  # of the chart: it never scrolls
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
        "font": {"color": "--ink"},
    }
    layout["margin"] |= {"t": needed + 16}
    if "height" in layout:
        layout["height"] += needed


def _legend_lines(names: Sequence[str]) -> int:
    """Names stand below each other in columns, as wide as the longest of them."""
    column = LEGEND_MARK + LETTER * max(map(len, names))
    return math.ceil(len(names) / max(int(NARROW / column), 1))


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
        "separators": get_format("DECIMAL_SEPARATOR") + get_format("THOUSAND_SEPARATOR"),
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
        "yaxis": {**axis, "automargin": True},
    }
