"""The replay page."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.pages.conftest import HTMX, PLACE, Phone


def test_past_entry_shows_its_title_and_board(playing: Phone, client: Client) -> None:
    playing.post("act/", **PLACE)
    then = client.get(f"/t/{playing.code}/replay/?at=2").content.decode()
    now = client.get(f"/t/{playing.code}/replay/").content.decode()
    assert "Blue lays a plain at K12." in then
    assert "44 tiles are still to be placed" in then
    assert "Red places a plain town at M11." in now
    assert "43 tiles are still to be placed" in now


def test_start_of_the_game_can_be_shown(playing: Phone) -> None:
    assert "The start" in playing.get("replay/?at=0").content.decode()


def test_undone_entries_are_left_out_by_default(playing: Phone) -> None:
    playing.post("act/", **PLACE)
    playing.post("undo/")
    playing.post("act/", **{**PLACE, "at": "2,1"})
    assert 'data-moments="0,1,2,4"' in playing.get("replay/").content.decode()
    assert 'data-moments="0,1,2,3,4"' in playing.get("replay/?undone=1").content.decode()


def test_link_to_an_undone_entry_still_works(playing: Phone) -> None:
    playing.post("act/", **PLACE)
    playing.post("undo/")
    page = playing.get("replay/?at=3").content.decode()
    assert "Red places a plain town at M11." in page
    assert "undone" in page


@pytest.mark.parametrize("at", ["99", "-1", "x", "", "9" * 30, "1.5"])
def test_unknown_entry_returns_404(playing: Phone, at: str) -> None:
    assert playing.get(f"replay/?at={at}").status_code == 404


def test_replay_shows_a_message_before_the_game(ada: Phone) -> None:
    answer = ada.get("replay/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "The game has not begun yet." in page
    assert "Back to the table" in page


def test_htmx_gets_only_the_main_element(playing: Phone) -> None:
    assert playing.get("replay/?at=1", **HTMX).content.decode().lstrip().startswith("<main")


def test_query_count_does_not_grow_with_the_journal(playing: Phone) -> None:
    def queries() -> int:
        playing.get("replay/?at=1")
        with CaptureQueriesContext(connection) as captured:
            playing.get("replay/?at=1")
        return len(captured)

    few = queries()
    for count in range(1, 9):
        playing.post(
            "correct/", owner="red", piece="knight", place="cell:0,0", count=str(count), reason="test"
        )
    assert queries() == few
