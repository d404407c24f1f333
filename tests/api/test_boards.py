"""Board figures and custom boards over the API."""

from __future__ import annotations

from typing import Any

import pytest

from companion.models import Board, Table
from games.raubritter import RAUBRITTER
from tests.api.conftest import Api, refused

DOCUMENT = {
    "format": "seneschal-board-1",
    "game": "raubritter",
    "name": "Our box",
    "figures": {**RAUBRITTER.board.figures, "start": {"rows": 1}},
    "confirmed": ["start.rows"],
}


def test_shipped_board_names_figures_and_sources(api: Api) -> None:
    board = api.get("boards/raubritter/").json()
    assert board["figures"] == RAUBRITTER.board.figures
    assert (board["sources"]["tile_set.lake"], board["sources"]["letters.A"]) == ("rulebook", "found")
    refused(api.get("boards/chess/"), 404, "unknown")


def test_custom_board_can_be_imported_and_read(api: Api) -> None:
    answer = api.post("boards/raubritter/", DOCUMENT)
    assert answer.status_code == 201
    copy = answer.json()
    assert {**copy, **DOCUMENT, "wrong": [], "version": 1} == copy
    assert api.get(f"boards/raubritter/{copy['code']}/").json() == copy
    refused(api.get("boards/raubritter/AAAAAAAA/"), 404, "unknown")
    refused(api.get(f"boards/chess/{copy['code']}/"), 404, "unknown")


@pytest.mark.parametrize(
    "change",
    [{"figures": {}}, {"game": "chess"}, {"format": 1}, {"name": None}, {"confirmed": 3}, {"more": 1}],
)
def test_invalid_custom_board_is_rejected(api: Api, change: dict[str, Any]) -> None:
    refused(api.post("boards/raubritter/", {**DOCUMENT, **change}), 400, "bad-input")
    refused(api.post("boards/chess/", DOCUMENT), 404, "unknown")
    assert not Board.objects.exists()


def test_table_can_be_opened_with_a_custom_board(api: Api) -> None:
    code = api.post("boards/raubritter/", DOCUMENT).json()["code"]
    opened = api.post("tables/", {"game": "raubritter", "board": code}).json()
    assert Table.objects.get().board == Board.objects.get()
    assert api.get(f"tables/{opened['code']}/").json()["options"]["start_rows"] == 1
    refused(api.post("tables/", {"game": "raubritter", "board": "AAAAAAAA"}), 404, "unknown")
    refused(api.post("tables/", {"game": "raubritter", "board": 7}), 400, "bad-input")
    Board.objects.update(figures={**RAUBRITTER.board.figures, "start": {"rows": 9}})
    refused(api.post("tables/", {"game": "raubritter", "board": code}), 400, "illegal")
    assert Table.objects.count() == 1
