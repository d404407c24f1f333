"""`manage.py demo`: evenings that were played, through the services, at the times they took place."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from companion.errors import Refusal
from companion.journal.integrity import examine
from companion.journal.marks import marks_of
from companion.management import demonstration, evenings
from companion.management.clock import Clock
from companion.management.commands import demo
from companion.management.evenings import CIRCLES, EVENINGS, FULL, PAD, Evening, Played, played
from companion.models import Circle, Entry, Member, Result, Skill, Status, Table
from companion.results.filters import Filter
from companion.results.intervals import FEWEST_GAMES
from companion.statistics import queries
from companion.statistics.across import sections_of_game
from companion.statistics.people import sections_of_member
from games.registry import GAMES
from games.wallenstein.state import SEASONS

FEW = (
    Evening(circle=0, game="raubritter", players=2, weeks_ago=9, incidents=("correction", "mend")),
    Evening(circle=1, game="wallenstein", players=2, weeks_ago=4, mode=PAD),
    Evening(circle=1, game="raubritter", players=2, weeks_ago=0, stop=30),
)


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("demo", "--processes", "1", *words, stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def played_few() -> list[Played]:
    """Played once, as the tests below are about what is made of it."""
    return list(map(played, FEW))


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch, played_few: list[Played]) -> None:
    monkeypatch.setattr(demo, "EVENINGS", FEW)
    monkeypatch.setattr(demo, "play_evenings", lambda _evenings, _processes: iter(played_few))


# What is played


def test_every_title_is_played_out_in_both_circles_and_one_of_each_is_under_way() -> None:
    titles = set(GAMES)
    assert {e.game for e in EVENINGS if e.stop} == titles
    for circle in range(len(CIRCLES)):
        assert {e.game for e in EVENINGS if e.circle == circle and e.stop is None} == titles
    assert any(e.mode == PAD for e in EVENINGS)
    assert {kind for e in EVENINGS for kind in e.incidents} == {"correction", "ruling", "mend"}
    assert len({e.seed for e in EVENINGS}) == len(EVENINGS)


def test_each_circle_has_played_enough_of_every_title_for_its_charts() -> None:
    """With as many people each time: seats are told apart by the number of players."""
    whole = Counter((e.circle, e.game, e.players) for e in EVENINGS if e.stop is None and e.mode == FULL)
    for circle in range(len(CIRCLES)):
        for game in GAMES:
            most = max(count for (c, g, _players), count in whole.items() if (c, g) == (circle, game))
            assert most >= FEWEST_GAMES


def test_a_circle_keeps_to_its_colours() -> None:
    evening = Evening(circle=1, game="raubritter", players=2, weeks_ago=3, stop=1)
    assert len({frozenset(played(replace(evening, weeks_ago=w)).factions) for w in range(4)}) == 1


def test_an_evening_is_the_same_whenever_it_is_played() -> None:
    first = played(FEW[2])
    assert first == played(FEW[2])
    assert len({one.seconds for one in first.happened}) > 10  # nobody thinks by the clock


def test_the_table_rules_differently_once() -> None:
    """In Wallenstein; the other kinds of incidents are in the tables below."""
    found = played(
        Evening(circle=0, game="wallenstein", players=2, weeks_ago=1, stop=90, incidents=("ruling",))
    )
    ruled = [one for one in found.happened if one.kind == "mend"]
    assert len(ruled) == 1
    assert ruled[0].action["rulings"]


def test_a_score_pad_is_told_of_two_winters() -> None:
    found = played(FEW[1])
    assert len(found.happened) == 2 * 3  # with two players three regions are used
    assert {one.action["type"] for one in found.happened} == {"region"}
    assert len(SEASONS) == 4


# The clock


def test_the_clock_tells_its_own_time_to_all_who_ask() -> None:
    clock = Clock(datetime(2020, 2, 3, 18, 0, tzinfo=UTC))
    with clock.running():
        assert timezone.now() == clock.moment
        clock.passes(90)
        assert timezone.now() == datetime(2020, 2, 3, 18, 1, 30, tzinfo=UTC)
        assert Circle().created_at == clock.moment  # a default of the model
    assert timezone.now().year > 2020


# The tables


@pytest.mark.django_db
@pytest.mark.usefixtures("_few")
def test_tables_are_made_as_people_make_them() -> None:
    text = run()
    finished, pad, running = Table.objects.order_by("pk")
    assert [table.status for table in (finished, pad, running)] == ["finished", "finished", "playing"]
    assert not any(str(examine(table=table)) for table in (finished, pad, running))
    assert all(f"/t/{table.code}/" in text for table in (finished, pad, running))
    assert all(people.name in text for people in CIRCLES)

    marks = Counter(mark for entry in finished.entries.filter(undone=False) for mark in marks_of(entry))
    assert marks == {"correction": 1, "mended": 1}
    assert finished.entries.filter(undone=True).exists()
    assert pad.options["mode"] == "pad"
    assert running.latest >= 30
    assert running.ticks.filter(number__lt=running.head).exists()
    assert not running.ticks.filter(number=running.head).exists()

    assert Result.objects.count() == 2
    assert Member.objects.count() == 4
    names = {member.name for member in Member.objects.filter(circle__name=CIRCLES[0].name)}
    assert names <= set(CIRCLES[0].members)
    have_the_times_of_their_evening(finished, running)


def have_the_times_of_their_evening(finished: Table, running: Table) -> None:
    thursday = 3
    assert finished.started_at is not None
    assert finished.ended_at is not None
    assert timezone.localtime(finished.started_at).weekday() == thursday
    assert timedelta(weeks=9) < timezone.now() - finished.started_at < timedelta(weeks=11)
    assert timedelta(minutes=8) < finished.ended_at - finished.started_at < timedelta(hours=3)
    assert timezone.now() - running.changed_at < timedelta(minutes=10)
    for table in (finished, running):
        first = table.entries.filter(origin=None).order_by("number")
        times = [entry.created_at for entry in first]
        assert all(earlier < later for earlier, later in pairwise(times))
        assert table.created_at <= times[0]
        assert times[-1] < timezone.now()


@pytest.mark.django_db
@pytest.mark.usefixtures("_few")
def test_a_second_time_nothing_is_added() -> None:
    run()
    before = (Table.objects.count(), Entry.objects.count(), Circle.objects.count())
    text = run()
    assert "The demo is here already; nothing was added." in text
    assert (Table.objects.count(), Entry.objects.count(), Circle.objects.count()) == before
    assert all(f"/t/{table.code}/" in text for table in Table.objects.all())

    keys = set(Circle.objects.values_list("key_hash", flat=True))
    text = run("--new-links")
    assert all(people.name in text for people in CIRCLES)
    assert not keys & set(Circle.objects.values_list("key_hash", flat=True))


@pytest.mark.django_db
def test_there_are_no_new_links_without_a_demo() -> None:
    with pytest.raises(CommandError, match="There is no demo here yet"):
        run("--new-links")


@pytest.mark.django_db
@pytest.mark.usefixtures("_few")
def test_nothing_half_made_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    enter = demonstration._enter
    entered: list[Any] = []

    def fails(*arguments: Any) -> None:
        entered.append(arguments)
        if len(entered) == 20:
            raise Refusal("illegal", "Not now.")
        enter(*arguments)

    monkeypatch.setattr(demonstration, "_enter", fails)
    with pytest.raises(CommandError, match="The demo could not be made: Not now"):
        run()
    assert not Table.objects.exists()
    assert not Circle.objects.exists()
    assert not Result.objects.exists()


@pytest.mark.django_db
def test_at_least_one_process_must_work() -> None:
    with pytest.raises(CommandError, match="At least one process must work"):
        call_command("demo", "--processes", "0")


@pytest.mark.long
@pytest.mark.django_db
def test_the_whole_demo() -> None:
    """Every table folds to what is kept of it, and everything out of the ordinary is somewhere."""
    run()
    assert Table.objects.filter(status=Status.FINISHED).count() == sum(e.stop is None for e in EVENINGS)
    assert Table.objects.filter(status=Status.PLAYING).count() == len(GAMES)
    assert not [table.code for table in Table.objects.all() if str(examine(table=table))]
    marks = {mark for entry in Entry.objects.filter(undone=False) for mark in marks_of(entry)}
    assert {"correction", "mended", "overruled"} <= marks
    assert Entry.objects.filter(undone=True, origin=None).count() > 20
    assert Result.objects.filter(is_clean=False).exists()
    assert Result.objects.filter(is_clean=True).count() > 8
    assert {people.name for people in evenings.CIRCLES} == set(Circle.objects.values_list("name", flat=True))
    assert isinstance(played(EVENINGS[-1]), Played)
    every_page_has_something_to_show()


def every_page_has_something_to_show() -> None:
    for circle in (None, *Circle.objects.all()):
        for game in GAMES:
            sections = sections_of_game(queries.of_game(Filter(game), circle))
            drawn = {section.slug for section in sections if section.charts}
            assert drawn >= {"factions", "seats", "points", "lengths", "half-time"}, (circle, game)
    for skill in Skill.objects.select_related("member__circle"):
        told = queries.member(skill.member.circle, skill.member_id, skill.game)
        assert any(section.charts for section in sections_of_member(skill.game, told))
