"""Undo and redo over the API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import AtTable, refused


def test_undo_and_redo_restore_states(table: AtTable, bob: str) -> None:
    table.play(2)
    second = table.json("state/")["holdings"]
    table.play(1)
    third = table.json("state/")["holdings"]
    answer = table.post("undo", token=bob)
    assert (answer.status_code, answer.json()) == (200, {"version": 6, "number": 3})
    assert table.json("state/")["holdings"] == second
    answer = table.post("redo", token=bob)
    assert (answer.status_code, answer.json()) == (200, {"version": 7, "number": 3})
    assert table.json("state/")["holdings"] == third


@pytest.mark.parametrize("part", ["undo", "redo"])
def test_nothing_to_undo_or_redo_is_rejected(table: AtTable, part: str) -> None:
    refused(table.post(part), 409, "nothing")
    refused(table.post(part, {"number": 1}), 409, "nothing")


def test_new_entry_after_undo_prevents_redo(table: AtTable) -> None:
    table.play(2)
    table.post("undo")
    table.play(1)
    refused(table.post("redo"), 409, "nothing")
    assert [entry["number"] for entry in table.json("journal/")] == [1, 2, 3]
    assert table.json()["number"] == 3


def test_only_the_named_entry_is_undone_or_redone(table: AtTable) -> None:
    table.play(3)
    for wrong in (2, 4, 0, -1, 10**12):
        refused(table.post("undo", {"number": wrong}), 409, "gone")
    assert table.json()["number"] == 3
    assert table.post("undo", {"number": 3}).status_code == 200
    refused(table.post("undo", {"number": 3}), 409, "gone")
    refused(table.post("redo", {"number": 2}), 409, "gone")
    assert table.post("redo", {"number": 3}).status_code == 200


def test_entry_already_undone_by_others_is_rejected(table: AtTable) -> None:
    table.play(1)
    refused(table.post("redo", {"number": 1}), 409, "gone")
    assert table.post("undo", {"number": 1}).status_code == 200
    refused(table.post("undo", {"number": 1}), 409, "gone")
    refused(table.post("undo", {"number": 2}), 409, "nothing")
    refused(table.post("undo"), 409, "nothing")


def test_repeated_key_returns_first_response(table: AtTable) -> None:
    table.play(3)
    first = table.post("undo", {"key": "a"})
    again = table.post("undo", {"key": "a"})
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert table.json()["number"] == 2
    refused(table.post("undo", {"key": "a", "number": 2}), 409, "key")
    refused(table.post("redo", {"key": "a"}), 409, "key")
    assert table.post("redo", {"key": "b"}).json() == table.post("redo", {"key": "b"}).json()
    assert table.json()["number"] == 3


def test_rejected_undo_does_not_use_up_its_key(table: AtTable) -> None:
    refused(table.post("undo", {"key": "a"}), 409, "nothing")
    table.play(1)
    assert table.post("undo", {"key": "a"}).status_code == 200


@pytest.mark.parametrize(
    "body", [{"number": "1"}, {"number": 1.0}, {"number": True}, {"number": [1]}, {"key": 1}, {"entry": 1}]
)
@pytest.mark.parametrize("part", ["undo", "redo"])
def test_invalid_body_is_rejected(table: AtTable, part: str, body: Any) -> None:
    table.play(1)
    refused(table.post(part, body), 400, "bad-input")
    assert table.json()["number"] == 1


@pytest.mark.parametrize("part", ["undo", "redo"])
def test_missing_or_foreign_token_is_rejected(table: AtTable, charlie: str, part: str) -> None:
    table.play(1)
    refused(table.post(part, token=""), 401, "no-token")
    refused(table.post(part, token=charlie), 403, "foreign-token")
    refused(table.post(part, token="forged"), 403, "foreign-token")
    assert table.json()["number"] == 1


@pytest.mark.parametrize("part", ["undo", "redo"])
def test_undo_before_the_start_is_rejected(lobby: AtTable, part: str) -> None:
    refused(lobby.post(part), 400, "illegal")


def test_end_of_the_game_can_be_undone(table: AtTable) -> None:
    while table.json("prompts/"):
        table.play(1)
    end = table.json()
    table.post("undo")
    before = table.json()
    assert (before["status"], before["winners"]) == ("playing", [])
    table.post("redo")
    again = table.json()
    assert {**again, "version": 0} == {**end, "version": 0}
