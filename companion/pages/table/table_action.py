"""Decorator for the POST views behind the buttons of a table page."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from companion.access.table_access import TableAccess
from companion.errors import Refusal
from companion.journal.versions import refresh
from companion.models import Table
from companion.pages.table.rendering import TABS, render_page
from companion.web.messages import message_page
from companion.web.phone import access_of, table_of

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
            return render_page(request, table, access_of(request, table), refusal)
        return response or show_table(request, table)

    return require_POST(view)


def show_table(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the current table: for htmx its changing part, otherwise by a redirect to the same tab."""
    if request.htmx:  # type: ignore[attr-defined]
        refresh(table)
        return render_page(request, table, access_of(request, table))
    tab = request.GET.get("tab")
    address = reverse("table", args=[table.code])
    return redirect(f"{address}?tab={tab}" if tab in TABS else address)
