"""Concurrent requests from several threads and processes."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from companion.access.rate_limits import Limit
from companion.access.table_access import TableAccess
from companion.errors import Refusal
from companion.journal.mending import mend
from companion.journal.states import game_of, state_at
from companion.journal.submit import redo, submit, undo
from companion.journal.versions import VersionConflict, bump_version, with_latest
from companion.models import Entry, IdempotencyKey, Table
from companion.operations.sqlite import has_wal_reset_bug
from companion.tables.hosting import take_over
from companion.tables.opening import rematch, start
from companion.tables.seats import redeem, take_seat, ticket_for
from games.core.prompts import Prompt
from tests.tables.crowd import crowd, database_url, random_operation
from tests.tables.sitting import (
    FACTIONS,
    Sitting,
    assert_sound,
    correction,
    enter,
    offered,
    play,
    play_on,
    sit,
)

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


Attempt = Callable[[Table], Any]


def at_once(sitting: Sitting, attempts: Iterable[Attempt]) -> list[Any]:
    """Run attempts at the same time, each in its own thread and with its own table object.

    Returns a result or the code of a refusal for each; other exceptions propagate.
    """
    calls = [(attempt, sitting.fresh()) for attempt in attempts]
    barrier = threading.Barrier(len(calls), timeout=30)

    def run(attempt: Attempt, table: Table) -> Any:
        try:
            barrier.wait()
            return attempt(table)
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [future.result(60) for future in [threads.submit(run, *call) for call in calls]]


def submitting(access: TableAccess, faction: str, action: Any) -> Attempt:
    return lambda table: submit(table=table, access=access, faction=faction, action=action).number


# The database


@pytest.mark.skipif(connection.vendor != "sqlite", reason="runs on another database")
def test_sqlite_is_configured_for_several_writers() -> None:
    assert not has_wal_reset_bug(sqlite3.sqlite_version_info)
    assert connection.transaction_mode == "IMMEDIATE"
    assert not connection.is_in_memory_db()
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("SELECT sqlite_version()").fetchone() == (sqlite3.sqlite_version,)


# Entries


@pytest.mark.parametrize("run_number", range(4))
def test_prompt_is_answered_once(run_number: int) -> None:
    """Two phones end the same turn; the second one is refused."""
    sitting = play(2, 2)
    while "end" not in (factions := {p.action: p.faction for p in prompts(sitting)}):
        enter(sitting, *offered(sitting.table))
    faction, end = factions["end"], {"type": "end"}

    answers = at_once(
        sitting, [submitting(access, faction, end) for access in (sitting.host, sitting.access(faction))]
    )

    assert sorted(answers, key=str) == [sitting.fresh().latest, "illegal"]
    assert_sound(sitting.table)


def prompts(sitting: Sitting) -> list[Prompt]:
    return game_of(sitting.table).prompts(state_at(sitting.table, sitting.table.head))


def test_simultaneous_prompts_are_all_answered() -> None:
    sitting = play(4)
    corners = {"blue": (0, 0), "yellow": (2, 0), "green": (0, 1), "red": (2, 1)}

    def lay(x: int, y: int) -> Any:
        return {"type": "lay", "tiles": ["plain", "mountain"], "at": [[x, y], [x + 1, y]]}

    answers = at_once(sitting, [submitting(sitting.access(f), f, lay(*at)) for f, at in corners.items()])

    assert sorted(answers) == [1, 2, 3, 4]
    assert sitting.fresh().phase == "turn"
    assert_sound(sitting.table)


def test_same_cells_are_laid_once() -> None:
    sitting = play(4)
    lay = {"type": "lay", "tiles": ["plain", "mountain"], "at": [[0, 0], [1, 0]]}

    answers = at_once(sitting, [submitting(sitting.access(faction), faction, lay) for faction in FACTIONS])

    assert Counter(answers) == {1: 1, "illegal": 3}
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("run_number", range(3))
def test_same_key_from_eight_threads_counts_once(run_number: int) -> None:
    sitting = play(2, 2)
    blue = sitting.access("blue")

    def attempt(table: Table) -> Any:
        return submit(table=table, access=blue, faction="blue", action=correction(3), key="k")

    answers = at_once(sitting, [attempt] * 8)

    assert len(set(answers)) == 1
    assert answers[0].number == 3
    assert Entry.objects.count() == 3
    assert IdempotencyKey.objects.count() == 1
    assert sitting.fresh().version == answers[0].version
    assert_sound(sitting.table)


def test_same_key_with_different_entries_counts_once() -> None:
    sitting = play(2, 2)
    blue = sitting.access("blue")

    def attempt(count: int) -> Attempt:
        action = correction(count)
        return lambda table: submit(table=table, access=blue, faction="blue", action=action, key="k").number

    answers = at_once(sitting, map(attempt, range(6)))

    assert Counter(answers) == {3: 1, "key": 5}


def test_repeated_undo_and_redo_count_once() -> None:
    sitting = play(2, 6)
    host = sitting.host

    by_key = at_once(sitting, [lambda table: undo(table=table, access=host, key="k").number] * 6)
    by_number = at_once(sitting, [lambda table: undo(table=table, access=host, number=5).number] * 6)
    forward = at_once(sitting, [lambda table: redo(table=table, access=host, number=5).number] * 6)

    assert by_key == [6] * 6
    assert Counter(by_number) == {5: 1, "gone": 5}
    assert Counter(forward) == {5: 1, "gone": 5}
    assert sitting.fresh().head == 5
    assert_sound(sitting.table)


def test_only_one_of_several_mends_of_a_version_counts() -> None:
    sitting = play(2, 9)
    version = sitting.fresh().version

    def leave_out(number: int) -> Attempt:
        fields = {"action": None, "faction": None, "reason": "misplayed", "version": version}
        return lambda table: mend(table=table, access=sitting.host, number=number, **fields).number

    answers = at_once(sitting, [leave_out(number) for number in (6, 6, 7, 9)])

    assert answers.count("gone") == 3
    assert sitting.fresh().version == version + 1
    assert_sound(sitting.table)


def test_random_operations_from_many_threads_keep_the_table_consistent() -> None:
    sitting = play(4, 4)
    host = sitting.host

    def mix(seed: int) -> Attempt:
        generator = random.Random(seed)

        def attempt(table: Table) -> Counter[str]:
            outcomes: Counter[str] = Counter()
            for _ in range(25):
                table.refresh_from_db()
                try:
                    outcomes[random_operation(table, host, generator, None)["kind"]] += 1
                except Refusal as refusal:
                    outcomes[refusal.code] += 1
            return outcomes

        return attempt

    answers: Counter[str] = sum(at_once(sitting, map(mix, range(4))), Counter())

    assert answers["enter"] > 10
    assert set(answers) <= {"enter", "tick", "undo", "redo", "illegal", "nothing"}
    assert sitting.fresh().latest == 4 + answers["enter"] == Entry.objects.count()
    assert_sound(sitting.table)


# Seats, host and rate limits


def test_faction_is_taken_once() -> None:
    sitting = sit(1)

    answers = at_once(
        sitting, [lambda table: take_seat(table=table, name="Zoe", faction="red")[0].number] * 6
    )

    assert Counter(answers) == {2: 1, "taken": 5}


def test_seats_are_not_overbooked() -> None:
    sitting = sit(1)

    answers = at_once(sitting, [lambda table: take_seat(table=table, name="Zoe", faction="")[0].number] * 6)

    assert Counter(answers) == {2: 1, 3: 1, 4: 1, "taken": 3}


@pytest.mark.parametrize("run_number", range(3))
def test_joining_during_start_succeeds_or_is_refused(run_number: int) -> None:
    sitting = sit(1)
    take_seat(table=sitting.table, name="Béla", faction="")
    host = sitting.host

    def taking(faction: str) -> Attempt:
        return lambda table: take_seat(table=table, name="Zoe", faction=faction)[0].faction

    answers = at_once(
        sitting, [lambda table: start(table=table, access=host), *map(taking, ("yellow", "green", "red"))]
    )

    assert set(answers) <= {None, "yellow", "green", "red", "started", "taken"}
    table = sitting.fresh()
    assert table.status == "playing"
    assert table.setup["factions"] == [seat.faction for seat in table.seats.all()]
    assert_sound(table)


def test_game_starts_once_and_has_one_rematch() -> None:
    sitting = sit(3)
    host = sitting.host

    starts = at_once(sitting, [lambda table: start(table=table, access=host)] * 4)
    rematches = at_once(sitting, [lambda table: rematch(table=table, access=host).code] * 4)

    assert Counter(starts) == {None: 1, "started": 3}
    assert len(set(rematches)) == 1
    assert Table.objects.count() == 2


def test_ticket_is_redeemed_once() -> None:
    sitting = play(2)
    ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))

    answers = at_once(sitting, [lambda table: redeem(table=table, ticket=ticket)[0].faction] * 4)

    assert Counter(answers) == {"blue": 1, "gone": 3}


def test_only_one_seat_takes_over_as_host() -> None:
    sitting = play(4)
    Table.objects.update(host_seen_at=timezone.now() - timedelta(hours=1))

    def taking(faction: str) -> Attempt:
        access, seat = sitting.access(faction), sitting.seat(faction)
        return lambda table: take_over(table=table, access=access, seat=seat)

    answers = at_once(sitting, map(taking, FACTIONS))

    assert Counter(answers) == {None: 1, "illegal": 3}


def test_rate_limit_counts_concurrent_requests() -> None:
    sitting = sit(1)
    limit = Limit("test", most=3, seconds=3600)

    answers = at_once(sitting, [lambda _table: limit.take("127.0.0.1")] * 6)

    assert Counter(answers) == {None: 3, "too-many": 3}


# Compare-and-set


def test_stale_row_is_not_overwritten() -> None:
    sitting = play(2)
    stale = sitting.fresh()
    with_latest(sitting.table, lambda: bump_version(sitting.table, locked=True))

    with pytest.raises(VersionConflict):
        bump_version(stale, locked=False)

    assert sitting.fresh().locked


def test_attempt_is_retried_after_version_conflict() -> None:
    sitting = play(2)
    tries = []

    def attempt() -> int:
        tries.append(sitting.table.version)
        if len(tries) < 4:
            raise VersionConflict
        bump_version(sitting.table)
        return sitting.table.version

    assert with_latest(sitting.table, attempt) == 3
    assert tries == [2, 2, 2, 2]


def test_retries_are_limited() -> None:
    sitting = play(2)

    def attempt() -> None:
        raise VersionConflict

    with pytest.raises(Refusal) as refusal:
        with_latest(sitting.table, attempt)

    assert refusal.value.code == "gone"


# Processes


def play_in_processes(processes: int, operations: int, seconds: float) -> None:
    sittings = [play(4), play(3), play(2)]
    first_version = sittings[0].table.version
    hosts = {sitting.table.code: sitting.host_token for sitting in sittings}

    results = crowd(database_url(), hosts, range(processes), operations, seconds)

    assert [result for result in results if "error" in result] == []
    assert {result.get("refused") for result in results} <= {None, "illegal", "nothing"}
    assert sum(result.get("kind") == "enter" for result in results) > len(results) / 3
    for sitting in sittings:
        table = sitting.fresh()
        accepted = [result for result in results if result["code"] == table.code and "number" in result]
        entered = {result["number"]: result["version"] for result in accepted if result["kind"] == "enter"}
        assert entered == {entry.number: entry.version for entry in table.entries.all()}
        assert sorted(entered) == list(range(1, table.latest + 1))
        versions = sorted(result["version"] for result in accepted)
        assert len(versions) == len(set(versions))
        assert first_version < versions[0] <= versions[-1] <= table.version
        assert table.idempotency_keys.count() == len(accepted)
        assert_sound(table)


def test_four_processes_keep_tables_consistent() -> None:
    play_in_processes(4, 100, seconds=120)


@pytest.mark.long
def test_four_processes_keep_tables_consistent_for_long() -> None:
    play_in_processes(4, 800, seconds=600)


def test_cached_states_stay_valid_when_another_process_changes_the_journal() -> None:
    """Another process goes back and continues differently; the states cached here must stay valid."""
    sitting = play(2, 6)
    hosts = {sitting.table.code: sitting.host_token}

    for seed in range(2):
        crowd(database_url(), hosts, [50 + seed], 25)
        play_on(Sitting(sitting.fresh(), sitting.host_token, sitting.tokens), 1, seed)
        table = sitting.fresh()
        assert table.waiting_for == list(game_of(table).waiting_for(state_at(table, table.head)))
        assert_sound(table)
