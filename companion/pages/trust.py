"""Pages to install the server's own certificate authority on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from companion.web.messages import message_page

if TYPE_CHECKING:
    from companion.operations.certificates import Authority


@require_GET
def trust(request: HttpRequest) -> HttpResponse:
    """Show the steps for Android and iOS, and the fingerprint to compare."""
    authority = _authority()
    if authority is None:
        return _no_authority(request)
    context = {"name": authority.name, "fingerprint": authority.fingerprint, "site": _site(request)}
    return render(request, "home/trust.html", context)


@require_GET
def authority(request: HttpRequest) -> HttpResponse:
    """Download the authority's certificate in the format that phones install."""
    own = _authority()
    if own is None:
        return _no_authority(request)
    response = HttpResponse(own.installed, content_type="application/x-x509-ca-cert")
    response["Content-Disposition"] = 'attachment; filename="seneschal.crt"'
    response["Cache-Control"] = "no-store"
    return response


def _authority() -> Authority | None:
    """Return the existing authority of this server; never create one."""
    if not settings.HTTPS:
        return None
    from companion.operations.certificates import installed_authority  # noqa: PLC0415 - cryptography takes 7 MB of memory

    return installed_authority(settings.CERTIFICATES)


def _site(request: HttpRequest) -> str:
    """Return the HTTPS URL of this host."""
    host = request.get_host()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return f"https://{name}:{settings.HTTPS_PORT}/"


def _no_authority(request: HttpRequest) -> HttpResponse:
    sentence = _("This server has no certificate of its own. Start it with “make run HTTPS=1” to make one.")
    return message_page(request, sentence, 404)
