"""Plots for Plotly as plain data and layout.

Colours are names of CSS custom properties (``--ink``); ``report.js`` resolves them for the current look
(dark, light or print).
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
from companion.charts.sections import Plot
from companion.journal.mirror import plain
from companion.web.tokens import shape_of, shapes

# Markers and dashes, so that lines can be told apart without colour.
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
# Patterns for the parts of a score, so that they can be told apart without colour.
PATTERNS = ("", "/", ".", "x", "-", "\\", "|", "+")
TONES = 4
# Patterns for areas in a faction's colour.
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

# Limits that suit a narrow phone.
NARROW = 200  # pixels beside the row names
MOST_TICKS = 12  # on an axis above columns
TICKS = 10  # on the x axis of line plots, which also need room for names on the right
LONGEST_LABEL = 10  # characters
LONGEST_ROW = 15
DIGITS = 24  # that fit into a bar as long as the plot is wide
WIDE_ROW = 44  # pixels
ROW = 26
THIN_ROW = 22
LEGEND_LINE = 20
LETTER = 7.5
LEGEND_MARK = 42  # pixels of a legend symbol with its gaps
LINES = 12  # labels that fit above each other
MOST_MARKERS = 40  # full-size markers that fit side by side


# Lines


def lines_plot(
    moments: Sequence[Moment], series: Sequence[Series], *, titles: Mapping[str, str], by_entry: bool
) -> Plot:
    """Plot points or money over time: one line per faction, labelled at its end.

    With ``by_entry`` the lines are step lines over all moments, otherwise straight lines between round ends.
    """
    shown = list(moments) if by_entry else ends_of_rounds(moments)
    xs = list(range(len(shown))) if by_entry else [moment.round for moment in shown]
    marker_indices = _marker_indices(shown) if by_entry else list(range(len(shown)))
    traces = [_line(player, shown, xs, marker_indices, titles["x"], by_entry=by_entry) for player in series]
    ticks, labels = _ticks(shown, xs)
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "tickvals": ticks, "ticktext": labels}
    layout["xaxis"] |= {"tickangle": 0}
    layout["xaxis"] |= {"range": [xs[0] - 0.01 * len(xs), xs[-1] + 0.01 * len(xs)], "showgrid": by_entry}
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "rangemode": "tozero"}
    layout["annotations"] = _end_labels(shown, series, xs[-1])
    layout["margin"] |= {"r": 92}
    layout["hovermode"] = "closest"
    return {"data": traces, "layout": layout}


def scores_within_rounds(moments: Sequence[Moment]) -> bool:
    """Return True if points change several times within a round in at least two rounds.

    A single such round may be due to a correction.
    """
    changes = Counter(after.round for before, after in pairwise(moments) if before.points != after.points)
    return sum(count > 1 for count in changes.values()) > 1


def _marker_indices(moments: Sequence[Moment]) -> list[int]:
    """Return the indices of the round ends; a marker on every moment would hide the line."""
    last = len(moments) - 1
    return [at for at, moment in enumerate(moments) if at == last or moments[at + 1].round != moment.round]


def _line(
    player: Series,
    moments: Sequence[Moment],
    xs: Sequence[int],
    marker_indices: Sequence[int],
    title: str,
    *,
    by_entry: bool,
) -> dict[str, Any]:
    shape = shape_of(player.faction)
    sizes = [0] * len(xs)
    for index in marker_indices:
        sizes[index] = 11
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": _escape(player.name),
        "cliponaxis": False,
        "x": list(xs),
        "y": [plain(moment.points.get(player.faction, Fraction(0))) for moment in moments],
        "line": {
            "color": f"--chart-{player.faction}",
            "width": 2.5,
            "dash": DASHES[shape],
            "shape": "hv" if by_entry else "linear",
        },
        "marker": {
            "symbol": SYMBOLS[shape],
            "size": sizes,
            "opacity": [1 if size else 0 for size in sizes],
            "color": f"--chart-{player.faction}",
            "line": {"color": "--ground", "width": 1},
        },
        "customdata": [[moment.number, moment.round] for moment in moments],
        "hovertemplate": f"%{{fullData.name}} %{{y}}<br>{title} %{{customdata[1]}}<extra></extra>",
    }


def _ticks(moments: Sequence[Moment], xs: Sequence[int]) -> tuple[list[int], list[str]]:
    """Return positions and labels of the round starts, skipping those whose labels would overlap."""
    begins = {moment.round: x for moment, x in reversed(list(zip(moments, xs, strict=True)))}
    rounds = sorted(round_ for round_ in begins if round_) or sorted(begins)
    chosen: list[int] = []
    for round_ in rounds:
        if not chosen or TICKS * (begins[round_] - begins[chosen[-1]]) >= xs[-1] - xs[0]:
            chosen.append(round_)
    return [begins[round_] for round_ in chosen], [str(round_) for round_ in chosen]


def _end_labels(moments: Sequence[Moment], series: Sequence[Series], x: int) -> list[dict[str, Any]]:
    """Return labels at the ends of the lines, spaced apart where the lines end close together."""
    last = moments[-1]
    players = sorted(series, key=lambda player: last.points.get(player.faction, Fraction(0)))
    values = [float(last.points.get(player.faction, Fraction(0))) for player in players]
    highest = float(max(Fraction(1), *(moment.of(player.faction) for moment in moments for player in series)))
    return [
        {
            "x": x,
            "y": y,
            "xanchor": "left",
            "xshift": 10,
            "showarrow": False,
            "align": "left",
            "text": f"{_truncated(player.name)} {wording.number(last.of(player.faction))}",
            "font": {"color": "--ink", "size": 13},
        }
        for player, y in zip(players, space_apart(values, highest / LINES), strict=True)
    ]


def space_apart(values: Sequence[float], gap: float) -> list[float]:
    """Return the sorted values, moved as little as needed to be at least a gap apart.

    Values that would overlap form a group that is centred on their mean.
    """
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


def _truncated(name: str, most: int = LONGEST_LABEL) -> str:
    """Return the name, escaped and truncated to ``most`` characters."""
    return _escape(name if len(name) <= most else name[: most - 1] + "…")


def _escape(name: str) -> str:
    """Escape user input, since Plotly interprets markup in texts."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


