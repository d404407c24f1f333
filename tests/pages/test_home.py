"""The home page: opening, joining and listing tables."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from companion.models import Table
from tests.pages.conftest import Phone


def test_home_lists_the_games(db: None, client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Raubritter" in page
    assert 'name="code"' in page


def test_opened_table_is_listed_on_its_phone_only(ada: Phone, client: Client) -> None:
    assert ada.code in ada.client.get("/").content.decode()
    assert ada.code not in client.get("/").content.decode()


@pytest.mark.parametrize("typed", ["{code}", " {code} ", "{lower}"])
def test_typed_code_redirects_to_its_table(ada: Phone, client: Client, typed: str) -> None:
    code = typed.format(code=ada.code, lower=ada.code.lower())
    assert client.get("/join/", {"code": code})["Location"] == f"/t/{ada.code}/"


@pytest.mark.parametrize("code", ["XXXXXX", "", "TOO-LONG-BY-FAR", "\x00", "é" * 6])
def test_wrong_code_is_rejected_with_a_message(db: None, client: Client, code: str) -> None:
    answer = client.get("/join/", {"code": code})
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.content.decode()


@pytest.mark.parametrize("game", ["chess", "", "pad:chess", "fast:raubritter"])
def test_unknown_game_opens_no_table(db: None, client: Client, game: str) -> None:
    assert client.post("/open/", {"game": game}).status_code == 400
    assert not Table.objects.exists()


@pytest.mark.parametrize("tables", [1, 3])
def test_query_count_does_not_grow_with_tables(db: None, tables: int) -> None:
    phone = Phone()
    for _ in range(tables):
        phone.open()
        phone.sit(phone.code, "Ada", "red")
    with CaptureQueriesContext(connection) as queries:
        phone.client.get("/")
    assert len(queries) == 2


def test_display_preference_is_stored_and_redirects_back(db: None, client: Client) -> None:
    answer = client.post("/look/", {"look": "light", "next": "/calculators/"})
    assert answer["Location"] == "/calculators/"
    assert 'data-look="light"' in client.get("/").content.decode()


def test_display_preference_never_redirects_to_another_site(db: None, client: Client) -> None:
    assert client.post("/look/", {"look": "dark", "next": "https://example.com/"})["Location"] == "/"


def test_unknown_page_returns_404_with_a_message(db: None, client: Client) -> None:
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing here." in answer.content.decode()
