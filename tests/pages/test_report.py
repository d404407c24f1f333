"""The report of a game, for whoever knows the code."""

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
from companion.journal.states import kept
from companion.journal.submit import undo
from companion.models import Entry, Table
from companion.pages.table_page import TablePage
from companion.tables.hosting import abandon, finish
from companion.wording import duration
from tests.tables.sitting import Sitting, correction, enter, offered, play, play_on, sit

pytestmark = pytest.mark.django_db


def page(client: Client, table: Table) -> str:
    answer = client.get(f"/t/{table.code}/report/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def figure(text: str, name: str) -> Any:
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def to_the_end(sitting: Sitting) -> None:
    while sitting.fresh().status == "playing":
        enter(sitting, *offered(sitting.table))


def test_a_finished_game(client: Client) -> None:
    sitting = play(2)
    to_the_end(sitting)
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


def test_the_tie_break_that_decided(client: Client) -> None:
    sitting = play(2)
    to_the_end(sitting)
    rule(sitting, {"blue": 10, "yellow": 10})
    text = words(page(client, sitting.table))
    assert "Level at 10 points" in text
    assert "ended level." in text


def rule(sitting: Sitting, points: dict[str, int]) -> None:
    """The table decides what the last entry led to."""
    last = sitting.table.entries.get(number=sitting.fresh().head)
    undo(table=sitting.table, access=sitting.host)
    ruled = {"score:final": {"result": points, "reason": "Blue paid for the pizza."}}
    enter(sitting, last.faction, {**last.action, "rulings": ruled})


def test_a_game_that_is_being_played(client: Client) -> None:
    sitting = play(3, 30)
    text = page(client, sitting.table)
    assert "The game so far" in text
    assert "tiles are still to be placed" in text
    assert "has led since round" in text or "are level" in text


def test_a_game_that_only_began(client: Client) -> None:
    text = page(client, play(2).table)
    assert "Nobody has any points yet." in text
    assert "How long it took" not in text


def test_a_table_that_is_only_open(client: Client) -> None:
    text = page(client, sit(2).table)
    assert "The game has not begun yet." in text
    assert "plotly-cartesian" not in text


@pytest.mark.parametrize("end", [finish, abandon])
def test_a_game_that_was_ended_by_hand(client: Client, end: Any) -> None:
    sitting = play(2, 20)
    end(table=sitting.table, access=sitting.host)
    text = words(page(client, sitting.table))
    assert ("ended the game early" in text) == (end is finish)
    assert ("was given up" in text) == (end is abandon)


def test_what_was_corrected_is_listed_openly(client: Client) -> None:
    sitting = play(2, 6)
    enter(sitting, "blue", correction(2, reason="It fell down."))
    enter(sitting, "yellow", {"type": "option", "name": "must_move", "value": True, "reason": "We like it."})
    play_on(sitting, 1)
    number = sitting.fresh().latest
    Entry.objects.filter(number=number).update(reason="misplayed")
    enter(sitting, "blue", correction(3, reason="Undone again"))
    undo(table=sitting.table, access=sitting.host)
    text = page(client, sitting.table)
    for told in ("It fell down.", "We like it.", "<q>We misplayed.</q>", "corrected by hand", "table option"):
        assert told in text
    for at in (7, 8, number):
        assert f"/replay/?at={at}" in text
    assert "Undone again" not in text
    assert "1 entry was undone." in words(text)


def test_what_was_left_out_is_listed_openly(client: Client) -> None:
    sitting = play(2, 9)
    assert "Left out afterwards" not in page(client, sitting.table)
    change(sitting, 3, {"type": "place", "tile": "plain", "at": [1, 2]}, "misplayed")
    change(sitting, 12, None, "It was a dream")
    undo(table=sitting.table, access=sitting.host)
    text = page(client, sitting.table)
    told = words(text).partition("Left out afterwards")[2]
    assert "No longer held once entry 3 was changed. Knights enter only" in told
    assert "Knights enter only on the castle you have just placed. § 5.3" in told
    assert "The tile must share a whole edge with a tile on the table. § 5.1" in told
    assert "<q>It was a dream</q>" in text
    for number, faction in ((4, "blue"), (6, "yellow")):
        entry = sitting.table.entries.get(number=number)
        assert TablePage(sitting.table, sitting.host).title(entry) in told
        assert f"/replay/?at={number}&amp;undone=1" in text
        assert (
            f"{sitting.seat(faction).name} · entered {localtime(entry.created_at):%H:%M} · left out" in told
        )
        assert client.get(f"/t/{sitting.table.code}/replay/?at={number}&undone=1").status_code == 200
    assert "1 entry was undone." in told
    assert "Nothing was corrected." not in text


def test_only_what_was_left_out(client: Client) -> None:
    sitting = play(2, 9)
    change(sitting, 9, None, "<b>bold</b>")
    text = page(client, sitting.table)
    assert "<q>&lt;b&gt;bold&lt;/b&gt;</q>" in text
    assert "No longer held" not in text
    assert "Nothing was corrected." not in text
    assert "undone." not in text


def test_what_fell_with_an_entry_that_was_left_out(client: Client) -> None:
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


def test_a_ruling_is_told_with_its_reason(client: Client) -> None:
    sitting = play(2)
    to_the_end(sitting)
    rule(sitting, {"blue": 40, "yellow": 2})
    text = page(client, sitting.table)
    assert "<q>Blue paid for the pizza.</q>" in text
    assert "ruled by the table" in text
    assert figure(text, "course-entries-figure")["layout"]["annotations"][-1]["text"] == "Ada 40"


def test_a_reason_that_was_given_twice_is_told_once(client: Client) -> None:
    """Who rules differently gives one reason: for the change, and for the ruling in it."""
    sitting = play(2)
    to_the_end(sitting)
    rule(sitting, {"blue": 40, "yellow": 2})
    sitting.table.entries.filter(number=sitting.fresh().head).update(reason="Blue paid for the pizza.")
    assert page(client, sitting.table).count("<q>Blue paid for the pizza.</q>") == 1


def test_people_of_the_same_name_are_told_apart(client: Client) -> None:
    sitting = play(3, 12)
    sitting.table.seats.filter(faction__in=("blue", "green")).update(name="Ada")
    names = [trace["name"] for trace in figure(page(client, sitting.table), "course-entries-figure")["data"]]
    assert sorted(names) == ["Blue", "Béla", "Green"]


def test_a_name_cannot_break_out_of_the_page(client: Client) -> None:
    sitting = play(2, 6)
    sitting.table.seats.filter(faction="blue").update(name="</script><b>")
    text = page(client, sitting.table)
    assert "</script><b>" not in text
    assert figure(text, "course-entries-figure")["data"][0]["name"] in ("&lt;/script>&lt;b>", "Béla")


def test_an_unknown_code(client: Client) -> None:
    answer = client.get("/t/CCCCCC/report/")
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.content.decode()
    assert client.post("/t/CCCCCC/report/").status_code == 405


def test_the_report_is_a_link_away(client: Client) -> None:
    sitting = play(2, 6)
    link = f'href="/t/{sitting.table.code}/report/"'
    assert link in client.get(f"/t/{sitting.table.code}/?tab=menu").content.decode()
    assert link in client.get(f"/t/{sitting.table.code}/replay/").content.decode()
    finish(table=sitting.table, access=sitting.host)
    assert link in client.get(f"/t/{sitting.table.code}/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_it_costs_the_same_queries_however_long_the_game(client: Client) -> None:
    def queries(sitting: Sitting) -> int:
        kept.clear()
        with CaptureQueriesContext(connection) as found:
            page(client, sitting.table)
        return len(found)

    assert queries(play(2, 4)) == queries(play(2, 40))


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (59.6, "1 min 0 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (5400, "1 h 30 min")],
)
def test_lengths_of_time(seconds: float, told: str) -> None:
    assert duration(timedelta(seconds=seconds)) == told
