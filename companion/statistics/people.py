"""Sections about a member of a circle at one game: rating, factions, record against others."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Series
from companion.charts.plots import RatedGame, parts_plot, rating_plot
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.results.filters import rules_of
from companion.statistics.across import (
    best_share_sentence,
    few_games_sentences,
    interval_note,
    shares_chart,
    tenths,
)
from companion.statistics.queries import NEWEST, Against, FactionRecord, MemberStatistics, RatingPoint
from games.core.game import AnyGame

DEVIATIONS = 2  # standard deviations that are shown as the uncertainty of a rating
MOST_OTHERS = 20


def sections_of_member(slug: str, statistics: MemberStatistics) -> list[Section]:
    game = rules_of(slug)[0]
    sections = [
        _rating_section(game, statistics),
        _factions_section(game, statistics.factions),
        _opponents_section(statistics.against),
    ]
    return [section for section in sections if section]


# The rating


def _rating_section(game: AnyGame, statistics: MemberStatistics) -> Section | None:
    if not statistics.course:
        return None
    rating = statistics.line.rating
    sentence = ngettext(
        "After %(count)d game: %(rating)s ± %(strays)s.",
        "After %(count)d games: %(rating)s ± %(strays)s.",
        statistics.line.record.games,
    ) % {
        "count": statistics.line.record.games,
        "rating": wording.localized(f"{rating.mu:.1f}"),
        "strays": wording.localized(f"{DEVIATIONS * rating.sigma:.1f}"),
    }
    is_long = statistics.course[-1].at - statistics.course[0].at > timedelta(days=300)
    games = [
        RatedGame(
            _day(point),
            _day(point, "M Y" if is_long else "j M"),
            point.rating.mu,
            DEVIATIONS * point.rating.sigma,
            point.won,
        )
        for point in statistics.course
    ]
    head = (_("Date"), _("Faction"), _("Place"), _("Rating"), "±")
    rows = [
        [
            Cell(_day(point)),
            Cell(wording.name(game, "faction", point.faction), point.faction),
            Cell(str(point.place)),
            Cell(wording.localized(f"{point.rating.mu:.1f}")),
            Cell(wording.localized(f"{DEVIATIONS * point.rating.sigma:.1f}")),
        ]
        for point in reversed(statistics.course)
    ]
    chart = Chart(
        "rating",
        _("The rating after each game, with its uncertainty. The table below has the same numbers."),
        rating_plot(games, titles={"y": _("Rating")}),
        Grid([*map(Cell, head)], rows),
    )
    notes = [
        _(
            "OpenSkill’s rating: who is new has 25 ± 16.7. The band is how unsure it is, two of its standard "
            "deviations; it narrows with the games. A full mark is a game that was won."
        )
    ]
    if statistics.line.record.games > NEWEST:
        notes.append(_("The newest %(count)d games are shown.") % {"count": NEWEST})
    return Section("rating", _("Rating over time"), [sentence], [chart], notes=notes)


def _day(point: RatingPoint, form: str = "DATE_FORMAT") -> str:
    return str(date_format(timezone.localtime(point.at), form))


# Factions


def _factions_section(game: AnyGame, records: tuple[FactionRecord, ...]) -> Section | None:
    if not records:
        return None

    def name_of(faction: str) -> str:
        return wording.name(game, "faction", faction)

    shares = [record.share for record in records]
    points = {record.share.of: record.points for record in records}
    chart = shares_chart(
        "factions",
        shares,
        name_of,
        head=_("Faction"),
        more=[(_("Points"), lambda share: tenths(points[share.of]))],
    )
    favourite = ngettext(
        "Most often played: %(name)s, in %(count)d game.",
        "Most often played: %(name)s, in %(count)d games.",
        shares[0].games,
    ) % {"name": name_of(shares[0].of), "count": shares[0].games}
    best = best_share_sentence(shares, name_of)
    sentences = [favourite, *([best] if best else []), *few_games_sentences(shares, name_of)]
    notes = [interval_note()] if chart else []
    return Section("factions", _("Factions"), sentences, [chart] if chart else [], notes=notes)


# Opponents


def _opponents_section(against: tuple[Against, ...]) -> Section | None:
    if not against:
        return None
    shown = against[:MOST_OTHERS]
    parts = [_("came off better"), _("level"), _("came off worse")]
    plot = parts_plot(
        [
            (
                Series("", opponent.name),
                [Fraction(count) for count in (opponent.wins, opponent.ties, opponent.losses)],
            )
            for opponent in shown
        ],
        parts,
        titles={"x": _("Games")},
    )
    head = (_("Against"), *(wording.capital(part) for part in parts), _("Games"))
    rows = [
        [
            Cell(opponent.name),
            *(Cell(str(count)) for count in (opponent.wins, opponent.ties, opponent.losses, opponent.games)),
        ]
        for opponent in against
    ]
    most = against[0]
    template = _("Most often met: %(name)s; games that went better: %(wins)d, worse: %(losses)d.")
    chart = Chart(
        "against",
        _("Games against each of the others. The table below has the same numbers."),
        plot,
        Grid([*map(Cell, head)], rows, sums=True),
    )
    sentence = template % {"name": most.name, "wins": most.wins, "losses": most.losses}
    return Section("against", _("Against the others"), [sentence], [chart])
