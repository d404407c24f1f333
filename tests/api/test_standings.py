"""Standings per round over the API."""

from __future__ import annotations

from decimal import Decimal

from companion.models import Standing, Table
from tests.api.conftest import AtTable, cost


def test_points_are_the_sum_of_their_parts(table: AtTable) -> None:
    table.play(40)
    rows = table.json("standings/")
    assert all(set(row) == {"round", "faction", "points", "parts"} for row in rows)
    assert all(row["points"] == sum(row["parts"].values()) for row in rows)
    assert all(isinstance(row["points"], int) for row in rows)
    rounds = table.json()["round"]
    expected = [(number, faction) for number in range(rounds + 1) for faction in ("blue", "yellow")]
    assert [(row["round"], row["faction"]) for row in rows] == expected
    assert rows[-1]["points"] + rows[-2]["points"] > 0


def test_half_points_are_kept(table: AtTable) -> None:
    Standing.objects.filter(table=Table.objects.get(code=table.code)).update(
        points=Decimal("6.5"), parts={"a": 6.5}
    )
    row = table.json("standings/")[0]
    assert (row["points"], row["parts"]) == (6.5, {"a": 6.5})


def test_undo_restores_standings(table: AtTable) -> None:
    seen = []
    while table.json()["round"] < 3:
        seen.append(table.json("standings/"))
        table.play(1)
    while seen:
        table.post("undo")
        assert table.json("standings/") == seen.pop()


def test_standings_are_empty_before_the_start(lobby: AtTable) -> None:
    assert lobby.json("standings/") == []


def test_query_count_does_not_grow_with_rounds(table: AtTable) -> None:
    table.play(1)
    few = cost(table, "standings/")
    table.play(20)
    assert cost(table, "standings/") == few
