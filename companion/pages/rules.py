"""Rule pages: a single rule as a page or sheet, and the register of all rules of a game."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from companion.access.table_access import find_rate_limited
from companion.errors import Refusal
from companion.journal.states import state_at
from companion.registry import games, titles
from companion.web import guides
from companion.web.phone import address_of
from games.core.game import AnyGame
from games.core.messages import Json


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/index.html", {"games": list(games().values())})


@require_GET
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every rule of a game with its readings and the tests that verify them."""
    game = _game(slug)
    rules = [guides.shown(game, rule) for rule in guides.rules_of(game)]
    return render(request, "rules/register.html", {"game": game, "rules": rules})


@require_GET
def one(request: HttpRequest, slug: str, rule: str) -> HttpResponse:
    """Show a rule; with `?t=<code>` also the choices of that table. htmx and rules.js get only the sheet."""
    game = _game(slug)
    shown = guides.shown(game, rule, _options(request, slug))
    if shown is None:
        raise Http404
    in_sheet = request.htmx  # type: ignore[attr-defined]
    template = "rules/sheet.html" if in_sheet else "rules/one.html"
    return render(request, template, {"game": game, "rule": shown, "in_sheet": bool(in_sheet)})


def _game(slug: str) -> AnyGame:
    if slug not in titles():
        raise Http404
    return titles()[slug].game


def _options(request: HttpRequest, slug: str) -> Mapping[str, Json]:
    """Return the options of the table named in the query; empty without a table or before its start."""
    code = request.GET.get("t", "")
    try:
        table = find_rate_limited(address_of(request), code) if code else None
        if table is None or table.game != slug or table.setup is None:
            return {}
        options: Mapping[str, Json] = state_at(table, table.head).setup.options
    except Refusal:
        return {}
    return options
