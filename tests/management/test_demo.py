"""`manage.py demo`: evenings, clock, and the tables created from them."""

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
from companion.management.evenings import CIRCLES, PlayedEvening, all_evenings, play_evening, seed_of
from companion.models import Circle, Entry, Member, Result, Skill, Status, Table
from companion.registry import FULL, PAD, titles
from companion.results.filters import Filter
from companion.results.intervals import FEWEST_GAMES
from companion.statistics import queries
from companion.statistics.across import sections_of_game
from companion.statistics.people import sections_of_member
from companion.titles.demo import Evening
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
def played_few() -> list[PlayedEvening]:
    """Return a few evenings, played once for all tests."""
    return list(map(play_evening, FEW))


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch, played_few: list[PlayedEvening]) -> None:
    monkeypatch.setattr(demo, "all_evenings", lambda: FEW)
    monkeypatch.setattr(demo, "play_evenings", lambda _evenings, _processes: iter(played_few))


# Evenings

EVENINGS = all_evenings()


def test_both_circles_finish_every_title_and_one_of_each_is_in_progress() -> None:
    every_title = {slug for slug, title in titles().items() if title.demo}
    assert {e.game for e in EVENINGS if e.stop} == every_title
    for circle in range(len(CIRCLES)):
        assert {e.game for e in EVENINGS if e.circle == circle and e.stop is None} == every_title
    assert any(e.mode == PAD for e in EVENINGS)
    assert {kind for e in EVENINGS for kind in e.incidents} == {"correction", "ruling", "mend"}
    assert len({seed_of(e) for e in EVENINGS}) == len(EVENINGS)


def test_each_circle_has_enough_games_of_every_title_for_charts() -> None:
    """With the same number of players: statistics of seats are separate for each number."""
    finished = Counter((e.circle, e.game, e.players) for e in EVENINGS if e.stop is None and e.mode == FULL)
    for circle in range(len(CIRCLES)):
        for game in titles():
            most = max(count for (c, g, _players), count in finished.items() if (c, g) == (circle, game))
            assert most >= FEWEST_GAMES


def test_circle_always_plays_the_same_factions() -> None:
    evening = Evening(circle=1, game="raubritter", players=2, weeks_ago=3, stop=1)
    assert len({frozenset(play_evening(replace(evening, weeks_ago=w)).factions) for w in range(4)}) == 1


def test_evening_is_reproducible() -> None:
    first = play_evening(FEW[2])
    assert first == play_evening(FEW[2])
    assert len({event.seconds for event in first.events}) > 10  # thinking times vary


def test_ruling_is_entered_as_a_mend() -> None:
    """In Wallenstein; the tables below contain the other kinds of incidents."""
    played = play_evening(
        Evening(circle=0, game="wallenstein", players=2, weeks_ago=1, stop=90, incidents=("ruling",))
    )
    ruled = [event for event in played.events if event.kind == "mend"]
    assert len(ruled) == 1
    assert ruled[0].action["rulings"]


def test_score_pad_has_entries_for_two_winters() -> None:
    played = play_evening(FEW[1])
    assert len(played.events) == 2 * 3  # two players use three regions
    assert {event.action["type"] for event in played.events} == {"region"}
    assert len(SEASONS) == 4


# The clock


def test_clock_patches_the_current_time() -> None:
    clock = Clock(datetime(2020, 2, 3, 18, 0, tzinfo=UTC))
    with clock.patched():
        assert timezone.now() == clock.moment
        clock.advance(90)
        assert timezone.now() == datetime(2020, 2, 3, 18, 1, 30, tzinfo=UTC)
        assert Circle().created_at == clock.moment  # a model default
    assert timezone.now().year > 2020


# Tables


@pytest.mark.django_db
@pytest.mark.usefixtures("_few")
def test_demo_creates_sound_tables_with_all_kinds_of_entries() -> None:
    text = run()
    finished, pad, running = Table.objects.order_by("pk")
    assert [table.status for table in (finished, pad, running)] == ["finished", "finished", "playing"]
    assert not any(str(examine(table=table)) for table in (finished, pad, running))
    assert all(f"/t/{table.code}/" in text for table in (finished, pad, running))
    assert all(group.name in text for group in CIRCLES)

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
    assert_times_of_the_evening(finished, running)


def assert_times_of_the_evening(finished: Table, running: Table) -> None:
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
def test_second_run_adds_nothing() -> None:
    run()
    before = (Table.objects.count(), Entry.objects.count(), Circle.objects.count())
    text = run()
    assert "The demo is here already; nothing was added." in text
    assert (Table.objects.count(), Entry.objects.count(), Circle.objects.count()) == before
    assert all(f"/t/{table.code}/" in text for table in Table.objects.all())

    keys = set(Circle.objects.values_list("key_hash", flat=True))
    text = run("--new-links")
    assert all(group.name in text for group in CIRCLES)
    assert not keys & set(Circle.objects.values_list("key_hash", flat=True))


@pytest.mark.django_db
def test_new_links_without_a_demo_are_rejected() -> None:
    with pytest.raises(CommandError, match="There is no demo here yet"):
        run("--new-links")


@pytest.mark.django_db
@pytest.mark.usefixtures("_few")
def test_failure_leaves_no_rows_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    enter = demonstration._enter
    calls: list[Any] = []

    def fail_at_20(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 20:
            raise Refusal("illegal", "Not now.")
        enter(*arguments)

    monkeypatch.setattr(demonstration, "_enter", fail_at_20)
    with pytest.raises(CommandError, match="The demo could not be made: Not now"):
        run()
    assert not Table.objects.exists()
    assert not Circle.objects.exists()
    assert not Result.objects.exists()


@pytest.mark.django_db
def test_zero_processes_are_rejected() -> None:
    with pytest.raises(CommandError, match="At least one process must work"):
        call_command("demo", "--processes", "0")


@pytest.mark.long
@pytest.mark.django_db
def test_whole_demo() -> None:
    """All tables are sound, every kind of incident occurs, and every page has charts."""
    run()
    assert Table.objects.filter(status=Status.FINISHED).count() == sum(e.stop is None for e in EVENINGS)
    assert Table.objects.filter(status=Status.PLAYING).count() == len(titles())
    assert not [table.code for table in Table.objects.all() if str(examine(table=table))]
    marks = {mark for entry in Entry.objects.filter(undone=False) for mark in marks_of(entry)}
    assert {"correction", "mended", "overruled"} <= marks
    assert Entry.objects.filter(undone=True, origin=None).count() > 20
    assert Result.objects.filter(is_clean=False).exists()
    assert Result.objects.filter(is_clean=True).count() > 8
    assert {group.name for group in evenings.CIRCLES} == set(Circle.objects.values_list("name", flat=True))
    assert isinstance(play_evening(EVENINGS[-1]), PlayedEvening)
    assert_every_page_has_charts()


def assert_every_page_has_charts() -> None:
    for circle in (None, *Circle.objects.all()):
        for game in titles():
            sections = sections_of_game(queries.game_statistics(Filter(game), circle))
            slugs = {section.slug for section in sections if section.charts}
            assert slugs >= {"factions", "seats", "points", "lengths", "half-time"}, (circle, game)
    for skill in Skill.objects.select_related("member__circle"):
        statistics = queries.member_statistics(skill.member.circle, skill.member_id, skill.game)
        assert any(section.charts for section in sections_of_member(skill.game, statistics))
