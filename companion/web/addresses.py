"""URLs to be scanned or typed on another phone."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from run import EVERY_ADDRESS, addresses_for_phones, own_addresses, phones_can_open


def address_for_phones(request: HttpRequest, name: str, *args: str, query: str = "") -> str:
    """Return the absolute URL of a page, with a LAN address in place of a host such as localhost."""
    path = reverse(name, args=args) + (f"?{query}" if query else "")
    address = request.build_absolute_uri(path)
    parts = urlsplit(address)
    if settings.LISTENS_ON not in EVERY_ADDRESS or phones_can_open(parts.hostname or ""):
        return address
    own = addresses_for_phones(settings.LISTENS_ON, own_addresses())
    if not own:
        return address
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit(parts._replace(netloc=own[0] + port))
