"""The phone's page of a table and everything that is tapped on it.

Each page is whole without JavaScript. With it, htmx fetches the same address and gets only
the part that changes (`templates/table/table.html`), which it morphs in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from companion.errors import Refusal
from companion.models import Seat, Table
from companion.screens import screen_of
from companion.screens.base import Forecasts
from companion.tables import boards, hosting, opening, play, seats
from companion.tables.holders import Holder, find_from, refuse_unless_host
from companion.views.boards import copies_of
from companion.views.now import TABS, Sight
from companion.views.pages import message_page
from companion.views.phone import (
    address_of,
    board_codes_of,
    forget_name,
    holder_of,
    is_scribe,
    look_of,
    name_of,
    remember,
    remember_board,
    remember_name,
    set_scribe,
)

PARTS = (*TABS, "menu", "correct")


@require_GET
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The page, or what changed of it. The entity tag spares both sides the work when nothing did."""
    try:
        found = _find(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    holder = holder_of(request, found)
    tag = _entity_tag(request, found, holder)
    # Compressing a page makes its tag a weak one.
    if tag in [known.removeprefix("W/") for known in parse_etags(request.headers.get("If-None-Match", ""))]:
        return HttpResponseNotModified(headers={"ETag": tag})
    response = _page(request, found, holder)
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Cookie", "Accept-Language", "HX-Request"])
    return response


def _find(request: HttpRequest, code: str) -> Table:
    return find_from(address_of(request), code)


def _entity_tag(request: HttpRequest, found: Table, holder: Holder) -> str:
    """Whatever the page depends on."""
    parts = (
        found.pk,
        found.version,
        request.get_full_path(),
        bool(request.htmx),  # type: ignore[attr-defined]
        get_language(),
        look_of(request),
        name_of(request),
        holder.is_host,
        holder.factions,
        is_scribe(request, found),
        hosting.is_host_gone(found),
        request.META.get("CSRF_COOKIE"),
        *_board_tag(request, found),
    )
    return '"' + hashlib.sha256(repr(parts).encode()).hexdigest()[:24] + '"'


def _board_tag(request: HttpRequest, found: Table) -> tuple[Any, ...]:
    """Copies of the board, where they are shown: in the lobby and in the help."""
    if found.setup is not None and request.GET.get("tab") != "help":
        return ()
    return (*board_codes_of(request), found.board.version if found.board else 0)


def _page(request: HttpRequest, found: Table, holder: Holder, error: Refusal | None = None) -> HttpResponse:
    sight = Sight(found, holder, scribe=is_scribe(request, found))
    tab = request.GET.get("tab", "now")
    url = reverse("table", args=[found.code])
    context = {
        "url": url,
        "here": f"{url}?{request.GET.urlencode()}" if request.GET else url,
        "sight": sight,
        "table": found,
        "game": sight.game,
        "tab": tab if tab in PARTS else "now",
        "error": error,
        "address": request.build_absolute_uri(url),
        **_parts(request, sight, tab),
    }
    template = "table/table.html" if request.htmx else "table/page.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=error.status if error else 200)


def _parts(request: HttpRequest, sight: Sight, tab: str) -> dict[str, Any]:
    """What the tab shows."""
    if tab == "menu" or (sight.is_open and tab != "help"):
        return {
            "typed_name": name_of(request),
            "free_factions": _free_factions(sight),
            "printed": _printed(request, sight),
        }
    if not sight.started:
        return {}
    newest = sight.newest
    shown: dict[str, Any] = {"newest": newest, "undo_label": sight.undo_label(newest), "redo": sight.redo()}
    match tab:
        case "board":
            shown |= sight.board()
        case "score":
            shown["score"] = sight.score()
        case "journal":
            shown["journal"] = sight.journal(_number(request.GET.get("before")))
        case "help":
            shown["printed"] = _printed(request, sight)
        case "correct":
            shown["correct"] = sight.correct_form(request.GET.get("place", ""))
        case _:
            form = sight.entry_form(request.GET.get("as"))
            shown |= {
                "form": form,
                "waiting": sight.waiting(),
                "tasks": sight.tasks(),
                "steps": sight.steps_of(newest),
                "score": sight.score(),
                **({} if form else sight.board()),  # the form shows the board itself
            }
    return shown


def _printed(request: HttpRequest, sight: Sight) -> dict[str, Any] | None:
    """Whose printed figures the table takes, which the host may choose, and how many nobody has compared."""
    if not sight.game.board.figures:
        return None
    chosen = sight.table.board
    copies = {copy.pk: copy for copy in [*([chosen] if chosen else []), *copies_of(request, sight.game)]}
    return {
        "chosen": chosen,
        "copies": list(copies.values()),
        "unconfirmed": len(boards.unconfirmed(sight.game, chosen)),
    }


def _free_factions(sight: Sight) -> list[tuple[str, str, bool]]:
    """Every faction with its name, and whether it can be taken."""
    held = {seat.faction for seat in sight.seats if seat.token_hash}
    open_to_all = sight.is_open
    freed = {seat.faction for seat in sight.seats if not seat.token_hash}
    return [
        (faction, sight.faction_name(faction), faction not in held and (open_to_all or faction in freed))
        for faction in sight.game.factions
        if open_to_all or faction in freed
    ]


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004


# What is tapped

Deed = Callable[[HttpRequest, Table, Holder], HttpResponse | None]


def deed(do: Deed) -> Callable[..., HttpResponse]:
    """A tap: do it, then show the table as it is now; a refusal is shown on top of it."""

    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            found = _find(request, code)
        except Refusal as refusal:
            return message_page(request, refusal.message, refusal.status)
        holder = holder_of(request, found)
        try:
            response = do(request, found, holder)
        except Refusal as refusal:
            found.refresh_from_db()
            return _page(request, found, holder_of(request, found), refusal)
        return response or _back(request, found)

    return require_POST(view)


def _back(request: HttpRequest, found: Table) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        found.refresh_from_db()
        return _page(request, found, holder_of(request, found))
    tab = request.GET.get("tab")
    address = reverse("table", args=[found.code])
    return redirect(f"{address}?tab={tab}" if tab in PARTS else address)


@deed
def act(request: HttpRequest, found: Table, holder: Holder) -> None:
    play.submit(
        table=found,
        holder=holder,
        faction=request.POST.get("faction", ""),
        action=screen_of(found).action(request.POST.dict()),
        key=request.POST.get("key") or None,
    )


@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """What the form would lead to as it is filled in now: the standings, or why not. Nothing is kept."""
    try:
        found = _find(request, code)
        holder = holder_of(request, found)
        sight = Sight(found, holder, scribe=is_scribe(request, found))
        faction, form = request.POST.get("faction", ""), request.POST.dict()
        if isinstance(sight.screen, Forecasts) and sight.started and faction in sight.mine():
            lines = sight.screen.forecast(sight.state(), faction, form)
            return render(request, "table/forecast.html", {"lines": lines})
        action = sight.screen.action(form)
        outcome = play.preview(table=found, holder=holder, faction=faction, action=action)
    except Refusal as refusal:
        return render(request, "table/preview.html", {"error": refusal})
    return render(request, "table/preview.html", {"rows": sight.gains(outcome.state)})


@deed
def correct(request: HttpRequest, found: Table, holder: Holder) -> None:
    fields = {name: request.POST.get(name, "") for name in ("owner", "piece", "place", "reason")}
    count = _number(request.POST.get("count"))
    action = {"type": "correct", **fields, "count": -1 if count is None else count}
    faction = holder.factions[0] if holder.is_seated else next(iter(found.order), "")
    play.submit(
        table=found, holder=holder, faction=faction, action=action, key=request.POST.get("key") or None
    )


@deed
def undo(request: HttpRequest, found: Table, holder: Holder) -> None:
    play.undo(table=found, holder=holder, number=_number(request.POST.get("number")))


@deed
def redo(request: HttpRequest, found: Table, holder: Holder) -> None:
    play.redo(table=found, holder=holder, number=_number(request.POST.get("number")))


@deed
def back_to(request: HttpRequest, found: Table, holder: Holder) -> None:
    number = _number(request.POST.get("number"))
    if number is None:
        raise Refusal("bad-input", _("Say which entry to go back to."))
    play.back_to(table=found, holder=holder, number=number)


@deed
def tick(request: HttpRequest, found: Table, holder: Holder) -> None:
    """The button's value says what it leads to (``3:1`` is line 3 done), so that two taps are as one."""
    text, _colon, done = request.POST.get("line", "").partition(":")
    number, line = _number(request.POST.get("number")), _number(text)
    if number is not None and text == "all":
        play.tick_all(table=found, holder=holder, number=number)
        return
    if number is None or line is None or done not in ("0", "1"):
        raise Refusal("bad-input", _("Say which line is done."))
    play.tick(table=found, holder=holder, number=number, line=line, done=done == "1")


# Seats


@deed
def sit(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse:  # noqa: ARG001
    name = request.POST.get("name", "")
    seat, token = seats.take_seat(table=found, name=name, faction=request.POST.get("faction", ""))
    response = redirect("table", code=found.code)
    remember(response, request, token)
    remember_name(response, seat.name)
    return response


@deed
def seat(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse | None:
    """Change, free, hand the host over to, move a seat, or forget who sat there."""
    row = _seat(request, found)
    match request.POST.get("do"):
        case "change":
            seats.change_seat(
                table=found,
                holder=holder,
                seat=row,
                name=request.POST.get("name", row.name),
                faction=request.POST.get("faction", row.faction),
            )
        case "forget":
            return _forget(request, found, holder, row)
        case "free":
            seats.free_seat(table=found, holder=holder, seat=row)
        case "host":
            hosting.hand_over(table=found, holder=holder, seat=row)
        case "take-over":
            hosting.take_over(table=found, holder=holder, seat=row)
        case "move":
            return _move_page(request, found, holder, row)
        case _:
            raise Refusal("bad-input", _("There is no such button."))
    return None


def _forget(request: HttpRequest, found: Table, holder: Holder, row: Seat) -> HttpResponse:
    """The table forgets a name; so does the phone, if the name was its owner's."""
    seats.forget_name(table=found, holder=holder, seat=row)
    response = _back(request, found)
    if row.name == name_of(request):
        forget_name(response)
    return response


def _seat(request: HttpRequest, found: Table) -> Seat:
    row = found.seats.filter(number=_number(request.POST.get("seat")) or 0).first()
    if row is None:
        raise Refusal("unknown", _("There is no such seat."))
    return row


def _move_page(request: HttpRequest, found: Table, holder: Holder, row: Seat) -> HttpResponse:
    ticket = seats.ticket_for(holder=holder, seat=row)
    address = request.build_absolute_uri(reverse("claim", args=[found.code]) + f"?ticket={ticket}")
    return render(request, "table/move.html", {"table": found, "seat": row, "address": address})


def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Where a seat's QR leads: shows whose seat it is, then moves it here."""
    ticket = request.POST.get("ticket") or request.GET.get("ticket", "")
    try:
        found = _find(request, code)
        if request.method != "POST":
            return render(request, "table/claim.html", {"table": found, "ticket": ticket})
        _row, token = seats.redeem(table=found, ticket=ticket)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    response = redirect("table", code=found.code)
    remember(response, request, token)
    return response


# The host


def _set_option(request: HttpRequest, found: Table, holder: Holder) -> None:
    name, value = request.POST.get("name", ""), _option_value(request.POST.get("value", ""))
    opening.set_option(table=found, holder=holder, name=name, value=value)


def _choose_board(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse | None:
    refuse_unless_host(holder)
    code = "".join(request.POST.get("board", "").split())
    board = boards.find_board(address_of(request), found.game, code) if code else None
    boards.choose_board(table=found, holder=holder, board=board)
    response = _back(request, found)
    if board:
        remember_board(response, request, board.code)
    return response


def _rematch(_request: HttpRequest, found: Table, holder: Holder) -> HttpResponse:
    return redirect("table", code=opening.rematch(table=found, holder=holder).code)


def _delete(_request: HttpRequest, found: Table, holder: Holder) -> HttpResponse:
    hosting.delete(table=found, holder=holder)
    return redirect("home")


def _scribe(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse:
    refuse_unless_host(holder)
    response = redirect("table", code=found.code)
    set_scribe(response, request, found, on=request.POST["do"] == "scribe")
    return response


HOST_DEEDS: dict[str, Deed] = {
    "start": lambda _request, found, holder: opening.start(table=found, holder=holder),
    "shuffle": lambda _request, found, holder: opening.shuffle_seats(table=found, holder=holder),
    "option": _set_option,
    "board": _choose_board,
    "lock": lambda _request, found, holder: hosting.set_locked(table=found, holder=holder, locked=True),
    "unlock": lambda _request, found, holder: hosting.set_locked(table=found, holder=holder, locked=False),
    "finish": lambda _request, found, holder: hosting.finish(table=found, holder=holder),
    "abandon": lambda _request, found, holder: hosting.abandon(table=found, holder=holder),
    "reopen": lambda _request, found, holder: hosting.reopen(table=found, holder=holder),
    "rematch": _rematch,
    "delete": _delete,
    "scribe": _scribe,
    "no-scribe": _scribe,
}


@deed
def host(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse | None:
    """Everything only the host may do."""
    do = HOST_DEEDS.get(request.POST.get("do", ""))
    if do is None:
        raise Refusal("bad-input", _("There is no such button."))
    return do(request, found, holder)


def _option_value(text: str) -> Any:
    """What a form's text means: yes, no, a number, or a word."""
    words = {"true": True, "false": False, "": None}
    number = _number(text)
    return words.get(text, text if number is None else number)
