"""The big screen: board, standings, what hands should do now. No controls, no scrolling."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from companion.errors import Refusal
from companion.tables.holders import Holder, find_from
from companion.views.addresses import address_for_phones
from companion.views.now import Sight
from companion.views.pages import message_page
from companion.views.phone import address_of

MOST_LINES = 3


@require_GET
def display(request: HttpRequest, code: str) -> HttpResponse:
    """What everybody may see, whatever phone looks at it."""
    try:
        table = find_from(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    sight = Sight(table, Holder())
    context = {
        "sight": sight,
        "table": table,
        "game": sight.game,
        "here": reverse("display", args=[table.code]),
        "address": address_for_phones(request, "table", table.code),
        **(_game(sight) if sight.started else {}),
    }
    template = "display/screen.html" if request.htmx else "display/display.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    response["Cache-Control"] = "no-cache"
    return response


def _game(sight: Sight) -> dict[str, object]:
    tasks = sight.tasks
    lines = [(line, player) for task in tasks for line, done, player in task.lines if not done]
    return {
        "waiting": sight.waiting(),
        "lines": lines[:MOST_LINES],
        "more": max(0, len(lines) - MOST_LINES),
        "newest": sight.newest,
    }
