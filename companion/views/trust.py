"""How a phone learns to trust a laptop with a certificate of its own."""

from __future__ import annotations

from cryptography import x509
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from companion.certificates import AUTHORITY, as_installed, authority_of, fingerprint
from companion.views.pages import message_page


@require_GET
def trust(request: HttpRequest) -> HttpResponse:
    """What to tap on Android and on iOS, and what to compare."""
    authority = _authority()
    if authority is None:
        return _none_here(request)
    context = {"name": _name_of(authority), "fingerprint": fingerprint(authority), "site": _site(request)}
    return render(request, "home/trust.html", context)


@require_GET
def authority(request: HttpRequest) -> HttpResponse:
    """The authority itself, in the form that phones install."""
    found = _authority()
    if found is None:
        return _none_here(request)
    response = HttpResponse(as_installed(found), content_type="application/x-x509-ca-cert")
    response["Content-Disposition"] = 'attachment; filename="seneschal.crt"'
    response["Cache-Control"] = "no-store"
    return response


def _authority() -> x509.Certificate | None:
    """The one this server has; looking at the page makes none."""
    folder = settings.CERTIFICATES
    return authority_of(folder) if settings.HTTPS and (folder / AUTHORITY).exists() else None


def _name_of(authority: x509.Certificate) -> str:
    return str(authority.subject.rdns[0].rfc4514_string()).partition("=")[2]


def _site(request: HttpRequest) -> str:
    """The same machine behind its other door."""
    host = request.get_host()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return f"https://{name}:{settings.HTTPS_PORT}/"


def _none_here(request: HttpRequest) -> HttpResponse:
    sentence = _("This server has no certificate of its own. Start it with “make run HTTPS=1” to make one.")
    return message_page(request, sentence, 404)
