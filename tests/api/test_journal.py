"""The journal over the API."""

from __future__ import annotations

from datetime import datetime

from tests.api.conftest import AtTable, cost


def test_entry_has_all_fields(table: AtTable) -> None:
    assert table.json("journal/") == []
    body = {**table.example(), "key": "a"}
    accepted = table.post("actions", body).json()
    (entry,) = table.json("journal/")
    at = datetime.fromisoformat(entry.pop("at"))
    assert at.utcoffset() is not None
    assert entry == {
        "number": 1,
        "parent": 0,
        "faction": "blue",
        "action": body["action"],
        "undone": False,
        "rules": 1,
        "steps": accepted["steps"],
        "origin": None,
        "mended_at": None,
        "reason": "",
        "marks": [],
    }


def test_undone_entries_stay_in_the_journal(table: AtTable) -> None:
    table.play(3)
    table.post("undo")
    table.post("undo")
    table.play(1)
    lines = table.json("journal/")
    assert [(line["number"], line["parent"], line["undone"]) for line in lines] == [
        (1, 0, False),
        (2, 1, True),
        (3, 2, True),
        (4, 1, False),
    ]


def test_journal_is_empty_before_the_start(lobby: AtTable) -> None:
    assert lobby.json("journal/") == []


def test_query_count_does_not_grow_with_entries(table: AtTable) -> None:
    table.play(1)
    few = cost(table, "journal/")
    table.play(20)
    assert cost(table, "journal/") == few
