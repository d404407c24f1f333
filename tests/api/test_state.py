"""The state over the API, now and after any entry."""

from __future__ import annotations

import pytest

from tests.api.conftest import AtTable, cost, refused


def test_state_is_empty_before_the_start(lobby: AtTable) -> None:
    nothing = {"version": 1, "number": 0, "round": 0, "phase": "", "holdings": [], "facts": {}}
    assert lobby.json("state/") == nothing
    assert lobby.json("state/?at=0") == nothing
    refused(lobby.get("state/?at=1"), 404, "unknown")


def test_state_at_the_start(table: AtTable) -> None:
    state = table.json("state/")
    assert (state["version"], state["number"], state["round"], state["phase"]) == (2, 0, 0, "setup")
    assert {"owner": "blue", "piece": "knight", "place": "supply", "count": 30} in state["holdings"]
    assert state["facts"]["order"] == ["blue", "yellow"]


def test_state_after_any_entry(table: AtTable) -> None:
    seen = [table.json("state/")]
    for _ in range(5):
        table.play(1)
        seen.append(table.json("state/"))
    assert [state["number"] for state in seen] == [0, 1, 2, 3, 4, 5]
    version = seen[-1]["version"]
    for number, state in enumerate(seen):
        assert table.json(f"state/?at={number}") == {**state, "version": version}


def test_state_after_an_undone_entry(table: AtTable) -> None:
    table.play(3)
    third = table.json("state/")["holdings"]
    table.post("undo")
    table.post("actions", {**table.example(), "action": {"type": "end"}})
    assert table.json("state/?at=3")["holdings"] == third
    assert table.json("state/")["number"] == 2


@pytest.mark.parametrize("at", ["99", "-1", "9" * 18, "9" * 30, "9" * 5000])
def test_unknown_entry_number_is_not_found(table: AtTable, at: str) -> None:
    refused(table.get(f"state/?at={at}"), 404, "unknown")


@pytest.mark.parametrize("at", ["", "one", "1.0", "1e1", "٣", "0x1", " 1", "%00"])
def test_malformed_entry_number_is_bad_input(table: AtTable, at: str) -> None:
    refused(table.get(f"state/?at={at}"), 400, "bad-input")


def test_query_count_does_not_grow_with_entries(table: AtTable) -> None:
    table.play(2)
    few = cost(table, "state/")
    table.play(20)
    assert cost(table, "state/") == few
    assert cost(table, "state/?at=3") <= few + 1
