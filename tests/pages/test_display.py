"""The big screen: for everybody, without controls."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.pages.conftest import HTMX, Phone


def test_an_open_table_invites(ada: Phone, client: Client) -> None:
    page = client.get(f"/t/{ada.code}/display/").content.decode()
    assert "Take your seats" in page
    assert 'class="qr"' in page
    assert ada.code in page


def test_a_full_table_does_not(playing: Phone, client: Client) -> None:
    assert 'class="qr"' not in client.get(f"/t/{playing.code}/display/").content.decode()


def test_a_freed_seat_invites_again(playing: Phone, bela: Phone, client: Client) -> None:
    bela.post("seat/", seat="2", do="free")
    assert 'class="qr"' in client.get(f"/t/{playing.code}/display/").content.decode()


def test_it_says_who_acts_what_stands_and_what_hands_do(playing: Phone, client: Client) -> None:
    page = client.get(f"/t/{playing.code}/display/").content.decode()
    assert "Ada: Place a tile (up to 3 this turn)" in " ".join(re.sub(r"<[^>]*>", " ", page).split())
    assert "If it ended now" in page
    assert "Lay a plain at K12" in page


@pytest.mark.parametrize("who", ["ada", "charlie"])
def test_nobody_finds_a_control_on_it(playing: Phone, request: pytest.FixtureRequest, who: str) -> None:
    page = request.getfixturevalue(who).get("display/").content.decode()
    for control in ("<button", "<form", "<input", "<a "):
        assert control not in page


def test_only_what_changes_is_sent_again(playing: Phone) -> None:
    assert playing.get("display/", **HTMX).content.decode().lstrip().startswith("<main")


def test_an_unknown_table_is_a_sentence(db: None, client: Client) -> None:
    assert client.get("/t/CCCCCC/display/").status_code == 404
