"""Preview of an action without entering it."""

from __future__ import annotations

from tests.api.conftest import AtTable, refused


def test_preview_equals_the_outcome_and_changes_nothing(table: AtTable, alice: str) -> None:
    table.play(2)
    body = table.example()
    before = table.json(), table.json("state/"), table.json("journal/")
    answer = table.post("preview", body, token=alice)
    assert answer.status_code == 200
    shown = answer.json()
    assert (table.json(), table.json("state/"), table.json("journal/")) == before
    assert table.post("actions", body).json()["steps"] == shown["steps"]
    now = table.json()["round"]
    assert [row for row in table.json("standings/") if row["round"] == now] == shown["standings"]


def test_preview_ignores_the_key(table: AtTable) -> None:
    body = {**table.example(), "key": "a"}
    assert table.post("preview", body).status_code == 200
    assert table.post("preview", {**body, "action": {"type": "end"}}).status_code == 400
    assert table.post("actions", body).status_code == 201


def test_invalid_action_is_rejected_in_preview(table: AtTable) -> None:
    refused(table.post("preview", {"action": {"type": "fly"}, "faction": "blue"}), 400, "bad-input")
    error = refused(table.post("preview", {"action": {"type": "end"}, "faction": "blue"}), 400, "illegal")
    assert error["rule"] == "3"


def test_missing_or_foreign_token_is_rejected(table: AtTable, bob: str, charlie: str) -> None:
    body = table.example()
    refused(table.post("preview", body, token=""), 401, "no-token")
    refused(table.post("preview", body, token=bob), 403, "foreign-token")
    refused(table.post("preview", body, token=charlie), 403, "foreign-token")


def test_preview_before_the_start_is_rejected(lobby: AtTable) -> None:
    refused(lobby.post("preview", {"action": {"type": "end"}, "faction": "blue"}), 400, "illegal")
