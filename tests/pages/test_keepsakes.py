"""What people keep of a game: a file that needs no server, and a picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from django.test import Client

from companion.report.summary import COLOURS, WIDTH, fitting
from companion.tables.hosting import abandon
from games.registry import GAMES
from tests.statistics.journals import played
from tests.tables.sitting import play, sit

pytestmark = pytest.mark.django_db

SHEET = (Path(__file__).parents[2] / "static" / "css" / "seneschal.css").read_text()
SVG = "{http://www.w3.org/2000/svg}"


def test_the_file_brings_everything_along(client: Client) -> None:
    table = played("raubritter", 3).table
    answer = client.get(f"/t/{table.code}/report/standalone.html")
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == 'attachment; filename="raubritter-2026-03-01.html"'
    text = answer.content.decode()
    assert 'id="course-entries-figure"' in text
    assert "plotly" in text
    assert '<symbol id="circle"' in text
    assert 'href="#circle"' in text
    assert '<link rel="stylesheet"' not in text
    assert "<script src" not in text
    loaded = re.findall(
        r'(?:src|href)="([^"]*)"', re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)
    )
    assert all(one.startswith(("#", "data:", "http://testserver/t/")) for one in loaded)


def test_a_name_cannot_break_out_of_the_file(client: Client) -> None:
    sitting = play(2, 12)
    sitting.table.seats.filter(faction="blue").update(name="</script><b>")
    text = client.get(f"/t/{sitting.table.code}/report/standalone.html").content.decode()
    assert "</script><b>" not in text
    picture = client.get(f"/t/{sitting.table.code}/report/summary.svg").content.decode()
    assert "</script><b>" not in picture
    ET.fromstring(picture)  # noqa: S314 - our own


def test_its_size_stands_beside_the_link(client: Client) -> None:
    table = played("raubritter", 3).table
    text = client.get(f"/t/{table.code}/report/").content.decode()
    told = re.search(r"Save as a file \(([\d.]+)\xa0MB\)", text)
    assert told
    size = len(client.get(f"/t/{table.code}/report/standalone.html").content)
    assert abs(float(told[1]) - size / 1024 / 1024) < 0.2


@pytest.mark.parametrize(("slug", "players"), [("raubritter", 4), ("signoria", 2)])
def test_the_picture(client: Client, slug: str, players: int) -> None:
    table = played(slug, players).table
    answer = client.get(f"/t/{table.code}/report/summary.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    drawn = ET.fromstring(answer.content)  # noqa: S314 - our own
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert GAMES[slug].name in texts
    assert len(drawn.findall(f"{SVG}polyline")) == players
    shapes = {symbol.get("id") for symbol in drawn.iter(f"{SVG}symbol")}
    used = [use.get("href", "") for use in drawn.iter(f"{SVG}use")]
    assert len(used) == 2 * players
    assert {href[1:] for href in used} <= shapes
    names = [seat.name for seat in table.seats.all()]
    assert set(names) <= set(texts)
    rows = table.standings.filter(round=table.round)
    assert {f"{float(row.points):g}" for row in rows} <= set(texts)
    winner = table.seats.get(faction=table.winners[0]).name
    assert f"{winner} wins" in texts
    assert "style" not in answer.content.decode(), "the policy would refuse it"


def test_the_picture_of_a_game_that_goes_on_or_was_given_up(client: Client) -> None:
    sitting = play(2, 12)
    address = f"/t/{sitting.table.code}/report/summary.svg"
    assert "The game so far" in client.get(address).content.decode()
    abandon(table=sitting.table, access=sitting.host)
    assert "The game was given up" in client.get(address).content.decode()


@pytest.mark.parametrize("name", ["standalone.html", "summary.svg"])
def test_nothing_to_keep_yet(client: Client, name: str) -> None:
    answer = client.get(f"/t/{sit(2).table.code}/report/{name}")
    assert answer.status_code == 404
    assert "The game has not begun yet." in answer.content.decode()
    assert client.get(f"/t/CCCCCC/report/{name}").status_code == 404
    assert client.post(f"/t/CCCCCC/report/{name}").status_code == 405


def test_the_colours_of_the_picture_are_those_of_the_pages() -> None:
    rules = {
        faction: colour
        for names, colour in re.findall(r"((?:\.\w+,?\s*)+)\{\s*color: (#\w+);", SHEET)
        for faction in re.findall(r"\.(\w+)", names)
    }
    assert {faction: rules[faction] for faction in COLOURS} == COLOURS
    assert set(COLOURS) == {faction for game in GAMES.values() for faction in game.factions}


def test_a_long_headline_still_fits() -> None:
    assert fitting("Ada wins", WIDTH, 52) == 52
    assert fitting("x" * 200, WIDTH, 52) * 200 * 0.5 < WIDTH
