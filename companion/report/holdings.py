"""Sections about what people had: places, pieces and money. A game's annals say what there is to tell."""

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
from companion.charts.plots import MOST_TICKS, Bar, Row, bars_figure, control_figure, scores_within_rounds
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.journal.states import State
from companion.report.points import lines_chart
from games.core.annals import Control
from games.core.messages import Name

Place = tuple[Name, Name]  # group, name

NOBODY = "–"

# Control of places


def control_section(course: Course) -> Section | None:
    """Who held which place at the end of each round."""
    ends = [(end, control) for end, state in course.ends() if (control := _control(course, state))]
    places = _places(control for _end, control in ends)
    if not places:
        return None
    rounds = [str(end.round) for end, _control in ends]
    rows = _rows(course, places, [control for _end, control in ends])
    shown = rounds if len(rounds) <= MOST_TICKS else [r if at % 2 == 0 else "" for at, r in enumerate(rounds)]
    chart = Chart(
        "control",
        _("Who held each place, round by round. The table below has the same."),
        control_figure(rows, shown, course.series, titles={"x": _("Round")}),
        _control_grid(course, rows, [end for end, _control in ends]),
    )
    return Section("control", _("Who held what"), _held_told(course, rows), [chart])


def _control(course: Course, state: State) -> Control:
    return course.game.annals.control(state) if course.game.annals else {}


def _places(controls: Iterable[Control]) -> list[Place]:
    """Every place there ever was, group by group; those that came later at the end of their group."""
    found: dict[Name, dict[Name, None]] = {}
    for control in controls:
        for group, places in control.items():
            found.setdefault(group, {}).update(dict.fromkeys(places))
    return [(group, place) for group, places in found.items() for place in places]


def _rows(course: Course, places: Sequence[Place], controls: Sequence[Control]) -> list[Row]:
    rows: list[Row] = []
    titles: set[Name] = set()
    for group, place in places:
        if group not in titles:
            titles.add(group)
            rows.append(Row(_called(course, group), {}, is_title=True))
        holders = {
            at: control[group][place] for at, control in enumerate(controls) if place in control[group]
        }
        rows.append(Row(_called(course, place), holders))
    return rows


def _called(course: Course, name: Name) -> str:
    return wording.capital(wording.name(course.game, name.kind, name.slug))


def _control_grid(course: Course, rows: Sequence[Row], ends: Sequence[Moment]) -> Grid:
    head = [Cell(_("Place")), *(Cell(str(end.round), at=end.number) for end in ends)]
    return Grid(head, [[Cell(row.name), *_holders(course, row, len(ends))] for row in rows])


def _holders(course: Course, row: Row, columns: int) -> list[Cell]:
    if row.is_title:
        return []
    return [_holder(course, row.holders.get(at, "")) for at in range(columns)]


def _holder(course: Course, holder: str | None) -> Cell:
    if holder is None:
        return Cell(NOBODY)
    return Cell(course.name(holder), holder) if holder else Cell("")


def _held_told(course: Course, rows: Sequence[Row]) -> list[str]:
    """Who holds most at the end, and what changed hands most often."""
    places = [row for row in rows if not row.is_title]
    last = max((at for row in places for at in row.holders), default=0)
    held = Counter(holder for row in places if (holder := row.holders.get(last)))
    sentences = [_("Nobody holds anything yet.")]
    if held:
        most = max(held.values())
        names = ", ".join(one.name for one in course.series if held[one.faction] == most)
        told = ngettext(
            "%(names)s: %(count)d of %(all)d place, the most.",
            "%(names)s: %(count)d of %(all)d places, the most.",
            len(places),
        )
        sentences = [told % {"names": names, "count": most, "all": len(places)}]
    changes = {row.name: _changes(row) for row in places}
    often = max(changes.values())
    if often > 1:
        name = next(name for name, count in changes.items() if count == often)
        told = _("%(place)s changed hands most often: %(count)d times from the end of a round to the next.")
        sentences.append(told % {"place": name, "count": often})
    return sentences


