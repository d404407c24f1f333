"""Sections about points: standings over time, where points came from, what the play order brought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Course, Moment, Series, ends_of_rounds, lead_of
from companion.charts.plots import Gain, lines_figure, order_figure, parts_figure, scores_within_rounds
from companion.charts.sections import Cell, Chart, Grid, Section

# Over time


def course_section(course: Course) -> Section:
    """Everybody's points, round by round or entry by entry; first whichever fits the game."""
    rounds = _standings(course, by_entry=False)
    entries = _standings(course, by_entry=True)
    charts = [entries, rounds] if scores_within_rounds(course.moments) else [rounds, entries]
    return Section("course", _("Standings over time"), _lead_told(course), charts, choice=True)


def _standings(course: Course, *, by_entry: bool) -> Chart:
    said = _("Points of each player, round by round. The table below has the same numbers.")
    if by_entry:
        said = _("Points of each player, entry by entry. The table below has the same numbers.")
    return lines_chart(
        "course-entries" if by_entry else "course-rounds",
        course.moments,
        course.series,
        said=said,
        unit=_("Points"),
        title=_("Every entry") if by_entry else _("Rounds"),
        by_entry=by_entry,
    )


def lines_chart(  # noqa: PLR0913 - what differs between points and money
    slug: str,
    moments: Sequence[Moment],
    series: Sequence[Series],
    *,
    said: str,
    unit: str,
    title: str,
    by_entry: bool,
) -> Chart:
    """A line for each faction, and the numbers at the same moments."""
    titles = {"x": _("Round"), "y": unit}
    figure = lines_figure(moments, series, titles=titles, by_entry=by_entry)
    return Chart(slug, said, figure, _numbers(moments, series, by_entry=by_entry), title)


def _numbers(moments: Sequence[Moment], series: Sequence[Series], *, by_entry: bool) -> Grid:
    """The ends of rounds; or the start, and every entry that changed anything."""
    names = [Cell(one.name, one.faction) for one in series]
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
    """A round as a sentence names it; before the first there is the start."""
    return wording.round_name(course.game, round_) if round_ else _("Start")


def _values(moment: Moment, series: Sequence[Series]) -> list[Cell]:
    return [Cell(wording.number(moment.of(one.faction))) for one in series]


def _lead_told(course: Course) -> list[str]:
    """Who leads since when, and how often that changed."""
    lead = lead_of(course.moments)
    names = [course.name(faction) for faction in lead.leaders]
    if not names:
        return [_("Nobody has any points yet.")]
    if len(names) > 1:
        told = _("%(names)s are level.") if course.is_playing else _("%(names)s ended level.")
        sentences = [told % {"names": ", ".join(names)}]
    else:
        told = _("%(name)s has led since round %(round)d.")
        if not course.is_playing:
            told = _("%(name)s led from round %(round)d on.")
        sentences = [told % {"name": names[0], "round": lead.since}]
    if lead.changes:
        changed = ngettext(
            "The lead changed %(count)d time.", "The lead changed %(count)d times.", lead.changes
        )
        sentences.append(changed % {"count": lead.changes})
    return sentences


# Where points came from


def parts_section(course: Course) -> Section:
    """The parts that brought anybody anything, as things stand."""
    title = _("Where the points come from")
    standings = sorted(course.game.standings(course.states[-1]), key=lambda one: -one.points)
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
                Cell(one.name, one.faction),
                *(Cell(wording.number(value)) for value in values),
                Cell(wording.number(sum(values, Fraction(0)))),
            ]
            for one, values in rows
        ],
        sums=True,
    )
    said = _("Points of each player by where they came from. The table below has the same numbers.")
    figure = parts_figure(rows, names, titles={"x": _("Points")})
    sentence = _most_told(names, [values for _one, values in rows])
    return Section("parts", title, [sentence], [Chart("parts", said, figure, grid)])


def _most_told(names: Sequence[str], values: Sequence[Sequence[Fraction]]) -> str:
    totals = {name: sum((row[at] for row in values), Fraction(0)) for at, name in enumerate(names)}
    most = max(totals, key=lambda name: totals[name])
    told = _("Of all %(sum)s points, most came from: %(part)s, %(count)s.")
    whole = sum(totals.values(), Fraction(0))
    return told % {"sum": wording.number(whole), "part": most, "count": wording.number(totals[most])}


# Play order


def order_section(course: Course) -> Section | None:
    """What it brought to play first or last, over the rounds that are over."""
    gains = gains_of(course)
    if not gains:
        return None
    means = mean_gains(gains)
    first, last = min(means), max(means)
    told = _("Who played first gained %(first)s points a round on average, who played last %(last)s.")
    averages = {"first": means[first], "last": means[last]}
    sentence = told % {key: wording.written(f"{float(mean):.1f}") for key, mean in averages.items()}
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
        order_figure(gains, means, series, titles=titles),
        _order_grid(gains, series),
    )
    note = _("Points gained are the change of the standing from the end of a round to the end of the next.")
    return Section("order", _("Play order and points"), [sentence], [chart], notes=[note])


def gains_of(course: Course) -> list[Gain]:
    """For each round that is over: who was where in the play order, and what the round brought them."""
    ends = ends_of_rounds(course.moments)
    if course.is_playing:
        ends = ends[:-1]
    start = course.moments[0]
    befores = dict(pairwise(end.number for end in (start, *ends)))
    moments = {moment.number: moment for moment in course.moments}
    earlier = {after: moments[before] for before, after in befores.items()}
    orders = _orders(course)
    return [
        Gain(faction, end.round, place, end.of(faction) - earlier[end.number].of(faction))
        for end in ends
        if end.round and end.number in earlier
        for place, faction in enumerate(orders[end.round], start=1)
    ]


def _orders(course: Course) -> Mapping[int, tuple[str, ...]]:
    """The play order of each round: it is settled within one, so the one that held longest."""
    seen: dict[int, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for moment, state in zip(course.moments, course.states, strict=True):
        seen[moment.round][tuple(state.order)] += 1
    return {round_: orders.most_common(1)[0][0] for round_, orders in seen.items()}


def mean_gains(gains: Sequence[Gain]) -> dict[int, Fraction]:
    """The mean gain of each place in the play order."""
    found: dict[int, list[Fraction]] = defaultdict(list)
    for one in gains:
        found[one.place].append(one.points)
    return {place: sum(points, Fraction(0)) / len(points) for place, points in sorted(found.items())}


def _order_grid(gains: Sequence[Gain], series: Sequence[Series]) -> Grid:
    """Round by round: everybody's place in the order and what they gained."""
    found = {(one.round, one.faction): one for one in gains}
    rows = [
        [Cell(str(round_)), *(_placed(found.get((round_, one.faction))) for one in series)]
        for round_ in sorted({one.round for one in gains})
    ]
    return Grid([Cell(_("Round")), *(Cell(one.name, one.faction) for one in series)], rows)


def _placed(one: Gain | None) -> Cell:
    if one is None:
        return Cell("")
    gain = wording.number(one.points)
    return Cell(
        _("%(place)d.: %(gain)s") % {"place": one.place, "gain": f"+{gain}" if one.points > 0 else gain}
    )
