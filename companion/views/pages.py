"""Pages before a table: home, opening and joining one, how this phone looks."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from companion import limits
from companion.errors import Refusal
from companion.models import Seat, Table
from companion.states import game_of
from companion.tables.boards import find_board
from companion.tables.holders import find_from, hash_of
from companion.tables.opening import open_table
from companion.tables.seats import shown_name
from companion.views.phone import address_of, forget_name, name_of, remember, set_look, tokens_of
from games.registry import GAMES, MODES, PADS

RECENT = 8


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    return _home(request)


def _home(request: HttpRequest, error: Refusal | None = None, code: str = "") -> HttpResponse:
    context = {
        "games": [(pad, GAMES.get(slug)) for slug, pad in PADS.items()],
        "recent": _recent(request),
        "error": error,
        "typed": code[:12],
        "known_as": name_of(request),
    }
    return render(request, "home/home.html", context, status=error.status if error else 200)


def _recent(request: HttpRequest) -> list[dict[str, Any]]:
    """The tables this phone sits at or hosts, the newest change first."""
    hashes = [hash_of(token) for token in tokens_of(request)]
    if not hashes:
        return []
    seated = Seat.objects.filter(token_hash__in=hashes).values("table")
    tables = Table.objects.filter(pk__in=seated) | Table.objects.filter(host_hash__in=hashes)
    return [
        {"table": table, "game": game_of(table), "names": ", ".join(map(shown_name, table.seats.all()))}
        for table in tables.distinct().order_by("-changed_at").prefetch_related("seats")[:RECENT]
        if table.game in MODES[table.options["mode"]]
    ]


@require_POST
def open_a_table(request: HttpRequest) -> HttpResponse:
    try:
        limits.OPEN_TABLE.take(address_of(request))
        mode, _colon, game = request.POST.get("game", "").rpartition(":")
        code = request.POST.get("board", "")
        board = find_board(address_of(request), game, code) if code else None
        opened = open_table(game=game, options={"mode": mode or "full"}, board=board)
    except Refusal as refusal:
        return _home(request, refusal)
    response = redirect("table", code=opened.table.code)
    remember(response, request, opened.host_token)
    return response


@require_GET
def join(request: HttpRequest) -> HttpResponse:
    """From a typed code to its table."""
    code = "".join(request.GET.get("code", "").split())
    try:
        table = find_from(address_of(request), code)
    except Refusal as refusal:
        return _home(request, refusal, code)
    return redirect("table", code=table.code)


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Dark or light; back to where the phone was."""
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()})
    response = redirect(back if is_ours else reverse("home"))
    set_look(response, request.POST.get("look", ""))
    return response


@require_POST
def forget(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The phone forgets the name its owner goes by."""
    response = redirect("home")
    forget_name(response)
    return response


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return message_page(request, _("There is nothing here."), 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return message_page(request, _("Something went wrong on our side. Nothing was changed."), 500)


def message_page(request: HttpRequest, message: str, status: int) -> HttpResponse:
    return render(request, "home/message.html", {"message": message}, status=status)
