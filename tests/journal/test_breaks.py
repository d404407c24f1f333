"""Breaks: permissions, and the events that end them."""

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


def has_break(table: Table) -> bool:
    return bool(breaks.current_break(table))


@pytest.fixture
def on_break() -> Sitting:
    """A game of two players, during a break."""
    sitting = play(2, 2)
    breaks.begin(table=sitting.table, access=sitting.host)
    return sitting


@pytest.mark.parametrize("role", ["host", "blue"])
def test_any_seat_can_begin_and_end_a_break(role: str) -> None:
    sitting = play(2)
    access = sitting.host if role == "host" else sitting.access(role)
    before = sitting.table.version
    breaks.begin(table=sitting.table, access=access)
    assert has_break(sitting.table)
    assert sitting.fresh().version == before + 1
    breaks.end(table=sitting.table, access=sitting.access("yellow"))
    assert not has_break(sitting.table)
    assert sitting.fresh().version == before + 2


def test_beginning_or_ending_twice_changes_nothing(on_break: Sitting) -> None:
    before = rows()
    breaks.begin(table=on_break.table, access=on_break.access("yellow"))
    assert rows() == before
    breaks.end(table=on_break.table, access=on_break.host)
    before = rows()
    breaks.end(table=on_break.table, access=on_break.host)
    assert rows() == before


@pytest.mark.parametrize(
    ("access", "code"), [(SPECTATOR, "no-token"), (TableAccess(is_stranger=True), "foreign-token")]
)
def test_strangers_are_refused(on_break: Sitting, access: TableAccess, code: str) -> None:
    with refused(code):
        breaks.end(table=on_break.table, access=access)
    with refused(code):
        breaks.begin(table=on_break.table, access=access)


def test_break_before_start_or_after_end_is_refused() -> None:
    sitting = sit(2)
    with refused("illegal"):
        breaks.begin(table=sitting.table, access=sitting.host)
    sitting = play(2, 2)
    hosting.finish(table=sitting.table, access=sitting.host)
    with refused("illegal"):
        breaks.begin(table=sitting.table, access=sitting.host)


def test_entry_ends_the_break(on_break: Sitting) -> None:
    enter(on_break, *offered(on_break.table))
    assert not has_break(on_break.table)
    newest = on_break.table.entries.get(number=on_break.fresh().head)
    assert Break.objects.get().ended_at <= newest.created_at  # type: ignore[operator]


def test_refused_entry_does_not_end_the_break(on_break: Sitting) -> None:
    with refused("bad-input"):
        enter(on_break, "blue", {"type": "fly"})
    assert has_break(on_break.table)


def test_undo_redo_and_mend_do_not_end_the_break(on_break: Sitting) -> None:
    before = list(Break.objects.values())
    undo(table=on_break.table, access=on_break.host)
    redo(table=on_break.table, access=on_break.host)
    mend(
        table=on_break.table,
        access=on_break.host,
        number=2,
        action=None,
        faction=None,
        reason="misplayed",
        version=on_break.table.version,
    )
    assert list(Break.objects.values()) == before
    assert has_break(on_break.table)


@pytest.mark.parametrize("how", [hosting.finish, hosting.abandon])
def test_ending_the_game_ends_the_break(on_break: Sitting, how: object) -> None:
    how(table=on_break.table, access=on_break.host)  # type: ignore[operator]
    assert not has_break(on_break.table)


def test_redo_that_ends_the_game_ends_the_break() -> None:
    sitting = play(2)
    while sitting.fresh().status == "playing":
        enter(sitting, *offered(sitting.table))
    undo(table=sitting.table, access=sitting.host)
    breaks.begin(table=sitting.table, access=sitting.host)
    redo(table=sitting.table, access=sitting.host)
    assert sitting.fresh().status == "finished"
    assert not has_break(sitting.table)


def test_break_never_ends_before_it_began(on_break: Sitting) -> None:
    later = timezone.now() + timedelta(hours=1)
    Break.objects.update(began_at=later)
    breaks.end(table=on_break.table, access=on_break.host)
    assert Break.objects.get().ended_at == later


def test_break_is_not_counted_as_playing_time() -> None:
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
