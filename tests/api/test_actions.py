"""Entering actions: permissions, outcomes, rejections, idempotency keys, corrections."""

from __future__ import annotations

from typing import Any

import pytest

from companion.access.table_access import TableAccess
from companion.models import Entry, IdempotencyKey, Table
from companion.tables import hosting
from tests.api.conftest import Api, AtTable, open_table, refused

CORRECT = {
    "type": "correct",
    "owner": "blue",
    "piece": "knight",
    "place": "cell:0,0",
    "count": 2,
    "reason": "Somebody bumped the table.",
}


def test_accepted_action_returns_version_number_and_steps(table: AtTable, alice: str) -> None:
    body = {**table.example(), "key": "first"}
    answer = table.post("actions", body, token=alice)
    assert answer.status_code == 201
    accepted = answer.json()
    assert (accepted["version"], accepted["number"]) == (3, 1)
    first = accepted["steps"][0]
    assert {"rule", "text", "moves"} <= set(first)
    assert first["text"] == "Blue lays a plain at K11."
    assert first["moves"] == [
        {
            "owner": "blue",
            "piece": "tile",
            "source": "supply",
            "target": "cell:0,0",
            "count": 1,
            "becomes": "plain",
            "reported": False,
        }
    ]
    assert table.json()["version"] == 3


def holdings(table: AtTable) -> dict[tuple[str, str, str], int]:
    rows = table.json("state/")["holdings"]
    return {(row["owner"], row["piece"], row["place"]): row["count"] for row in rows}


def holdings_after(
    before: dict[tuple[str, str, str], int], steps: list[Any]
) -> dict[tuple[str, str, str], int]:
    """Return the holdings after the moves of the outermost steps."""
    after = dict(before)
    for move in (move for step in steps for move in step["moves"]):
        source = (move["owner"], move["piece"], move["source"])
        target = (move["owner"], move["becomes"] or move["piece"], move["target"])
        after[source] = after.get(source, 0) - move["count"]
        after[target] = after.get(target, 0) + move["count"]
    return {line: count for line, count in after.items() if count}


def test_moves_of_outermost_steps_are_the_whole_change(table: AtTable) -> None:
    table.play(2)
    nested = 0
    for _ in range(20):
        prompt = table.json("prompts/")[0]
        action = prompt["example"]
        if "knights+direction+left" in prompt["choices"]:
            names = prompt["choices"]["knights+direction+left"]["names"]
            last = prompt["choices"]["knights+direction+left"]["options"][-1]
            action = {"type": "march", **dict(zip(names, last, strict=True))}
        before = holdings(table)
        answer = table.post("actions", {"action": action, "faction": prompt["faction"]})
        assert answer.status_code == 201, answer.content
        steps = answer.json()["steps"]
        nested += sum(bool(step["steps"]) for step in steps)
        assert holdings(table) == holdings_after(before, steps)
    assert nested  # a march has a nested step per tile


# Permissions


def test_seat_enters_for_itself_and_host_for_everyone(table: AtTable, alice: str, bob: str) -> None:
    body = table.example()
    assert body["faction"] == "blue"
    refused(table.post("actions", body, token=bob), 403, "foreign-token")
    assert table.post("actions", body, token=alice).status_code == 201
    assert table.example()["faction"] == "yellow"
    assert table.post("actions", table.example(), token=table.host).status_code == 201


def test_missing_or_foreign_token_is_rejected(table: AtTable, charlie: str) -> None:
    body = table.example()
    refused(table.post("actions", body, token=""), 401, "no-token")
    refused(table.post("actions", body, token=charlie), 403, "foreign-token")
    refused(table.post("actions", body, token="forged"), 403, "foreign-token")
    refused(table.post("actions", body, token="é" * 500), 403, "foreign-token")
    assert table.json("journal/") == []


# Rejections


def test_action_out_of_turn_is_rejected(table: AtTable, bob: str) -> None:
    table.play(2)
    example = table.example()
    before = table.json(), table.json("state/")
    body = refused(table.post("actions", {**example, "faction": "yellow"}, token=bob), 400, "illegal")
    assert body["message"] == "It is Blue’s turn."
    assert (table.json(), table.json("state/")) == before


