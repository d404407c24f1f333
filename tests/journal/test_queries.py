"""Query counts do not grow with the length of the game."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion.cache import clear_all
from companion.journal.submit import back_to, redo, undo
from tests.tables.sitting import correction, enter, play, play_on

# Real commits, because states enter the cache on commit.
pytestmark = pytest.mark.django_db(transaction=True)


def test_query_count_of_an_entry_is_constant() -> None:
    sitting = play(2, 4)
    costs = []
    for entry in range(4, 60):
        with CaptureQueriesContext(connection) as queries:
            enter(sitting, "blue", correction(entry % 2 + 1), key=str(entry))
        costs.append(len(queries))

    assert len(set(costs)) == 1, costs
    assert costs[0] <= 12


def test_query_count_of_game_entries_varies_by_two_at_most() -> None:
    """Deleting empty holdings and writing standings take one query each, if needed."""
    sitting = play(2, 4)
    costs = []
    for seed in range(56):
        with CaptureQueriesContext(connection) as queries:
            play_on(sitting, 1, seed)
        costs.append(len(queries))

    assert max(costs) - min(costs) <= 2, costs


def test_query_count_of_undo_and_redo_is_constant() -> None:
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
def test_cold_cache_costs_two_more_queries(entries: int) -> None:
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
def test_query_count_of_going_back_is_bounded(entries: int) -> None:
    sitting = play(2, 4)
    for entry in range(4, entries):
        enter(sitting, "blue", correction(entry % 2 + 1))

    with CaptureQueriesContext(connection) as queries:
        back_to(table=sitting.table, access=sitting.host, number=4)

    assert len(queries) <= 12
