"""The report page of a game; it shows public information only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from companion import wording
from companion.access.table_access import TableAccess, find_rate_limited
from companion.charts.course import courses
from companion.errors import Refusal
from companion.journal.marks import corrections_of
from companion.journal.omissions import LeftOut, left_out_of
from companion.models import Entry, Table
from companion.pages.table.page import TablePage
from companion.report.contents import sections_of
from companion.report.standalone import file_name, standalone_size
from companion.statistics.bgstats import play_link
from companion.web.entries import shown_marks
from companion.web.messages import message_page
from companion.web.phone import address_of
from games.core.game import Standing


@require_GET
def report(request: HttpRequest, code: str) -> HttpResponse:
    """Show the report, the same for every viewer; during a game it covers the game so far."""
    try:
        table = find_rate_limited(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    page = TablePage(table, TableAccess())
    context: dict[str, Any] = {"page": page, "table": table, "game": page.game}
    if page.started:
        context |= report_context(page)
        context |= {"file_name": file_name(table), "file_size": standalone_size(context["sections"])}
        context |= {"play_link": _play_link(table)}
    response = render(request, "report/report.html", context)
    response["Cache-Control"] = "no-cache"
    return response


def _play_link(table: Table) -> str:
    """Return the link for the app BG Stats; empty until the game has a result."""
    try:
        return play_link(table)
    except Refusal:
        return ""


def report_context(page: TablePage) -> dict[str, Any]:
    """Return the template context of the report of a started game."""
    table = page.table
    course = courses.of(table)
    standings = sorted(page.game.standings(page.snapshot.public_state), key=lambda standing: -standing.points)
    return {
        "so_far": page.is_playing,
        "places": _places(page, standings),
        "score": page.standings.score(),
        "sections": sections_of(course),
        "corrections": [_correction(page, entry) for entry in corrections_of(table)],
        **_removed_entries(page),
        "first": course.moments[0].number,
    }


# Result


def _places(page: TablePage, standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return the players in seat order with their points and place."""
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
    """Return the place of each faction: by the game's result if it is over, otherwise by points."""
    result = page.game.result(page.snapshot.public_state)
    ranking = (
        result.ranking
        if result
        else [
            tuple(standing.faction for standing in standings if standing.points == points)
            for points in sorted({standing.points for standing in standings}, reverse=True)
        ]
    )
    places: dict[str, int] = {}
    for factions in ranking:
        place = len(places) + 1
        places |= dict.fromkeys(factions, place)
    return places


# Corrections and removed entries


def _correction(page: TablePage, entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry,
        "player": page.players.get(entry.faction),
        "title": page.texts.title(entry),
        "marks": shown_marks(entry),
        "reasons": _reasons(entry),
    }


def _removed_entries(page: TablePage) -> dict[str, Any]:
    """Return the entries removed by mends, and the number of other undone entries that were not rewritten."""
    entries = page.table.entries
    left_out = left_out_of(page.table)
    undone = entries.filter(undone=True).exclude(number__in=entries.exclude(origin=None).values("origin"))
    return {
        "left_out": [_removed_entry(page, removed) for removed in left_out],
        "undone": undone.count() - len(left_out),
    }


def _removed_entry(page: TablePage, removed: LeftOut) -> dict[str, Any]:
    return {
        "entry": removed.entry,
        "player": page.players.get(removed.entry.faction),
        "title": page.texts.title(removed.entry),
        "at": removed.at,
        "on_purpose": removed.on_purpose,
        "mended": removed.mended,
        "changed": removed.changed,
        "reason": wording.reason(removed.reason),
        "why": removed.why,
    }


def _reasons(entry: Entry) -> list[str]:
    """Return the distinct reasons of the mend and of the rulings.

    The reason of a corrected count is part of its own sentence.
    """
    rulings = entry.action.get("rulings") or {}
    reasons = [entry.reason, *(ruling["reason"] for ruling in rulings.values())]
    return list(dict.fromkeys(wording.reason(reason) for reason in reasons if reason))
