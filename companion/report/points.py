"""Sections about points: standings over time, sources of points, gains by play order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Course, Moment, Series, ends_of_rounds, lead_of
from companion.charts.plots import Gain, lines_plot, order_plot, parts_plot, scores_within_rounds
from companion.charts.sections import Cell, Chart, Grid, Section

# Over time


def course_section(course: Course) -> Section:
    """Build the section about the standings by round and by entry; the more suitable chart comes first."""
    rounds = _standings_chart(course, by_entry=False)
    entries = _standings_chart(course, by_entry=True)
    charts = [entries, rounds] if scores_within_rounds(course.moments) else [rounds, entries]
    return Section("course", _("Standings over time"), _lead_sentences(course), charts, choice=True)


def _standings_chart(course: Course, *, by_entry: bool) -> Chart:
    description = _("Points of each player, round by round. The table below has the same numbers.")
    if by_entry:
        description = _("Points of each player, entry by entry. The table below has the same numbers.")
    return lines_chart(
        "course-entries" if by_entry else "course-rounds",
        course.moments,
        course.series,
        description=description,
        unit=_("Points"),
        title=_("Every entry") if by_entry else _("Rounds"),
        by_entry=by_entry,
    )


def lines_chart(  # noqa: PLR0913 - all of these differ between points and money
    slug: str,
    moments: Sequence[Moment],
    series: Sequence[Series],
    *,
    description: str,
    unit: str,
    title: str,
    by_entry: bool,
) -> Chart:
    """Return a chart with a line per faction, and its table."""
    titles = {"x": _("Round"), "y": unit}
    plot = lines_plot(moments, series, titles=titles, by_entry=by_entry)
    return Chart(slug, description, plot, _numbers(moments, series, by_entry=by_entry), title)


def _numbers(moments: Sequence[Moment], series: Sequence[Series], *, by_entry: bool) -> Grid:
    """Return the table of the round ends, or of the start and every entry that changed a value."""
    names = [Cell(player.name, player.faction) for player in series]
    if not by_entry:
        rows = [[_round_cell(end), *_values(end, series)] for end in ends_of_rounds(moments)]
        return Grid([Cell(_("Round")), *names], rows)
    changed = [after for before, after in pairwise(moments) if before.points != after.points]
    rows = [
        [Cell(str(moment.number), at=moment.number), Cell(str(moment.round)), *_values(moment, series)]
        for moment in (moments[0], *changed)
    ]
    return Grid([Cell(_("Entry")), Cell(_("Round")), *names], rows)


def _round_cell(end: Moment) -> Cell:
    return Cell(str(end.round) if end.round else _("Start"), at=end.number)


def round_title(course: Course, round_: int) -> str:
    """Return the name of a round; round 0 is the start."""
    return wording.round_name(course.game, round_) if round_ else _("Start")


def _values(moment: Moment, series: Sequence[Series]) -> list[Cell]:
    return [Cell(wording.number(moment.of(player.faction))) for player in series]


def _lead_sentences(course: Course) -> list[str]:
    """Return sentences about the leaders, since when they lead, and the number of lead changes."""
    lead = lead_of(course.moments)
    names = [course.name(faction) for faction in lead.leaders]
    if not names:
        return [_("Nobody has any points yet.")]
    if len(names) > 1:
        template = _("%(names)s are level.") if course.is_playing else _("%(names)s ended level.")
        sentences = [template % {"names": ", ".join(names)}]
    else:
        template = _("%(name)s has led since round %(round)d.")
        if not course.is_playing:
            template = _("%(name)s led from round %(round)d on.")
        sentences = [template % {"name": names[0], "round": lead.since}]
    if lead.changes:
        changed = ngettext(
            "The lead changed %(count)d time.", "The lead changed %(count)d times.", lead.changes
        )
        sentences.append(changed % {"count": lead.changes})
    return sentences


# Sources of points


def parts_section(course: Course) -> Section:
    """Build the section about the parts of the current standings, without parts that are 0 for all."""
    title = _("Where the points come from")
    standings = sorted(course.game.standings(course.states[-1]), key=lambda standing: -standing.points)
    order = dict.fromkeys(part for standing in standings for part in standing.parts)
    parts = [part for part in order if any(standing.parts.get(part) for standing in standings)]
    if not parts:
        return Section("parts", title, [_("Nobody has any points yet.")])
    names = [wording.name(course.game, "part", part) for part in parts]
    rows = [
        (
            Series(standing.faction, course.name(standing.faction)),
            [standing.parts.get(part, Fraction(0)) for part in parts],
        )
        for standing in standings
    ]
    grid = Grid(
        [Cell(_("Player")), *map(Cell, names), Cell(_("Sum"))],
        [
            [
                Cell(player.name, player.faction),
                *(Cell(wording.number(value)) for value in values),
                Cell(wording.number(sum(values, Fraction(0)))),
            ]
            for player, values in rows
        ],
        sums=True,
    )
    description = _("Points of each player by where they came from. The table below has the same numbers.")
    plot = parts_plot(rows, names, titles={"x": _("Points")})
    sentence = _main_source_sentence(names, [values for _player, values in rows])
    return Section("parts", title, [sentence], [Chart("parts", description, plot, grid)])


def _main_source_sentence(names: Sequence[str], values: Sequence[Sequence[Fraction]]) -> str:
    totals = {name: sum((row[at] for row in values), Fraction(0)) for at, name in enumerate(names)}
    most = max(totals, key=lambda name: totals[name])
    template = _("Of all %(sum)s points, most came from: %(part)s, %(count)s.")
    whole = sum(totals.values(), Fraction(0))
    return template % {"sum": wording.number(whole), "part": most, "count": wording.number(totals[most])}


# Play order


def order_section(course: Course) -> Section | None:
    """Build the section about the gains by place in the play order, over the completed rounds."""
    gains = gains_of(course)
    if not gains:
        return None
    means = mean_gains(gains)
    first, last = min(means), max(means)
    template = _("Who played first gained %(first)s points a round on average, who played last %(last)s.")
    averages = {"first": means[first], "last": means[last]}
    sentence = template % {key: wording.localized(f"{float(mean):.1f}") for key, mean in averages.items()}
    titles = {
        "x": _("Place in the play order"),
        "y": _("Points gained"),
        "round": _("Round"),
        "mean": _("Mean"),
    }
    series = course.series
    chart = Chart(
        "order",
        _("Points gained in a round by place in the play order. The table below has the same numbers."),
        order_plot(gains, means, series, titles=titles),
        _order_grid(gains, series),
    )
    note = _("Points gained are the change of the standing from the end of a round to the end of the next.")
    return Section("order", _("Play order and points"), [sentence], [chart], notes=[note])


def gains_of(course: Course) -> list[Gain]:
    """Return the place in the play order and the points gained of each faction in each completed round."""
    ends = ends_of_rounds(course.moments)
    if course.is_playing:
        ends = ends[:-1]
    start = course.moments[0]
    befores = dict(pairwise(end.number for end in (start, *ends)))
    moments = {moment.number: moment for moment in course.moments}
    earlier = {after: moments[before] for before, after in befores.items()}
    orders = _play_orders(course)
    return [
        Gain(faction, end.round, place, end.of(faction) - earlier[end.number].of(faction))
        for end in ends
        if end.round and end.number in earlier
        for place, faction in enumerate(orders[end.round], start=1)
    ]


def _play_orders(course: Course) -> Mapping[int, tuple[str, ...]]:
    """Return the play order of each round: it may change within a round, so the longest-lasting one."""
    counts: dict[int, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for moment, state in zip(course.moments, course.states, strict=True):
        counts[moment.round][tuple(state.order)] += 1
    return {round_: orders.most_common(1)[0][0] for round_, orders in counts.items()}


def mean_gains(gains: Sequence[Gain]) -> dict[int, Fraction]:
    """Return the mean gain of each place in the play order."""
    gains_by_place: dict[int, list[Fraction]] = defaultdict(list)
    for gain in gains:
        gains_by_place[gain.place].append(gain.points)
    return {place: sum(points, Fraction(0)) / len(points) for place, points in sorted(gains_by_place.items())}


def _order_grid(gains: Sequence[Gain], series: Sequence[Series]) -> Grid:
    """Return the table of places and gains, round by round."""
    gain_of = {(gain.round, gain.faction): gain for gain in gains}
    rows = [
        [Cell(str(round_)), *(_gain_cell(gain_of.get((round_, player.faction))) for player in series)]
        for round_ in sorted({gain.round for gain in gains})
    ]
    return Grid([Cell(_("Round")), *(Cell(player.name, player.faction) for player in series)], rows)


def _gain_cell(gain: Gain | None) -> Cell:
    if gain is None:
        return Cell("")
    points = wording.number(gain.points)
    return Cell(
        _("%(place)d.: %(gain)s") % {"place": gain.place, "gain": f"+{points}" if gain.points > 0 else points}
    )
