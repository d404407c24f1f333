"""Sections about control of places, pieces and money, as far as a game's annals provide them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Course, Moment
from companion.charts.plots import MOST_TICKS, Bar, PlaceRow, bars_plot, control_plot, scores_within_rounds
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.journal.states import State
from companion.report.points import lines_chart
from games.core.annals import Control
from games.core.messages import Name

Place = tuple[Name, Name]  # group, name

NOBODY = "–"

# Control of places


def control_section(course: Course) -> Section | None:
    """Build the section about the holders of places at the end of each round."""
    ends = [(end, control) for end, state in course.round_ends() if (control := _control(course, state))]
    places = _places(control for _end, control in ends)
    if not places:
        return None
    rounds = [str(end.round) for end, _control in ends]
    rows = _rows(course, places, [control for _end, control in ends])
    shown = rounds if len(rounds) <= MOST_TICKS else [r if at % 2 == 0 else "" for at, r in enumerate(rounds)]
    chart = Chart(
        "control",
        _("Who held each place, round by round. The table below has the same."),
        control_plot(rows, shown, course.series, titles={"x": _("Round")}),
        _control_grid(course, rows, [end for end, _control in ends]),
    )
    return Section("control", _("Who held what"), _control_sentences(course, rows), [chart])


def _control(course: Course, state: State) -> Control:
    return course.game.annals.control(state) if course.game.annals else {}


def _places(controls: Iterable[Control]) -> list[Place]:
    """Return all places by group; places that came into existence later are last in their group."""
    groups: dict[Name, dict[Name, None]] = {}
    for control in controls:
        for group, places in control.items():
            groups.setdefault(group, {}).update(dict.fromkeys(places))
    return [(group, place) for group, places in groups.items() for place in places]


def _rows(course: Course, places: Sequence[Place], controls: Sequence[Control]) -> list[PlaceRow]:
    rows: list[PlaceRow] = []
    titles: set[Name] = set()
    for group, place in places:
        if group not in titles:
            titles.add(group)
            rows.append(PlaceRow(_display_name(course, group), {}, is_title=True))
        holders = {
            at: control[group][place] for at, control in enumerate(controls) if place in control[group]
        }
        rows.append(PlaceRow(_display_name(course, place), holders))
    return rows


def _display_name(course: Course, name: Name) -> str:
    return wording.capital(wording.name(course.game, name.kind, name.slug))


def _control_grid(course: Course, rows: Sequence[PlaceRow], ends: Sequence[Moment]) -> Grid:
    head = [Cell(_("Place")), *(Cell(str(end.round), at=end.number) for end in ends)]
    return Grid(head, [[Cell(row.name), *_holder_cells(course, row, len(ends))] for row in rows])


def _holder_cells(course: Course, row: PlaceRow, columns: int) -> list[Cell]:
    if row.is_title:
        return []
    return [_holder_cell(course, row.holders.get(at, "")) for at in range(columns)]


def _holder_cell(course: Course, holder: str | None) -> Cell:
    if holder is None:
        return Cell(NOBODY)
    return Cell(course.name(holder), holder) if holder else Cell("")


def _control_sentences(course: Course, rows: Sequence[PlaceRow]) -> list[str]:
    """Return sentences about the largest holder and about the place that changed hands most often."""
    places = [row for row in rows if not row.is_title]
    last = max((at for row in places for at in row.holders), default=0)
    held = Counter(holder for row in places if (holder := row.holders.get(last)))
    sentences = [_("Nobody holds anything yet.")]
    if held:
        most = max(held.values())
        names = ", ".join(player.name for player in course.series if held[player.faction] == most)
        template = ngettext(
            "%(names)s: %(count)d of %(all)d place, the most.",
            "%(names)s: %(count)d of %(all)d places, the most.",
            len(places),
        )
        sentences = [template % {"names": names, "count": most, "all": len(places)}]
    changes = {row.name: _count_changes(row) for row in places}
    most_changes = max(changes.values())
    if most_changes > 1:
        name = next(name for name, count in changes.items() if count == most_changes)
        template = _(
            "%(place)s changed hands most often: %(count)d times from the end of a round to the next."
        )
        sentences.append(template % {"place": name, "count": most_changes})
    return sentences


def _count_changes(row: PlaceRow) -> int:
    holders = [row.holders[at] for at in sorted(row.holders)]
    return sum(before != after for before, after in pairwise(holders) if after is not None)


# Places taken


class Taken(NamedTuple):
    """A change of the holder of a place; None is nobody."""

    before: str | None
    after: str | None


def taken_section(course: Course) -> Section | None:
    """Build the section about the places that the players took from each other."""
    taken = taken_places(course)
    if not taken:
        return None
    series = course.series
    bars = [
        _taken_bar(taken, _("Nobody"), None),
        *(_taken_bar(taken, player.name, player.faction) for player in series),
    ]
    total = sum(taken.values())
    among = sum(count for change, count in taken.items() if change.before and change.after)
    template = ngettext(
        "Places went from hand to hand %(count)d time; %(among)d of it between players.",
        "Places went from hand to hand %(count)d times; %(among)d of it between players.",
        total,
    )
    head = [
        Cell(_("Taken from")),
        *(Cell(player.name, player.faction) for player in series),
        Cell(_("Nobody")),
    ]
    rows = [
        [
            Cell(_("Nobody") if before is None else course.name(before), before or ""),
            *(
                Cell(str(taken[Taken(before, after)]))
                for after in [*(player.faction for player in series), None]
            ),
        ]
        for before in [None, *(player.faction for player in series)]
    ]
    chart = Chart(
        "taken",
        _("How often each player took a place from each other. The table below has the same numbers."),
        bars_plot(bars, series, titles={"x": _("← lost to nobody · taken →")}),
        Grid(head, rows),
    )
    sentence = template % {"count": total, "among": among}
    notes = [_("A row is who had the places, the colours are who took them.")]
    return Section("taken", _("Who took from whom"), [sentence], [chart], notes=notes)


def taken_places(course: Course) -> Counter[Taken]:
    """Count all changes of holders, entry by entry; a new place counts as held by nobody before."""
    taken: Counter[Taken] = Counter()
    for earlier, later in pairwise(_control(course, state) for state in course.states):
        for group, places in later.items():
            for place, after in places.items():
                before = earlier[group].get(place)
                if before != after:
                    taken[Taken(before, after)] += 1
    return taken


def _taken_bar(taken: Counter[Taken], name: str, before: str | None) -> Bar:
    """Return a former holder's bar: right of zero who took the places, left of it those nobody holds."""
    more = {
        change.after: Fraction(n) for change, n in taken.items() if change.before == before and change.after
    }
    lost = taken[Taken(before, None)] if before else 0
    return Bar(name, more, {before: Fraction(lost)} if before and lost else {})


