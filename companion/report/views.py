"""The report of a game: all that everybody may know of it, on one page."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from companion import wording
from companion.access.table_access import TableAccess, find_from
from companion.charts.course import courses
from companion.errors import Refusal
from companion.journal.marks import corrections_of
from companion.journal.omissions import LeftOut, left_out_of
from companion.models import Entry, Table
from companion.pages.table_page import TablePage
from companion.report.contents import sections_of
from companion.report.standalone import file_name, size_alone
from companion.statistics.bgstats import play_link
from companion.web.entries import shown_marks
from companion.web.messages import message_page
from companion.web.phone import address_of
from games.core.game import Standing


@require_GET
def report(request: HttpRequest, code: str) -> HttpResponse:
    """What everybody may see, whatever phone looks at it; so far, while the game is going on."""
    try:
        table = find_from(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    page = TablePage(table, TableAccess())
    context: dict[str, Any] = {"page": page, "table": table, "game": page.game}
    if page.started:
        context |= told(page)
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


def told(page: TablePage) -> dict[str, Any]:
    """All that a report says of a started game."""
    table = page.table
    course = courses.of(table)
    standings = sorted(page.game.standings(page.state), key=lambda standing: -standing.points)
    return {
        "so_far": page.is_playing,
        "places": _places(page, standings),
        "score": page.score(),
        "sections": sections_of(course),
        "corrections": [_correction(page, entry) for entry in corrections_of(table)],
        **_gone(page),
        "first": course.moments[0].number,
    }


# Who


def _places(page: TablePage, standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Everybody clockwise, with their points and the place they came to."""
    points = {standing.faction: standing.points for standing in standings}
    ranking = ranking_of(page, standings)
    return [
        {
            "seat": number,
            "player": page.players[seat.faction],
            "points": wording.number(points.get(seat.faction, Fraction(0))),
            "place": ranking.get(seat.faction, ""),
            "won": seat.faction in page.table.winners,
        }
        for number, seat in enumerate(page.seats, start=1)
        if seat.faction in page.players
    ]


def ranking_of(page: TablePage, standings: Sequence[Standing]) -> dict[str, int]:
    """As the game ranks them once it is over; by points alone until then."""
    result = page.game.result(page.state)
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


def _correction(page: TablePage, entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry,
        "player": page.players.get(entry.faction),
        "title": page.title(entry),
        "marks": shown_marks(entry),
        "reasons": _reasons(entry),
    }


def _gone(page: TablePage) -> dict[str, Any]:
    """What mends left out, each openly; and how many others were undone. What was written again is neither."""
    entries = page.table.entries
    left_out = left_out_of(page.table)
    undone = entries.filter(undone=True).exclude(number__in=entries.exclude(origin=None).values("origin"))
    return {
        "left_out": [_left_out(page, one) for one in left_out],
        "undone": undone.count() - len(left_out),
    }


def _left_out(page: TablePage, one: LeftOut) -> dict[str, Any]:
    return {
        "entry": one.entry,
        "player": page.players.get(one.entry.faction),
        "title": page.title(one.entry),
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
