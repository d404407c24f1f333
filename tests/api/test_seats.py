"""Taking a seat over the API."""

from __future__ import annotations

from typing import Any

import pytest

from companion.access.table_access import TableAccess
from companion.models import Seat, Table
from companion.tables import hosting, seats
from tests.api.conftest import Api, AtTable, refused

HOST = TableAccess(is_host=True)


def row(table: AtTable) -> Table:
    return Table.objects.get(code=table.code)


def test_code_is_enough_to_take_a_seat(lobby: AtTable) -> None:
    answer = lobby.post("seats", {"name": " Do\u200bra  ", "faction": "green"}, token="")
    assert answer.status_code == 201
    taken = answer.json()
    assert (taken["seat"], taken["faction"]) == (3, "green")
    assert lobby.json()["seats"][2] == {"seat": 3, "name": "Dora", "faction": "green", "free": False}
    lobby.start()
    body = {"action": lobby.json("prompts/")[2]["example"], "faction": "green"}
    assert lobby.post("actions", body, token=taken["token"]).status_code == 201


def test_seat_at_another_table_does_not_matter(lobby: AtTable, charlie: str) -> None:
    assert lobby.post("seats", {"name": "Charlie", "faction": "red"}, token=charlie).status_code == 201


def test_taken_faction_is_rejected(lobby: AtTable) -> None:
    refused(lobby.post("seats", {"name": "Charlie", "faction": "blue"}), 409, "taken")
    assert len(lobby.json()["seats"]) == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "Dora"},
        {"faction": "green"},
        {"name": "", "faction": "green"},
        {"name": "\u202e\u200b", "faction": "green"},
        {"name": "D" * 21, "faction": "green"},
        {"name": "Dora", "faction": "pink"},
        {"name": "Dora", "faction": ""},
        {"name": "Dora", "faction": None},
        {"name": ["Dora"], "faction": "green"},
        {"name": "Dora", "faction": {"green": 1}},
        {"name": "Dora", "faction": "green", "token": "mine"},
    ],
)
def test_invalid_seat_is_rejected(lobby: AtTable, body: Any) -> None:
    refused(lobby.post("seats", body), 400, "bad-input")
    assert len(lobby.json()["seats"]) == 2


@pytest.mark.parametrize("mode", ["full", "pad"])
@pytest.mark.parametrize("faction", ["green", "peasants"])
def test_green_cannot_be_chosen_in_wallenstein(api: Api, mode: str, faction: str) -> None:
    body = {"game": "wallenstein", "seats": [], "options": {"mode": mode}}
    opened = api.post("tables/", body).json()
    seat = {"name": "Dora", "faction": faction}
    answers = [
        api.post(f"tables/{opened['code']}/seats/", seat),
        api.post("tables/", {**body, "seats": [seat]}),
    ]
    for answer in answers:
        error = refused(answer, 400, "bad-input")
        assert error["message"] == "Green is the peasants’ colour. Please choose another."
    assert api.get(f"tables/{opened['code']}/").json()["seats"] == []


def test_locked_table_rejects_new_players(lobby: AtTable) -> None:
    hosting.set_locked(table=row(lobby), access=HOST, locked=True)
    assert lobby.json()["locked"] is True
    refused(lobby.post("seats", {"name": "Dora", "faction": "green"}), 403, "locked")


def test_started_game_rejects_new_players(table: AtTable) -> None:
    refused(table.post("seats", {"name": "Dora", "faction": "green"}), 409, "started")


def test_free_seat_can_be_taken_and_old_token_is_invalid(table: AtTable, bob: str) -> None:
    seats.free_seat(table=row(table), access=HOST, seat=Seat.objects.get(table=row(table), faction="yellow"))
    assert table.json()["seats"][1] == {"seat": 2, "name": "Bob", "faction": "yellow", "free": True}
    body = {"action": table.json("prompts/")[1]["example"], "faction": "yellow"}
    refused(table.post("actions", body, token=bob), 403, "foreign-token")
    answer = table.post("seats", {"name": "Charlie", "faction": "yellow"}, token="")
    assert answer.status_code == 201
    assert table.post("actions", body, token=answer.json()["token"]).status_code == 201


def test_get_is_rejected(api: Api, lobby: AtTable) -> None:
    refused(lobby.get("seats/"), 405, "bad-input")
