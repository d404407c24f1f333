"""Downloads for other programs: complete, and without secrets."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client

from companion.journal.submit import submit
from companion.models import Circle, Result, Table
from companion.statistics.exports import csv_chunks
from companion.tables.circles import open_circle
from companion.tables.documents import read_document
from companion.tables.hosting import finish
from tests.api.conftest import Api, AtTable, refused
from tests.api.test_schema import check, schema  # noqa: F401 - used as a fixture
from tests.statistics.evenings import BEGIN, Evening, import_evening
from tests.tables.planning import planning, proposed


def csv_rows(answer: Any) -> list[dict[str, str]]:
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    content = b"".join(answer) if answer.streaming else answer.content
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.fixture
def key(db: None) -> str:
    opened = open_circle(name="Thursdays")
    for day in range(3):
        evening = Evening("raubritter", 3, day, BEGIN + timedelta(days=day), ("Ada", "=Béla", "Carla"))
        import_evening(evening, opened.circle)
    import_evening(Evening("revolution-pad", 2, 0, BEGIN, ("Ada", "=Béla")), opened.circle)
    return opened.key


def test_csv_cells_with_formulas_are_escaped() -> None:
    cells = ["=1+1", "+1", "-1", "@a", "\tx", "\r", "a=1", 'say "no"', -1, True, None]
    (line,) = csv_chunks(iter([cells]))
    (read,) = csv.reader(io.StringIO(line, newline=""))
    assert read[:6] == ["'=1+1", "'+1", "'-1", "'@a", "'\tx", "'\r"]
    assert read[6:] == ["a=1", 'say "no"', "-1", "true", ""]


def test_standings_csv_equals_standings(table: AtTable) -> None:
    table.play(20)
    lines = csv_rows(table.get("standings.csv"))
    expected = table.json("standings/")
    assert [(int(line["round"]), line["faction"], float(line["points"])) for line in lines] == [
        (row["round"], row["faction"], row["points"]) for row in expected
    ]
    for line, row in zip(lines, expected, strict=True):
        assert {part: float(line[part]) for part in row["parts"]} == row["parts"]


def test_journal_csv_equals_journal(table: AtTable) -> None:
    table.play(6)
    table.post("undo", {}, token=table.host)
    lines = csv_rows(table.get("journal.csv"))
    expected = table.json("journal/")
    assert [json.loads(line["action"]) for line in lines] == [entry["action"] for entry in expected]
    assert [line["undone"] for line in lines] == [str(entry["undone"]).lower() for entry in expected]
    for line, entry in zip(lines, expected, strict=True):
        assert all(step["text"] in line["text"] for step in entry["steps"])


def test_unfinished_game_has_no_result(table: AtTable) -> None:
    for part in ("results.csv", "play-link/"):
        refused(table.get(part), 409, "nothing")
    for part in ("results.csv", "play-link/", "standings.csv", "journal.csv"):
        refused(table.api.get(f"tables/AAAAAA/{part}"), 404, "unknown")


def test_game_with_secrets_is_not_exported(api: Api) -> None:
    sitting = planning()
    faction, action = proposed(sitting)
    submit(table=sitting.fresh(), access=sitting.host, faction=faction, action=action)
    refused(api.get(f"tables/{sitting.table.code}/journal.csv"), 409, "hidden")
    assert Client().get(f"/t/{sitting.table.code}/journal.csv").status_code == 409
    assert Client().get(f"/t/{sitting.table.code}/game.json").status_code == 409
    assert api.get(f"tables/{sitting.table.code}/standings.csv").status_code == 200


def test_results_csv_of_table_and_circle(api: Api, key: str) -> None:
    lines = csv_rows(api.get(f"circles/{key}/results.csv"))
    results = Result.objects.order_by("ended_at", "table")
    assert list(dict.fromkeys(line["table"] for line in lines)) == [result.table.code for result in results]
    assert {line["name"] for line in lines} == {"Ada", "'=Béla", "Carla"}
    scores = [score for result in results for score in result.scores.order_by("seat")]
    assert [(line["faction"], int(line["seat"]), float(line["points"])) for line in lines] == [
        (score.faction, score.seat, float(score.points)) for score in scores
    ]
    assert [line["won"] == "true" for line in lines] == [score.won for score in scores]
    only = csv_rows(api.get(f"circles/{key}/results.csv?game=raubritter&until=2024-09"))
    assert only == [line for line in lines if line["game"] == "raubritter"]
    table_rows = csv_rows(api.get(f"tables/{only[0]['table']}/results.csv"))
    assert table_rows == only[:3]
    refused(api.get(f"circles/{key}/results.csv?game=chess"), 404, "unknown")
    refused(api.get(f"circles/{key}/games.json?game=raubritter&players=x"), 400, "bad-input")


def test_games_of_a_circle_can_be_imported(api: Api, key: str, schema: Any) -> None:  # noqa: F811
    answer = api.get(f"circles/{key}/games.json?game=raubritter")
    content = json.loads(b"".join(answer))
    assert (content["circle"], len(content["games"]), content["left_out"]) == ("Thursdays", 3, [])
    before = Table.objects.get(result__in_circle=True, game="raubritter", started_at=BEGIN)
    again = read_document(content["games"][0]).table
    assert list(again.entries.values_list("action", flat=True)) == list(
        before.entries.values_list("action", flat=True)
    )
    answer.json = lambda: content
    check(schema, "/api/circles/{key}/games.json", "get", answer)


def test_play_link_for_bg_stats(api: Api, key: str, schema: Any) -> None:  # noqa: F811
    code = Table.objects.get(started_at=BEGIN, game="raubritter").code
    answer = api.get(f"tables/{code}/play-link/")
    check(schema, "/api/tables/{code}/play-link/", "get", answer)
    address, _mark, data = answer.json()["url"].partition("?data=")
    play = json.loads(unquote(data))
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert play == answer.json()["play"]
    result = Result.objects.get(table__code=code)
    assert play["playDate"] == f"{result.ended_at:%Y-%m-%d %H:%M:%S}"
    scores = list(result.scores.order_by("seat"))
    assert [player["startPlayer"] for player in play["players"]] == [True, False, False]
    assert [player["score"] for player in play["players"]] == [float(score.points) for score in scores]
    assert [player["winner"] for player in play["players"]] == [score.won for score in scores]
    assert [player["rank"] for player in play["players"]] == [score.place for score in scores]
    assert play["game"]["name"] == "Raubritter"
    page = Client().get(f"/t/{code}/report/").content.decode()
    assert answer.json()["url"].replace("&", "&amp;") in page
    assert f"/t/{code}/results.csv" in page


def test_player_with_two_factions_is_one_player(api: Api, key: str) -> None:
    result = Result.objects.get(game="revolution")
    play = api.get(f"tables/{result.table.code}/play-link/").json()["play"]
    points = sum(float(score.points) for score in result.scores.all())
    assert sorted(player["name"] for player in play["players"]) == ["=Béla", "Ada"]
    assert sum(player["score"] for player in play["players"]) == pytest.approx(points)
    assert [player["startPlayer"] for player in play["players"]] == [True, False]


def test_downloads_from_pages_open_in_spreadsheets(key: str) -> None:
    code = Table.objects.filter(game="raubritter")[0].code
    for part in ("standings.csv", "journal.csv", "results.csv"):
        answer = Client().get(f"/t/{code}/{part}")
        assert answer.content.startswith(b"\xef\xbb\xbf")
        assert "attachment" in answer["Content-Disposition"]
    streaming = b"".join(Client().get(f"/stats/circle/{key}/results.csv"))
    assert streaming.startswith(b"\xef\xbb\xbf")
    assert json.loads(Client().get(f"/t/{code}/game.json").content)["game"] == "raubritter"


def test_game_with_secrets_is_left_out_of_circle_export(api: Api) -> None:
    opened = open_circle(name="Planners")
    sitting = planning()
    faction, action = proposed(sitting)
    submit(table=sitting.fresh(), access=sitting.host, faction=faction, action=action)
    table = sitting.fresh()
    Table.objects.filter(pk=table.pk).update(circle=Circle.objects.get())
    table.refresh_from_db()
    finish(table=table, access=sitting.host)
    content = json.loads(b"".join(api.get(f"circles/{opened.key}/games.json")))
    assert content["games"] == []
    assert [game["table"] for game in content["left_out"]] == [table.code]
