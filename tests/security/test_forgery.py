"""Other sites cannot send anything in somebody's name, nor read what they see."""

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
STANDS_FOR = {
    "code": "CDFGHJ",
    "slug": "raubritter",
    "key": "k" * 32,
    "number": "1",
    "name": "x",
    "rule": "1",
}


def addresses(patterns: list[Any], before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address of the site, with something for each of its parts."""
    for one in patterns:
        address = before + re.sub(
            r"<(?:\w+:)?(\w+)>", lambda found: STANDS_FOR.get(found[1], "1"), str(one.pattern)
        )
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, address)
        else:
            yield address, one


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
def test_no_page_takes_a_form_without_its_token(address: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(f"/{address}", {})
    assert answer.status_code == 403
    assert not getattr(PAGES[address].callback, "csrf_exempt", False)


def test_a_form_from_elsewhere_is_refused_even_with_a_token() -> None:
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


def test_the_api_does_nothing_for_a_cookie(sitting: Sitting) -> None:
    """A browser sends cookies by itself, a header it does not."""
    client = Client()
    client.cookies[SEATS_COOKIE] = sitting.host_token
    for part in ("undo/", "redo/", "start/", "actions/", "preview/", "mend/", "circle/"):
        answer = client.post(f"/api/tables/{sitting.table.code}/{part}", {}, content_type="application/json")
        assert answer.status_code == 401, part
    assert sitting.fresh().version == sitting.table.version


def test_nothing_is_readable_for_other_sites(sitting: Sitting) -> None:
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
        for ask in (Client().get, Client().options, Client().post):
            answer = ask(address, headers=headers)
            assert not [name for name in answer.headers if name.lower().startswith("access-control")], address
    stream = Client().head(f"/api/tables/{sitting.table.code}/events/", headers=headers)
    assert "Access-Control-Allow-Origin" not in stream.headers


@pytest.mark.parametrize(
    "target", [EVIL, "//evil.example", "/\\evil.example", "javascript:alert(1)", "https:evil.example"]
)
def test_nothing_leads_away(target: str) -> None:
    for address in ("/look/", "/hints/", "/i18n/setlang/"):
        answer = Client().post(address, {"next": target, "language": "hu", "hint": "none"})
        assert answer.status_code == 302
        assert answer["Location"].startswith("/")
        assert not answer["Location"].startswith(("//", "/\\"))
