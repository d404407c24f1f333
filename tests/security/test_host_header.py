"""Malformed Host headers are rejected on every page and never cause a server error."""

from __future__ import annotations

import pytest
from django.test import Client, override_settings

from tests.hostile import sitting_at

PAGES = (
    "/",
    "/help/",
    "/calculators/revolution/conflict/",
    "/stats/",
    "/t/{code}/",
    "/t/{code}/display/",
    "/t/{code}/report/standalone.html",
    "/trust/",
    "/api/games/",
    "/api/tables/{code}/",
    "/livez",
)
MALFORMED = (
    "localhost:99999",
    "localhost:65536",
    "localhost:" + "9" * 5000,
    "localhost:-1",
    "localhost:x",
    "localhost:80:80",
    "[::1]:99999",
    "[::1",
    "[::1]x",
    "local host",
    "localhost/../",
    "localhost@evil.example",
    "localhost:٣",
    "é",
    ":",
)


@pytest.fixture
def code(db: None) -> str:
    return sitting_at("raubritter", entries=1).table.code


@pytest.mark.parametrize("host", MALFORMED, ids=lambda host: host[:20])
@override_settings(LISTENS_ON="0.0.0.0")
def test_malformed_host_is_a_bad_request_on_every_page(code: str, host: str) -> None:
    client = Client(raise_request_exception=False, SERVER_NAME="localhost", HTTP_HOST=host)
    statuses = {page: client.get(page.format(code=code)).status_code for page in PAGES}

    assert statuses == dict.fromkeys(PAGES, 400)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "localhost:65535", "127.0.0.1:8000", "[::1]:8000"]
)
@override_settings(LISTENS_ON="0.0.0.0")
def test_valid_hosts_and_ports_are_served(code: str, host: str) -> None:
    client = Client(HTTP_HOST=host)

    assert client.get(f"/t/{code}/").status_code == 200
    assert client.get(f"/api/tables/{code}/").status_code == 200


def test_api_reports_a_malformed_host_as_json(code: str) -> None:
    answer = Client(HTTP_HOST="localhost:99999").get(f"/api/tables/{code}/")

    assert answer.json()["code"] == "bad-input"
