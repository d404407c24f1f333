"""Pages with a single message: errors and dead links."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from companion.access.table_access import find
from companion.errors import Refusal
from companion.models import Table
from companion.web.phone import table_of

# Statuses that link back to the table. 429 is not among them: the link would confirm a guessed code.
WAYS_BACK = (200, 401, 403, 404, 409)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return message_page(request, _("There is nothing here."), 404)


def stale(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - signature of CSRF_FAILURE_VIEW
    """CSRF failure: the cookie was lost, or the form comes from another site."""
    sentence = _("This page is too old to send anything. Nothing was changed; please load it again.")
    # Use the rate-limited lookup: the view, which would have counted this request, did not run.
    context = {"message": sentence, **_way_back(request, partial(table_of, request))}
    response = render(request, "home/message.html", context, status=403)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"  # the script keeps drafts across the reload
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    return message_page(request, _("Something went wrong on our side. Nothing was changed."), 500)


def message_page(request: HttpRequest, message: str, status: int) -> HttpResponse:
    context = {"message": message, **(_way_back(request, find) if status in WAYS_BACK else {})}
    return render(request, "home/message.html", context, status=status)


def _way_back(request: HttpRequest, look_up: Callable[[str], Table]) -> dict[str, Any]:
    """Return the table to link back to, if the URL belongs to one and its code is valid."""
    match = request.resolver_match
    if match is None or not match.route.startswith("t/"):
        return {}
    try:
        return {"table": look_up(match.kwargs["code"]), "is_wrong_code": False}
    except Refusal:
        return {"table": None, "is_wrong_code": True}
