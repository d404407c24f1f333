"""Sections about one member of a circle at one game: the rating, the factions, the others."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Series
from companion.charts.plots import Rated, parts_figure, rating_figure
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.results.filters import rules_of
from companion.statistics.across import best_told, few_told, interval_note, shares_chart, tenths
from companion.statistics.queries import NEWEST, Against, FactionRecord, MemberStatistics, RatingPoint
from games.core.game import AnyGame

SURE = 2  # standard deviations, as they are told
MOST_OTHERS = 20


def sections_of_member(slug: str, told: MemberStatistics) -> list[Section]:
    game = rules_of(slug)[0]
    sections = [
        _rating(game, told),
        _factions(game, told.factions),
        _against(told.against),
    ]
    return [section for section in sections if section]


# The rating


def _rating(game: AnyGame, told: MemberStatistics) -> Section | None:
    if not told.course:
        return None
    rating = told.line.rating
    sentence = ngettext(
        "After %(count)d game: %(rating)s ± %(strays)s.",
        "After %(count)d games: %(rating)s ± %(strays)s.",
        told.line.record.games,
    ) % {
        "count": told.line.record.games,
        "rating": wording.written(f"{rating.mu:.1f}"),
        "strays": wording.written(f"{SURE * rating.sigma:.1f}"),
    }
    is_long = told.course[-1].at - told.course[0].at > timedelta(days=300)
    rated = [
        Rated(
            _day(one), _day(one, "M Y" if is_long else "j M"), one.rating.mu, SURE * one.rating.sigma, one.won
        )
        for one in told.course
    ]
    head = (_("Date"), _("Faction"), _("Place"), _("Rating"), "±")
    rows = [
        [
            Cell(_day(one)),
            Cell(wording.name(game, "faction", one.faction), one.faction),
            Cell(str(one.place)),
            Cell(wording.written(f"{one.rating.mu:.1f}")),
            Cell(wording.written(f"{SURE * one.rating.sigma:.1f}")),
        ]
        for one in reversed(told.course)
    ]
    chart = Chart(
        "rating",
        _("The rating after each game, with its uncertainty. The table below has the same numbers."),
        rating_figure(rated, titles={"y": _("Rating")}),
        Grid([*map(Cell, head)], rows),
    )
    notes = [
        _(
            "OpenSkill’s rating: who is new has 25 ± 16.7. The band is how unsure it is, two of its standard "
            "deviations; it narrows with the games. A full mark is a game that was won."
        )
    ]
    if told.line.record.games > NEWEST:
        notes.append(_("The newest %(count)d games are shown.") % {"count": NEWEST})
    return Section("rating", _("Rating over time"), [sentence], [chart], notes=notes)


def _day(one: RatingPoint, form: str = "DATE_FORMAT") -> str:
    return str(date_format(timezone.localtime(one.at), form))


# Factions


def _factions(game: AnyGame, records: tuple[FactionRecord, ...]) -> Section | None:
    if not records:
        return None

    def named(faction: str) -> str:
        return wording.name(game, "faction", faction)

    shares = [record.share for record in records]
    points = {record.share.of: record.points for record in records}
    chart = shares_chart(
        "factions",
        shares,
        named,
        head=_("Faction"),
        more=[(_("Points"), lambda share: tenths(points[share.of]))],
    )
    favourite = ngettext(
        "Most often played: %(name)s, in %(count)d game.",
        "Most often played: %(name)s, in %(count)d games.",
        shares[0].games,
    ) % {"name": named(shares[0].of), "count": shares[0].games}
    best = best_told(shares, named)
    sentences = [favourite, *([best] if best else []), *few_told(shares, named)]
    notes = [interval_note()] if chart else []
    return Section("factions", _("Factions"), sentences, [chart] if chart else [], notes=notes)


# The others


def _against(against: tuple[Against, ...]) -> Section | None:
    if not against:
        return None
    shown = against[:MOST_OTHERS]
    parts = [_("came off better"), _("level"), _("came off worse")]
    figure = parts_figure(
        [
            (Series("", one.name), [Fraction(count) for count in (one.wins, one.ties, one.losses)])
            for one in shown
        ],
        parts,
        titles={"x": _("Games")},
    )
    head = (_("Against"), *(wording.capital(part) for part in parts), _("Games"))
    rows = [
        [Cell(one.name), *(Cell(str(count)) for count in (one.wins, one.ties, one.losses, one.games))]
        for one in against
    ]
    most = against[0]
    told = _("Most often met: %(name)s; games that went better: %(wins)d, worse: %(losses)d.")
    chart = Chart(
        "against",
        _("Games against each of the others. The table below has the same numbers."),
        figure,
        Grid([*map(Cell, head)], rows, sums=True),
    )
    sentence = told % {"name": most.name, "wins": most.wins, "losses": most.losses}
    return Section("against", _("Against the others"), [sentence], [chart])
