"""Prompts: the actions each faction may enter, with valid examples."""

from __future__ import annotations

import pytest

from companion.access.table_access import TableAccess
from companion.models import Table
from companion.tables import hosting
from tests.api.conftest import Api, AtTable, cost, open_table


def test_no_prompts_before_the_start(lobby: AtTable) -> None:
    assert lobby.json("prompts/") == []


def test_prompt_has_all_fields(table: AtTable) -> None:
    table.play(2)
    prompts = table.json("prompts/")
    assert [(prompt["faction"], prompt["action"]) for prompt in prompts] == [("blue", "place")]
    assert table.json()["waiting_for"] == ["blue"]
    (prompt,) = prompts
    assert set(prompt) == {"faction", "action", "title", "rule", "choices", "example"}
    assert prompt["title"] == "Place a tile (up to 3 this turn)"
    assert prompt["rule"] in ("5.1", "5.2")
    assert prompt["example"]["type"] == "place"
    assert set(prompt["choices"]) <= {"tile", "at"}
    assert prompt["choices"]["tile"]["kind"] == "choice"


def test_no_prompts_after_the_host_ended_the_game(table: AtTable) -> None:
    hosting.finish(table=Table.objects.get(code=table.code), access=TableAccess(is_host=True))
    assert table.json("prompts/") == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_examples_play_a_whole_game(api: Api, players: int) -> None:
    table = open_table(api, players)
    table.start()
    entries = 0
    while prompts := table.json("prompts/"):
        prompt = prompts[entries % len(prompts)]
        token = table.tokens[prompt["faction"]]
        body = {"action": prompt["example"], "faction": prompt["faction"], "key": f"entry-{entries}"}
        answer = table.post("actions", body, token=token)
        assert answer.status_code == 201, answer.content
        entries += 1
        assert answer.json()["number"] == entries
    end = table.json()
    assert (end["status"], end["waiting_for"]) == ("finished", [])
    assert end["winners"]
    assert not set(end["winners"]) - set(table.tokens)
    last = [row for row in table.json("standings/") if row["round"] == end["round"]]
    most = max(row["points"] for row in last)
    assert all(row["points"] == most for row in last if row["faction"] in end["winners"])


def test_query_count_does_not_grow_with_entries(table: AtTable) -> None:
    table.play(2)
    few = cost(table, "prompts/")
    table.play(20)
    assert cost(table, "prompts/") == few
