"""Sections of each game's report, and that they reveal no secrets."""

from __future__ import annotations

import copy
import re

import pytest
from django.test import Client

from companion.charts.course import courses, read_course
from companion.models import Table
from companion.registry import titles
from companion.report.contents import sections_of
from companion.tables.documents import read_document
from tests.statistics.journals import document, played
from tests.tables.sitting import enter, play_on

pytestmark = pytest.mark.django_db

SHARED = ["course", "turning", "parts"]
LAST = ["order", "times"]
OF_GAMES = {
    "revolution": ["control", "taken", "pieces", "money"],
    "wallenstein": ["control", "taken", "pieces", "money"],
    "signoria": ["control", "taken", "pieces", "money"],
    "raubritter": ["control", "taken"],
}


@pytest.mark.parametrize("slug", sorted(titles()))
def test_report_of_each_game_has_its_sections(slug: str) -> None:
    """Sections of a single game come before the times."""
    course = read_course(played(slug, 3, seed=2, entries=80).table)
    sections = sections_of(course)
    slugs = [section.slug for section in sections]
    common = [slug_ for slug_ in slugs if slug_ in {*SHARED, *LAST, *OF_GAMES[slug]}]
    assert common == [*SHARED, *OF_GAMES[slug], *LAST]
    assert slugs[-1] == "times"
    charts = [chart for section in sections for chart in section.charts]
    assert len({chart.slug for chart in charts}) == len(charts)
    for section in sections:
        assert section.title
        assert all(section.sentences)
    for chart in charts:
        assert chart.description
        assert chart.plot["data"]
        assert chart.grid.rows
        width = len(chart.grid.head)
        assert all(len(row) in (1, width) for row in chart.grid.rows)


@pytest.mark.parametrize("slug", sorted(titles()))
def test_score_pad_report_has_points_and_times(slug: str) -> None:
    table = played(slug, 3, seed=2, mode="pad").table
    slugs = {section.slug for section in sections_of(read_course(table))}
    assert {"course", "parts", "times"} <= slugs <= {*SHARED, *LAST}


def test_game_without_entries_has_no_times_or_turning_points() -> None:
    course = read_course(played("revolution", 3, entries=0).table)
    slugs = [section.slug for section in sections_of(course)]
    assert "times" not in slugs
    assert "turning" not in slugs


def test_public_pages_do_not_reveal_hidden_plans(client: Client) -> None:
    """The public pages of two games that differ only in a hidden plan are identical."""
    original = document("wallenstein", 3, seed=4, entries=40)
    number = next(entry["number"] for entry in original["entries"] if entry["action"]["type"] == "plan")
    original = document("wallenstein", 3, seed=4, entries=number)
    other = copy.deepcopy(original)
    cards = other["entries"][-1]["action"]["cards"]
    first, second = sorted(cards)[:2]
    cards[first], cards[second] = cards[second], cards[first]
    assert original != other
    tables = [read_document(data).table for data in (original, other)]
    assert tables[0].phase == "planning"
    assert [table.entries.get(number=number).action for table in tables] == [
        data["entries"][-1]["action"] for data in (original, other)
    ]
    for name in ("", "standalone.html", "summary.svg"):
        texts = [page_text(client, table, name) for table in tables]
        assert texts[0] == texts[1]


def page_text(client: Client, table: Table, name: str) -> str:
    """Return a page without its time stamp, CSRF token and table code."""
    text = client.get(f"/t/{table.code}/report/{name}").content.decode()
    varying = r'Saved with Seneschal, [^<]*|(?<=name="csrfmiddlewaretoken" value=")[^"]+'
    return re.sub(varying, "", text).replace(table.code, "")


def test_course_is_cached_until_the_table_changes() -> None:
    sitting = played("raubritter", 2, entries=10)
    first = courses.of(sitting.fresh())
    assert courses.of(sitting.fresh()) is first
    play_on(sitting, 1)
    assert courses.of(sitting.fresh()).moments[-1].number == 11
    enter(sitting, "blue", {"type": "option", "name": "must_move", "value": True, "reason": "We like it."})
    assert courses.of(sitting.fresh()).moments[-1].number == 12