# Bars


def parts_plot(
    rows: Sequence[tuple[Series, Sequence[Fraction]]], parts: Sequence[str], *, titles: Mapping[str, str]
) -> Plot:
    """Plot the parts of each faction's points as a stacked bar, the first faction on top.

    A part too short for its number gets no label; the table has all numbers.
    """
    longest = max((_bar_length(points) for _player, points in rows), default=Fraction(0))
    traces = []
    for at, part in enumerate(parts):
        values = [points[at] for _player, points in rows]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": _escape(part),
                "x": [plain(value) for value in values],
                "y": list(range(len(rows))),
                "text": [_bar_label(value, longest) for value in values],
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
                "hovertemplate": f"{_escape(part)} %{{x}}<extra></extra>",
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
        "ticktext": [_truncated(player.name) for player, _points in rows],
    }
    layout["height"] = 80 + WIDE_ROW * max(len(rows), 2)
    _add_legend(layout, parts)
    return {"data": traces, "layout": layout}


def _bar_length(points: Sequence[Fraction]) -> Fraction:
    """Return the length of a bar on both sides of zero."""
    return sum((abs(value) for value in points), Fraction(0))


def _bar_label(value: Fraction, longest: Fraction) -> str:
    number = wording.number(value)
    return number if value and DIGITS * abs(value) >= longest * len(number) else ""


class Bar(NamedTuple):
    """A row of bars: its name, and each faction's share to the right and to the left of zero."""

    name: str
    more: Mapping[str, Fraction]
    less: Mapping[str, Fraction] = {}


def bars_plot(rows: Sequence[Bar], series: Sequence[Series], *, titles: Mapping[str, str]) -> Plot:
    """Plot the shares of the factions as one stacked bar per row."""
    traces = []
    for player in series:
        sides = [[row.more.get(player.faction, Fraction(0)) for row in rows]]
        if any(row.less for row in rows):
            sides.append([-row.less.get(player.faction, Fraction(0)) for row in rows])
        traces += [_share_bars(player, values, legend=side == 0) for side, values in enumerate(sides)]
    layout = _layout()
    layout["barmode"] = "relative"
    layout["bargap"] = 0.25
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "rangemode": "tozero"}
    layout["xaxis"] |= {"zeroline": True, "nticks": 6}
    layout["yaxis"] |= _row_axis([row.name for row in rows])
    layout["height"] = 80 + ROW * max(len(rows), 2)
    _add_legend(layout, [player.name for player in series])
    return {"data": traces, "layout": layout}


