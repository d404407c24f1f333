"""Pages outside a table: home, opening and joining tables, display preferences, hints, help."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from companion.access import rate_limits
from companion.access.table_access import find_rate_limited, hash_of
from companion.errors import Refusal
from companion.journal.states import game_of
from companion.models import Seat, Table
from companion.registry import games, titles
from companion.tables.board_copies import find_board
from companion.tables.circles import find_circle
from companion.tables.opening import open_table
from companion.tables.seats import shown_name
from companion.web.phone import (
    address_of,
    dismiss_hint,
    forget_name,
    name_of,
    remember,
    restore_hints,
    set_looks,
    tokens_of,
)

RECENT = 8


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    return _home(request)


def _home(request: HttpRequest, error: Refusal | None = None, code: str = "") -> HttpResponse:
    context = {
        "games": list(games().values()),
        "recent": _recent(request),
        "error": error,
        "typed": code[:12],
        "known_as": name_of(request),
    }
    return render(request, "home/home.html", context, status=error.status if error else 200)


def _recent(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the tables where this phone has a seat or is host, last changed first."""
    hashes = [hash_of(token) for token in tokens_of(request)]
    if not hashes:
        return []
    seated = Seat.objects.filter(token_hash__in=hashes).values("table")
    tables = Table.objects.filter(Q(pk__in=seated) | Q(host_hash__in=hashes))
    return [
        {"table": table, "game": game_of(table), "names": ", ".join(map(shown_name, table.seats.all()))}
        for table in tables.order_by("-changed_at").prefetch_related("seats")[:RECENT]
        if table.game in titles()
    ]


@require_POST
def open_a_table(request: HttpRequest) -> HttpResponse:
    try:
        rate_limits.OPEN_TABLE.take(address_of(request))
        mode, _colon, game = request.POST.get("game", "").rpartition(":")
        code = request.POST.get("board", "")
        board = find_board(address_of(request), game, code) if code else None
        key = request.POST.get("circle", "")
        circle = find_circle(address_of(request), key) if key else None
        opened = open_table(game=game, options={"mode": mode or "full"}, board=board, circle=circle)
    except Refusal as refusal:
        return _home(request, refusal)
    response = redirect("table", code=opened.table.code)
    remember(response, request, opened.host_token)
    return response


@require_GET
def join(request: HttpRequest) -> HttpResponse:
    """Redirect from a typed code to its table."""
    code = "".join(request.GET.get("code", "").split())
    try:
        table = find_rate_limited(address_of(request), code)
    except Refusal as refusal:
        return _home(request, refusal, code)
    return redirect("table", code=table.code)


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Store display preferences and redirect back; htmx gets no content, as a script applies the choice."""
    response = HttpResponse(status=204) if request.htmx else _back(request)  # type: ignore[attr-defined]
    set_looks(response, request.POST.dict())
    return response


@require_POST
def hints(request: HttpRequest) -> HttpResponse:
    """Dismiss one hint or all, or restore all; htmx gets no content, as a script removes the hint."""
    response = HttpResponse(status=204) if request.htmx else _back(request)  # type: ignore[attr-defined]
    name = request.POST.get("hint", "")
    if name == "again":
        restore_hints(response)
    else:
        dismiss_hint(response, request, name)
    return response


def _back(request: HttpRequest) -> HttpResponse:
    """Redirect to the page named in the form if it belongs to this site, else to the home page."""
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()})
    return redirect(back if is_ours else reverse("home"))


@require_GET
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the guide to a first evening, from starting the server to the report."""
    return render(request, "home/help.html")


@require_POST
def forget(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Delete the player name stored on this phone."""
    response = redirect("home")
    forget_name(response)
    return response