# Pieces


def pieces_section(course: Course) -> Section | None:
    """Build the section about the pieces that came onto the board or left it, by cause."""
    annals = course.game.annals
    if annals is None or not annals.board:
        return None
    gained, lost = gained_and_lost(course)
    charts = [chart for piece in annals.board if (chart := _pieces_chart(course, piece, gained, lost))]
    if not charts:
        return None
    sentences = [_losses_sentence(course, lost)]
    title = _("Pieces gained and lost")
    return Section("pieces", title, sentences, charts, choice=len(charts) > 1)


Crossings = Mapping[tuple[str, str, str], int]  # owner, piece, cause


def gained_and_lost(course: Course) -> tuple[Crossings, Crossings]:
    """Count the pieces that came onto the board and those that left it, by owner, piece and cause.

    For causes in ``annals.returning`` only the net change counts: these pieces leave and come back.
    """
    annals = course.game.annals
    gained: Counter[tuple[str, str, str]] = Counter()
    lost: Counter[tuple[str, str, str]] = Counter()
    if annals is None:
        return gained, lost
    net: Counter[tuple[str, str, str]] = Counter()
    for _moment, steps in course.moments_with_steps():
        for crossing, change in annals.crossings(steps).items():
            if crossing.cause in annals.returning:
                net[crossing] += change
            elif change > 0:
                gained[crossing] += change
            else:
                lost[crossing] -= change
    return gained + net, lost + Counter({crossing: -change for crossing, change in net.items()})