def _share_bars(player: Series, values: Sequence[Fraction], *, legend: bool) -> dict[str, Any]:
    """Return the trace of a faction's bars on one side of zero."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": _escape(player.name),
        "legendgroup": player.faction,
        "showlegend": legend,
        "x": [plain(value) for value in values],
        "y": list(range(len(values))),
        "marker": {
            "color": f"--chart-{player.faction}",
            "line": {"color": "--ground", "width": 1},
            "pattern": {
                "shape": HATCHES[shape_of(player.faction)],
                "fgcolor": "--ground",
                "fillmode": "overlay",
                "solidity": 0.2,
                "size": 6,
            },
        },
        "hovertemplate": "%{fullData.name} %{x}<extra></extra>",
    }


def _row_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return the settings of a y axis with named rows, the first on top."""
    return {
        "autorange": "reversed",
        "showgrid": False,
        "zeroline": False,
        "ticksuffix": " ",
        "tickvals": list(range(len(names))),
        "ticktext": _row_labels(names),
    }


def _row_labels(names: Sequence[str]) -> list[str]:
    """Return truncated row names; in the middle if truncating their ends would make two names equal."""
    labels = [_truncated(name, LONGEST_ROW) for name in names]
    if len(set(labels)) == len(set(names)):
        return labels
    half = LONGEST_ROW // 2
    ends = [f"{name[:half].rstrip()}…{name[-half:].lstrip()}" for name in names]
    return [
        _escape(end) if len(name) > LONGEST_ROW else label
        for name, label, end in zip(names, labels, ends, strict=True)
    ]


# Places


class PlaceRow(NamedTuple):
    """The holder of a place in each round: None for nobody, no item if the place did not exist."""

    name: str
    holders: Mapping[int, str | None]  # by column index
    is_title: bool = False  # a heading for the rows that follow


def control_plot(
    rows: Sequence[PlaceRow], rounds: Sequence[str], series: Sequence[Series], *, titles: Mapping[str, str]
) -> Plot:
    """Plot the holder of each place in each round as a heat map with the factions' symbols."""
    index = {player.faction: at for at, player in enumerate(series)}
    columns = range(len(rounds))
    colours = [f"--chart-{player.faction}" for player in series]
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
    layout["yaxis"] |= _row_axis(["" if row.is_title else row.name for row in rows])
    layout["yaxis"] |= {"autorange": False, "range": [len(rows) - 0.5, -0.5], "ticks": ""}
    layout["annotations"] = [_group_heading(row.name, y) for y, row in enumerate(rows) if row.is_title]
    _add_legend(layout, [player.name for player in series])
    layout["legend"] |= {"y": 1, "yref": "container", "yanchor": "top"}
    above = layout["margin"]["t"] + 40  # the legend, then the round numbers
    layout["margin"] |= {"t": above, "b": 8, "r": 4}
    layout["height"] = above + 8 + THIN_ROW * len(rows)
    symbols = [_holder_symbols(player, rows) for player in series]
    return {"data": [ground, _unheld_dots(rows), *symbols, *map(_legend_entry, series)], "layout": layout}


def _group_heading(name: str, y: int) -> dict[str, Any]:
    """Return the heading of a group of rows; bold markup would be an inline style, which the CSP forbids."""
    return {
        "x": -0.5,
        "y": y,
        "xanchor": "left",
        "yanchor": "middle",
        "showarrow": False,
        "text": _escape(name),
        "font": {"color": "--ink", "size": 14, "weight": 600},
    }


def _holder_symbols(player: Series, rows: Sequence[PlaceRow]) -> dict[str, Any]:
    """Return the trace of a faction's symbol on each place it held."""
    held = [
        (x, y) for y, row in enumerate(rows) for x, holder in row.holders.items() if holder == player.faction
    ]
    return {
        **_markers(held),
        "name": _escape(player.name),
        "marker": {"symbol": SYMBOLS[shape_of(player.faction)], "size": 8, "color": "--ground"},
        "hovertemplate": "%{fullData.name}<br>%{y}<extra></extra>",
    }


def _unheld_dots(rows: Sequence[PlaceRow]) -> dict[str, Any]:
    """Return the trace of a dot on each existing place that nobody held."""
    free = [(x, y) for y, row in enumerate(rows) for x, holder in row.holders.items() if holder is None]
    return {
        **_markers(free),
        "name": "nobody",
        "marker": {"symbol": "circle", "size": 3, "color": "--quiet"},
        "hoverinfo": "skip",
    }


def _markers(points: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, _y in points],
        "y": [y for _x, y in points],
        "showlegend": False,
    }


