"""Replay of a game, entry by entry."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from companion import wording
from companion.access.table_access import TableAccess, find_rate_limited
from companion.errors import Refusal
from companion.journal.states import path_of
from companion.models import Table
from companion.pages.numbers import parse_number
from companion.pages.table.page import TablePage
from companion.web.entries import shown_marks, shown_steps
from companion.web.messages import message_page
from companion.web.phone import address_of


@require_GET
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table after one entry (`?at=N`, default the latest); `undone=1` includes undone entries."""
    try:
        table = find_rate_limited(address_of(request), code)
        if table.setup is None:
            return message_page(request, _("The game has not begun yet."), 200)
        moments = _moments(table, with_undone="undone" in request.GET)
        at = _wanted(request, table, moments)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    template = "replay/moment.html" if request.htmx else "replay/replay.html"  # type: ignore[attr-defined]
    return render(request, template, _context(request, table, moments, at))


def _moments(table: Table, *, with_undone: bool) -> list[int]:
    """Return the entry numbers to step through; 0 is the start of the game."""
    if with_undone:
        return [0, *table.entries.values_list("number", flat=True)]
    return path_of(table)


def _wanted(request: HttpRequest, table: Table, moments: list[int]) -> int:
    """Return the requested entry number, by default the latest. Raise `Refusal` if there is no such entry."""
    text = request.GET.get("at")
    if text is None:
        return moments[-1]
    number = parse_number(text)
    if number is None or (number and not table.entries.filter(number=number).exists()):
        raise Refusal("unknown", _("There is no such entry."))
    return number


def _context(request: HttpRequest, table: Table, moments: list[int], at: int) -> dict[str, Any]:
    if at not in moments:  # a link to an undone entry
        moments = [0, *table.entries.values_list("number", flat=True)]
    page = TablePage(table, TableAccess(), at=at)
    entry, state, index = page.changes.newest, page.snapshot.public_state, moments.index(at)
    undone = "undone" in request.GET or (entry is not None and entry.undone)
    last = len(moments) - 1
    return {
        "page": page,
        "table": table,
        "game": page.game,
        "entry": entry,
        "title": page.texts.title(entry) if entry else _("The start"),
        "marks": shown_marks(entry) if entry else [],
        "steps": shown_steps(page.game, entry),
        "round": state.round,
        "phase": wording.name(page.game, "phase", page.game.phase(state)),
        "moments": moments,
        "index": index,
        "last": last,
        "before": _address(table, moments[index - 1], undone=undone) if index else "",
        "after": _address(table, moments[index + 1], undone=undone) if index < last else "",
        "other_view": _address(table, at, undone=not undone),
        "undone": undone,
        "url": reverse("replay", args=[table.code]),
    }


def _address(table: Table, number: int, *, undone: bool) -> str:
    query = urlencode({"at": number, "undone": 1} if undone else {"at": number})
    return f"{reverse('replay', args=[table.code])}?{query}"
