"""Announcement of the newest entries to a phone."""

from __future__ import annotations

import pytest

from companion.access.table_access import SPECTATOR, TableAccess
from companion.journal import submit
from companion.pages.table.changes import Changes
from companion.pages.table.page import TablePage
from tests.tables.sitting import Sitting, correction, enter, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    """Return a table where Blue corrected a count once, and then Yellow twice."""
    sitting = play(2, 2)
    for count, faction in enumerate(("blue", "yellow", "yellow"), 1):
        enter(sitting, faction, correction(count, faction))
    return sitting


def changes(sitting: Sitting, access: TableAccess = SPECTATOR, at: int | None = None) -> Changes:
    return TablePage(sitting.fresh(), access, at=at).changes


def test_player_is_told_of_entries_since_the_own_last_one(sitting: Sitting) -> None:
    titles = changes(sitting, sitting.access("blue")).titles_since()
    assert [faction for faction, _title in titles] == ["yellow", "yellow"]


def test_single_entry_needs_no_list(sitting: Sitting) -> None:
    enter(sitting, "blue", correction(9))
    assert changes(sitting, sitting.access("yellow")).titles_since() == ()
    assert changes(sitting).titles_since() == ()


def test_places_changed_since_the_own_last_entry_are_highlighted(sitting: Sitting) -> None:
    assert changes(sitting, sitting.access("blue")).places == ["cell:0,0"]


def test_past_moment_has_its_own_newest_entry(sitting: Sitting) -> None:
    head = sitting.fresh().head
    past = changes(sitting, sitting.access("blue"), at=head - 1)
    assert past.newest
    assert past.newest.number == head - 1
    assert past.titles_since() == ()


def test_undone_entry_is_offered_for_redo(sitting: Sitting) -> None:
    head = sitting.fresh().head
    assert changes(sitting).redo() is None
    submit.undo(table=sitting.fresh(), access=sitting.host)
    undone = changes(sitting).redo()
    assert undone
    assert undone.number == head
