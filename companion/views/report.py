"""The report of a game: all that everybody may know of it, on one page."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from companion import wording
from companion.errors import Refusal
from companion.marks import corrections_of
from companion.models import Entry, Table
from companion.statistics.alone import file_name, size_alone
from companion.statistics.contents import sections_of
from companion.statistics.course import courses
from companion.statistics.playlink import play_link
from companion.tables.holders import Holder, find_from
from companion.tables.left_out import LeftOut, left_out_of
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
    context: dict[str, Any] = {"sight": sight, "table": table, "game": sight.game}
    if sight.started:
        context |= told(sight)
        context |= {"file_name": file_name(table), "file_size": size_alone(context["sections"])}
        context |= {"play_link": _play_link(table)}
    response = render(request, "report/report.html", context)
    response["Cache-Control"] = "no-cache"
    return response


def _play_link(table: Table) -> str:
    """For the app BG Stats; empty until the game has a result."""
    try:
        return play_link(table)
    except Refusal:
        return ""


def told(sight: Sight) -> dict[str, Any]:
    """All that a report says of a started game."""
    table = sight.table
    course = courses.of(table)
    standings = sorted(sight.game.standings(sight.state), key=lambda standing: -standing.points)
    return {
        "so_far": sight.is_playing,
        "places": _places(sight, standings),
        "score": sight.score(),
        "sections": sections_of(course),
        "corrections": [_correction(sight, entry) for entry in corrections_of(table)],
        **_gone(sight),
        "first": course.moments[0].number,
    }


# Who


def _places(sight: Sight, standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Everybody clockwise, with their points and the place they came to."""
    points = {standing.faction: standing.points for standing in standings}
    ranking = ranking_of(sight, standings)
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


def ranking_of(sight: Sight, standings: Sequence[Standing]) -> dict[str, int]:
    """As the game ranks them once it is over; by points alone until then."""
    result = sight.game.result(sight.state)
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


# What was out of the ordinary


def _correction(sight: Sight, entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry,
        "player": sight.players.get(entry.faction),
        "title": sight.title(entry),
        "marks": shown_marks(entry),
        "reasons": _reasons(entry),
    }


def _gone(sight: Sight) -> dict[str, Any]:
    """What mends left out, each openly; and how many others were undone. What was written again is neither."""
    entries = sight.table.entries
    left_out = left_out_of(sight.table)
    undone = entries.filter(undone=True).exclude(number__in=entries.exclude(origin=None).values("origin"))
    return {
        "left_out": [_left_out(sight, one) for one in left_out],
        "undone": undone.count() - len(left_out),
    }


def _left_out(sight: Sight, one: LeftOut) -> dict[str, Any]:
    return {
        "entry": one.entry,
        "player": sight.players.get(one.entry.faction),
        "title": sight.title(one.entry),
        "at": one.at,
        "on_purpose": one.on_purpose,
        "mended": one.mended,
        "changed": one.changed,
        "reason": wording.reason(one.reason),
        "why": one.why,
    }


def _reasons(entry: Entry) -> list[str]:
    """Why: of the mend, of each ruling, once each. A corrected count says it in its own sentence."""
    rulings = entry.action.get("rulings") or {}
    given = [entry.reason, *(ruling["reason"] for ruling in rulings.values())]
    return list(dict.fromkeys(wording.reason(one) for one in given if one))