def _legend_entry(player: Series) -> dict[str, Any]:
    """Return an invisible trace for the legend: the visible symbols have the background colour."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [None],
        "y": [None],
        "name": _escape(player.name),
        "marker": {
            "symbol": SYMBOLS[shape_of(player.faction)],
            "size": 11,
            "color": f"--chart-{player.faction}",
        },
    }


# Play order


class Gain(NamedTuple):
    """Points gained by a faction in a round, with its place in the play order (from 1)."""

    faction: str
    round: int
    place: int
    points: Fraction


def order_plot(
    gains: Sequence[Gain],
    means: Mapping[int, Fraction],
    series: Sequence[Series],
    *,
    titles: Mapping[str, str],
) -> Plot:
    """Plot the gains by place in the play order: a bar for the mean, a marker per round."""
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
    _add_legend(layout, [player.name for player in series])
    marks = [_gain_markers(player, gains, titles["round"]) for player in series]
    return {"data": [bars, *marks], "layout": layout}


def _gain_markers(player: Series, gains: Sequence[Gain], title: str) -> dict[str, Any]:
    """Return a faction's markers, the rounds side by side within the bar from left to right."""
    own = [gain for gain in gains if gain.faction == player.faction]
    rounds = sorted({gain.round for gain in gains})
    step = 0.6 / max(len(rounds) - 1, 1)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _escape(player.name),
        "x": [gain.place + (rounds.index(gain.round) * step - 0.3 if len(rounds) > 1 else 0) for gain in own],
        "y": [plain(gain.points) for gain in own],
        "customdata": [gain.round for gain in own],
        "marker": {
            "symbol": SYMBOLS[shape_of(player.faction)],
            "size": 10,
            "color": f"--chart-{player.faction}",
            "line": {"color": "--ground", "width": 1},
        },
        "cliponaxis": False,
        "hovertemplate": f"%{{fullData.name}} %{{y}}<br>{title} %{{customdata}}<extra></extra>",
    }


# Luck


class LuckRow(NamedTuple):
    """A faction's luck (actual minus expected) and its standard deviation."""

    series: Series
    luck: float
    deviation: float


def signed(number: float) -> str:
    """Format with a sign and one decimal; without a sign if it rounds to zero."""
    text = f"{number:+.1f}".replace("-", "−")
    return wording.localized(text if text[1:] != "0.0" else "0.0")


def luck_plot(rows: Sequence[LuckRow], *, titles: Mapping[str, str]) -> Plot:
    """Plot the luck of each faction: a bar for one standard deviation, a marker for the luck."""
    usual = {
        "type": "bar",
        "orientation": "h",
        "base": [-row.deviation for row in rows],
        "x": [2 * row.deviation for row in rows],
        "y": list(range(len(rows))),
        "width": 0.3,
        "marker": {"color": "--line", "line": {"color": "--quiet", "width": 1}},
        "hoverinfo": "skip",
    }
    layout = _layout()
    layout["bargap"] = 0.35
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "zeroline": True, "nticks": 7}
    layout["yaxis"] |= _row_axis([row.series.name for row in rows])
    layout["height"] = 80 + WIDE_ROW * max(len(rows), 2)
    return {"data": [usual, *(_luck_marker(row, y) for y, row in enumerate(rows))], "layout": layout}


def _luck_marker(row: LuckRow, y: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": _escape(row.series.name),
        "cliponaxis": False,
        "x": [round(row.luck, 3)],
        "y": [y],
        "text": [signed(row.luck)],
        "textposition": "top center",
        "textfont": {"color": "--ink", "size": 13},
        "marker": {
            "symbol": SYMBOLS[shape_of(row.series.faction)],
            "size": 13,
            "color": f"--chart-{row.series.faction}",
            "line": {"color": "--ground", "width": 1},
        },
        "hovertemplate": "%{fullData.name} %{text}<extra></extra>",
    }


class ObservedShare(NamedTuple):
    """An observed share at a position on the x axis, with its interval and the number of observations."""

    x: float
    share: float
    low: float
    high: float
    observations: int


def shares_plot(
    shares: Sequence[ObservedShare], expected: Sequence[tuple[float, float]], *, titles: Mapping[str, str]
) -> Plot:
    """Plot shares in per cent with their intervals and counts against the line of expected values."""
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
        "x": [observed.x for observed in shares],
        "y": [100 * observed.share for observed in shares],
        "error_y": {
            "type": "data",
            "array": [100 * (observed.high - observed.share) for observed in shares],
            "arrayminus": [100 * (observed.share - observed.low) for observed in shares],
            "color": "--ink",
            "thickness": 1.5,
            "width": 5,
        },
        "text": [f" ×{observed.observations}" for observed in shares],
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