def _changes(row: Row) -> int:
    holders = [row.holders[at] for at in sorted(row.holders)]
    return sum(before != after for before, after in pairwise(holders) if after is not None)


# Who took from whom


class Taken(NamedTuple):
    """A place went from one to another; None is nobody."""

    before: str | None
    after: str | None


def taken_section(course: Course) -> Section | None:
    """How often each took a place from each other, entry by entry."""
    taken = taken_places(course)
    if not taken:
        return None
    series = course.series
    bars = [_from(taken, _("Nobody"), None), *(_from(taken, one.name, one.faction) for one in series)]
    total = sum(taken.values())
    among = sum(count for change, count in taken.items() if change.before and change.after)
    told = ngettext(
        "Places went from hand to hand %(count)d time; %(among)d of it between players.",
        "Places went from hand to hand %(count)d times; %(among)d of it between players.",
        total,
    )
    head = [Cell(_("Taken from")), *(Cell(one.name, one.faction) for one in series), Cell(_("Nobody"))]
    rows = [
        [
            Cell(_("Nobody") if before is None else course.name(before), before or ""),
            *(Cell(str(taken[Taken(before, after)])) for after in [*(one.faction for one in series), None]),
        ]
        for before in [None, *(one.faction for one in series)]
    ]
    chart = Chart(
        "taken",
        _("How often each player took a place from each other. The table below has the same numbers."),
        bars_figure(bars, series, titles={"x": _("← lost to nobody · taken →")}),
        Grid(head, rows),
    )
    sentence = told % {"count": total, "among": among}
    notes = [_("A row is who had the places, the colours are who took them.")]
    return Section("taken", _("Who took from whom"), [sentence], [chart], notes=notes)


def taken_places(course: Course) -> Counter[Taken]:
    """Every change of a holder along the game; a place that is new was nobody's."""
    taken: Counter[Taken] = Counter()
    for earlier, later in pairwise(_control(course, state) for state in course.states):
        for group, places in later.items():
            for place, after in places.items():
                before = earlier[group].get(place)
                if before != after:
                    taken[Taken(before, after)] += 1
    return taken


def _from(taken: Counter[Taken], name: str, before: str | None) -> Bar:
    """What was somebody's: who took it, and to the left what fell to nobody."""
    more = {
        change.after: Fraction(n) for change, n in taken.items() if change.before == before and change.after
    }
    lost = taken[Taken(before, None)] if before else 0
    return Bar(name, more, {before: Fraction(lost)} if before and lost else {})


# Pieces


def pieces_section(course: Course) -> Section | None:
    """Pieces that came onto the board and left it, by cause."""
    annals = course.game.annals
    if annals is None or not annals.board:
        return None
    gained, lost = gained_and_lost(course)
    charts = [chart for piece in annals.board if (chart := _pieces_chart(course, piece, gained, lost))]
    if not charts:
        return None
    sentences = [_losses_told(course, lost)]
    title = _("Pieces gained and lost")
    return Section("pieces", title, sentences, charts, choice=len(charts) > 1)


Ways = Mapping[tuple[str, str, str], int]  # owner, piece, cause


def gained_and_lost(course: Course) -> tuple[Ways, Ways]:
    """How many pieces of each owner came and went, by cause; what only went through a tower did neither."""
    annals = course.game.annals
    gained: Counter[tuple[str, str, str]] = Counter()
    lost: Counter[tuple[str, str, str]] = Counter()
    if annals is None:
        return gained, lost
    both: Counter[tuple[str, str, str]] = Counter()
    for _moment, steps in course.told():
        for crossing, change in annals.crossings(steps).items():
            if crossing.cause in annals.returning:
                both[crossing] += change
            elif change > 0:
                gained[crossing] += change
            else:
                lost[crossing] -= change
    return gained + both, lost + Counter({crossing: -change for crossing, change in both.items()})


