"""The view of the table page, with its ETag.

Pages are complete without JavaScript. With it, htmx requests the same URL, gets only the part that changes
(`templates/table/table.html`) and morphs it into the page.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from companion.access.table_access import TableAccess
from companion.errors import Refusal
from companion.models import Status, Table
from companion.pages.table.rendering import render_page
from companion.statistics.circle_views import circles_of
from companion.tables import circles, hosting
from companion.web.messages import message_page
from companion.web.phone import (
    access_of,
    board_codes_of,
    dismissed_hints,
    is_scribe,
    looks_of,
    name_of,
    table_of,
)


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
    response = render_page(request, table, access)
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