class WinShare(NamedTuple):
    """A share of wins and its interval."""

    name: str
    faction: str  # empty if the row is not a faction
    share: float
    low: float
    high: float
    games: int


def wins_plot(shares: Sequence[WinShare], even: float, *, titles: Mapping[str, str]) -> Plot:
    """Plot shares of wins in per cent with their intervals; a dashed line marks equal chances."""
    layout = _layout()
    quarters = [0, 25, 50, 75, 100]
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "range": [-2, 102]}
    layout["xaxis"] |= {"tickvals": quarters, "ticktext": [f"{quarter}%" for quarter in quarters]}
    layout["yaxis"] |= _row_axis([share.name for share in shares])
    layout["yaxis"] |= {"autorange": False, "range": [len(shares) - 0.4, -0.75]}
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
    layout["height"] = 80 + WIDE_ROW * max(len(shares), 2)
    return {
        "data": [_win_marker(share, row, titles["hover"]) for row, share in enumerate(shares)],
        "layout": layout,
    }


def _win_marker(win_share: WinShare, row: int, hover: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": _escape(win_share.name),
        "cliponaxis": False,
        "x": [round(100 * win_share.share, 2)],
        "y": [row],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [round(100 * (win_share.high - win_share.share), 2)],
            "arrayminus": [round(100 * (win_share.share - win_share.low), 2)],
            "color": "--ink",
            "thickness": 1.5,
            "width": 5,
        },
        "text": [f"{100 * win_share.share:.0f}%"],
        "textposition": "top center",
        "textfont": {"color": "--ink", "size": 13},
        "customdata": [win_share.games],
        "marker": _marker(win_share.faction),
        "hovertemplate": f"%{{fullData.name}} %{{text}}<br>{hover} %{{customdata}}<extra></extra>",
    }


def _marker(faction: str) -> dict[str, Any]:
    """Return a faction's marker, or a plain one if it is not a faction."""
    return {
        "symbol": SYMBOLS[shape_of(faction)] if faction in shapes() else "circle",
        "size": 13,
        "color": f"--chart-{faction}" if faction in shapes() else "--accent",
        "line": {"color": "--ground", "width": 1},
    }


class Spread(NamedTuple):
    """Distribution of a faction's points: minimum, quartiles, maximum and mean."""

    series: Series
    least: int
    lower: int
    median: int
    upper: int
    most: int
    mean: float


def spreads_plot(spreads: Sequence[Spread], *, titles: Mapping[str, str]) -> Plot:
    """Plot a box per faction, with its symbol at the mean."""
    layout = _layout()
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "nticks": 6}
    layout["yaxis"] |= _row_axis([spread.series.name for spread in spreads])
    layout["yaxis"] |= {"autorange": False, "range": [len(spreads) - 0.5, -0.5]}
    layout["height"] = 80 + WIDE_ROW * max(len(spreads), 2)
    boxes = [_box(spread, row) for row, spread in enumerate(spreads)]
    means = [_mean_marker(spread, row, titles["mean"]) for row, spread in enumerate(spreads)]
    return {"data": [*boxes, *means], "layout": layout}


def _box(spread: Spread, row: int) -> dict[str, Any]:
    return {
        "type": "box",
        "orientation": "h",
        "name": _escape(spread.series.name),
        "y": [row],
        "lowerfence": [spread.least],
        "q1": [spread.lower],
        "median": [spread.median],
        "q3": [spread.upper],
        "upperfence": [spread.most],
        "width": 0.5,
        "fillcolor": "--raised",
        "line": {"color": f"--chart-{spread.series.faction}", "width": 2},
        "hoverinfo": "x",
    }


def _mean_marker(spread: Spread, row: int, title: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _escape(spread.series.name),
        "cliponaxis": False,
        "x": [round(spread.mean, 2)],
        "y": [row],
        "marker": _marker(spread.series.faction),
        "hovertemplate": f"%{{fullData.name}}<br>{title} %{{x:.1f}}<extra></extra>",
    }


MOST_LENGTH_TICKS = 5


def lengths_plot(bins: Sequence[tuple[int, int]], width: int, *, titles: Mapping[str, str]) -> Plot:
    """Plot the number of games by length as a histogram; ``width`` is that of a bin in minutes."""
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


