"""Views of a table's seats: taking, changing and freeing them, and moving them to another phone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from companion.access import rate_limits
from companion.access.table_access import TableAccess, refuse_unless_host
from companion.errors import Refusal
from companion.journal.states import game_of
from companion.models import Seat, Table
from companion.pages.numbers import parse_number
from companion.pages.table.table_action import show_table, table_action
from companion.tables import hosting, seats
from companion.web.addresses import address_for_phones
from companion.web.messages import message_page
from companion.web.phone import (
    access_of,
    address_of,
    forget_name,
    name_of,
    remember,
    remember_name,
    table_of,
)


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
    response = show_table(request, table)
    if row.name == name_of(request):
        forget_name(response)
    return response


def _seat(request: HttpRequest, table: Table) -> Seat:
    row = table.seats.filter(number=parse_number(request.POST.get("seat")) or 0).first()
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