def test_illegal_action_is_rejected_with_its_section(table: AtTable) -> None:
    table.play(2)
    body = {"action": {"type": "place", "tile": "plain", "at": [9, 9]}, "faction": "blue"}
    error = refused(table.post("actions", body), 400, "illegal")
    assert error["rule"] == "5.1"


@pytest.mark.parametrize(
    "action",
    [
        None,
        [],
        "place",
        7,
        {},
        {"type": None},
        {"type": ["place"]},
        {"type": {"place": 1}},
        {"type": "fly"},
        {"type": "place"},
        {"type": "place", "tile": "plain"},
        {"type": "place", "tile": 1, "at": [0, -1]},
        {"type": "place", "tile": "plain", "at": [0]},
        {"type": "place", "tile": "plain", "at": [0.5, 0]},
        {"type": "place", "tile": "plain", "at": "0,0"},
        {"type": "place", "tile": "plain", "at": [True, 0]},
        {"type": "place", "tile": "plain", "at": [0, 2**50]},
        {"type": "place", "tile": "plain", "at": [0, -1], "colour": "blue"},
        {"type": "place", "tile": "plain", "at": [0, -1], "faction": "yellow"},
        {"type": "march", "knights": -1},
        {"type": "march", "knights": 1.5},
        {"type": "end", "rulings": []},
        {"type": "end", "rulings": {"a": {"result": 1}}},
    ],
)
def test_malformed_action_is_bad_input(table: AtTable, action: Any) -> None:
    table.play(2)
    before = table.json()
    error = refused(table.post("actions", {"action": action, "faction": "blue"}), 400, "bad-input")
    assert error["rule"] is None
    assert table.json() == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "action"),
        ({"action": {"type": "end"}}, "faction"),
        ({"faction": "blue"}, "action"),
        ({"action": {"type": "end"}, "faction": None}, "faction"),
        ({"action": {"type": "end"}, "faction": ["blue"]}, "faction"),
        ({"action": {"type": "end"}, "faction": "blue", "key": 7}, "key"),
        ({"action": {"type": "end"}, "faction": "blue", "number": 7}, "number"),
    ],
)
def test_error_names_the_invalid_field(table: AtTable, body: Any, field: str) -> None:
    assert f"“{field}”" in refused(table.post("actions", body), 400, "bad-input")["message"]


@pytest.mark.parametrize("faction", ["green", "pink", "", "blue ", "BLUE"])
def test_faction_nobody_plays_is_rejected(table: AtTable, alice: str, faction: str) -> None:
    body = {"action": table.example()["action"], "faction": faction}
    refused(table.post("actions", body), 400, "bad-input")
    if faction:
        refused(table.post("actions", body, token=alice), 403, "foreign-token")


def test_actions_before_start_and_after_end_are_rejected(lobby: AtTable) -> None:
    body = {"action": {"type": "end"}, "faction": "blue"}
    refused(lobby.post("actions", body), 400, "illegal")
    lobby.start()
    example = lobby.example()
    hosting.abandon(table=Table.objects.get(code=lobby.code), access=TableAccess(is_host=True))
    refused(lobby.post("actions", example), 400, "illegal")


# Idempotency keys


def test_repeated_key_returns_first_response(table: AtTable) -> None:
    body = {**table.example(), "key": "a"}
    first = table.post("actions", body)
    table.play(2)
    again = table.post("actions", body)
    assert (again.status_code, again.json()) == (201, first.json())
    assert len(table.json("journal/")) == 3


def test_repeated_key_ignores_field_order(table: AtTable) -> None:
    body = {**table.example(), "key": "a"}
    first = table.post("actions", body).json()
    turned = {"key": "a", "faction": body["faction"], "action": dict(reversed(body["action"].items()))}
    assert table.post("actions", turned).json() == first


