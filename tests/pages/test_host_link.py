"""Restoring all seats after the server's address has changed, with one QR code each."""

from __future__ import annotations

import re
from html import unescape
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core.management import call_command
from django.test import RequestFactory

from companion.web import addresses
from companion.web.addresses import address_for_phones
from tests.pages.conftest import Phone

WATCHING = b"You are watching."


def host_links() -> list[str]:
    """Return the paths of the links that the command prints."""
    shown = StringIO()
    call_command("host_link", "http://192.168.1.7:8000/", stdout=shown)
    return re.findall(r"http://192\.168\.1\.7:8000(/\S+)", shown.getvalue())


def scan(phone: Phone, link: str) -> None:
    """Open the link of a QR code and confirm."""
    page = phone.client.get(link).content.decode()
    assert "Yes, this phone now" in page
    fields = dict(re.findall(r'<input type="hidden" name="(ticket|host)" value="([^"]+)"', page))
    phone.client.post(urlsplit(link).path, fields, follow=True)


def codes(phone: Phone) -> list[str]:
    """Return the paths in the QR codes of all seats, the host's last."""
    links = re.findall(
        r'class="tiny quiet address"[^>]*>http://testserver([^<]+)<', phone.get("seats/").content.decode()
    )
    return [unescape(link) for link in links]


def newcomer(code: str) -> Phone:
    phone = Phone()
    phone.code = code
    return phone


def test_host_link_leads_to_codes_that_restore_every_seat(playing: Phone, bela: Phone) -> None:
    code = playing.code
    (link,) = host_links()
    host, guest = newcomer(code), newcomer(code)
    scan(host, link)
    of_ada, of_bela, _of_host = codes(host)
    scan(host, of_ada)
    scan(guest, of_bela)
    for phone in (host, guest):
        assert WATCHING not in phone.get().content
    assert b'value="scribe"' in host.get("?tab=menu").content
    assert b'value="scribe"' not in guest.get("?tab=menu").content
    for phone in (playing, bela):
        assert WATCHING in phone.get().content, "the old phones have lost their seats"


def test_claim_page_names_the_owner_of_the_seat(playing: Phone, charlie: Phone) -> None:
    assert "Béla" in charlie.client.get(codes(playing)[1]).content.decode()
    assert "Béla" not in charlie.get("claim/?ticket=none").content.decode()


def test_only_the_host_sees_the_codes(playing: Phone, bela: Phone, charlie: Phone) -> None:
    assert playing.get("seats/").status_code == 200
    assert playing.get("seats/")["Cache-Control"] == "no-store"
    for phone in (bela, charlie):
        answer = phone.get("seats/")
        assert answer.status_code in (401, 403)
        assert b"ticket" not in answer.content


def test_host_link_works_once(playing: Phone) -> None:
    (link,) = host_links()
    first, second = newcomer(playing.code), newcomer(playing.code)
    scan(first, link)
    scan(second, link)
    assert first.get("seats/").status_code == 200
    assert second.get("seats/").status_code != 200


def test_host_link_is_bound_to_its_table_and_expires(playing: Phone) -> None:
    (link,) = host_links()
    ticket = link.partition("?host=")[2]
    other = Phone()
    other.open()
    assert newcomer(other.code).post("claim/", host=ticket).status_code == 409
    with time_machine.travel("2030-01-01"):
        assert newcomer(playing.code).post("claim/", host=ticket).status_code == 409
    assert newcomer(playing.code).post("claim/", host="none").status_code == 409


def test_finished_games_have_no_host_link(playing: Phone) -> None:
    assert host_links()
    playing.post("host/", do="finish")
    assert not host_links()


# Addresses


@pytest.mark.parametrize(
    ("listens", "host", "shown"),
    [
        ("0.0.0.0", "localhost:8000", "192.168.1.7:8000"),
        ("0.0.0.0", "127.0.0.1", "192.168.1.7"),
        ("0.0.0.0", "192.168.1.9:8000", "192.168.1.9:8000"),
        ("0.0.0.0", "seneschal.example", "seneschal.example"),
        ("127.0.0.1", "localhost:8000", "localhost:8000"),
        ("", "localhost:8000", "localhost:8000"),
    ],
)
def test_scanned_address_is_reachable_from_phones(
    settings: Any, monkeypatch: pytest.MonkeyPatch, listens: str, host: str, shown: str
) -> None:
    """A page opened as localhost shows a LAN address, because phones cannot reach localhost."""
    settings.ALLOWED_HOSTS, settings.LISTENS_ON = ["*"], listens
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["127.0.0.1", "192.168.1.7"])
    request = RequestFactory().get("/", headers={"host": host})
    assert address_for_phones(request, "table", "K7PQ2M", query="a=b") == f"http://{shown}/t/K7PQ2M/?a=b"


def test_address_is_unchanged_without_a_network(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LISTENS_ON = "0.0.0.0"
    monkeypatch.setattr(addresses, "own_addresses", lambda: ["127.0.0.1"])
    request = RequestFactory().get("/", headers={"host": "localhost"})
    assert address_for_phones(request, "home") == "http://localhost/"