def _pieces_chart(course: Course, piece: str, gained: Ways, lost: Ways) -> Chart | None:
    """The causes that moved pieces of this kind, those of most pieces first."""
    factions = [one.faction for one in course.series]
    weight: Counter[str] = Counter()
    for ways in (gained, lost):
        for (owner, kind, cause), count in ways.items():
            if owner in factions and kind == piece:
                weight[cause] += count
    if not weight:
        return None
    causes = [cause for cause, _count in weight.most_common()]
    bars = [
        Bar(
            wording.name(course.game, "cause", cause),
            {f: Fraction(n) for f in factions if (n := gained.get((f, piece, cause), 0))},
            {f: Fraction(n) for f in factions if (n := lost.get((f, piece, cause), 0))},
        )
        for cause in causes
    ]
    name = wording.capital(wording.name(course.game, "piece", piece))
    said = _("%(pieces)s gained and lost by cause. The table below has the same numbers.")
    return Chart(
        f"pieces-{piece}",
        said % {"pieces": name},
        bars_figure(bars, course.series, titles={"x": _("← lost · gained →")}),
        _pieces_grid(course, bars),
        name,
    )


def _pieces_grid(course: Course, bars: Sequence[Bar]) -> Grid:
    head = [Cell(_("Cause")), *(Cell(one.name, one.faction) for one in course.series)]
    rows = [[Cell(bar.name), *(_gain_and_loss(bar, one.faction) for one in course.series)] for bar in bars]
    return Grid(head, rows)


def _gain_and_loss(bar: Bar, faction: str) -> Cell:
    """“+3 −2”; nothing where neither."""
    more, less = bar.more.get(faction), bar.less.get(faction)
    told = [f"+{more}" if more else "", f"−{less}" if less else ""]
    return Cell(" ".join(filter(None, told)))


def _losses_told(course: Course, lost: Ways) -> str:
    """Who lost most, and by what."""
    factions = {one.faction for one in course.series}
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
    told = ngettext(
        "%(name)s lost most: %(count)d piece, %(part)d of it by: %(cause)s.",
        "%(name)s lost most: %(count)d pieces, %(part)d of them by: %(cause)s.",
        count,
    )
    named = {"name": course.name(owner), "cause": wording.name(course.game, "cause", cause)}
    return told % {**named, "count": count, "part": by_cause}


# Money


def money_section(course: Course) -> Section | None:
    """What everybody had, as the game went on."""
    annals = course.game.annals
    if annals is None or not annals.money:
        return None
    charts, sentences = [], []
    for coin in annals.money:
        name = wording.capital(wording.name(course.game, coin.name.kind, coin.name.slug))
        moments = money_moments(course, coin.piece, coin.place)
        said = _("%(money)s of each player over time. The table below has the same numbers.")
        by_entry = scores_within_rounds(moments)
        charts.append(
            lines_chart(
                f"money-{coin.piece}",
                moments,
                course.series,
                said=said % {"money": name},
                unit=name,
                title=name,
                by_entry=by_entry,
            )
        )
        sentences.append(_richest_told(course, moments, name))
    return Section("money", _("Money over time"), sentences, charts, choice=len(charts) > 1)


def money_moments(course: Course, piece: str, place: str) -> list[Moment]:
    """The moments of the game with money instead of points."""
    return [
        Moment(
            moment.number,
            moment.round,
            moment.phase,
            {one.faction: Fraction(state.ledger.count(one.faction, piece, place)) for one in course.series},
        )
        for moment, state in zip(course.moments, course.states, strict=True)
    ]


def _richest_told(course: Course, moments: Sequence[Moment], money: str) -> str:
    """The most that anybody ever had."""
    best = max(moments, key=lambda moment: max(moment.points.values()))
    most = max(best.points.values())
    names = ", ".join(course.name(faction) for faction, count in best.points.items() if count == most)
    told = _("%(money)s: nobody ever had more than %(names)s in round %(round)d, %(count)s.")
    return told % {"money": money, "names": names, "round": best.round, "count": wording.number(most)}
