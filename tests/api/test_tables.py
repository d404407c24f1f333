"""Opening a table and showing it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.access.rate_limits import Limit
from companion.access.table_access import TableAccess, hash_of
from companion.models import Seat, Table
from companion.tables import hosting
from tests.api.conftest import Api, AtTable, cost, open_table, refused


def test_open_an_empty_table(api: Api) -> None:
    answer = api.post("tables/", {"game": "raubritter"})
    assert answer.status_code == 201
    opened = answer.json()
    assert (opened["version"], opened["seats"]) == (1, [])
    assert len(opened["code"]) == 6
    assert Table.objects.get(code=opened["code"]).host_hash == hash_of(opened["host_token"])


def test_open_a_table_with_seats_clockwise(api: Api) -> None:
    seats = [{"name": "Bob", "faction": "red"}, {"name": "Alice", "faction": "blue"}]
    opened = api.post(
        "tables/", {"game": "raubritter", "seats": seats, "options": {"must_move": True}}
    ).json()
    assert [(seat["seat"], seat["faction"]) for seat in opened["seats"]] == [(1, "red"), (2, "blue")]
    assert len({opened["host_token"], *(seat["token"] for seat in opened["seats"])}) == 3
    table = api.get(f"tables/{opened['code']}/").json()
    assert table["options"]["must_move"] is True
    assert table["seats"] == [
        {"seat": 1, "name": "Bob", "faction": "red", "free": False},
        {"seat": 2, "name": "Alice", "faction": "blue", "free": False},
    ]


def test_tokens_are_stored_hashed(lobby: AtTable) -> None:
    stored = {
        *Seat.objects.values_list("token_hash", flat=True),
        *Table.objects.values_list("host_hash", flat=True),
    }
    assert not stored & {lobby.host, *lobby.tokens.values()}


@pytest.mark.parametrize(
    "body",
    [
        {"game": "monopoly"},
        {"game": "raubritter", "seats": [{"name": "", "faction": "blue"}]},
        {"game": "raubritter", "seats": [{"name": "   ", "faction": "blue"}]},
        {"game": "raubritter", "seats": [{"name": "A" * 21, "faction": "blue"}]},
        {"game": "raubritter", "seats": [{"name": "Alice", "faction": "pink"}]},
        {"game": "raubritter", "seats": [{"name": "Alice", "faction": ""}]},
        {"game": "raubritter", "options": {"colour": "blue"}},
        {"game": "raubritter", "options": {"must_move": 1}},
        {"game": "raubritter", "options": {"mode": "fast"}},
        {"game": "raubritter", "options": {"players": "two"}},
        {"game": "raubritter", "options": {"first_player": ["blue"]}},
        {"game": "raubritter", "options": {"tile_set": {"lake": 24}}},
    ],
)
def test_invalid_table_is_rejected(api: Api, body: Any) -> None:
    refused(api.post("tables/", body), 400, "bad-input")
    assert not Table.objects.exists()


def test_duplicate_faction_is_rejected(api: Api) -> None:
    seats = [{"name": "Alice", "faction": "blue"}, {"name": "Bob", "faction": "blue"}]
    refused(api.post("tables/", {"game": "raubritter", "seats": seats}), 409, "taken")
    assert not Table.objects.exists()


# Reading


def test_table_before_during_and_after_the_game(lobby: AtTable) -> None:
    shown = lobby.json()
    assert (shown["status"], shown["phase"], shown["order"], shown["waiting_for"]) == ("open", "", [], [])
    lobby.start()
    shown = lobby.json()
    assert (shown["status"], shown["phase"], shown["round"]) == ("playing", "setup", 0)
    assert (shown["order"], shown["waiting_for"]) == (["blue", "yellow"], ["blue", "yellow"])
    lobby.play(2)
    shown = lobby.json()
    assert (shown["phase"], shown["round"], shown["waiting_for"]) == ("turn", 1, ["blue"])
    hosting.abandon(table=Table.objects.get(code=lobby.code), access=TableAccess(is_host=True))
    shown = lobby.json()
    assert (shown["status"], shown["waiting_for"], shown["winners"]) == ("abandoned", [], [])


def test_every_visible_change_increments_the_version(lobby: AtTable) -> None:
    seen = [lobby.json()["version"]]
    assert lobby.post("seats", {"name": "Dora", "faction": "green"}, token="").status_code == 201
    seen.append(lobby.json()["version"])
    lobby.start()
    seen.append(lobby.json()["version"])
    lobby.play(1)
    seen.append(lobby.json()["version"])
    lobby.post("undo")
    seen.append(lobby.json()["version"])
    lobby.post("redo")
    seen.append(lobby.json()["version"])
    assert seen == sorted(set(seen))


def test_code_is_case_insensitive(lobby: AtTable) -> None:
    assert lobby.api.get(f"tables/{lobby.code.lower()}/").json() == lobby.json()


READING = ("", "state/", "prompts/", "journal/", "standings/", "export/")


@pytest.mark.parametrize("part", READING)
def test_code_is_enough_to_read(table: AtTable, charlie: str, part: str) -> None:
    table.play(1)
    public = table.get(part)
    assert public.status_code == 200
    for token in (charlie, "forged", table.tokens["blue"], table.host):
        assert table.get(part, token=token).json() == public.json()


@pytest.mark.parametrize("part", READING)
@pytest.mark.parametrize("code", ["AAAAAA", "CDFGHJK", "%00", "é", "..", "' OR 1=1", "c" * 300])
def test_reading_unknown_table_is_not_found(api: Api, part: str, code: str) -> None:
    refused(api.get(f"tables/{code}/{part}"), 404, "unknown")


@pytest.mark.parametrize("part", ["seats", "start", "actions", "preview", "undo", "redo"])
def test_posting_to_unknown_table_is_not_found(api: Api, part: str) -> None:
    refused(api.post(f"tables/AAAAAA/{part}/", {}, token="any"), 404, "unknown")


def test_tokens_are_never_shown_again(table: AtTable) -> None:
    secrets = [table.host, *table.tokens.values(), *Seat.objects.values_list("token_hash", flat=True)]
    for part in READING:
        text = table.get(part, token=table.host).content.decode()
        assert not [secret for secret in secrets if secret in text]


@pytest.mark.parametrize("part", ["", "export/"])
def test_query_count_does_not_grow_with_seats(api: Api, part: str) -> None:
    few, many = (cost(open_table(api, players), part) for players in (1, 3))
    assert few == many


# Rate limits


@pytest.fixture
def limit_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.access.rate_limits.OPEN_TABLE", Limit("open", most=3, seconds=60))
    monkeypatch.setattr("companion.access.table_access.WRONG_CODE", Limit("code", most=3, seconds=60))


def test_opening_tables_is_rate_limited(api: Api, limit_of_three: None) -> None:
    for _ in range(3):
        assert api.post("tables/", {"game": "raubritter"}).status_code == 201
    answer = api.post("tables/", {"game": "raubritter"})
    refused(answer, 429, "too-many")
    assert answer.headers["Retry-After"]
    refused(api.post("tables/import/", {}), 429, "too-many")
    assert Table.objects.count() == 3


def test_guessing_codes_is_rate_limited(lobby: AtTable, limit_of_three: None) -> None:
    for _ in range(3):
        refused(lobby.api.get("tables/AAAAAA/"), 404, "unknown")
    refused(lobby.api.get("tables/AAAAAA/"), 429, "too-many")
    # Existing codes are refused as well; otherwise the refusal would identify wrong ones.
    refused(lobby.get(), 429, "too-many")
    assert lobby.api.client.get(f"/api/tables/{lobby.code}/", REMOTE_ADDR="10.0.0.7").status_code == 200


def test_forwarded_header_does_not_evade_the_rate_limit(lobby: AtTable, limit_of_three: None) -> None:
    for number in range(3):
        lobby.api.get("tables/AAAAAA/", X_Forwarded_For=f"10.0.0.{number}")
    refused(lobby.api.get("tables/AAAAAA/", X_Forwarded_For="10.0.0.9"), 429, "too-many")


def test_existing_codes_are_not_rate_limited(lobby: AtTable, limit_of_three: None) -> None:
    for _ in range(5):
        assert lobby.get().status_code == 200
