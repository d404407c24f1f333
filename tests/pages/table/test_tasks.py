"""The to-do list: which hand moves it shows to whom."""

from __future__ import annotations

import pytest

from companion.access.table_access import SPECTATOR, TableAccess
from companion.journal import submit
from companion.journal.recent import WITH_HANDS
from companion.pages.table.page import TablePage
from companion.pages.table.tasks import Task
from tests.tables.sitting import Sitting, correction, enter, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    return play(2, 3)


def tasks(sitting: Sitting, access: TableAccess = SPECTATOR) -> list[Task]:
    return TablePage(sitting.fresh(), access).tasks


def tick_all(sitting: Sitting, number: int) -> None:
    submit.tick_all(table=sitting.fresh(), access=sitting.host, number=number)


def test_newest_entry_comes_first_and_stays_when_done(sitting: Sitting) -> None:
    newest = sitting.fresh().head
    tick_all(sitting, newest)
    task = tasks(sitting)[0]
    assert task.number == newest
    assert task.done == len(task.lines) > 0


def test_earlier_entry_disappears_when_done(sitting: Sitting) -> None:
    numbers = [task.number for task in tasks(sitting)]
    tick_all(sitting, numbers[1])
    assert [task.number for task in tasks(sitting)] == [numbers[0], *numbers[2:]]


def test_lines_of_the_own_seat_come_first(sitting: Sitting) -> None:
    for faction in sitting.tokens:
        for task in tasks(sitting, sitting.access(faction)):
            is_other = [line.hand != faction for line, _done, _player in task.lines]
            assert is_other == sorted(is_other)


def test_only_recent_entries_are_listed() -> None:
    sitting = play(2, 10)
    listed = [task.number for task in tasks(sitting)]
    assert len(listed) > 1
    assert min(listed) > sitting.fresh().head - WITH_HANDS


def test_entries_without_hand_moves_are_not_listed(sitting: Sitting) -> None:
    enter(sitting, "blue", correction())
    assert all(task.lines for task in tasks(sitting))
    assert sitting.fresh().head not in [task.number for task in tasks(sitting)]
