"""The report page of a game."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import localtime

from companion.journal.mending import mend
from companion.journal.states import state_cache
from companion.journal.submit import undo
from companion.models import Entry, Table
from companion.pages.table.page import TablePage
from companion.tables.hosting import abandon, finish
from companion.wording import duration
from tests.tables.sitting import Sitting, correction, enter, offered, play, play_on, sit

pytestmark = pytest.mark.django_db


def page(client: Client, table: Table) -> str:
    answer = client.get(f"/t/{table.code}/report/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def figure(text: str, name: str) -> Any:
    match = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert match
    return json.loads(match[1])


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def play_to_the_end(sitting: Sitting) -> None:
    while sitting.fresh().status == "playing":
        enter(sitting, *offered(sitting.table))


def test_report_of_a_finished_game(client: Client) -> None:
    sitting = play(2)
    play_to_the_end(sitting)
    text = page(client, sitting.table)
    table = sitting.fresh()
    standings = figure(text, "course-entries-figure")["data"]
    assert len(standings[0]["x"]) == table.latest + 1
    winner = sitting.seat(table.winners[0]).name
    assert f"{winner} wins" in words(text) or "share the victory" in words(text)
    parts = figure(text, "parts-figure")["data"]
    sums = [sum(trace["x"][at] for trace in parts) for at in range(2)]
    assert sorted(sums) == sorted(trace["y"][-1] for trace in standings)
    assert "Seats, clockwise" in text
    assert f'href="/t/{table.code}/replay/?at=0"' in text
    assert "so far" not in words(text)


def test_tie_at_the_end_is_explained(client: Client) -> None:
    sitting = play(2)
    play_to_the_end(sitting)
    rule(sitting, {"blue": 10, "yellow": 10})
    text = words(page(client, sitting.table))
    assert "Level at 10 points" in text
    assert "ended level." in text


def rule(sitting: Sitting, points: dict[str, int]) -> None:
    """Overrule the final scores of the last entry."""
    last = sitting.table.entries.get(number=sitting.fresh().head)
    undo(table=sitting.table, access=sitting.host)
    ruled = {"score:final": {"result": points, "reason": "Blue paid for the pizza."}}
    enter(sitting, last.faction, {**last.action, "rulings": ruled})


def test_report_of_a_running_game(client: Client) -> None:
    sitting = play(3, 30)
    text = page(client, sitting.table)
    assert "The game so far" in text
    assert "tiles are still to be placed" in text
    assert "has led since round" in text or "are level" in text


def test_report_of_a_game_without_points(client: Client) -> None:
    text = page(client, play(2).table)
    assert "Nobody has any points yet." in text
    assert "How long it took" not in text


def test_report_before_the_game_shows_a_message(client: Client) -> None:
    text = page(client, sit(2).table)
    assert "The game has not begun yet." in text
    assert "plotly-cartesian" not in text


@pytest.mark.parametrize("end", [finish, abandon])
def test_report_of_a_game_ended_early_or_abandoned(client: Client, end: Any) -> None:
    sitting = play(2, 20)
    end(table=sitting.table, access=sitting.host)
    text = words(page(client, sitting.table))
    assert ("ended the game early" in text) == (end is finish)
    assert ("was given up" in text) == (end is abandon)


def test_corrections_are_listed_with_reasons(client: Client) -> None:
    sitting = play(2, 6)
    enter(sitting, "blue", correction(2, reason="It fell down."))
    enter(sitting, "yellow", {"type": "option", "name": "must_move", "value": True, "reason": "We like it."})
    play_on(sitting, 1)
    number = sitting.fresh().latest
    Entry.objects.filter(number=number).update(reason="misplayed")
    enter(sitting, "blue", correction(3, reason="Undone again"))
    undo(table=sitting.table, access=sitting.host)
    text = page(client, sitting.table)
    for sentence in (
        "It fell down.",
        "We like it.",
        "<q>We misplayed.</q>",
        "corrected by hand",
        "table option",
    ):
        assert sentence in text
    for at in (7, 8, number):
        assert f"/replay/?at={at}" in text
    assert "Undone again" not in text
    assert "1 entry was undone." in words(text)


def test_left_out_entries_are_listed_with_reasons(client: Client) -> None:
    sitting = play(2, 9)
    assert "Left out afterwards" not in page(client, sitting.table)
    change(sitting, 3, {"type": "place", "tile": "plain", "at": [1, 2]}, "misplayed")
    change(sitting, 12, None, "It was a dream")
    undo(table=sitting.table, access=sitting.host)
    text = page(client, sitting.table)
    section = words(text).partition("Left out afterwards")[2]
    assert "No longer held once entry 3 was changed. Knights enter only" in section
    assert "Knights enter only on the castle you have just placed. § 5.3" in section
    assert "The tile must share a whole edge with a tile on the table. § 5.1" in section
    assert "<q>It was a dream</q>" in text
    for number, faction in ((4, "blue"), (6, "yellow")):
        entry = sitting.table.entries.get(number=number)
        assert TablePage(sitting.table, sitting.host).texts.title(entry) in section
        assert f"/replay/?at={number}&amp;undone=1" in text
        assert (
            f"{sitting.seat(faction).name} · entered {localtime(entry.created_at):%H:%M} · left out"
            in section
        )
        assert client.get(f"/t/{sitting.table.code}/replay/?at={number}&undone=1").status_code == 200
    assert "1 entry was undone." in section
    assert "Nothing was corrected." not in text


def test_single_left_out_entry_is_listed_alone(client: Client) -> None:
    sitting = play(2, 9)
    change(sitting, 9, None, "<b>bold</b>")
    text = page(client, sitting.table)
    assert "<q>&lt;b&gt;bold&lt;/b&gt;</q>" in text
    assert "No longer held" not in text
    assert "Nothing was corrected." not in text
    assert "undone." not in text


def test_entries_invalidated_by_a_left_out_entry_are_listed(client: Client) -> None:
    sitting = play(2, 9)
    change(sitting, 2, None, "a dream")
    text = words(page(client, sitting.table))
    assert text.count("No longer held once entry 2 was left out.") == 7
    assert text.count("a dream") == 1


def change(sitting: Sitting, number: int, action: Any, reason: str) -> None:
    table = sitting.fresh()
    mend(
        table=table,
        access=sitting.host,
        number=number,
        action=action,
        faction=None,
        reason=reason,
        version=table.version,
    )


def test_ruling_is_listed_with_its_reason(client: Client) -> None:
    sitting = play(2)
    play_to_the_end(sitting)
    rule(sitting, {"blue": 40, "yellow": 2})
    text = page(client, sitting.table)
    assert "<q>Blue paid for the pizza.</q>" in text
    assert "ruled by the table" in text
    assert figure(text, "course-entries-figure")["layout"]["annotations"][-1]["text"] == "Ada 40"


def test_reason_of_change_and_ruling_is_shown_once(client: Client) -> None:
    sitting = play(2)
    play_to_the_end(sitting)
    rule(sitting, {"blue": 40, "yellow": 2})
    sitting.table.entries.filter(number=sitting.fresh().head).update(reason="Blue paid for the pizza.")
    assert page(client, sitting.table).count("<q>Blue paid for the pizza.</q>") == 1


def test_players_with_the_same_name_are_shown_by_faction(client: Client) -> None:
    sitting = play(3, 12)
    sitting.table.seats.filter(faction__in=("blue", "green")).update(name="Ada")
    names = [trace["name"] for trace in figure(page(client, sitting.table), "course-entries-figure")["data"]]
    assert sorted(names) == ["Blue", "Béla", "Green"]


def test_names_are_escaped(client: Client) -> None:
    sitting = play(2, 6)
    sitting.table.seats.filter(faction="blue").update(name="</script><b>")
    text = page(client, sitting.table)
    assert "</script><b>" not in text
    assert figure(text, "course-entries-figure")["data"][0]["name"] in ("&lt;/script>&lt;b>", "Béla")


def test_unknown_code_returns_404(client: Client) -> None:
    answer = client.get("/t/CCCCCC/report/")
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.content.decode()
    assert client.post("/t/CCCCCC/report/").status_code == 405


def test_pages_link_to_the_report(client: Client) -> None:
    sitting = play(2, 6)
    link = f'href="/t/{sitting.table.code}/report/"'
    assert link in client.get(f"/t/{sitting.table.code}/?tab=menu").content.decode()
    assert link in client.get(f"/t/{sitting.table.code}/replay/").content.decode()
    finish(table=sitting.table, access=sitting.host)
    assert link in client.get(f"/t/{sitting.table.code}/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_query_count_does_not_grow_with_the_journal(client: Client) -> None:
    def queries(sitting: Sitting) -> int:
        state_cache.clear()
        with CaptureQueriesContext(connection) as captured:
            page(client, sitting.table)
        return len(captured)

    assert queries(play(2, 4)) == queries(play(2, 40))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "0 s"), (59.6, "1 min 0 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (5400, "1 h 30 min")],
)
def test_durations_are_formatted(seconds: float, expected: str) -> None:
    assert duration(timedelta(seconds=seconds)) == expected