def _pieces_chart(course: Course, piece: str, gained: Crossings, lost: Crossings) -> Chart | None:
    """Return the chart of one kind of piece by cause, most pieces first; None if no such piece moved."""
    factions = [player.faction for player in course.series]
    totals: Counter[str] = Counter()
    for crossings in (gained, lost):
        for (owner, kind, cause), count in crossings.items():
            if owner in factions and kind == piece:
                totals[cause] += count
    if not totals:
        return None
    causes = [cause for cause, _count in totals.most_common()]
    bars = [
        Bar(
            wording.name(course.game, "cause", cause),
            {f: Fraction(n) for f in factions if (n := gained.get((f, piece, cause), 0))},
            {f: Fraction(n) for f in factions if (n := lost.get((f, piece, cause), 0))},
        )
        for cause in causes
    ]
    name = wording.capital(wording.name(course.game, "piece", piece))
    description = _("%(pieces)s gained and lost by cause. The table below has the same numbers.")
    return Chart(
        f"pieces-{piece}",
        description % {"pieces": name},
        bars_plot(bars, course.series, titles={"x": _("← lost · gained →")}),
        _pieces_grid(course, bars),
        name,
    )


def _pieces_grid(course: Course, bars: Sequence[Bar]) -> Grid:
    head = [Cell(_("Cause")), *(Cell(player.name, player.faction) for player in course.series)]
    rows = [
        [Cell(bar.name), *(_gain_and_loss_cell(bar, player.faction) for player in course.series)]
        for bar in bars
    ]
    return Grid(head, rows)


def _gain_and_loss_cell(bar: Bar, faction: str) -> Cell:
    """Return a cell like “+3 −2”, empty if there is neither."""
    more, less = bar.more.get(faction), bar.less.get(faction)
    parts = [f"+{more}" if more else "", f"−{less}" if less else ""]
    return Cell(" ".join(filter(None, parts)))


def _losses_sentence(course: Course, lost: Crossings) -> str:
    """Return a sentence about the player who lost the most pieces, and the main cause."""
    factions = {player.faction for player in course.series}
    by_owner: Counter[str] = Counter()
    causes: dict[str, Counter[str]] = defaultdict(Counter)
    for (owner, _piece, cause), count in lost.items():
        if owner in factions:
            by_owner[owner] += count
            causes[owner][cause] += count
    if not by_owner:
        return _("Nobody has lost any pieces.")
    owner, count = by_owner.most_common(1)[0]
    cause, by_cause = causes[owner].most_common(1)[0]
    template = ngettext(
        "%(name)s lost most: %(count)d piece, %(part)d of it by: %(cause)s.",
        "%(name)s lost most: %(count)d pieces, %(part)d of them by: %(cause)s.",
        count,
    )
    named = {"name": course.name(owner), "cause": wording.name(course.game, "cause", cause)}
    return template % {**named, "count": count, "part": by_cause}


# Money


def money_section(course: Course) -> Section | None:
    """Build the section about the money of each player over time."""
    annals = course.game.annals
    if annals is None or not annals.money:
        return None
    charts, sentences = [], []
    for coin in annals.money:
        name = wording.capital(wording.name(course.game, coin.name.kind, coin.name.slug))
        moments = money_moments(course, coin.piece, coin.place)
        description = _("%(money)s of each player over time. The table below has the same numbers.")
        by_entry = scores_within_rounds(moments)
        charts.append(
            lines_chart(
                f"money-{coin.piece}",
                moments,
                course.series,
                description=description % {"money": name},
                unit=name,
                title=name,
                by_entry=by_entry,
            )
        )
        sentences.append(_richest_sentence(course, moments, name))
    return Section("money", _("Money over time"), sentences, charts, choice=len(charts) > 1)


def money_moments(course: Course, piece: str, place: str) -> list[Moment]:
    """Return the moments of the course with money instead of points."""
    return [
        Moment(
            moment.number,
            moment.round,
            moment.phase,
            {
                player.faction: Fraction(state.ledger.count(player.faction, piece, place))
                for player in course.series
            },
        )
        for moment, state in zip(course.moments, course.states, strict=True)
    ]


def _richest_sentence(course: Course, moments: Sequence[Moment], money: str) -> str:
    """Return a sentence about the largest amount that a player ever had."""
    best = max(moments, key=lambda moment: max(moment.points.values()))
    most = max(best.points.values())
    names = ", ".join(course.name(faction) for faction, count in best.points.items() if count == most)
    template = _("%(money)s: nobody ever had more than %(names)s in round %(round)d, %(count)s.")
    return template % {"money": money, "names": names, "round": best.round, "count": wording.number(most)}
