"""Starting the game."""

from __future__ import annotations

import pytest

from tests.api.conftest import Api, AtTable, open_table, refused


def test_the_host_starts(lobby: AtTable) -> None:
    answer = lobby.post("start")
    assert (answer.status_code, answer.json()) == (200, {"version": 2})
    assert lobby.json()["status"] == "playing"


def test_only_the_host_starts(lobby: AtTable, alice: str, charlie: str) -> None:
    refused(lobby.post("start", token=alice), 403, "foreign-token")
    refused(lobby.post("start", token=charlie), 403, "foreign-token")
    refused(lobby.post("start", token="forged"), 403, "foreign-token")
    answer = lobby.post("start", token="")
    refused(answer, 401, "no-token")
    assert answer.headers["WWW-Authenticate"] == "Seat"
    assert lobby.json()["status"] == "open"


@pytest.mark.parametrize("header", ["", "Seat", "Seat ", "Bearer {}", "{}", "Basic {}"])
def test_only_seat_carries_a_token(lobby: AtTable, header: str) -> None:
    answer = lobby.post("start", token="", Authorization=header.format(lobby.host))
    refused(answer, 401, "no-token")


@pytest.mark.parametrize("header", ["seat {}", "SEAT {}", "  Seat   {}  "])
def test_the_scheme_in_any_case(lobby: AtTable, header: str) -> None:
    assert lobby.post("start", token="", Authorization=header.format(lobby.host)).status_code == 200


def test_a_game_begins_once(table: AtTable) -> None:
    refused(table.post("start"), 409, "started")


@pytest.mark.parametrize("players", [0, 1])
def test_too_few(api: Api, players: int) -> None:
    table = open_table(api, players)
    assert refused(table.post("start"), 400, "illegal")["rule"] == "3"
    assert table.json()["status"] == "open"


@pytest.mark.parametrize("wanted", [3, 5, -1])
def test_as_many_as_were_announced(api: Api, wanted: int) -> None:
    table = open_table(api, 2, options={"players": wanted})
    refused(table.post("start"), 400, "illegal")


def test_who_begins(api: Api) -> None:
    table = open_table(api, 3, options={"first_player": "green"})
    table.start()
    assert table.json()["order"] == ["green", "blue", "yellow"]


def test_the_first_player_must_be_there(api: Api) -> None:
    table = open_table(api, 2, options={"first_player": "red"})
    refused(table.post("start"), 400, "bad-input")
