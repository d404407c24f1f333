"""The table page of a phone, and the POST views behind its buttons.

Pages are complete without JavaScript. With it, htmx requests the same URL, gets only the part that changes
(`templates/table/table.html`) and morphs it into the page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from companion.access import rate_limits
from companion.access.table_access import TableAccess, refuse_unless_host
from companion.boards.views import copies_of
from companion.charts.sparklines import live_drawing
from companion.errors import Refusal
from companion.journal import breaks, submit
from companion.journal.states import game_of
from companion.journal.versions import refresh
from companion.models import Seat, Status, Table
from companion.pages.table_page import TABS, TablePage
from companion.statistics.circle_views import circles_of
from companion.tables import board_copies, circles, hosting, opening, seats
from companion.titles import screen_of
from companion.web.addresses import address_for_phones
from companion.web.messages import message_page
from companion.web.phone import (
    access_of,
    address_of,
    board_codes_of,
    dismissed_hints,
    forget_name,
    is_scribe,
    looks_of,
    name_of,
    remember,
    remember_board,
    remember_name,
    set_scribe,
    table_of,
)

PARTS = (*TABS, "menu", "correct")


@require_GET
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page, or for htmx its changing part; 304 if the ETag matches."""
    try:
        table = table_of(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    access = access_of(request, table)
    tag = _entity_tag(request, table, access)
    # Compression makes the ETag a weak one. A browser that lost its CSRF cookie needs a page that sets it.
    sent = [etag.removeprefix("W/") for etag in parse_etags(request.headers.get("If-None-Match", ""))]
    if tag in sent and "CSRF_COOKIE" in request.META:
        return HttpResponseNotModified(headers={"ETag": tag})
    response = _page(request, table, access)
    response["ETag"] = tag
    # Secrets revealed on a shared phone must not come back with the browser's back button.
    response["Cache-Control"] = "no-store" if request.GET.get("open") else "no-cache"
    patch_vary_headers(response, ["Cookie", "Accept-Language", "HX-Request"])
    return response


def _entity_tag(request: HttpRequest, table: Table, access: TableAccess) -> str:
    """Return the ETag, a hash of everything that the page depends on."""
    parts = (
        table.pk,
        table.version,
        request.get_full_path(),
        bool(request.htmx),  # type: ignore[attr-defined]
        get_language(),
        looks_of(request),
        dismissed_hints(request),
        name_of(request),
        access.is_host,
        access.factions,
        is_scribe(request, table),
        hosting.is_host_gone(table),
        request.META.get("CSRF_COOKIE"),
        *_board_tag(request, table),
        *_circle_tag(request, table),
        _minute(request, table),
    )
    return '"' + hashlib.sha256(repr(parts).encode()).hexdigest()[:24] + '"'


def _board_tag(request: HttpRequest, table: Table) -> tuple[Any, ...]:
    """Return the ETag parts for board copies, which are shown in the lobby and in the help."""
    if table.setup is not None and request.GET.get("tab") != "help":
        return ()
    return (*board_codes_of(request), table.board.version if table.board else 0)


def _circle_tag(request: HttpRequest, table: Table) -> tuple[Any, ...]:
    """Return the ETag parts for circles, which are shown in the lobby and in the menu."""
    if table.setup is not None and request.GET.get("tab") != "menu":
        return ()
    known = [(circle.pk, circle.name) for _key, circle in circles_of(request)]
    return (table.circle_id, known, circles.names_of(table.circle) if table.circle else ())


def _minute(request: HttpRequest, table: Table) -> int | None:
    """Return the minutes since the start of the game if clocks are shown, so that a reload updates them."""
    if table.status != Status.PLAYING or looks_of(request)["timers"] == "hide":
        return None
    return int((timezone.now() - (table.started_at or table.created_at)).total_seconds()) // 60


def _page(
    request: HttpRequest, table: Table, access: TableAccess, error: Refusal | None = None
) -> HttpResponse:
    query = _query(request, error)
    page = TablePage(
        table,
        access,
        scribe=is_scribe(request, table),
        shown_to=query.get("open"),
    )
    tab = request.GET.get("tab", "now")
    url = reverse("table", args=[table.code])
    here = f"{url}?{query.urlencode()}" if query else url
    context = {
        "url": url,
        "here": here,
        "page": page,
        "table": table,
        "game": page.game,
        "tab": tab if tab in PARTS else "now",
        "error": error,
        "address": address_for_phones(request, "table", table.code),
        **_parts(request, page, tab, query),
    }
    template = "table/table.html" if request.htmx else "table/page.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=error.status if error else 200)


def _query(request: HttpRequest, error: Refusal | None) -> QueryDict:
    """Return the query of the page; after a refused entry, a form revealed on a shared phone stays open."""
    query = request.GET.copy()
    if error and request.POST.get("open"):
        query["as"], query["open"] = request.POST.get("faction", ""), request.POST["open"]
    return query


def _parts(request: HttpRequest, page: TablePage, tab: str, query: QueryDict) -> dict[str, Any]:
    """Return the context of the tab, with undo and redo for the bar at the bottom of every tab."""
    if not page.started:
        return _tab_context(request, page, tab, query)
    newest = page.newest
    bar = {"newest": newest, "undo_label": page.undo_label(newest), "redo": page.redo()}
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
            context = {"journal": page.journal(_number(request.GET.get("before")))}
        case "help":
            context = {"printed": _printed(request, page)}
        case "correct":
            context = {"correct": page.correct_form(request.GET.get("place", ""))}
        case _:
            context = {**page.entry_form(query.get("as")), "waiting": page.waiting()}
    return context


def _menu_context(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Return the context of the menu and of the lobby."""
    return {
        "typed_name": name_of(request),
        "free_factions": _free_factions(page),
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


def _free_factions(page: TablePage) -> list[tuple[str, str, bool]]:
    """Return the factions with their names and a flag whether they can be taken."""
    held = {seat.faction for seat in page.seats if seat.token_hash}
    open_to_all = page.is_open
    freed = {seat.faction for seat in page.seats if not seat.token_hash}
    return [
        (faction, page.faction_name(faction), faction not in held and (open_to_all or faction in freed))
        for faction in page.game.factions
        if open_to_all or faction in freed
    ]


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None  # noqa: PLR2004


# Actions

TableAction = Callable[[HttpRequest, Table, TableAccess], HttpResponse | None]


def table_action(do: TableAction) -> Callable[..., HttpResponse]:
    """Decorate a POST view: run it, then show the current table, with the message of a refusal if any."""

    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            table = table_of(request, code)
        except Refusal as refusal:
            return message_page(request, refusal.message, refusal.status)
        access = access_of(request, table)
        try:
            response = do(request, table, access)
        except Refusal as refusal:
            refresh(table)
            return _page(request, table, access_of(request, table), refusal)
        return response or _back(request, table)

    return require_POST(view)


def _back(request: HttpRequest, table: Table) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        refresh(table)
        return _page(request, table, access_of(request, table))
    tab = request.GET.get("tab")
    address = reverse("table", args=[table.code])
    return redirect(f"{address}?tab={tab}" if tab in PARTS else address)


@table_action
def act(request: HttpRequest, table: Table, access: TableAccess) -> None:
    try:
        submit.submit(
            table=table,
            access=access,
            faction=request.POST.get("faction", ""),
            action=screen_of(table).parse(request.POST.dict()),
            key=request.POST.get("key") or None,
        )
    except Refusal as refusal:
        raise _meanwhile(request, table, access, refusal) from None


def _meanwhile(request: HttpRequest, table: Table, access: TableAccess, refusal: Refusal) -> Refusal:
    """Return the refusal, naming also the entry made since the form was rendered: the likely reason."""
    refresh(table)
    seen = _number(request.POST.get("seen"))
    if seen is None or seen >= table.head or refusal.code not in ("illegal", "bad-input"):
        return refusal
    page = TablePage(table, access)
    newest = page.newest
    if newest is None or newest.faction not in page.players:
        return refusal
    named = {"name": page.players[newest.faction].name, "what": page.title(newest)}
    addition = _("Meanwhile %(name)s entered: %(what)s") % named
    return Refusal(refusal.code, f"{refusal.message} {addition}", refusal.rule)


@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings that the form as filled in would lead to, or the error; nothing is stored."""
    try:
        table = table_of(request, code)
        access = access_of(request, table)
        page = TablePage(table, access, scribe=is_scribe(request, table))
        faction, form = request.POST.get("faction", ""), request.POST.dict()
        if page.screen.forecast and page.started and faction in page.mine():
            lines = page.screen.forecast(page.state, faction, form)
            return render(request, "table/forecast.html", {"lines": lines})
        action = page.screen.parse(form)
        outcome = submit.preview(table=table, access=access, faction=faction, action=action)
    except Refusal as refusal:
        return render(request, "table/preview.html", {"error": refusal})
    return render(request, "table/preview.html", {"rows": page.gains(outcome.state)})


@table_action
def correct(request: HttpRequest, table: Table, access: TableAccess) -> None:
    fields = {name: request.POST.get(name, "") for name in ("owner", "piece", "place", "reason")}
    count = _number(request.POST.get("count"))
    against = request.POST.get("against")
    action = {
        "type": "correct",
        **fields,
        "count": -1 if count is None else count,
        **({"against": against} if against else {}),
    }
    faction = access.factions[0] if access.is_seated else next(iter(table.order), "")
    submit.submit(
        table=table, access=access, faction=faction, action=action, key=request.POST.get("key") or None
    )


@table_action
def undo(request: HttpRequest, table: Table, access: TableAccess) -> None:
    submit.undo(table=table, access=access, number=_number(request.POST.get("number")))


@table_action
def redo(request: HttpRequest, table: Table, access: TableAccess) -> None:
    submit.redo(table=table, access=access, number=_number(request.POST.get("number")))


@table_action
def back_to(request: HttpRequest, table: Table, access: TableAccess) -> None:
    number = _number(request.POST.get("number"))
    if number is None:
        raise Refusal("bad-input", _("Say which entry to go back to."))
    submit.back_to(table=table, access=access, number=number)


@table_action
def tick(request: HttpRequest, table: Table, access: TableAccess) -> None:
    """Tick or untick a line.

    The button's value names the target state (`3:1`: line 3 is done), which makes repeated taps idempotent.
    """
    text, _colon, done = request.POST.get("line", "").partition(":")
    number, line = _number(request.POST.get("number")), _number(text)
    if number is not None and text == "all":
        submit.tick_all(table=table, access=access, number=number)
        return
    if number is None or line is None or done not in ("0", "1"):
        raise Refusal("bad-input", _("Say which line is done."))
    submit.tick(table=table, access=access, number=number, line=line, done=done == "1")


@table_action
def pause(request: HttpRequest, table: Table, access: TableAccess) -> None:
    """Begin or end a break."""
    match request.POST.get("do"):
        case "begin":
            breaks.begin(table=table, access=access)
        case "end":
            breaks.end(table=table, access=access)
        case _:
            raise Refusal("bad-input", _("There is no such button."))


# Seats


@table_action
def sit(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse:  # noqa: ARG001
    rate_limits.JOIN.take(address_of(request))
    name = request.POST.get("name", "")
    seat, token = seats.take_seat(table=table, name=name, faction=request.POST.get("faction", ""))
    response = redirect("table", code=table.code)
    remember(response, request, token)
    remember_name(response, seat.name)
    return response


@table_action
def seat(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse | None:
    """Change, free or move a seat, make it the host, or forget its player's name."""
    row = _seat(request, table)
    match request.POST.get("do"):
        case "change":
            seats.change_seat(
                table=table,
                access=access,
                seat=row,
                name=request.POST.get("name", row.name),
                faction=request.POST.get("faction", row.faction),
            )
        case "forget":
            return _forget(request, table, access, row)
        case "free":
            seats.free_seat(table=table, access=access, seat=row)
        case "host":
            hosting.hand_over(table=table, access=access, seat=row)
        case "take-over":
            hosting.take_over(table=table, access=access, seat=row)
        case "move":
            return _move_page(request, table, access, row)
        case _:
            raise Refusal("bad-input", _("There is no such button."))
    return None


def _forget(request: HttpRequest, table: Table, access: TableAccess, row: Seat) -> HttpResponse:
    """Delete the name of a seat, and the name stored on this phone if it is the same."""
    seats.forget_name(table=table, access=access, seat=row)
    response = _back(request, table)
    if row.name == name_of(request):
        forget_name(response)
    return response


def _seat(request: HttpRequest, table: Table) -> Seat:
    row = table.seats.filter(number=_number(request.POST.get("seat")) or 0).first()
    if row is None:
        raise Refusal("unknown", _("There is no such seat."))
    return row


def _move_page(request: HttpRequest, table: Table, access: TableAccess, row: Seat) -> HttpResponse:
    ticket = seats.ticket_for(access=access, seat=row)
    address = address_for_phones(request, "claim", table.code, query=f"ticket={ticket}")
    return render(request, "table/move.html", {"table": table, "seat": row, "address": address})


@require_GET
def all_seats(request: HttpRequest, code: str) -> HttpResponse:
    """Show a QR code per seat for the case that the server's address changes, which loses all cookies."""
    try:
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_unless_host(access)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    host_query = f"{hosting.HOST_TICKET}={hosting.ticket_for_host(table)}"
    context = {
        "table": table,
        "game": game_of(table),
        "here": reverse("all-seats", args=[table.code]),
        "rows": [_seat_code(request, table, access, row) for row in table.seats.all()],
        "host_address": address_for_phones(request, "claim", table.code, query=host_query),
    }
    template = "table/all_seats_list.html" if request.htmx else "table/all_seats.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response


def _seat_code(request: HttpRequest, table: Table, access: TableAccess, row: Seat) -> dict[str, Any]:
    ticket = seats.ticket_for(access=access, seat=row)
    address = address_for_phones(request, "claim", table.code, query=f"ticket={ticket}")
    return {"seat": row, "ticket": ticket, "address": address, "is_here": row in access.seats}


def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Move a seat or the host role to this phone by a ticket from a QR code: GET explains, POST does it."""
    sent = request.POST if request.method == "POST" else request.GET
    ticket, host_ticket = sent.get("ticket", ""), sent.get(hosting.HOST_TICKET, "")
    try:
        table = table_of(request, code)
        if request.method != "POST":
            seat = seats.seat_of(table, ticket)
            name = seats.shown_name(seat) if seat else ""
            context = {"table": table, "ticket": ticket, "host_ticket": host_ticket, "name": name}
            return render(request, "table/claim.html", context)
        rate_limits.JOIN.take(address_of(request))
        if host_ticket:
            response = redirect("all-seats", code=table.code)
            token = hosting.redeem_host(table=table, ticket=host_ticket)
        else:
            response = redirect("table", code=table.code)
            _row, token = seats.redeem(table=table, ticket=ticket)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    remember(response, request, token)
    return response


# The host


def _set_option(request: HttpRequest, table: Table, access: TableAccess) -> None:
    name, value = request.POST.get("name", ""), _option_value(request.POST.get("value", ""))
    opening.set_option(table=table, access=access, name=name, value=value)


def _choose_board(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse | None:
    refuse_unless_host(access)
    code = "".join(request.POST.get("board", "").split())
    board = board_copies.find_board(address_of(request), table.game, code) if code else None
    board_copies.choose_board(table=table, access=access, board=board)
    response = _back(request, table)
    if board:
        remember_board(response, request, board.code)
    return response


def _choose_circle(request: HttpRequest, table: Table, access: TableAccess) -> None:
    """Choose the circle by its key; an empty key removes the table from its circle."""
    refuse_unless_host(access)
    key = request.POST.get("circle", "")
    circle = circles.find_circle(address_of(request), key) if key else None
    circles.put_into_circle(table=table, access=access, circle=circle)


def _rematch(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse:
    refuse_unless_host(access)
    rate_limits.OPEN_TABLE.take(address_of(request))
    return redirect("table", code=opening.rematch(table=table, access=access).code)


def _delete(_request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse:
    hosting.delete(table=table, access=access)
    return redirect("home")


def _scribe(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse:
    refuse_unless_host(access)
    response = redirect("table", code=table.code)
    set_scribe(response, request, table, on=request.POST["do"] == "scribe")
    return response


HOST_ACTIONS: dict[str, TableAction] = {
    "start": lambda _request, table, access: opening.start(table=table, access=access),
    "shuffle": lambda _request, table, access: opening.shuffle_seats(table=table, access=access),
    "option": _set_option,
    "board": _choose_board,
    "circle": _choose_circle,
    "lock": lambda _request, table, access: hosting.set_locked(table=table, access=access, locked=True),
    "unlock": lambda _request, table, access: hosting.set_locked(table=table, access=access, locked=False),
    "finish": lambda _request, table, access: hosting.finish(table=table, access=access),
    "abandon": lambda _request, table, access: hosting.abandon(table=table, access=access),
    "reopen": lambda _request, table, access: hosting.reopen(table=table, access=access),
    "rematch": _rematch,
    "delete": _delete,
    "scribe": _scribe,
    "no-scribe": _scribe,
}


@table_action
def host(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse | None:
    """Run one of the actions reserved to the host."""
    do = HOST_ACTIONS.get(request.POST.get("do", ""))
    if do is None:
        raise Refusal("bad-input", _("There is no such button."))
    return do(request, table, access)


def _option_value(text: str) -> Any:
    """Parse a form value: a boolean, none, a number or text."""
    words = {"true": True, "false": False, "": None}
    number = _number(text)
    return words.get(text, text if number is None else number)
