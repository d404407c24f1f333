"""Who listens is told of commits: those of this process, those of others, and no other changes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from companion.journal import breaks
from companion.journal.submit import undo
from companion.live import hub
from companion.models import Table
from companion.tables.hosting import delete, set_locked
from tests.live.phones import Phone, aside, until
from tests.tables.crowd import crowd, database_url
from tests.tables.sitting import Sitting, enter, offered, play

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

NEVER = 3600.0


def listening(sitting: Sitting, every: float = NEVER) -> Phone:
    return Phone(sitting.table.pk, sitting.table.version, every=every)


# In this process


@pytest.mark.usefixtures("_alone")
async def test_an_entry_is_told() -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting) as phone:
        assert await phone.hears() == 2

        accepted = await aside(lambda: enter(sitting, *offered(sitting.table)))

        assert await phone.hears() == accepted.version == 3


@pytest.mark.usefixtures("_alone")
async def test_a_break_is_told_once() -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting, every=0.05) as phone:
        assert await phone.hears() == 2
        for _ in range(2):
            await aside(lambda: breaks.begin(table=sitting.table, access=sitting.host))
        assert [await phone.hears() for _ in range(2)] == [3, "beat"]
        await aside(lambda: breaks.end(table=sitting.table, access=sitting.host))
        assert 4 in [await phone.hears() for _ in range(2)]


@pytest.mark.usefixtures("_alone")
async def test_nothing_is_told_before_the_commit() -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting, every=0.05) as phone:
        await phone.hears()
        entered, heard = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def work() -> None:
            with transaction.atomic():
                enter(sitting, *offered(sitting.table))
                loop.call_soon_threadsafe(entered.set)
                asyncio.run_coroutine_threadsafe(heard.wait(), loop).result(10)

        working = asyncio.create_task(aside(work))
        await entered.wait()
        assert [await phone.hears() for _ in range(3)] == ["beat"] * 3
        heard.set()
        await working

        assert await phone.hears() == 3


@pytest.mark.usefixtures("_alone")
async def test_nothing_is_told_of_what_was_rolled_back() -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting, every=0.05) as phone:
        await phone.hears()

        def work() -> None:
            with contextlib.suppress(LookupError), transaction.atomic():
                enter(sitting, *offered(sitting.table))
                raise LookupError

        await aside(work)
        assert [await phone.hears() for _ in range(3)] == ["beat"] * 3

        await aside(lambda: set_locked(table=sitting.table, access=sitting.host, locked=True))
        assert await phone.hears() == 3


@pytest.mark.usefixtures("_alone")
async def test_who_listens_to_a_deleted_table_is_told() -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting) as phone:
        await phone.hears()

        await aside(lambda: delete(table=sitting.table, access=sitting.host))

        assert await phone.hears() == 3


# In other processes


async def test_what_another_process_commits_is_told() -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting) as phone:
        await phone.hears()

        hosts = {sitting.table.code: sitting.host_token}
        goes = await aside(lambda: crowd(database_url(), hosts, [1], 3))
        newest = max(go["version"] for go in goes)

        while (version := await phone.hears()) < newest:
            pass
        assert version == newest


@pytest.mark.skipif(connection.vendor != "sqlite", reason="runs on another database")
async def test_a_table_that_another_process_deletes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = await aside(lambda: play(2))
    async with listening(sitting) as phone:
        await phone.hears()

        # Deleted behind the services: nobody in this process tells.
        await aside(lambda: Table.objects.all().delete())

        assert await phone.hears() == hub.GONE


async def test_who_joins_later_is_told_as_well() -> None:
    first, second = await aside(lambda: play(2)), await aside(lambda: play(2))
    async with listening(first) as phone, listening(second) as other:
        await phone.hears()
        await asyncio.sleep(0.3)
        await other.hears()

        await aside(lambda: Table.objects.filter(pk=second.table.pk).update(version=77))
        if connection.vendor == "postgresql":
            await aside(lambda: announced(second.table.pk, 77))

        assert await other.hears() == 77


def announced(table: int, version: int) -> None:
    """As another process does it: nobody in this one tells."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [hub.CHANNEL, f"{table}:{version}"])


