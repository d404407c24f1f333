"""Display page for a large screen: board, standings and pending hand moves, without controls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from companion.access.table_access import TableAccess, find_rate_limited
from companion.errors import Refusal
from companion.pages.table.page import TablePage
from companion.web.addresses import address_for_phones
from companion.web.messages import message_page
from companion.web.phone import address_of

MOST_LINES = 3


@require_GET
def display(request: HttpRequest, code: str) -> HttpResponse:
    """Show the public state, regardless of who requests it."""
    try:
        table = find_rate_limited(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    page = TablePage(table, TableAccess())
    context = {
        "page": page,
        "table": table,
        "game": page.game,
        "here": reverse("display", args=[table.code]),
        "address": address_for_phones(request, "table", table.code),
        **(_game(page) if page.started else {}),
    }
    template = "display/screen.html" if request.htmx else "display/display.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    response["Cache-Control"] = "no-cache"
    return response


def _game(page: TablePage) -> dict[str, object]:
    tasks = page.tasks
    lines = [(line, player) for task in tasks for line, done, player in task.lines if not done]
    return {
        "waiting": page.turn.waiting(),
        "lines": lines[:MOST_LINES],
        "more": max(0, len(lines) - MOST_LINES),
        "newest": page.changes.newest,
    }
