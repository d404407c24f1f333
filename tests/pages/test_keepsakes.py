"""Downloads of a report: a standalone HTML file and a summary picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from django.test import Client

from companion.registry import titles
from companion.report.summary import WIDTH, fitting_font_size
from companion.tables.hosting import abandon
from tests.statistics.journals import played
from tests.tables.sitting import play, sit

pytestmark = pytest.mark.django_db

SHEET = (Path(__file__).parents[2] / "static" / "css" / "seneschal.css").read_text()
SVG = "{http://www.w3.org/2000/svg}"


def test_standalone_file_has_no_external_resources(client: Client) -> None:
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
    assert all(url.startswith(("#", "data:", "http://testserver/t/")) for url in loaded)


def test_names_are_escaped_in_file_and_picture(client: Client) -> None:
    sitting = play(2, 12)
    sitting.table.seats.filter(faction="blue").update(name="</script><b>")
    text = client.get(f"/t/{sitting.table.code}/report/standalone.html").content.decode()
    assert "</script><b>" not in text
    picture = client.get(f"/t/{sitting.table.code}/report/summary.svg").content.decode()
    assert "</script><b>" not in picture
    ET.fromstring(picture)  # noqa: S314 - our own


def test_file_size_is_shown_next_to_the_link(client: Client) -> None:
    table = played("raubritter", 3).table
    text = client.get(f"/t/{table.code}/report/").content.decode()
    label = re.search(r"Save as a file \(([\d.]+)\xa0MB\)", text)
    assert label
    size = len(client.get(f"/t/{table.code}/report/standalone.html").content)
    assert abs(float(label[1]) - size / 1024 / 1024) < 0.2


@pytest.mark.parametrize(("slug", "players"), [("raubritter", 4), ("signoria", 2)])
def test_picture_shows_names_points_and_winner(client: Client, slug: str, players: int) -> None:
    table = played(slug, players).table
    answer = client.get(f"/t/{table.code}/report/summary.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    svg = ET.fromstring(answer.content)  # noqa: S314 - our own
    texts = [text.text for text in svg.iter(f"{SVG}text")]
    assert titles()[slug].game.name in texts
    assert len(svg.findall(f"{SVG}polyline")) == players
    shapes = {symbol.get("id") for symbol in svg.iter(f"{SVG}symbol")}
    used = [use.get("href", "") for use in svg.iter(f"{SVG}use")]
    assert len(used) == 2 * players
    assert {href[1:] for href in used} <= shapes
    names = [seat.name for seat in table.seats.all()]
    assert set(names) <= set(texts)
    rows = table.standings.filter(round=table.round)
    assert {f"{float(row.points):g}" for row in rows} <= set(texts)
    winner = table.seats.get(faction=table.winners[0]).name
    assert f"{winner} wins" in texts
    assert "style" not in answer.content.decode(), "the CSP forbids inline styles"


def test_picture_of_a_running_or_abandoned_game(client: Client) -> None:
    sitting = play(2, 12)
    address = f"/t/{sitting.table.code}/report/summary.svg"
    assert "The game so far" in client.get(address).content.decode()
    abandon(table=sitting.table, access=sitting.host)
    assert "The game was given up" in client.get(address).content.decode()


@pytest.mark.parametrize("name", ["standalone.html", "summary.svg"])
def test_files_return_404_before_the_game(client: Client, name: str) -> None:
    answer = client.get(f"/t/{sit(2).table.code}/report/{name}")
    assert answer.status_code == 404
    assert "The game has not begun yet." in answer.content.decode()
    assert client.get(f"/t/CCCCCC/report/{name}").status_code == 404
    assert client.post(f"/t/CCCCCC/report/{name}").status_code == 405


def test_picture_and_style_sheet_have_the_same_colours() -> None:
    rules = {
        faction: colour
        for names, colour in re.findall(r"((?:\.\w+,?\s*)+)\{\s*color: (#\w+);", SHEET)
        for faction in re.findall(r"\.(\w+)", names)
    }
    for title in titles().values():
        for faction in title.game.factions:
            assert title.tokens[faction].colour == rules[faction], faction


def test_long_headline_gets_a_smaller_font() -> None:
    assert fitting_font_size("Ada wins", WIDTH, 52) == 52
    assert fitting_font_size("x" * 200, WIDTH, 52) * 200 * 0.5 < WIDTH
