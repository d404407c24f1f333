"""The section about thinking times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import TypeVar

from django.utils.translation import gettext as _

from companion import wording
from companion.charts.course import Course, Series, Times, times_of
from companion.charts.plots import Bar, bars_plot
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.report.points import round_title

Key = TypeVar("Key")


def times_section(course: Course) -> Section | None:
    """Build the section about the thinking time of each player: in all, by phase and by round."""
    times = times_of(course)
    if not times.entries:
        return None
    series = [player for player in course.series if player.faction in times.players]
    sentences = [_("%(total)s of play.") % {"total": wording.duration(times.total)}]
    if times.breaks:
        sentences.append(
            _("Breaks are left out: %(breaks)s in all.") % {"breaks": wording.duration(times.breaks)}
        )
    if times.pauses:
        template = _("Pauses of more than 20 minutes are left out: %(pauses)s in all.")
        sentences.append(template % {"pauses": wording.duration(times.pauses)})
    charts = [
        _players_chart(times, series),
        _chart("phases", _("Phases"), series, times.phases, times.by_phase, _phase_name(course)),
        _chart(
            "rounds",
            _("Rounds"),
            series,
            dict(sorted(times.rounds.items())),
            times.by_round,
            _round_name(course),
        ),
    ]
    notes = [_("The time before an entry counts for whoever made it, whether or not it was undone later.")]
    return Section("times", _("How long it took"), sentences, charts, notes=notes, choice=True)


def _phase_name(course: Course) -> Callable[[str], str]:
    return lambda phase: wording.name(course.game, "phase", phase)


def _round_name(course: Course) -> Callable[[int], str]:
    return lambda round_: round_title(course, round_)


def _players_chart(times: Times, series: Sequence[Series]) -> Chart:
    bars = [Bar(player.name, {player.faction: _minutes(times.players[player.faction])}) for player in series]
    head = [Cell(_("Player")), Cell(_("Entries")), Cell(_("On average")), Cell(_("In all"))]
    rows = [
        [
            Cell(player.name, player.faction),
            Cell(str(times.entries.get(player.faction, 0))),
            Cell(
                wording.duration(times.players[player.faction] / max(times.entries.get(player.faction, 0), 1))
            ),
            Cell(wording.duration(times.players[player.faction])),
        ]
        for player in series
    ]
    return _times_chart("players", _("Players"), bars, series, Grid(head, rows))


def _chart(
    slug: str,
    title: str,
    series: Sequence[Series],
    sums: Mapping[Key, timedelta],
    shares: Mapping[tuple[str, Key], timedelta],
    name_of: Callable[[Key], str],
) -> Chart:
    zero = timedelta()
    bars = [
        Bar(
            name_of(key),
            {player.faction: _minutes(shares.get((player.faction, key), zero)) for player in series},
        )
        for key in sums
    ]
    rows = [
        [
            Cell(name_of(key)),
            *(Cell(wording.duration(shares.get((player.faction, key), zero))) for player in series),
            Cell(wording.duration(whole)),
        ]
        for key, whole in sums.items()
    ]
    head = [Cell(title), *(Cell(player.name, player.faction) for player in series), Cell(_("In all"))]
    return _times_chart(slug, title, bars, series, Grid(head, rows, sums=True))


def _times_chart(slug: str, title: str, bars: Sequence[Bar], series: Sequence[Series], grid: Grid) -> Chart:
    description = _("Thinking time in minutes. The table below has the same numbers.")
    plot = bars_plot(bars, series, titles={"x": _("Minutes")})
    return Chart(f"times-{slug}", description, plot, grid, title)


def _minutes(time: timedelta) -> Fraction:
    return Fraction(round(time.total_seconds()), 60)