def test_key_cannot_be_reused_for_another_request(table: AtTable) -> None:
    example = table.example()
    table.post("actions", {**example, "key": "a"})
    refused(table.post("actions", {**table.example(), "key": "a"}), 409, "key")
    refused(table.post("actions", {**example, "faction": "yellow", "key": "a"}), 409, "key")
    refused(table.post("undo", {"key": "a"}), 409, "key")
    assert len(table.json("journal/")) == 1


def test_key_is_scoped_to_its_table(api: Api, table: AtTable) -> None:
    other = open_table(api)
    other.start()
    for each in (table, other):
        assert each.post("actions", {**each.example(), "key": "a"}).status_code == 201


def test_rejected_action_does_not_use_up_its_key(table: AtTable) -> None:
    refused(
        table.post("actions", {"action": {"type": "fly"}, "faction": "blue", "key": "a"}), 400, "bad-input"
    )
    refused(table.post("actions", {"action": {"type": "end"}, "faction": "blue", "key": "a"}), 400, "illegal")
    assert not IdempotencyKey.objects.exists()
    assert table.post("actions", {**table.example(), "key": "a"}).status_code == 201


def test_key_does_not_grant_access(table: AtTable, bob: str, charlie: str) -> None:
    body = {**table.example(), "key": "a"}
    table.post("actions", body)
    refused(table.post("actions", body, token=charlie), 403, "foreign-token")
    refused(table.post("actions", body, token=bob), 403, "foreign-token")


@pytest.mark.parametrize("key", ["", "k" * 65])
def test_key_of_invalid_length_is_rejected(table: AtTable, key: str) -> None:
    refused(table.post("actions", {**table.example(), "key": key}), 400, "bad-input")


def test_without_key_every_request_counts(table: AtTable) -> None:
    for _ in range(2):
        assert table.post("actions", {"action": CORRECT, "faction": "blue", "key": None}).status_code == 201
    assert Entry.objects.count() == 2


# Corrections and options


def test_correction_moves_pieces_and_gives_its_reason(table: AtTable, bob: str) -> None:
    table.play(3)
    answer = table.post("actions", {"action": CORRECT, "faction": "yellow"}, token=bob)
    assert answer.status_code == 201
    (step,) = answer.json()["steps"]
    (move,) = step["moves"]
    assert (move["source"], move["target"], move["count"], move["reported"]) == (
        "supply",
        "cell:0,0",
        2,
        True,
    )
    assert CORRECT["reason"] in step["text"]
    assert step["rule"] is None
    lines = holdings(table)
    assert lines["blue", "knight", "cell:0,0"] == 2
    assert lines["blue", "knight", "supply"] == 28


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"count": 31}, "illegal"),
        ({"count": -1}, "bad-input"),
        ({"count": 1.5}, "bad-input"),
        ({"owner": "green"}, "bad-input"),
        ({"piece": "dragon"}, "bad-input"),
        ({"place": "moon"}, "bad-input"),
        ({"place": "cell:99,0"}, "bad-input"),
        ({"reason": " "}, "bad-input"),
        ({"against": "moon"}, "bad-input"),
        ({"against": "cell:0,0"}, "bad-input"),
    ],
)
def test_invalid_correction_is_rejected(table: AtTable, change: Any, code: str) -> None:
    table.play(3)
    error = refused(table.post("actions", {"action": {**CORRECT, **change}, "faction": "blue"}), 400, code)
    assert error["rule"] is None


def test_option_changes_during_the_game_unless_fixed(table: AtTable) -> None:
    body = {"action": {"type": "option", "name": "must_move", "value": True}, "faction": "blue"}
    assert table.post("actions", body).status_code == 201
    refused(table.post("actions", {**body, "action": {**body["action"], "value": 1}}), 400, "bad-input")
    fixed = {"type": "option", "name": "start_rows", "value": 1}
    assert refused(table.post("actions", {**body, "action": fixed}), 400, "illegal")["rule"] is None


def test_response_language_follows_accept_language(table: AtTable) -> None:
    body = {"action": {"type": "end"}, "faction": "blue"}
    answer = table.post("actions", body, Accept_Language="hu")
    assert "Accept-Language" in answer.headers["Vary"]
    assert answer.headers["Content-Language"] == "hu"
