"""Security headers of every response, no requests to other sites, and cookie attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client, override_settings

from companion.api import payloads
from companion.pages import home as home_views
from companion.web import messages
from tests.hostile import sitting_at
from tests.pages.conftest import Phone
from tests.tables.sitting import Sitting

ALWAYS = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}
INLINE = re.compile(rb"<script(?![^>]*(?:\bsrc=|application/json))|<style|\sstyle=|\son[a-z]+=|javascript:")


def check(answer: Any, status: int) -> None:
    assert answer.status_code == status, answer.content[:300]
    policy = answer.headers["Content-Security-Policy"]
    directives = {part.strip() for part in policy.split(";")}
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= directives
    assert "unsafe" not in policy
    assert {name: answer.headers.get(name) for name in ALWAYS} == ALWAYS


@pytest.fixture
def sitting(db: None) -> Sitting:
    return sitting_at("raubritter", entries=4)


def test_headers_of_pages_and_files(sitting: Sitting) -> None:
    client, home = Client(), f"/t/{sitting.table.code}/"
    for address in (
        "/",
        "/help/",
        "/calculators/",
        "/stats/",
        "/admin/login/",
        home,
        f"{home}display/",
        f"{home}replay/",
    ):
        answer = client.get(address)
        check(answer, 200)
        assert not INLINE.search(answer.content), address
    for part in ("report/summary.svg", "report/standalone.html", "standings.csv", "game.json"):
        check(client.get(home + part), 200)
    for part in ("", "state/", "events/"):
        check(client.head(f"/api/tables/{sitting.table.code}/{part}"), 200)
    check(client.get(f"/t/{sitting.table.code}"), 301)
    check(client.get("/api/docs/"), 200)


def test_headers_of_rejected_requests(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    client, home, api = Client(), f"/t/{sitting.table.code}/", f"/api/tables/{sitting.table.code}/"
    check(client.get("/no/such/page/"), 404)
    check(client.get("/t/CCCCCC/"), 404)
    check(client.get("/api/no/such/"), 404)
    check(client.get("/", headers={"host": "evil.example"}), 400)
    check(client.get("/api/", headers={"host": "evil.example"}), 400)
    check(client.post(f"{home}act/", {"type": "fly"}), 401)
    check(client.post("/open/", {f"field{n}": "" for n in range(1_500)}), 400)
    check(client.post("/open/", b"x" * 1_100_000, content_type="application/x-www-form-urlencoded"), 400)
    check(client.get(f"{home}act/"), 405)
    check(client.post(f"{api}undo/", {}, content_type="application/json"), 401)
    check(client.post(f"{api}state/", {}, content_type="application/json"), 405)
    check(client.post("/api/tables/", b"{", content_type="application/json"), 400)
    check(client.post("/api/tables/", b" " * 1_100_000, content_type="application/json"), 413)
    check(Client(enforce_csrf_checks=True).post("/open/", {}), 403)


def test_headers_of_server_errors(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_more: Any) -> None:
        raise RuntimeError(sitting.table.code)

    monkeypatch.setattr(home_views, "_recent", fail)
    monkeypatch.setattr(payloads, "table", fail)
    client = Client(raise_request_exception=False)
    for address in ("/", f"/api/tables/{sitting.table.code}/"):
        answer = client.get(address)
        check(answer, 500)
        assert b"RuntimeError" not in answer.content
        assert sitting.table.code.encode() not in answer.content


def test_headers_of_the_event_stream(sitting: Sitting) -> None:
    check(Client().get(f"/api/tables/{sitting.table.code}/events/"), 200)
    check(Client().get("/api/tables/CCCCCC/events/"), 404)


# Cookies


def cookies_set(phone: Phone) -> Iterator[tuple[str, Any]]:
    """Yield all cookies that an evening leaves on a phone."""
    client = phone.client
    phone.open("revolution")
    phone.sit(phone.code, "Ada", "catholics")
    phone.post("host/", do="scribe")
    client.post("/look/", {"look": "light", "timers": "hide", "sound": "on", "vibration": "on"})
    client.post("/hints/", {"hint": "none"})
    client.post("/boards/revolution/", {"do": "copy", "name": "Ours"})
    client.post("/stats/", {"name": "Monday"})
    client.get("/")
    yield from client.cookies.items()


@pytest.mark.parametrize("https", [True, False])
def test_cookie_attributes(db: None, https: bool) -> None:  # noqa: FBT001
    with override_settings(HTTPS=https, SESSION_COOKIE_SECURE=https, CSRF_COOKIE_SECURE=https):
        cookies = dict(cookies_set(Phone()))
    assert {"seats", "name", "scribe", "look", "hints", "boards", "circles", "csrftoken"} <= set(cookies)
    for name, cookie in cookies.items():
        assert cookie["httponly"], name
        assert cookie["samesite"] == "Lax", name
        assert bool(cookie["secure"]) is https, name
        assert not cookie["domain"], name


def test_report_loads_nothing_from_other_sites(sitting: Sitting) -> None:
    """URLs contain the table code, so pages load nothing from other sites."""
    page = Client().get(f"/t/{sitting.table.code}/report/").content.decode()
    loaded = re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="([^"]+)"', page)
    assert loaded
    assert not [address for address in loaded if not address.startswith("/") or address.startswith("//")]


def test_csrf_error_page_gives_no_reason() -> None:
    request = HttpRequest()
    request.META["SERVER_NAME"] = "localhost"
    request.META["SERVER_PORT"] = "80"
    assert b"Referer" not in messages.stale(request, "Referer checking failed").content
