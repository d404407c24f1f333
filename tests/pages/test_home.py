"""Home: open a table, join one, find the own ones again."""

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


def test_an_opened_table_is_listed_on_its_phone_only(ada: Phone, client: Client) -> None:
    assert ada.code in ada.client.get("/").content.decode()
    assert ada.code not in client.get("/").content.decode()


@pytest.mark.parametrize("typed", ["{code}", " {code} ", "{lower}"])
def test_a_typed_code_leads_to_its_table(ada: Phone, client: Client, typed: str) -> None:
    code = typed.format(code=ada.code, lower=ada.code.lower())
    assert client.get("/join/", {"code": code})["Location"] == f"/t/{ada.code}/"


@pytest.mark.parametrize("code", ["XXXXXX", "", "TOO-LONG-BY-FAR", "\x00", "é" * 6])
def test_a_wrong_code_gets_a_sentence(db: None, client: Client, code: str) -> None:
    answer = client.get("/join/", {"code": code})
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.content.decode()


@pytest.mark.parametrize("game", ["chess", "", "pad:chess", "fast:raubritter"])
def test_a_game_that_is_not_there_opens_nothing(db: None, client: Client, game: str) -> None:
    assert client.post("/open/", {"game": game}).status_code == 400
    assert not Table.objects.exists()


@pytest.mark.parametrize("tables", [1, 3])
def test_the_list_of_tables_costs_the_same_queries(db: None, tables: int) -> None:
    phone = Phone()
    for _ in range(tables):
        phone.open()
        phone.sit(phone.code, "Ada", "red")
    with CaptureQueriesContext(connection) as queries:
        phone.client.get("/")
    assert len(queries) == 2


def test_a_look_is_kept_and_leads_back(db: None, client: Client) -> None:
    answer = client.post("/look/", {"look": "light", "next": "/calculators/"})
    assert answer["Location"] == "/calculators/"
    assert 'data-look="light"' in client.get("/").content.decode()


def test_a_look_does_not_lead_to_another_site(db: None, client: Client) -> None:
    assert client.post("/look/", {"look": "dark", "next": "https://example.com/"})["Location"] == "/"


def test_a_page_that_is_not_there_says_so(db: None, client: Client) -> None:
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing here." in answer.content.decode()