def half_time_plot(
    rows: Sequence[str], winners: Sequence[float], others: Sequence[float], *, titles: Mapping[str, str]
) -> Plot:
    """Plot the means of winners and others as two bars per row, with different tones and patterns."""
    layout = _layout()
    layout["barmode"] = "group"
    layout["bargap"] = 0.3
    most = max(*winners, *others, 1.0)
    layout["xaxis"] |= {"title": {"text": titles["x"]}, "showgrid": True, "nticks": 6}
    layout["xaxis"] |= {"range": [min(*winners, *others, 0.0), 1.15 * most]}  # leave room for the labels
    layout["yaxis"] |= _row_axis(rows)
    layout["height"] = 80 + WIDE_ROW * max(len(rows), 2)
    _add_legend(layout, [titles["winners"], titles["others"]])
    kinds = ((titles["winners"], winners, 0), (titles["others"], others, 1))
    return {"data": [_half_time_bars(title, values, at) for title, values, at in kinds], "layout": layout}


def _half_time_bars(title: str, values: Sequence[float], at: int) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": title,
        "x": [round(value, 2) for value in values],
        "y": list(range(len(values))),
        "text": [wording.localized(f"{value:.1f}") for value in values],
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


class RatedGame(NamedTuple):
    """A rating after a game with its uncertainty."""

    day: str
    tick: str  # the day in short, for the x axis
    rating: float
    uncertainty: float
    won: bool


def rating_plot(games: Sequence[RatedGame], *, titles: Mapping[str, str]) -> Plot:
    """Plot a rating from game to game with its uncertainty band; markers of games won are filled."""
    xs = list(range(len(games)))
    layout = _layout()
    ticks = sorted({0, (len(games) - 1) // 2, len(games) - 1})
    layout["xaxis"] |= {"tickvals": ticks, "ticktext": [games[at].tick for at in ticks], "showgrid": False}
    layout["xaxis"] |= {"range": [-0.5, len(games) - 0.5]}
    layout["yaxis"] |= {"title": {"text": titles["y"]}, "zeroline": False}
    layout["margin"] |= {"r": 36}
    ends = [_band_edge(xs, [game.rating + side * game.uncertainty for game in games]) for side in (1, -1)]
    ends[1] |= {"fill": "tonexty", "fillcolor": "--line"}
    return {"data": [*ends, _rating_line(xs, games)], "layout": layout}


def _band_edge(xs: Sequence[int], ys: Sequence[float]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(xs),
        "y": [round(y, 3) for y in ys],
        "line": {"color": "--quiet", "width": 1},
        "hoverinfo": "skip",
    }


def _rating_line(xs: Sequence[int], games: Sequence[RatedGame]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "cliponaxis": False,
        "x": list(xs),
        "y": [round(game.rating, 3) for game in games],
        "error_y": {  # with a single game the band has no width
            "type": "data",
            "array": [round(game.uncertainty, 3) for game in games],
            "color": "--quiet",
            "thickness": 1.5,
            "visible": len(games) == 1,
        },
        "line": {"color": "--accent", "width": 2.5},
        "marker": {
            "symbol": ["circle" if game.won else "circle-open" for game in games],
            "size": 9 if len(games) <= MOST_MARKERS else 5,
            "color": "--accent",
        },
        "customdata": [[game.day, wording.localized(f"{game.uncertainty:.1f}")] for game in games],
        "hovertemplate": "%{customdata[0]}<br>%{y:.1f} ± %{customdata[1]}<extra></extra>",
    }


# Shared parts


def _add_legend(layout: dict[str, Any], names: Sequence[str]) -> None:
    """Add a legend above the plot with enough room for a narrow phone; tapping it hides nothing."""
    needed = LEGEND_LINE * _legend_lines(names)
    layout["showlegend"] = True
    layout["legend"] = {
        "orientation": "h",
        "x": 0,
        "y": 1.02,
        "yanchor": "bottom",
        "maxheight": 1,  # of the plot height, so that it never scrolls
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
        "font": {"color": "--ink"},
    }
    layout["margin"] |= {"t": needed + 16}
    if "height" in layout:
        layout["height"] += needed


def _legend_lines(names: Sequence[str]) -> int:
    """Return the lines a legend needs; its columns are as wide as the longest name."""
    column = LEGEND_MARK + LETTER * max(map(len, names))
    return math.ceil(len(names) / max(int(NARROW / column), 1))


def _layout() -> dict[str, Any]:
    """Return the shared layout. Dragging is off, so that a finger on a plot scrolls the page."""
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
