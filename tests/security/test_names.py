"""Injected names and texts are escaped on every page and in every download."""

from __future__ import annotations

import csv
import io
import json
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.test import Client

from companion.journal.submit import submit
from companion.registry import titles
from companion.tables.board_copies import make_copy
from companion.tables.circles import open_circle, put_into_circle
from companion.tables.hosting import finish
from companion.tables.opening import NewSeat, open_table, start
from companion.web.phone import SEATS_COOKIE
from tests.tables.sitting import Sitting, correction, play_on

pytestmark = pytest.mark.django_db
NAMES = ('"><img src=x>', "</script><b>", "'-alert(1)-'", "=1+1|cmd")
REASON = "<svg onload=x> --> ]]> ${7} {{7}}"
RAW = (b"<img src=x", b"</script><b>", b"<svg onload")
PARTS = (
    "", "?tab=board", "?tab=score", "?tab=journal", "?tab=help", "?tab=menu", "?tab=correct", "display/", "replay/", "report/",
    "report/standalone.html", "report/summary.svg", "seats/", "compare/", "position/", "figures/", "mend/1/",
)  # fmt: skip


@pytest.fixture
def sitting() -> Sitting:
    game = titles()["raubritter"].game
    seats = [NewSeat(name, faction) for name, faction in zip(NAMES, game.factions, strict=True)]
    opened = open_table(game="raubritter", seats=seats)
    sitting = Sitting(opened.table, opened.host_token, {seat.faction: token for seat, token in opened.seats})
    start(table=sitting.table, access=sitting.host)
    play_on(sitting, 8)
    first = next(iter(sitting.tokens))
    submit(table=sitting.table, access=sitting.host, faction=first, action=correction(3, first, REASON))
    return sitting


def fetch_escaped(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert answer.status_code == 200, address
    content: bytes = answer.content
    unescaped = [raw for raw in RAW if raw in content]
    assert not unescaped, (address, unescaped)
    return content


def test_names_are_escaped_on_every_page_of_a_table(sitting: Sitting) -> None:
    client = Client()
    client.cookies[SEATS_COOKIE] = sitting.host_token
    pages = [fetch_escaped(client, f"/t/{sitting.table.code}/{part}") for part in PARTS]
    assert sum(b"&lt;img src=x&gt;" in page for page in pages) > 5  # shown as text
    fetch_escaped(client, "/")


def test_names_are_escaped_in_circles_and_boards(sitting: Sitting) -> None:
    opened = open_circle(name=NAMES[0])
    finish(table=sitting.table, access=sitting.host)
    put_into_circle(table=sitting.table, access=sitting.host, circle=opened.circle)
    client = Client()
    for address in (f"/stats/circle/{opened.key}/", f"/stats/circle/{opened.key}/raubritter/"):
        fetch_escaped(client, address)
    board = make_copy(game=titles()["raubritter"].game, name=NAMES[1])
    fetch_escaped(client, f"/boards/raubritter/{board.code}/")
    fetch_escaped(client, "/boards/raubritter/")
    fetch_escaped(client, "/stats/")


def test_names_are_escaped_in_downloads(sitting: Sitting) -> None:
    finish(table=sitting.table, access=sitting.host)
    home = f"/t/{sitting.table.code}/"
    for part in ("standings.csv", "journal.csv", "results.csv"):
        answer = Client().get(home + part)
        assert answer["Content-Type"].startswith("text/csv")
        assert answer["Content-Disposition"].startswith("attachment")
        for row in csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))):
            assert not [cell for cell in row if cell[:1] in ("=", "+", "@", "\t", "\r")]
    exported = Client().get(f"{home}game.json")
    assert exported["Content-Type"] == "application/json"
    assert {seat["name"] for seat in exported.json()["seats"]} == set(NAMES)


def test_names_are_escaped_in_the_play_link(sitting: Sitting) -> None:
    finish(table=sitting.table, access=sitting.host)
    answer = Client().get(f"/api/tables/{sitting.table.code}/play-link/")
    link = answer.json()["link"] if "link" in answer.json() else answer.json()["url"]
    assert not set("<>\"' ") & set(link)
    play = parse_qs(urlsplit(link).query)["data"][0]
    names = [player["name"] for player in json.loads(unquote(play))["players"]]
    assert sorted(names) == sorted(NAMES)
