"""Actions reserved to the host of a table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from companion.access import rate_limits
from companion.access.table_access import TableAccess, refuse_unless_host
from companion.errors import Refusal
from companion.models import Table
from companion.pages.numbers import parse_number
from companion.pages.table.table_action import TableAction, show_table, table_action
from companion.tables import board_copies, circles, hosting, opening
from companion.web.phone import address_of, remember_board, set_scribe


def _set_option(request: HttpRequest, table: Table, access: TableAccess) -> None:
    name, value = request.POST.get("name", ""), _option_value(request.POST.get("value", ""))
    opening.set_option(table=table, access=access, name=name, value=value)


def _option_value(text: str) -> Any:
    """Parse a form value: a boolean, none, a number or text."""
    words = {"true": True, "false": False, "": None}
    number = parse_number(text)
    return words.get(text, text if number is None else number)


def _choose_board(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse | None:
    refuse_unless_host(access)
    code = "".join(request.POST.get("board", "").split())
    board = board_copies.find_board(address_of(request), table.game, code) if code else None
    board_copies.choose_board(table=table, access=access, board=board)
    response = show_table(request, table)
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