async def test_what_was_committed_while_the_watch_began_is_told() -> None:
    """A phone asked the database, another process committed, and only then was the database watched."""
    sitting = await aside(lambda: play(2))
    async with listening(sitting) as phone:
        phone.version = 2
        await aside(lambda: Table.objects.update(version=9))

        heard = [await phone.hears(), await phone.hears()]

    assert heard == [2, 9]


# The watch itself


async def test_the_watch_ends_when_nobody_listens_and_begins_again() -> None:
    sitting = await aside(lambda: play(2))
    for version in (3, 4):
        async with listening(sitting) as phone:
            await phone.hears()
            watch = hub.hub._watch
            assert watch is not None
            assert not watch.done()
            await asyncio.sleep(0.2)
            assert hub.hub._watch is watch
            await aside(lambda: undo_or_enter(sitting))
            assert await phone.hears() == version
            sitting.table.version = version
        await until(watch.done)
        assert watch.exception() is None


def undo_or_enter(sitting: Sitting) -> None:
    table = sitting.fresh()
    if table.head:
        undo(table=table, access=sitting.host)
    else:
        enter(Sitting(table, sitting.host_token, sitting.tokens), *offered(table))


def test_there_is_a_watch_on_a_second_event_loop() -> None:
    """The first loop ended while somebody listened, so its watch never came to an end."""
    sitting = play(2)

    async def listen(version: int) -> None:
        async with listening(sitting) as phone:
            phone.version = version - 1
            await phone.hears()
            await asyncio.sleep(0.1)
            if connection.vendor == "sqlite":
                await aside(lambda: Table.objects.update(version=version))
            else:
                await aside(lambda: announced(sitting.table.pk, version))
            assert await phone.hears() == version

    async def leave_a_watch() -> hub.Listener:
        listener = hub.Listener(sitting.table.pk)
        hub.hub.add(listener)
        await asyncio.sleep(0.05)
        return listener

    asyncio.run(listen(50))
    loop = asyncio.new_event_loop()
    listener = loop.run_until_complete(leave_a_watch())
    watch = hub.hub._watch
    asyncio.run(listen(60))

    assert watch is not None
    assert not watch.done()
    hub.hub.discard(listener)
    loop.run_until_complete(watch)
    loop.close()


async def test_the_watch_outlives_a_database_that_is_away_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "AGAIN_SECONDS", 0.05)
    sitting = await aside(lambda: play(2))
    failures = [1, 2, 3]
    name = "_own_connection" if connection.vendor == "sqlite" else "_own_parameters"
    original = getattr(hub, name)

    def fails_at_first() -> Any:
        if failures:
            failures.pop()
            raise hub._driver().OperationalError
        return original()

    monkeypatch.setattr(hub, name, fails_at_first)
    async with listening(sitting) as phone:
        await phone.hears()
        await until(lambda: not failures)

        await aside(lambda: Table.objects.update(version=30))
        if connection.vendor == "postgresql":
            await aside(lambda: announced(sitting.table.pk, 30))

        assert await phone.hears() == 30


@pytest.mark.skipif(connection.vendor != "sqlite", reason="runs on another database")
def test_the_watch_opens_a_file_with_any_name(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "50% of #1? ü.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", path)
    with pytest.raises(hub._driver().OperationalError):
        hub._own_connection()
    path.touch()

    with contextlib.closing(hub._own_connection()) as own:
        assert own.execute("PRAGMA data_version").fetchone()
        with pytest.raises(hub._driver().OperationalError):
            own.execute("CREATE TABLE t (x)")


def test_a_database_that_fails_is_a_database_error() -> None:
    assert not issubclass(hub._driver().OperationalError, DatabaseError)
    assert issubclass(hub._driver().OperationalError, hub._driver().Error)
