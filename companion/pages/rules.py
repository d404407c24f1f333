"""Rules at hand: one rule as a sheet over the table, and the register of all of them, open to everybody."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from companion.access.table_access import find_from
from companion.errors import Refusal
from companion.journal.states import state_at
from companion.web import guides
from companion.web.phone import address_of
from games.core.game import AnyGame
from games.core.messages import Json
from games.registry import GAMES


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/index.html", {"games": list(GAMES.values())})


@require_GET
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Every rule of a game, with every reading and the tests that hold it."""
    game = _game(slug)
    rules = [guides.shown(game, rule) for rule in guides.rules_of(game)]
    return render(request, "rules/register.html", {"game": game, "rules": rules})


@require_GET
def one(request: HttpRequest, slug: str, rule: str) -> HttpResponse:
    """A rule; with ``?t=`` and a table's code also how that table plays it. htmx and rules.js get the sheet alone."""
    game = _game(slug)
    shown = guides.shown(game, rule, _options(request, slug))
    if shown is None:
        raise Http404
    alone = request.htmx  # type: ignore[attr-defined]
    template = "rules/sheet.html" if alone else "rules/one.html"
    return render(request, template, {"game": game, "rule": shown, "in_sheet": bool(alone)})


def _game(slug: str) -> AnyGame:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


def _options(request: HttpRequest, slug: str) -> Mapping[str, Json]:
    """How the table plays that asks; nothing if there is none, or it has not begun."""
    code = request.GET.get("t", "")
    try:
        table = find_from(address_of(request), code) if code else None
        if table is None or table.game != slug or table.setup is None:
            return {}
        options: Mapping[str, Json] = state_at(table, table.head).setup.options
    except Refusal:
        return {}
    return options
