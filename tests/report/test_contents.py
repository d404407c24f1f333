"""Game by game the sections that fit it; and nothing in them that is still secret."""

from __future__ import annotations

import copy
import re

import pytest
from django.test import Client

from companion.charts.course import courses, read_course
from companion.models import Table
from companion.report.contents import sections_of
from companion.tables.documents import read_document
from games.registry import GAMES, PADS
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


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_game_has_what_fits_it(slug: str) -> None:
    """What a game adds of its own stands before the times."""
    course = read_course(played(slug, 3, seed=2, entries=80).table)
    sections = sections_of(course)
    slugs = [section.slug for section in sections]
    ours = [one for one in slugs if one in {*SHARED, *LAST, *OF_GAMES[slug]}]
    assert ours == [*SHARED, *OF_GAMES[slug], *LAST]
    assert slugs[-1] == "times"
    charts = [chart for section in sections for chart in section.charts]
    assert len({chart.slug for chart in charts}) == len(charts)
    for section in sections:
        assert section.title
        assert all(section.sentences)
    for chart in charts:
        assert chart.said
        assert chart.figure["data"]
        assert chart.grid.rows
        width = len(chart.grid.head)
        assert all(len(row) in (1, width) for row in chart.grid.rows)


@pytest.mark.parametrize("slug", sorted(PADS))
def test_a_score_pad_has_points_and_times(slug: str) -> None:
    table = played(slug, 3, seed=2, mode="pad").table
    slugs = {section.slug for section in sections_of(read_course(table))}
    assert {"course", "parts", "times"} <= slugs <= {*SHARED, *LAST}


def test_a_game_that_only_began() -> None:
    course = read_course(played("revolution", 3, entries=0).table)
    slugs = [section.slug for section in sections_of(course)]
    assert "times" not in slugs
    assert "turning" not in slugs


def test_plans_stay_secret_while_cards_are_face_down(client: Client) -> None:
    """Somebody may plan as they like: what others can read of it is the same to the letter."""
    one = document("wallenstein", 3, seed=4, entries=40)
    number = next(line["number"] for line in one["entries"] if line["action"]["type"] == "plan")
    one = document("wallenstein", 3, seed=4, entries=number)
    other = copy.deepcopy(one)
    cards = other["entries"][-1]["action"]["cards"]
    first, second = sorted(cards)[:2]
    cards[first], cards[second] = cards[second], cards[first]
    assert one != other
    tables = [read_document(data).table for data in (one, other)]
    assert tables[0].phase == "planning"
    assert [table.entries.get(number=number).action for table in tables] == [
        data["entries"][-1]["action"] for data in (one, other)
    ]
    for name in ("", "standalone.html", "summary.svg"):
        texts = [page(client, table, name) for table in tables]
        assert texts[0] == texts[1]


def page(client: Client, table: Table, name: str) -> str:
    """Without what differs each time: when it was saved, and the token of a form."""
    text = client.get(f"/t/{table.code}/report/{name}").content.decode()
    varying = r'Saved with Seneschal, [^<]*|(?<=name="csrfmiddlewaretoken" value=")[^"]+'
    return re.sub(varying, "", text).replace(table.code, "")


def test_a_course_is_kept_until_the_table_changes() -> None:
    sitting = played("raubritter", 2, entries=10)
    first = courses.of(sitting.fresh())
    assert courses.of(sitting.fresh()) is first
    play_on(sitting, 1)
    assert courses.of(sitting.fresh()).moments[-1].number == 11
    enter(sitting, "blue", {"type": "option", "name": "must_move", "value": True, "reason": "We like it."})
    assert courses.of(sitting.fresh()).moments[-1].number == 12
