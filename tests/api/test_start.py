"""Starting the game over the API."""

from __future__ import annotations

import pytest

from tests.api.conftest import Api, AtTable, open_table, refused


def test_host_starts_the_game(lobby: AtTable) -> None:
    answer = lobby.post("start")
    assert (answer.status_code, answer.json()) == (200, {"version": 2})
    assert lobby.json()["status"] == "playing"


def test_other_tokens_cannot_start_the_game(lobby: AtTable, alice: str, charlie: str) -> None:
    refused(lobby.post("start", token=alice), 403, "foreign-token")
    refused(lobby.post("start", token=charlie), 403, "foreign-token")
    refused(lobby.post("start", token="forged"), 403, "foreign-token")
    answer = lobby.post("start", token="")
    refused(answer, 401, "no-token")
    assert answer.headers["WWW-Authenticate"] == "Seat"
    assert lobby.json()["status"] == "open"


@pytest.mark.parametrize("header", ["", "Seat", "Seat ", "Bearer {}", "{}", "Basic {}"])
def test_other_authorization_schemes_are_ignored(lobby: AtTable, header: str) -> None:
    answer = lobby.post("start", token="", Authorization=header.format(lobby.host))
    refused(answer, 401, "no-token")


@pytest.mark.parametrize("header", ["seat {}", "SEAT {}", "  Seat   {}  "])
def test_authorization_scheme_is_case_insensitive(lobby: AtTable, header: str) -> None:
    assert lobby.post("start", token="", Authorization=header.format(lobby.host)).status_code == 200


def test_started_game_cannot_be_started_again(table: AtTable) -> None:
    refused(table.post("start"), 409, "started")


@pytest.mark.parametrize("players", [0, 1])
def test_too_few_players_are_rejected(api: Api, players: int) -> None:
    table = open_table(api, players)
    assert refused(table.post("start"), 400, "illegal")["rule"] == "3"
    assert table.json()["status"] == "open"


@pytest.mark.parametrize("wanted", [3, 5, -1])
def test_number_of_players_must_match_the_option(api: Api, wanted: int) -> None:
    table = open_table(api, 2, options={"players": wanted})
    refused(table.post("start"), 400, "illegal")


def test_first_player_option_sets_the_order(api: Api) -> None:
    table = open_table(api, 3, options={"first_player": "green"})
    table.start()
    assert table.json()["order"] == ["green", "blue", "yellow"]


def test_first_player_must_be_seated(api: Api) -> None:
    table = open_table(api, 2, options={"first_player": "red"})
    refused(table.post("start"), 400, "bad-input")
