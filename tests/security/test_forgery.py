"""Cross-site requests: other sites can neither send requests as a user nor read responses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from companion.models import Table
from companion.web.phone import SEATS_COOKIE
from tests.hostile import sitting_at
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db
EVIL = "https://evil.example"
SAMPLE_VALUES = {
    "code": "CDFGHJ",
    "slug": "raubritter",
    "key": "k" * 32,
    "number": "1",
    "name": "x",
    "rule": "1",
}


def addresses(patterns: list[Any], before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield every URL of the site, with sample values for its parameters."""
    for pattern in patterns:
        address = before + re.sub(
            r"<(?:\w+:)?(\w+)>", lambda match: SAMPLE_VALUES.get(match[1], "1"), str(pattern.pattern)
        )
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, address)
        else:
            yield address, pattern


PAGES = {
    address: pattern
    for address, pattern in addresses(get_resolver().url_patterns)
    if not address.startswith(("api/", "admin/"))
}


def test_pages_are_found() -> None:
    assert len(PAGES) > 55
    assert {"open/", "t/CDFGHJ/act/", "t/CDFGHJ/claim/", "boards/raubritter/CDFGHJ/", "i18n/setlang/"} <= set(
        PAGES
    )


@pytest.mark.parametrize("address", sorted(PAGES))
def test_every_form_needs_a_csrf_token(address: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(f"/{address}", {})
    assert answer.status_code == 403
    assert not getattr(PAGES[address].callback, "csrf_exempt", False)


def test_form_from_another_origin_is_rejected() -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    token = client.cookies["csrftoken"].value
    fields = {"game": "raubritter", "csrfmiddlewaretoken": token}
    assert client.post("/open/", fields, headers={"origin": EVIL}).status_code == 403
    assert client.post("/open/", fields).status_code == 302
    assert Table.objects.count() == 1


@pytest.fixture
def sitting() -> Sitting:
    return sitting_at("raubritter", entries=3)


def test_api_ignores_cookies(sitting: Sitting) -> None:
    """Browsers attach cookies to cross-site requests, but no Authorization header."""
    client = Client()
    client.cookies[SEATS_COOKIE] = sitting.host_token
    for part in ("undo/", "redo/", "start/", "actions/", "preview/", "mend/", "circle/"):
        answer = client.post(f"/api/tables/{sitting.table.code}/{part}", {}, content_type="application/json")
        assert answer.status_code == 401, part
    assert sitting.fresh().version == sitting.table.version


def test_no_cors_headers_are_sent(sitting: Sitting) -> None:
    headers = {
        "origin": EVIL,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
    }
    for address in (
        "/",
        f"/t/{sitting.table.code}/",
        f"/api/tables/{sitting.table.code}/state/",
        "/api/tables/",
    ):
        for request in (Client().get, Client().options, Client().post):
            answer = request(address, headers=headers)
            assert not [name for name in answer.headers if name.lower().startswith("access-control")], address
    stream = Client().head(f"/api/tables/{sitting.table.code}/events/", headers=headers)
    assert "Access-Control-Allow-Origin" not in stream.headers


@pytest.mark.parametrize(
    "target", [EVIL, "//evil.example", "/\\evil.example", "javascript:alert(1)", "https:evil.example"]
)
def test_redirects_stay_on_the_site(target: str) -> None:
    for address in ("/look/", "/hints/", "/i18n/setlang/"):
        answer = Client().post(address, {"next": target, "language": "hu", "hint": "none"})
        assert answer.status_code == 302
        assert answer["Location"].startswith("/")
        assert not answer["Location"].startswith(("//", "/\\"))
