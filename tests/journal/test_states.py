"""States are cached in the process, and always equal those of a fresh fold."""

import contextlib
import random
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from companion.cache import LruCache, clear_all
from companion.journal import states
from companion.journal.states import path_of, refold, state_at, state_cache
from companion.journal.submit import back_to, undo
from companion.journal.versions import VersionConflict, with_latest
from companion.models import Table
from tests.tables.sitting import Sitting, assert_sound, correction, enter, play, play_on

pytestmark = pytest.mark.database


class Rollback(Exception):  # noqa: N818
    """Raised to roll back a transaction."""


def folded(table: Table) -> dict[int, Any]:
    return {number: outcome.state for number, outcome in refold(table) if outcome}


def with_branches() -> Sitting:
    """Return a table whose journal is a tree: 1-2-3-4-5, 3-6-7 and 1-8-9."""
    sitting = play(2, 5)
    for back, seed in ((3, 7), (1, 8)):
        back_to(table=sitting.table, access=sitting.host, number=back)
        play_on(sitting, 2, seed=seed)
    return sitting


def test_memoised_computes_once_per_state() -> None:
    calls: list[object] = []

    def function(state: object) -> object:
        calls.append(state)
        return len(calls)

    first, second = [1], [1]
    assert [states.memoised(function, state) for state in (first, first, second, first)] == [1, 1, 2, 1]
    assert states.memoised(lambda _state: "else", first) == "else"


@pytest.mark.django_db
def test_states_of_a_branching_journal_match_a_fold() -> None:
    sitting = with_branches()
    expected = folded(sitting.table)
    assert path_of(sitting.table) == [0, 1, 8, 9]

    for number in (9, 5, 0, 7, 3, 8, 1, 2, 6, 4):
        assert state_at(sitting.table, number) == expected[number]


@pytest.mark.django_db(transaction=True)
def test_states_of_a_branching_journal_match_with_cold_cache() -> None:
    sitting = with_branches()
    expected = folded(sitting.table)

    for number in range(10):
        clear_all()
        assert state_at(sitting.table, number) == expected[number]


@pytest.mark.django_db(transaction=True)
def test_committed_states_are_cached() -> None:
    sitting = play(2, 3)

    with CaptureQueriesContext(connection) as queries:
        for number in range(4):
            state_at(sitting.table, number)

    assert len(queries) == 0


@pytest.mark.django_db(transaction=True)
def test_rolled_back_entry_leaves_no_state_under_its_number() -> None:
    sitting = play(2, 2)

    with contextlib.suppress(Rollback), transaction.atomic():
        enter(sitting, "blue", correction(3))
        assert state_at(sitting.table, 3).ledger.count("blue", "knight", "cell:0,0") == 3
        undo(table=sitting.table, access=sitting.host)
        raise Rollback
    assert enter(sitting, "blue", correction(7)).number == 3

    assert state_at(sitting.table, 3).ledger.count("blue", "knight", "cell:0,0") == 7
    assert_sound(sitting.table)


@pytest.mark.django_db
def test_rolled_back_savepoint_leaves_no_state_under_its_number() -> None:
    sitting = play(2, 2)

    with contextlib.suppress(Rollback), transaction.atomic():
        enter(sitting, "blue", correction(3))
        state_at(sitting.table, 3)
        raise Rollback
    assert enter(sitting, "blue", correction(7)).number == 3

    assert state_at(sitting.table, 3).ledger.count("blue", "knight", "cell:0,0") == 7
    assert_sound(sitting.table)


@pytest.mark.django_db(transaction=True)
def test_rolled_back_savepoint_keeps_states_of_its_transaction() -> None:
    table = play(2, 2).table
    state_cache.clear()
    with transaction.atomic():
        states.cache_state(table, 1, "one")
        with contextlib.suppress(Rollback), transaction.atomic():
            states.cache_state(table, 2, "two")
            raise Rollback
        assert [states._cached(table, number) for number in (1, 2)] == ["one", None]
    assert [state_cache.get((table.pk, number)) for number in (1, 2)] == ["one", None]


@pytest.mark.django_db(transaction=True)
def test_retry_after_lost_race_starts_without_states_of_the_first_attempt() -> None:
    table, cached = play(2, 2).table, []

    def attempt() -> None:
        cached.append(states._cached(table, 3))
        states.cache_state(table, 3, "mine")
        if len(cached) == 1:
            raise VersionConflict

    with_latest(table, attempt)

    assert cached == [None, None]
    assert state_cache.get((table.pk, 3)) == "mine"


@pytest.mark.django_db(transaction=True)
def test_uncommitted_state_is_not_visible_to_other_threads() -> None:
    table = play(2, 2).table
    with transaction.atomic(), ThreadPoolExecutor(1) as thread:
        states.cache_state(table, 3, "mine")
        assert states._cached(table, 3) == "mine"
        assert thread.submit(states._cached, table, 3).result() is None
    assert state_cache.get((table.pk, 3)) == "mine"


@pytest.mark.django_db(transaction=True)
def test_rolled_back_table_leaves_no_state() -> None:
    tables = []
    with contextlib.suppress(Rollback), transaction.atomic():
        tables.append(play(2, 3).table)
        raise Rollback

    sitting = play(3, 2)

    if connection.vendor == "sqlite":
        assert sitting.table.pk == tables[0].pk
    assert state_at(sitting.table, 0).order == ("blue", "yellow", "green")
    assert_sound(sitting.table)


@pytest.mark.django_db
def test_states_are_reused_within_a_transaction() -> None:
    sitting = play(2, 20)

    with CaptureQueriesContext(connection) as queries:
        for number in range(21):
            state_at(sitting.table, number)

    assert len(queries) == 0
    assert state_cache.get((sitting.table.pk, 20)) is None


@pytest.mark.django_db(transaction=True)
def test_cache_does_not_exceed_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_cache, "limit", 5)
    sitting = play(2, 12)
    expected = folded(sitting.table)

    assert len(state_cache) == 5
    for number in (0, 12, 3, 11, 2, 0, 7):
        assert state_at(sitting.table, number) == expected[number]
    assert len(state_cache) == 5


@pytest.mark.django_db(transaction=True)
def test_eviction_at_any_moment_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread may evict a state between two lookups."""

    class Forgetful(LruCache[Any]):
        def get(self, key: Hashable) -> Any:
            value = super().get(key)
            self.clear()
            return value

    sitting = with_branches()
    expected = folded(sitting.table)
    forgetful = Forgetful("test", 100)
    monkeypatch.setattr(states, "state_cache", forgetful)

    for number in (2, 5, 9, 4, 7, 1, 6, 3, 8):
        forgetful.put((sitting.table.pk, 1), expected[1])
        forgetful.put((sitting.table.pk, 3), expected[3])
        assert state_at(sitting.table, number) == expected[number]


@pytest.mark.django_db(transaction=True)
def test_threads_evicting_each_others_states_get_correct_states(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = with_branches()
    expected = folded(sitting.table)
    monkeypatch.setattr(state_cache, "limit", 3)

    def count_errors(seed: int) -> int:
        generator = random.Random(seed)
        numbers = [generator.randrange(10) for _ in range(150)]
        try:
            return sum(state_at(sitting.table, number) != expected[number] for number in numbers)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(count_errors, range(4))) == 0
