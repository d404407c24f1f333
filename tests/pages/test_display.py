"""The display page: public, without controls."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.pages.conftest import HTMX, Phone


def test_open_table_shows_the_qr_code(ada: Phone, client: Client) -> None:
    page = client.get(f"/t/{ada.code}/display/").content.decode()
    assert "Take your seats" in page
    assert 'class="qr"' in page
    assert ada.code in page


def test_running_game_shows_no_qr_code(playing: Phone, client: Client) -> None:
    assert 'class="qr"' not in client.get(f"/t/{playing.code}/display/").content.decode()


def test_free_seat_shows_the_qr_code_again(playing: Phone, bela: Phone, client: Client) -> None:
    bela.post("seat/", seat="2", do="free")
    assert 'class="qr"' in client.get(f"/t/{playing.code}/display/").content.decode()


def test_shows_prompts_standings_and_hand_moves(playing: Phone, client: Client) -> None:
    page = client.get(f"/t/{playing.code}/display/").content.decode()
    assert "Ada: Place a tile (up to 3 this turn)" in " ".join(re.sub(r"<[^>]*>", " ", page).split())
    assert "If it ended now" in page
    assert "Lay a plain at K12" in page


@pytest.mark.parametrize("fixture", ["ada", "charlie"])
def test_display_has_no_controls(playing: Phone, request: pytest.FixtureRequest, fixture: str) -> None:
    page = request.getfixturevalue(fixture).get("display/").content.decode()
    for control in ("<button", "<form", "<input", "<a "):
        assert control not in page


def test_htmx_gets_only_the_main_element(playing: Phone) -> None:
    assert playing.get("display/", **HTMX).content.decode().lstrip().startswith("<main")


def test_unknown_table_returns_404(db: None, client: Client) -> None:
    assert client.get("/t/CCCCCC/display/").status_code == 404
