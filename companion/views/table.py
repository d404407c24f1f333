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

from companion import limits
from companion.errors import Refusal
from companion.models import Seat, Status, Table
from companion.screens import screen_of
from companion.screens.base import Forecasts
from companion.states import game_of
from companion.statistics.lines import live_drawing
from companion.tables import boards, breaks, circles, hosting, opening, play, seats
from companion.tables.changes import refresh
from companion.tables.holders import Holder, refuse_unless_host
from companion.views.addresses import address_for_phones
from companion.views.boards import copies_of
from companion.views.circles import circles_of
from companion.views.now import TABS, Sight
from companion.views.pages import message_page
from companion.views.phone import (
    address_of,
    board_codes_of,
    forget_name,
    hints_away,
    holder_of,
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
    holder = holder_of(request, found)
    tag = _entity_tag(request, found, holder)
    # Compressing a page makes its tag a weak one. A browser that lost its cookie since needs a page that sets it.
    known = [one.removeprefix("W/") for one in parse_etags(request.headers.get("If-None-Match", ""))]
    if tag in known and "CSRF_COOKIE" in request.META:
        return HttpResponseNotModified(headers={"ETag": tag})
    response = _page(request, found, holder)
    response["ETag"] = tag
    # What was uncovered on a shared phone is gone with the page: no way back leads to it.
    response["Cache-Control"] = "no-store" if request.GET.get("open") else "no-cache"
    patch_vary_headers(response, ["Cookie", "Accept-Language", "HX-Request"])
    return response


def _entity_tag(request: HttpRequest, found: Table, holder: Holder) -> str:
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
        holder.is_host,
        holder.factions,
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


def _page(request: HttpRequest, found: Table, holder: Holder, error: Refusal | None = None) -> HttpResponse:
    asked = _asked(request, error)
    sight = Sight(
        found,
        holder,
        scribe=is_scribe(request, found),
        shown_to=asked.get("open"),
    )
    tab = request.GET.get("tab", "now")
    url = reverse("table", args=[found.code])
    here = f"{url}?{asked.urlencode()}" if asked else url
    context = {
        "url": url,
        "here": here,
        "sight": sight,
        "table": found,
        "game": sight.game,
        "tab": tab if tab in PARTS else "now",
        "error": error,
        "address": address_for_phones(request, "table", found.code),
        **_parts(request, sight, tab, asked),
    }
    template = "table/table.html" if request.htmx else "table/page.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=error.status if error else 200)


def _asked(request: HttpRequest, error: Refusal | None) -> QueryDict:
    """What the page is asked for. Who was refused goes on uncovered; who has entered finds the cover."""
    asked = request.GET.copy()
    if error and request.POST.get("open"):
        asked["as"], asked["open"] = request.POST.get("faction", ""), request.POST["open"]
    return asked


def _parts(request: HttpRequest, sight: Sight, tab: str, asked: QueryDict) -> dict[str, Any]:
    """What the tab shows."""
    if tab == "menu" or (sight.is_open and tab != "help"):
        return {
            "typed_name": name_of(request),
            "free_factions": _free_factions(sight),
            "printed": _printed(request, sight),
            "circle_names": circles.names_of(sight.table.circle) if sight.table.circle else [],
            "circles": _circles(request, sight),
        }
    if not sight.started:
        return {}
    newest = sight.newest
    shown: dict[str, Any] = {"newest": newest, "undo_label": sight.undo_label(newest), "redo": sight.redo()}
    match tab:
        case "board":
            pass  # rendered by the template
        case "score":
            shown["drawing"] = live_drawing(sight.table)
        case "journal":
            shown["journal"] = sight.journal(_number(request.GET.get("before")))
        case "help":
            shown["printed"] = _printed(request, sight)
        case "correct":
            shown["correct"] = sight.correct_form(request.GET.get("place", ""))
        case _:
            shown |= {
                **sight.entry_form(asked.get("as")),
                "waiting": sight.waiting(),
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
        "as_shipped": boards.began_as_shipped(sight.game, sight.table),
        "copies": list(copies.values()),
        "unconfirmed": len(boards.unconfirmed(sight.game, chosen)),
    }


def _circles(request: HttpRequest, sight: Sight) -> list[dict[str, Any]]:
    """The circles that the phone knows and the host may choose from; to others, the one the game counts in."""
    return [
        {"key": key, "circle": circle, "chosen": circle.pk == sight.table.circle_id}
        for key, circle in circles_of(request)
        if sight.holder.is_host or circle.pk == sight.table.circle_id
    ]


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
            found = table_of(request, code)
        except Refusal as refusal:
            return message_page(request, refusal.message, refusal.status)
        holder = holder_of(request, found)
        try:
            response = do(request, found, holder)
        except Refusal as refusal:
            refresh(found)
            return _page(request, found, holder_of(request, found), refusal)
        return response or _back(request, found)

    return require_POST(view)


def _back(request: HttpRequest, found: Table) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        refresh(found)
        return _page(request, found, holder_of(request, found))
    tab = request.GET.get("tab")
    address = reverse("table", args=[found.code])
    return redirect(f"{address}?tab={tab}" if tab in PARTS else address)


@deed
def act(request: HttpRequest, found: Table, holder: Holder) -> None:
    try:
        play.submit(
            table=found,
            holder=holder,
            faction=request.POST.get("faction", ""),
            action=screen_of(found).action(request.POST.dict()),
            key=request.POST.get("key") or None,
        )
    except Refusal as refusal:
        raise _meanwhile(request, found, holder, refusal) from None


def _meanwhile(request: HttpRequest, found: Table, holder: Holder, refusal: Refusal) -> Refusal:
    """A refusal that also tells what was entered since the form was drawn: mostly, that is the reason."""
    refresh(found)
    seen = _number(request.POST.get("seen"))
    if seen is None or seen >= found.tip or refusal.code not in ("illegal", "bad-input"):
        return refusal
    sight = Sight(found, holder)
    newest = sight.newest
    if newest is None or newest.faction not in sight.players:
        return refusal
    named = {"name": sight.players[newest.faction].name, "what": sight.title(newest)}
    told = _("Meanwhile %(name)s entered: %(what)s") % named
    return Refusal(refusal.code, f"{refusal.message} {told}", refusal.rule)


@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """What the form would lead to as it is filled in now: the standings, or why not. Nothing is kept."""
    try:
        found = table_of(request, code)
        holder = holder_of(request, found)
        sight = Sight(found, holder, scribe=is_scribe(request, found))
        faction, form = request.POST.get("faction", ""), request.POST.dict()
        if isinstance(sight.screen, Forecasts) and sight.started and faction in sight.mine():
            lines = sight.screen.forecast(sight.state, faction, form)
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
    against = request.POST.get("against")
    action = {
        "type": "correct",
        **fields,
        "count": -1 if count is None else count,
        **({"against": against} if against else {}),
    }
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


@deed
def pause(request: HttpRequest, found: Table, holder: Holder) -> None:
    """Have a break, or go on."""
    match request.POST.get("do"):
        case "begin":
            breaks.begin(table=found, holder=holder)
        case "end":
            breaks.end(table=found, holder=holder)
        case _:
            raise Refusal("bad-input", _("There is no such button."))


# Seats


@deed
def sit(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse:  # noqa: ARG001
    limits.JOIN.take(address_of(request))
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
    address = address_for_phones(request, "claim", found.code, query=f"ticket={ticket}")
    return render(request, "table/move.html", {"table": found, "seat": row, "address": address})


@require_GET
def all_seats(request: HttpRequest, code: str) -> HttpResponse:
    """A code for each seat, so that everybody is back by one scan: cookies stay behind when an address changes."""
    try:
        found = table_of(request, code)
        holder = holder_of(request, found)
        refuse_unless_host(holder)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    being_host = f"{hosting.HOST_TICKET}={hosting.ticket_for_host(found)}"
    context = {
        "table": found,
        "game": game_of(found),
        "here": reverse("all-seats", args=[found.code]),
        "rows": [_seat_code(request, found, holder, row) for row in found.seats.all()],
        "host_address": address_for_phones(request, "claim", found.code, query=being_host),
    }
    template = "table/all_seats_list.html" if request.htmx else "table/all_seats.html"  # type: ignore[attr-defined]
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response


def _seat_code(request: HttpRequest, found: Table, holder: Holder, row: Seat) -> dict[str, Any]:
    ticket = seats.ticket_for(holder=holder, seat=row)
    address = address_for_phones(request, "claim", found.code, query=f"ticket={ticket}")
    return {"seat": row, "ticket": ticket, "address": address, "is_here": row in holder.seats}


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
        limits.JOIN.take(address_of(request))
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


def _choose_circle(request: HttpRequest, found: Table, holder: Holder) -> None:
    """By its key, which the phone has; an empty one is none."""
    refuse_unless_host(holder)
    key = request.POST.get("circle", "")
    circle = circles.find_circle(address_of(request), key) if key else None
    circles.put_into_circle(table=found, holder=holder, circle=circle)


def _rematch(request: HttpRequest, found: Table, holder: Holder) -> HttpResponse:
    refuse_unless_host(holder)
    limits.OPEN_TABLE.take(address_of(request))
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
    "circle": _choose_circle,
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
