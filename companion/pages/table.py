"""The phone's page of a table and everything that is tapped on it.

Each page is whole without JavaScript. With it, htmx fetches the same address and gets only
the part that changes (`templates/table/table.html`), which it morphs in.
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
from companion.titles.base import Forecasts
from companion.web.addresses import address_for_phones
from companion.web.messages import message_page
from companion.web.phone import (
    access_of,
    address_of,
    board_codes_of,
    forget_name,
    hints_away,
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
    """The page, or what changed of it. The entity tag spares both sides the work when nothing did."""
    try:
        found = table_of(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    access = access_of(request, found)
    tag = _entity_tag(request, found, access)
    # Compressing a page makes its tag a weak one. A browser that lost its cookie since needs a page that sets it.
    known = [one.removeprefix("W/") for one in parse_etags(request.headers.get("If-None-Match", ""))]
    if tag in known and "CSRF_COOKIE" in request.META:
        return HttpResponseNotModified(headers={"ETag": tag})
    response = _page(request, found, access)
    response["ETag"] = tag
    # What was uncovered on a shared phone is gone with the page: no way back leads to it.
    response["Cache-Control"] = "no-store" if request.GET.get("open") else "no-cache"
    patch_vary_headers(response, ["Cookie", "Accept-Language", "HX-Request"])
    return response


def _entity_tag(request: HttpRequest, found: Table, access: TableAccess) -> str:
    """Whatever the page depends on."""
    parts = (
        found.pk,
        found.version,
        request.get_full_path(),
        bool(request.htmx),  # type: ignore[attr-defined]
        get_language(),
        looks_of(request),
        hints_away(request),
        name_of(request),
        access.is_host,
        access.factions,
        is_scribe(request, found),
        hosting.is_host_gone(found),
        request.META.get("CSRF_COOKIE"),
        *_board_tag(request, found),
        *_circle_tag(request, found),
        _minute(request, found),
    )
    return '"' + hashlib.sha256(repr(parts).encode()).hexdigest()[:24] + '"'


def _board_tag(request: HttpRequest, found: Table) -> tuple[Any, ...]:
    """Copies of the board, where they are shown: in the lobby and in the help."""
    if found.setup is not None and request.GET.get("tab") != "help":
        return ()
    return (*board_codes_of(request), found.board.version if found.board else 0)


def _circle_tag(request: HttpRequest, found: Table) -> tuple[Any, ...]:
    """Circles, where they are shown: in the lobby and in the menu."""
    if found.setup is not None and request.GET.get("tab") != "menu":
        return ()
    known = [(circle.pk, circle.name) for _key, circle in circles_of(request)]
    return (found.circle_id, known, circles.names_of(found.circle) if found.circle else ())


def _minute(request: HttpRequest, found: Table) -> int | None:
    """Where clocks are shown: how many minutes ago the game began. Without a script, a new page is a new minute."""
    if found.status != Status.PLAYING or looks_of(request)["timers"] == "hide":
        return None
    return int((timezone.now() - (found.started_at or found.created_at)).total_seconds()) // 60


def _page(
    request: HttpRequest, found: Table, access: TableAccess, error: Refusal | None = None
) -> HttpResponse:
    asked = _asked(request, error)
    page = TablePage(
        found,
        access,
        scribe=is_scribe(request, found),
        shown_to=asked.get("open"),
    )
    tab = request.GET.get("tab", "now")
    url = reverse("table", args=[found.code])
    here = f"{url}?{asked.urlencode()}" if asked else url
    context = {
        "url": url,
        "here": here,
        "page": page,
        "table": found,
        "game": page.game,
        "tab": tab if tab in PARTS else "now",
        "error": error,
        "address": address_for_phones(request, "table", found.code),
        **_parts(request, page, tab, asked),
    }
    template = "table/table.html" if request.htmx else "table/page.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=error.status if error else 200)


def _asked(request: HttpRequest, error: Refusal | None) -> QueryDict:
    """What the page is asked for. Who was refused goes on uncovered; who has entered finds the cover."""
    asked = request.GET.copy()
    if error and request.POST.get("open"):
        asked["as"], asked["open"] = request.POST.get("faction", ""), request.POST["open"]
    return asked


def _parts(request: HttpRequest, page: TablePage, tab: str, asked: QueryDict) -> dict[str, Any]:
    """What the tab shows."""
    if tab == "menu" or (page.is_open and tab != "help"):
        return {
            "typed_name": name_of(request),
            "free_factions": _free_factions(page),
            "printed": _printed(request, page),
            "circle_names": circles.names_of(page.table.circle) if page.table.circle else [],
            "circles": _circles(request, page),
        }
    if not page.started:
        return {}
    newest = page.newest
    shown: dict[str, Any] = {"newest": newest, "undo_label": page.undo_label(newest), "redo": page.redo()}
    match tab:
        case "board":
            pass  # rendered by the template
        case "score":
            shown["drawing"] = live_drawing(page.table)
        case "journal":
            shown["journal"] = page.journal(_number(request.GET.get("before")))
        case "help":
            shown["printed"] = _printed(request, page)
        case "correct":
            shown["correct"] = page.correct_form(request.GET.get("place", ""))
        case _:
            shown |= {
                **page.entry_form(asked.get("as")),
                "waiting": page.waiting(),
            }
    return shown


def _printed(request: HttpRequest, page: TablePage) -> dict[str, Any] | None:
    """Whose printed figures the table takes, which the host may choose, and how many nobody has compared."""
    if not page.game.board.figures:
        return None
    chosen = page.table.board
    copies = {copy.pk: copy for copy in [*([chosen] if chosen else []), *copies_of(request, page.game)]}
    return {
        "chosen": chosen,
        "as_shipped": board_copies.began_as_shipped(page.game, page.table),
        "copies": list(copies.values()),
        "unconfirmed": len(board_copies.unconfirmed(page.game, chosen)),
    }


def _circles(request: HttpRequest, page: TablePage) -> list[dict[str, Any]]:
    """The circles that the phone knows and the host may choose from; to others, the one the game counts in."""
    return [
        {"key": key, "circle": circle, "chosen": circle.pk == page.table.circle_id}
        for key, circle in circles_of(request)
        if page.access.is_host or circle.pk == page.table.circle_id
    ]


def _free_factions(page: TablePage) -> list[tuple[str, str, bool]]:
    """Every faction with its name, and whether it can be taken."""
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


# What is tapped

Deed = Callable[[HttpRequest, Table, TableAccess], HttpResponse | None]


def deed(do: Deed) -> Callable[..., HttpResponse]:
    """A tap: do it, then show the table as it is now; a refusal is shown on top of it."""

    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            found = table_of(request, code)
        except Refusal as refusal:
            return message_page(request, refusal.message, refusal.status)
        access = access_of(request, found)
        try:
            response = do(request, found, access)
        except Refusal as refusal:
            refresh(found)
            return _page(request, found, access_of(request, found), refusal)
        return response or _back(request, found)

    return require_POST(view)


def _back(request: HttpRequest, found: Table) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        refresh(found)
        return _page(request, found, access_of(request, found))
    tab = request.GET.get("tab")
    address = reverse("table", args=[found.code])
    return redirect(f"{address}?tab={tab}" if tab in PARTS else address)


@deed
def act(request: HttpRequest, found: Table, access: TableAccess) -> None:
    try:
        submit.submit(
            table=found,
            access=access,
            faction=request.POST.get("faction", ""),
            action=screen_of(found).action(request.POST.dict()),
            key=request.POST.get("key") or None,
        )
    except Refusal as refusal:
        raise _meanwhile(request, found, access, refusal) from None


def _meanwhile(request: HttpRequest, found: Table, access: TableAccess, refusal: Refusal) -> Refusal:
    """A refusal that also tells what was entered since the form was drawn: mostly, that is the reason."""
    refresh(found)
    seen = _number(request.POST.get("seen"))
    if seen is None or seen >= found.head or refusal.code not in ("illegal", "bad-input"):
        return refusal
    page = TablePage(found, access)
    newest = page.newest
    if newest is None or newest.faction not in page.players:
        return refusal
    named = {"name": page.players[newest.faction].name, "what": page.title(newest)}
    told = _("Meanwhile %(name)s entered: %(what)s") % named
    return Refusal(refusal.code, f"{refusal.message} {told}", refusal.rule)


@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """What the form would lead to as it is filled in now: the standings, or why not. Nothing is kept."""
    try:
        found = table_of(request, code)
        access = access_of(request, found)
        page = TablePage(found, access, scribe=is_scribe(request, found))
        faction, form = request.POST.get("faction", ""), request.POST.dict()
        if isinstance(page.screen, Forecasts) and page.started and faction in page.mine():
            lines = page.screen.forecast(page.state, faction, form)
            return render(request, "table/forecast.html", {"lines": lines})
        action = page.screen.action(form)
        outcome = submit.preview(table=found, access=access, faction=faction, action=action)
    except Refusal as refusal:
        return render(request, "table/preview.html", {"error": refusal})
    return render(request, "table/preview.html", {"rows": page.gains(outcome.state)})


@deed
def correct(request: HttpRequest, found: Table, access: TableAccess) -> None:
    fields = {name: request.POST.get(name, "") for name in ("owner", "piece", "place", "reason")}
    count = _number(request.POST.get("count"))
    against = request.POST.get("against")
    action = {
        "type": "correct",
        **fields,
        "count": -1 if count is None else count,
        **({"against": against} if against else {}),
    }
    faction = access.factions[0] if access.is_seated else next(iter(found.order), "")
    submit.submit(
        table=found, access=access, faction=faction, action=action, key=request.POST.get("key") or None
    )


@deed
def undo(request: HttpRequest, found: Table, access: TableAccess) -> None:
    submit.undo(table=found, access=access, number=_number(request.POST.get("number")))


@deed
def redo(request: HttpRequest, found: Table, access: TableAccess) -> None:
    submit.redo(table=found, access=access, number=_number(request.POST.get("number")))


@deed
def back_to(request: HttpRequest, found: Table, access: TableAccess) -> None:
    number = _number(request.POST.get("number"))
    if number is None:
        raise Refusal("bad-input", _("Say which entry to go back to."))
    submit.back_to(table=found, access=access, number=number)


@deed
def tick(request: HttpRequest, found: Table, access: TableAccess) -> None:
    """The button's value says what it leads to (``3:1`` is line 3 done), so that two taps are as one."""
    text, _colon, done = request.POST.get("line", "").partition(":")
    number, line = _number(request.POST.get("number")), _number(text)
    if number is not None and text == "all":
        submit.tick_all(table=found, access=access, number=number)
        return
    if number is None or line is None or done not in ("0", "1"):
        raise Refusal("bad-input", _("Say which line is done."))
    submit.tick(table=found, access=access, number=number, line=line, done=done == "1")


