"""The report of a game: standings over time, where points came from, what was out of the ordinary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from companion import wording
from companion.errors import Refusal
from companion.marks import corrections_of
from companion.models import Entry
from companion.statistics.course import Moment, ends_of_rounds, lead_of, moments_of, times_of
from companion.statistics.figures import Series, parts_figure, standings_figure
from companion.tables.holders import Holder, find_from
from companion.views.now import Sight, shown_marks
from companion.views.pages import message_page
from companion.views.phone import address_of
from games.core.game import Standing


@require_GET
def report(request: HttpRequest, code: str) -> HttpResponse:
    """What everybody may see, whatever phone looks at it; so far, while the game is going on."""
    try:
        table = find_from(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    sight = Sight(table, Holder())
    context = {"sight": sight, "table": table, "game": sight.game}
    if sight.started:
        context |= _report(sight)
    response = render(request, "report/report.html", context)
    response["Cache-Control"] = "no-cache"
    return response


def _report(sight: Sight) -> dict[str, Any]:
    table = sight.table
    moments = moments_of(table)
    state = sight.state()
    standings = sorted(sight.game.standings(state), key=lambda standing: -standing.points)
    return {
        "so_far": sight.is_playing,
        "places": _places(sight, standings),
        "score": sight.score(),
        "course": _course(sight, moments),
        "parts": _parts(sight, standings),
        "times": _times(sight, moments),
        "corrections": [_correction(sight, entry) for entry in corrections_of(table)],
        "undone": table.entries.filter(undone=True).count(),
        "first": moments[0].number,
    }


# Who


def _series(sight: Sight, factions: Sequence[str]) -> list[Series]:
    """Two people may have the same name: then the faction tells them apart."""
    names = {faction: sight.players[faction].name for faction in factions if faction in sight.players}
    shared = {name for name in names.values() if list(names.values()).count(name) > 1}
    return [
        Series(
            faction,
            sight.faction_name(faction) if names.get(faction, "") in {"", *shared} else names[faction],
        )
        for faction in factions
    ]


def _places(sight: Sight, standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Everybody clockwise, with their points and the place they came to."""
    points = {standing.faction: standing.points for standing in standings}
    ranking = _ranking(sight, standings)
    return [
        {
            "seat": number,
            "player": sight.players[seat.faction],
            "points": wording.number(points.get(seat.faction, Fraction(0))),
            "place": ranking.get(seat.faction, ""),
            "won": seat.faction in sight.table.winners,
        }
        for number, seat in enumerate(sight.seats, start=1)
        if seat.faction in sight.players
    ]


def _ranking(sight: Sight, standings: Sequence[Standing]) -> dict[str, int]:
    """As the game ranks them once it is over; by points alone until then."""
    result = sight.game.result(sight.state())
    shared = (
        result.ranking
        if result
        else [
            tuple(one.faction for one in standings if one.points == points)
            for points in sorted({one.points for one in standings}, reverse=True)
        ]
    )
    places: dict[str, int] = {}
    for factions in shared:
        place = len(places) + 1
        places |= dict.fromkeys(factions, place)
    return places


# The course of the game


def _course(sight: Sight, moments: Sequence[Moment]) -> dict[str, Any]:
    factions = list(moments[-1].points)
    series = _series(sight, factions)
    titles = {"x": _("Round"), "y": _("Points")}
    ends = ends_of_rounds(moments)
    return {
        "figure": standings_figure(moments, series, titles=titles),
        "sentence": _lead_told(sight, moments),
        "factions": [(one.faction, one.name) for one in series],
        "rounds": [
            (end.round, end.number, [wording.number(end.points.get(f, Fraction(0))) for f in factions])
            for end in ends
        ],
    }


def _lead_told(sight: Sight, moments: Sequence[Moment]) -> str:
    """What the chart shows, in a sentence or two."""
    lead = lead_of(moments)
    names = [one.name for one in _series(sight, lead.leaders)]
    if not names:
        return _("Nobody has any points yet.")
    if len(names) > 1:
        told = _("%(names)s are level.") if sight.is_playing else _("%(names)s ended level.")
        sentences = [told % {"names": ", ".join(names)}]
    else:
        told = _("%(name)s has led since round %(round)d.")
        if not sight.is_playing:
            told = _("%(name)s led from round %(round)d on.")
        sentences = [told % {"name": names[0], "round": lead.since}]
    if lead.changes:
        changed = ngettext(
            "The lead changed %(count)d time.", "The lead changed %(count)d times.", lead.changes
        )
        sentences.append(changed % {"count": lead.changes})
    return " ".join(sentences)


# Where points came from


def _parts(sight: Sight, standings: Sequence[Standing]) -> dict[str, Any]:
    """The parts that brought anybody anything."""
    order = list(dict.fromkeys(part for standing in standings for part in standing.parts))
    parts = [part for part in order if any(standing.parts.get(part) for standing in standings)]
    names = [wording.name(sight.game, "part", part) for part in parts]
    series = _series(sight, [standing.faction for standing in standings])
    values = [[standing.parts.get(part, Fraction(0)) for part in parts] for standing in standings]
    rows = list(zip(series, values, strict=True))
    return {
        "figure": parts_figure(rows, names, titles={"x": _("Points")}),
        "names": names,
        "sentence": _most_told(names, values),
        "rows": [
            (one, [wording.number(value) for value in found], wording.number(standing.points))
            for (one, found), standing in zip(rows, standings, strict=True)
        ],
    }


def _most_told(names: Sequence[str], values: Sequence[Sequence[Fraction]]) -> str:
    totals = {name: sum((row[at] for row in values), Fraction(0)) for at, name in enumerate(names)}
    if not totals:
        return ""
    most = max(totals, key=lambda name: totals[name])
    told = _("Of all %(sum)s points, most came from: %(part)s, %(count)s.")
    whole = sum(totals.values(), Fraction(0))
    return told % {"sum": wording.number(whole), "part": most, "count": wording.number(totals[most])}


# Times


def _times(sight: Sight, moments: Sequence[Moment]) -> dict[str, Any] | None:
    times = times_of(sight.table, moments)
    if not times.entries:
        return None
    series = _series(sight, [faction for faction in sight.players if faction in times.entries])
    return {
        "total": duration(times.total),
        "pauses": duration(times.pauses) if times.pauses else "",
        "players": [
            (
                one,
                times.entries[one.faction],
                duration(times.players[one.faction]),
                duration(times.players[one.faction] / times.entries[one.faction]),
            )
            for one in series
        ],
        "phases": [
            (wording.name(sight.game, "phase", phase), duration(time)) for phase, time in times.phases.items()
        ],
        "rounds": [(round_, duration(time)) for round_, time in sorted(times.rounds.items())],
    }


def duration(time: timedelta) -> str:
    """A length of time as people say it."""
    minutes, seconds = divmod(round(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    if minutes:
        return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": seconds}
    return _("%(seconds)d s") % {"seconds": seconds}


# What was out of the ordinary


def _correction(sight: Sight, entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry,
        "player": sight.players.get(entry.faction),
        "title": sight.title(entry),
        "marks": shown_marks(entry),
        "reasons": _reasons(entry),
    }


def _reasons(entry: Entry) -> list[str]:
    """Why: of the mend, of each ruling. A corrected count says it in its own sentence."""
    rulings = entry.action.get("rulings") or {}
    given = [entry.reason, *(ruling["reason"] for ruling in rulings.values())]
    return [wording.reason(one) for one in given if one]
