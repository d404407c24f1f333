"""What an action costs does not grow with the length of the game."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion.cache import clear_all
from companion.journal.submit import back_to, redo, undo
from tests.tables.sitting import correction, enter, play, play_on

# Real commits: what is kept in the process counts.
pytestmark = pytest.mark.django_db(transaction=True)


def test_an_entry_costs_the_same_from_the_5th_to_the_60th() -> None:
    sitting = play(2, 4)
    costs = []
    for entry in range(4, 60):
        with CaptureQueriesContext(connection) as queries:
            enter(sitting, "blue", correction(entry % 2 + 1), key=str(entry))
        costs.append(len(queries))

    assert len(set(costs)) == 1, costs
    assert costs[0] <= 12


def test_an_entry_of_the_game_costs_two_changes_more_at_most() -> None:
    """The lines of the ledger that are gone are deleted, those that are new or other are written; so are points."""
    sitting = play(2, 4)
    costs = []
    for seed in range(56):
        with CaptureQueriesContext(connection) as queries:
            play_on(sitting, 1, seed)
        costs.append(len(queries))

    assert max(costs) - min(costs) <= 2, costs


def test_undo_and_redo_cost_the_same_anywhere() -> None:
    sitting = play(2, 4)
    for entry in range(56):
        enter(sitting, "blue", correction(entry % 2 + 1))
    back, forth = [], []
    for _ in range(50):
        with CaptureQueriesContext(connection) as queries:
            undo(table=sitting.table, access=sitting.host)
        back.append(len(queries))
    for _ in range(50):
        with CaptureQueriesContext(connection) as queries:
            redo(table=sitting.table, access=sitting.host)
        forth.append(len(queries))

    assert len(set(back)) == 1, back
    assert len(set(forth)) == 1, forth
    assert max(back[0], forth[0]) <= 14


@pytest.mark.parametrize("entries", [5, 30, 60])
def test_a_process_that_has_kept_nothing_reads_the_journal_in_two_goes(entries: int) -> None:
    sitting = play(2, 4)
    for entry in range(4, entries):
        enter(sitting, "blue", correction(entry % 2 + 1))
    with CaptureQueriesContext(connection) as warm:
        enter(sitting, "blue", correction(3))
    clear_all()

    with CaptureQueriesContext(connection) as cold:
        enter(sitting, "blue", correction(4))

    assert len(cold) == len(warm) + 2


@pytest.mark.parametrize("entries", [6, 60])
def test_going_back_costs_the_same_however_far(entries: int) -> None:
    sitting = play(2, 4)
    for entry in range(4, entries):
        enter(sitting, "blue", correction(entry % 2 + 1))

    with CaptureQueriesContext(connection) as queries:
        back_to(table=sitting.table, access=sitting.host, number=4)

    assert len(queries) <= 12
