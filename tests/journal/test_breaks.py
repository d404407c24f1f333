"""Breaks: who may have one, and what ends it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from companion.access.table_access import SPECTATOR, TableAccess
from companion.journal import breaks
from companion.journal.mending import mend
from companion.journal.result_sync import played_of
from companion.journal.submit import redo, undo
from companion.models import Break, Table
from companion.tables import hosting
from tests.tables.sitting import Sitting, correction, enter, offered, play, refused, rows, sit

pytestmark = pytest.mark.django_db


def having(table: Table) -> bool:
    return bool(breaks.under_way(table))


@pytest.fixture
def resting() -> Sitting:
    """A game of two, in a break."""
    sitting = play(2, 2)
    breaks.begin(table=sitting.table, access=sitting.host)
    return sitting


@pytest.mark.parametrize("who", ["host", "blue"])
def test_anybody_at_the_table_begins_and_ends_one(who: str) -> None:
    sitting = play(2)
    access = sitting.host if who == "host" else sitting.access(who)
    before = sitting.table.version
    breaks.begin(table=sitting.table, access=access)
    assert having(sitting.table)
    assert sitting.fresh().version == before + 1
    breaks.end(table=sitting.table, access=sitting.access("yellow"))
    assert not having(sitting.table)
    assert sitting.fresh().version == before + 2


def test_tapped_twice_it_is_the_same_break(resting: Sitting) -> None:
    kept = rows()
    breaks.begin(table=resting.table, access=resting.access("yellow"))
    assert rows() == kept
    breaks.end(table=resting.table, access=resting.host)
    kept = rows()
    breaks.end(table=resting.table, access=resting.host)
    assert rows() == kept


@pytest.mark.parametrize(
    ("access", "code"), [(SPECTATOR, "no-token"), (TableAccess(is_stranger=True), "foreign-token")]
)
def test_who_does_not_sit_there_has_no_say(resting: Sitting, access: TableAccess, code: str) -> None:
    with refused(code):
        breaks.end(table=resting.table, access=access)
    with refused(code):
        breaks.begin(table=resting.table, access=access)


def test_there_is_none_before_the_game_or_after_it() -> None:
    sitting = sit(2)
    with refused("illegal"):
        breaks.begin(table=sitting.table, access=sitting.host)
    sitting = play(2, 2)
    hosting.finish(table=sitting.table, access=sitting.host)
    with refused("illegal"):
        breaks.begin(table=sitting.table, access=sitting.host)


def test_who_enters_something_ends_it(resting: Sitting) -> None:
    enter(resting, *offered(resting.table))
    assert not having(resting.table)
    newest = resting.table.entries.get(number=resting.fresh().head)
    assert Break.objects.get().ended_at <= newest.created_at  # type: ignore[operator]


def test_what_is_refused_does_not(resting: Sitting) -> None:
    with refused("bad-input"):
        enter(resting, "blue", {"type": "fly"})
    assert having(resting.table)


def test_undo_redo_and_a_mend_leave_it_alone(resting: Sitting) -> None:
    kept = list(Break.objects.values())
    undo(table=resting.table, access=resting.host)
    redo(table=resting.table, access=resting.host)
    mend(
        table=resting.table,
        access=resting.host,
        number=2,
        action=None,
        faction=None,
        reason="misplayed",
        version=resting.table.version,
    )
    assert list(Break.objects.values()) == kept
    assert having(resting.table)


@pytest.mark.parametrize("how", [hosting.finish, hosting.abandon])
def test_the_end_of_the_game_is_the_end_of_the_break(resting: Sitting, how: object) -> None:
    how(table=resting.table, access=resting.host)  # type: ignore[operator]
    assert not having(resting.table)


def test_a_redo_that_ends_the_game_ends_it_too() -> None:
    sitting = play(2)
    while sitting.fresh().status == "playing":
        enter(sitting, *offered(sitting.table))
    undo(table=sitting.table, access=sitting.host)
    breaks.begin(table=sitting.table, access=sitting.host)
    redo(table=sitting.table, access=sitting.host)
    assert sitting.fresh().status == "finished"
    assert not having(sitting.table)


def test_a_clock_that_was_set_back_does_not_end_it_before_it_began(resting: Sitting) -> None:
    later = timezone.now() + timedelta(hours=1)
    Break.objects.update(began_at=later)
    breaks.end(table=resting.table, access=resting.host)
    assert Break.objects.get().ended_at == later


def test_statistics_do_not_count_it() -> None:
    sitting = play(2)
    for count in range(1, 4):
        enter(sitting, "blue", correction(count))
    began = timezone.now()
    Table.objects.filter(pk=sitting.table.pk).update(started_at=began)
    for number in (1, 2, 3):
        sitting.table.entries.filter(number=number).update(created_at=began + timedelta(minutes=10 * number))
    Break.objects.create(
        table=sitting.table,
        began_at=began + timedelta(minutes=15),
        ended_at=began + timedelta(minutes=19),
    )
    hosting.finish(table=sitting.table, access=sitting.host)
    played = played_of(sitting.fresh())
    assert played
    assert played.seconds == 26 * 60
    assert sitting.fresh().result.seconds == 26 * 60
