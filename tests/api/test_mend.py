"""Mending entries and overriding results over the API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import AtTable, refused


def played(table: AtTable) -> AtTable:
    """Play seven entries: blue and yellow lay tiles, blue places a castle."""
    for faction, action in (
        ("blue", {"type": "lay", "tiles": ["plain", "plain"], "at": [[0, 0], [0, 1]]}),
        ("yellow", {"type": "lay", "tiles": ["plain-village", "forest-town"], "at": [[1, 1], [1, 0]]}),
        ("blue", {"type": "place", "tile": "forest-castle", "at": [0, 2]}),
        ("blue", {"type": "march", "knights": 2, "direction": None, "left": [2]}),
        ("blue", {"type": "end"}),
        ("yellow", {"type": "place", "tile": "forest-village", "at": [-1, 2]}),
        ("yellow", {"type": "place", "tile": "mountain", "at": [-1, 1]}),
    ):
        assert table.post("actions", {"faction": faction, "action": action}).status_code == 201
    return table


OTHER = {"type": "place", "tile": "plain", "at": [1, 2]}


def mend_body(table: AtTable, **more: Any) -> dict[str, Any]:
    version = table.json()["version"]
    return {
        "number": 3,
        "action": OTHER,
        "faction": "blue",
        "reason": "misplayed",
        "version": version,
        **more,
    }


def test_mend_has_the_effects_shown_in_its_preview(table: AtTable, bob: str) -> None:
    played(table)
    journal = table.json("journal/")
    body = {"number": 3, "action": OTHER, "faction": "blue"}
    shown = table.post("mend/preview", body, token=bob).json()
    assert (shown["version"], shown["holds"]) == (table.json()["version"], [5, 7])
    assert shown["broken"] == [
        {
            "number": 4,
            "text": "Knights enter only on the castle you have just placed.",
            "rule": "5.3",
        },
        {
            "number": 6,
            "text": "The tile must share a whole edge with a tile on the table.",
            "rule": "5.1",
        },
    ]
    assert {line["faction"] for line in shown["standings"]} == {"blue", "yellow"}
    assert table.json("journal/") == journal

    answer = table.post("mend", {**body, "reason": "misplayed", "version": shown["version"]}, token=bob)
    assert (answer.status_code, answer.json()) == (
        200,
        {"version": shown["version"] + 1, "number": 8, "dropped": [4, 6]},
    )
    lines = table.json("journal/")
    assert [(e["number"], e["origin"], e["reason"], e["marks"]) for e in lines if not e["undone"]] == [
        (1, None, "", []),
        (2, None, "", []),
        (8, 3, "misplayed", ["mended"]),
        (9, 5, "", []),
        (10, 7, "", []),
    ]
    assert lines[7]["at"] == lines[2]["at"]
    assert lines[7]["mended_at"] is not None


def test_entry_can_be_removed(table: AtTable) -> None:
    played(table)
    answer = table.post("mend", mend_body(table, number=7, action=None))
    refused(answer, 400, "bad-input")  # the entry is yellow's
    answer = table.post("mend", mend_body(table, number=7, action=None, faction=None))
    assert answer.json()["dropped"] == []
    assert table.json()["number"] == 6


def test_result_can_be_overridden_by_a_ruling(table: AtTable) -> None:
    while table.json("prompts/"):
        table.play(1)
    last = table.json("journal/")[-1]
    (step,) = (step for step in last["steps"] if step["key"])
    assert (step["key"], step["ruling"]) == ("score:final", None)
    points = {**dict.fromkeys(step["result"], 0), "yellow": 7}
    action = {**last["action"], "rulings": {step["key"]: {"result": points, "reason": "house-rule"}}}
    body = mend_body(table, number=last["number"], action=action, faction=last["faction"])
    assert table.post("mend", body).status_code == 200
    entry = table.json("journal/")[-1]
    assert entry["marks"] == ["mended", "overruled"]
    (step,) = (step for step in entry["steps"] if step["key"])
    assert (step["result"], step["ruling"]) == (points, "house-rule")
    assert table.json()["winners"] == ["yellow"]


def test_repeated_key_returns_first_response(table: AtTable) -> None:
    played(table)
    body = mend_body(table, key="m")
    first = table.post("mend", body)
    assert table.post("mend", body).json() == first.json()
    refused(table.post("mend", {**body, "reason": "other"}), 409, "key")


def test_mend_of_outdated_version_is_rejected(table: AtTable) -> None:
    body = mend_body(played(table))
    table.post("undo")
    refused(table.post("mend", body), 409, "gone")


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"number": 99}, 404, "unknown"),
        ({"number": -3}, 404, "unknown"),
        ({"number": "3"}, 400, "bad-input"),
        ({"action": {"type": "place"}}, 400, "bad-input"),
        ({"action": {"type": "place", "tile": "plain", "at": [9, 9]}}, 400, "illegal"),
        ({"action": "nothing"}, 400, "bad-input"),
        ({"faction": "yellow"}, 400, "bad-input"),
        ({"reason": ""}, 400, "bad-input"),
        ({"reason": "x" * 201}, 400, "bad-input"),
        ({"reason": None}, 400, "bad-input"),
        ({"version": None}, 400, "bad-input"),
        ({"version": 1}, 409, "gone"),
        ({"key": ""}, 400, "bad-input"),
        ({"more": 1}, 400, "bad-input"),
    ],
)
def test_invalid_mend_is_rejected(table: AtTable, more: dict[str, Any], status: int, code: str) -> None:
    played(table)
    before = table.json("journal/")
    refused(table.post("mend", mend_body(table, **more)), status, code)
    assert table.json("journal/") == before


def test_missing_or_foreign_token_is_rejected(table: AtTable, charlie: str) -> None:
    body = mend_body(played(table))
    preview = {name: body[name] for name in ("number", "action", "faction")}
    for part, fields in (("mend", body), ("mend/preview", preview)):
        refused(table.post(part, fields, token=""), 401, "no-token")
        refused(table.post(part, fields, token=charlie), 403, "foreign-token")


def test_mend_before_the_start_is_rejected(lobby: AtTable) -> None:
    refused(lobby.post("mend/preview", {"number": 1, "action": None}), 400, "illegal")
