"""Rendering of the table page: the template context of each tab."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from companion.access.table_access import TableAccess
from companion.boards.views import copies_of
from companion.charts.sparklines import live_drawing
from companion.errors import Refusal
from companion.models import Table
from companion.pages.numbers import parse_number
from companion.pages.table.correction_form import correction_form
from companion.pages.table.journal_tab import journal_page
from companion.pages.table.page import TablePage
from companion.statistics.circle_views import circles_of
from companion.tables import board_copies, circles
from companion.web.addresses import address_for_phones
from companion.web.phone import is_scribe, name_of

TABS = ("now", "board", "score", "journal", "help", "menu", "correct")


def render_page(
    request: HttpRequest, table: Table, access: TableAccess, error: Refusal | None = None
) -> HttpResponse:
    """Render the page, or for htmx its changing part, with the message of a refusal if any."""
    query = _query(request, error)
    page = TablePage(table, access, scribe=is_scribe(request, table), shown_to=query.get("open"))
    tab = request.GET.get("tab", "now")
    url = reverse("table", args=[table.code])
    here = f"{url}?{query.urlencode()}" if query else url
    context = {
        "url": url,
        "here": here,
        "page": page,
        "table": table,
        "game": page.game,
        "tab": tab if tab in TABS else "now",
        "error": error,
        "address": address_for_phones(request, "table", table.code),
        **_page_context(request, page, tab, query),
    }
    template = "table/table.html" if request.htmx else "table/page.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=error.status if error else 200)


def _query(request: HttpRequest, error: Refusal | None) -> QueryDict:
    """Return the query of the page; after a refused entry, a form revealed on a shared phone stays open."""
    query = request.GET.copy()
    if error and request.POST.get("open"):
        query["as"], query["open"] = request.POST.get("faction", ""), request.POST["open"]
    return query


def _page_context(request: HttpRequest, page: TablePage, tab: str, query: QueryDict) -> dict[str, Any]:
    """Return the context of the tab, with undo and redo for the bar at the bottom of every tab."""
    if not page.started:
        return _tab_context(request, page, tab, query)
    changes = page.changes
    bar = {"newest": changes.newest, "undo_label": changes.undo_label(), "redo": changes.redo()}
    return {**bar, **_tab_context(request, page, tab, query)}


def _tab_context(request: HttpRequest, page: TablePage, tab: str, query: QueryDict) -> dict[str, Any]:
    if tab == "menu" or (page.is_open and tab != "help"):
        return _menu_context(request, page)
    if not page.started or tab == "board":  # the template renders the board
        return {}
    context: dict[str, Any]
    match tab:
        case "score":
            context = {"drawing": live_drawing(page.table)}
        case "journal":
            before = parse_number(request.GET.get("before"))
            context = {"journal": journal_page(page.viewer, page.texts, before)}
        case "help":
            context = {"printed": _printed(request, page)}
        case "correct":
            context = {"correct": correction_form(page.viewer, request.GET.get("place", ""))}
        case _:
            context = {**page.forms.entry_form(query.get("as")), "waiting": page.turn.waiting()}
    return context


def _menu_context(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Return the context of the menu and of the lobby."""
    return {
        "typed_name": name_of(request),
        "free_factions": page.seating.factions(),
        "printed": _printed(request, page),
        "circle_names": circles.names_of(page.table.circle) if page.table.circle else [],
        "circles": _circles(request, page),
    }


def _printed(request: HttpRequest, page: TablePage) -> dict[str, Any] | None:
    """Return the board copy in use, those the host may choose, and the number of unconfirmed figures."""
    if not page.game.board.figures:
        return None
    chosen = page.table.board
    copies = {copy.pk: copy for copy in [*([chosen] if chosen else []), *copies_of(request, page.game)]}
    return {
        "chosen": chosen,
        "as_shipped": board_copies.uses_shipped_figures(page.game, page.table),
        "copies": list(copies.values()),
        "unconfirmed": len(board_copies.unconfirmed(page.game, chosen)),
    }


def _circles(request: HttpRequest, page: TablePage) -> list[dict[str, Any]]:
    """Return the circles known to this phone: all of them for the host, for others only that of the table."""
    return [
        {"key": key, "circle": circle, "chosen": circle.pk == page.table.circle_id}
        for key, circle in circles_of(request)
        if page.access.is_host or circle.pk == page.table.circle_id
    ]