@deed
def pause(request: HttpRequest, found: Table, access: TableAccess) -> None:
    """Have a break, or go on."""
    match request.POST.get("do"):
        case "begin":
            breaks.begin(table=found, access=access)
        case "end":
            breaks.end(table=found, access=access)
        case _:
            raise Refusal("bad-input", _("There is no such button."))


# Seats


@deed
def sit(request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse:  # noqa: ARG001
    rate_limits.JOIN.take(address_of(request))
    name = request.POST.get("name", "")
    seat, token = seats.take_seat(table=found, name=name, faction=request.POST.get("faction", ""))
    response = redirect("table", code=found.code)
    remember(response, request, token)
    remember_name(response, seat.name)
    return response


@deed
def seat(request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse | None:
    """Change, free, hand the host over to, move a seat, or forget who sat there."""
    row = _seat(request, found)
    match request.POST.get("do"):
        case "change":
            seats.change_seat(
                table=found,
                access=access,
                seat=row,
                name=request.POST.get("name", row.name),
                faction=request.POST.get("faction", row.faction),
            )
        case "forget":
            return _forget(request, found, access, row)
        case "free":
            seats.free_seat(table=found, access=access, seat=row)
        case "host":
            hosting.hand_over(table=found, access=access, seat=row)
        case "take-over":
            hosting.take_over(table=found, access=access, seat=row)
        case "move":
            return _move_page(request, found, access, row)
        case _:
            raise Refusal("bad-input", _("There is no such button."))
    return None


def _forget(request: HttpRequest, found: Table, access: TableAccess, row: Seat) -> HttpResponse:
    """The table forgets a name; so does the phone, if the name was its owner's."""
    seats.forget_name(table=found, access=access, seat=row)
    response = _back(request, found)
    if row.name == name_of(request):
        forget_name(response)
    return response


def _seat(request: HttpRequest, found: Table) -> Seat:
    row = found.seats.filter(number=_number(request.POST.get("seat")) or 0).first()
    if row is None:
        raise Refusal("unknown", _("There is no such seat."))
    return row


def _move_page(request: HttpRequest, found: Table, access: TableAccess, row: Seat) -> HttpResponse:
    ticket = seats.ticket_for(access=access, seat=row)
    address = address_for_phones(request, "claim", found.code, query=f"ticket={ticket}")
    return render(request, "table/move.html", {"table": found, "seat": row, "address": address})


@require_GET
def all_seats(request: HttpRequest, code: str) -> HttpResponse:
    """A code for each seat, so that everybody is back by one scan: cookies stay behind when an address changes."""
    try:
        found = table_of(request, code)
        access = access_of(request, found)
        refuse_unless_host(access)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    being_host = f"{hosting.HOST_TICKET}={hosting.ticket_for_host(found)}"
    context = {
        "table": found,
        "game": game_of(found),
        "here": reverse("all-seats", args=[found.code]),
        "rows": [_seat_code(request, found, access, row) for row in found.seats.all()],
        "host_address": address_for_phones(request, "claim", found.code, query=being_host),
    }
    template = "table/all_seats_list.html" if request.htmx else "table/all_seats.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response


def _seat_code(request: HttpRequest, found: Table, access: TableAccess, row: Seat) -> dict[str, Any]:
    ticket = seats.ticket_for(access=access, seat=row)
    address = address_for_phones(request, "claim", found.code, query=f"ticket={ticket}")
    return {"seat": row, "ticket": ticket, "address": address, "is_here": row in access.seats}


def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Where a QR leads that moves a seat to this phone, or being host: says what it does, then does it."""
    sent = request.POST if request.method == "POST" else request.GET
    ticket, host_ticket = sent.get("ticket", ""), sent.get(hosting.HOST_TICKET, "")
    try:
        found = table_of(request, code)
        if request.method != "POST":
            seat = seats.seat_of(found, ticket)
            name = seats.shown_name(seat) if seat else ""
            context = {"table": found, "ticket": ticket, "host_ticket": host_ticket, "name": name}
            return render(request, "table/claim.html", context)
        rate_limits.JOIN.take(address_of(request))
        if host_ticket:
            response = redirect("all-seats", code=found.code)
            token = hosting.redeem_host(table=found, ticket=host_ticket)
        else:
            response = redirect("table", code=found.code)
            _row, token = seats.redeem(table=found, ticket=ticket)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    remember(response, request, token)
    return response


# The host


def _set_option(request: HttpRequest, found: Table, access: TableAccess) -> None:
    name, value = request.POST.get("name", ""), _option_value(request.POST.get("value", ""))
    opening.set_option(table=found, access=access, name=name, value=value)


def _choose_board(request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse | None:
    refuse_unless_host(access)
    code = "".join(request.POST.get("board", "").split())
    board = board_copies.find_board(address_of(request), found.game, code) if code else None
    board_copies.choose_board(table=found, access=access, board=board)
    response = _back(request, found)
    if board:
        remember_board(response, request, board.code)
    return response


def _choose_circle(request: HttpRequest, found: Table, access: TableAccess) -> None:
    """By its key, which the phone has; an empty one is none."""
    refuse_unless_host(access)
    key = request.POST.get("circle", "")
    circle = circles.find_circle(address_of(request), key) if key else None
    circles.put_into_circle(table=found, access=access, circle=circle)


def _rematch(request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse:
    refuse_unless_host(access)
    rate_limits.OPEN_TABLE.take(address_of(request))
    return redirect("table", code=opening.rematch(table=found, access=access).code)


def _delete(_request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse:
    hosting.delete(table=found, access=access)
    return redirect("home")


def _scribe(request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse:
    refuse_unless_host(access)
    response = redirect("table", code=found.code)
    set_scribe(response, request, found, on=request.POST["do"] == "scribe")
    return response


HOST_ACTIONS: dict[str, Deed] = {
    "start": lambda _request, found, access: opening.start(table=found, access=access),
    "shuffle": lambda _request, found, access: opening.shuffle_seats(table=found, access=access),
    "option": _set_option,
    "board": _choose_board,
    "circle": _choose_circle,
    "lock": lambda _request, found, access: hosting.set_locked(table=found, access=access, locked=True),
    "unlock": lambda _request, found, access: hosting.set_locked(table=found, access=access, locked=False),
    "finish": lambda _request, found, access: hosting.finish(table=found, access=access),
    "abandon": lambda _request, found, access: hosting.abandon(table=found, access=access),
    "reopen": lambda _request, found, access: hosting.reopen(table=found, access=access),
    "rematch": _rematch,
    "delete": _delete,
    "scribe": _scribe,
    "no-scribe": _scribe,
}


@deed
def host(request: HttpRequest, found: Table, access: TableAccess) -> HttpResponse | None:
    """Everything only the host may do."""
    do = HOST_ACTIONS.get(request.POST.get("do", ""))
    if do is None:
        raise Refusal("bad-input", _("There is no such button."))
    return do(request, found, access)


def _option_value(text: str) -> Any:
    """What a form's text means: yes, no, a number, or a word."""
    words = {"true": True, "false": False, "": None}
    number = _number(text)
    return words.get(text, text if number is None else number)
