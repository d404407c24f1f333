"""Announcement of commits: those of this process and of others, and no uncommitted changes."""

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
from tests.live.phones import Phone, in_thread, until
from tests.tables.crowd import crowd, database_url
from tests.tables.sitting import Sitting, enter, offered, play

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

NEVER = 3600.0


def listening(sitting: Sitting, every: float = NEVER) -> Phone:
    return Phone(sitting.table.pk, sitting.table.version, every=every)


# In this process


@pytest.mark.usefixtures("_no_watch")
async def test_entry_is_announced() -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting) as phone:
        assert await phone.hears() == 2

        accepted = await in_thread(lambda: enter(sitting, *offered(sitting.table)))

        assert await phone.hears() == accepted.version == 3


@pytest.mark.usefixtures("_no_watch")
async def test_break_is_announced_once() -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting, every=0.05) as phone:
        assert await phone.hears() == 2
        for _ in range(2):
            await in_thread(lambda: breaks.begin(table=sitting.table, access=sitting.host))
        assert [await phone.hears() for _ in range(2)] == [3, "beat"]
        await in_thread(lambda: breaks.end(table=sitting.table, access=sitting.host))
        assert 4 in [await phone.hears() for _ in range(2)]


@pytest.mark.usefixtures("_no_watch")
async def test_entry_is_not_announced_before_commit() -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting, every=0.05) as phone:
        await phone.hears()
        entered, heard = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def work() -> None:
            with transaction.atomic():
                enter(sitting, *offered(sitting.table))
                loop.call_soon_threadsafe(entered.set)
                asyncio.run_coroutine_threadsafe(heard.wait(), loop).result(10)

        commit = asyncio.create_task(in_thread(work))
        await entered.wait()
        assert [await phone.hears() for _ in range(3)] == ["beat"] * 3
        heard.set()
        await commit

        assert await phone.hears() == 3


@pytest.mark.usefixtures("_no_watch")
async def test_rolled_back_entry_is_not_announced() -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting, every=0.05) as phone:
        await phone.hears()

        def work() -> None:
            with contextlib.suppress(LookupError), transaction.atomic():
                enter(sitting, *offered(sitting.table))
                raise LookupError

        await in_thread(work)
        assert [await phone.hears() for _ in range(3)] == ["beat"] * 3

        await in_thread(lambda: set_locked(table=sitting.table, access=sitting.host, locked=True))
        assert await phone.hears() == 3


@pytest.mark.usefixtures("_no_watch")
async def test_deletion_is_announced() -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting) as phone:
        await phone.hears()

        await in_thread(lambda: delete(table=sitting.table, access=sitting.host))

        assert await phone.hears() == 3


# In other processes


async def test_commit_of_another_process_is_announced() -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting) as phone:
        await phone.hears()

        hosts = {sitting.table.code: sitting.host_token}
        responses = await in_thread(lambda: crowd(database_url(), hosts, [1], 3))
        newest = max(response["version"] for response in responses)

        while (version := await phone.hears()) < newest:
            pass
        assert version == newest


@pytest.mark.skipif(connection.vendor != "sqlite", reason="runs on another database")
async def test_deletion_by_another_process_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting) as phone:
        await phone.hears()

        # Bypasses the services, so this process announces nothing.
        await in_thread(lambda: Table.objects.all().delete())

        assert await phone.hears() == hub.DELETED


async def test_table_joined_later_is_watched() -> None:
    first, second = await in_thread(lambda: play(2)), await in_thread(lambda: play(2))
    async with listening(first) as phone, listening(second) as other:
        await phone.hears()
        await asyncio.sleep(0.3)
        await other.hears()

        await in_thread(lambda: Table.objects.filter(pk=second.table.pk).update(version=77))
        if connection.vendor == "postgresql":
            await in_thread(lambda: notify(second.table.pk, 77))

        assert await other.hears() == 77


def notify(table: int, version: int) -> None:
    """Announce a version as another process does, bypassing the hub of this one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [hub.CHANNEL, f"{table}:{version}"])


async def test_commit_during_start_of_watch_is_announced() -> None:
    """Another process commits after the stream has read the version, and before the watch starts."""
    sitting = await in_thread(lambda: play(2))
    async with listening(sitting) as phone:
        phone.version = 2
        await in_thread(lambda: Table.objects.update(version=9))

        heard = [await phone.hears(), await phone.hears()]

    assert heard == [2, 9]


# The watch


async def test_watch_stops_without_listeners_and_restarts() -> None:
    sitting = await in_thread(lambda: play(2))
    for version in (3, 4):
        async with listening(sitting) as phone:
            await phone.hears()
            watch = hub.hub._watch
            assert watch is not None
            assert not watch.done()
            await asyncio.sleep(0.2)
            assert hub.hub._watch is watch
            await in_thread(lambda: undo_or_enter(sitting))
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


def test_watch_restarts_on_another_event_loop() -> None:
    """The first loop stops while a stream is open, so its watch task never finishes."""
    sitting = play(2)

    async def listen(version: int) -> None:
        async with listening(sitting) as phone:
            phone.version = version - 1
            await phone.hears()
            await asyncio.sleep(0.1)
            if connection.vendor == "sqlite":
                await in_thread(lambda: Table.objects.update(version=version))
            else:
                await in_thread(lambda: notify(sitting.table.pk, version))
            assert await phone.hears() == version

    async def abandon_listener() -> hub.Listener:
        listener = hub.Listener(sitting.table.pk)
        hub.hub.add(listener)
        await asyncio.sleep(0.05)
        return listener

    asyncio.run(listen(50))
    loop = asyncio.new_event_loop()
    listener = loop.run_until_complete(abandon_listener())
    watch = hub.hub._watch
    asyncio.run(listen(60))

    assert watch is not None
    assert not watch.done()
    hub.hub.discard(listener)
    loop.run_until_complete(watch)
    loop.close()


async def test_watch_survives_database_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "RETRY_SECONDS", 0.05)
    sitting = await in_thread(lambda: play(2))
    failures = [1, 2, 3]
    name = "_own_connection" if connection.vendor == "sqlite" else "_own_parameters"
    original = getattr(hub, name)

    def fail_at_first() -> Any:
        if failures:
            failures.pop()
            raise hub._driver().OperationalError
        return original()

    monkeypatch.setattr(hub, name, fail_at_first)
    async with listening(sitting) as phone:
        await phone.hears()
        await until(lambda: not failures)

        await in_thread(lambda: Table.objects.update(version=30))
        if connection.vendor == "postgresql":
            await in_thread(lambda: notify(sitting.table.pk, 30))

        assert await phone.hears() == 30


@pytest.mark.skipif(connection.vendor != "sqlite", reason="runs on another database")
def test_watch_opens_file_names_with_special_characters(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "50% of #1? ü.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", path)
    with pytest.raises(hub._driver().OperationalError):
        hub._own_connection()
    path.touch()

    with contextlib.closing(hub._own_connection()) as own:
        assert own.execute("PRAGMA data_version").fetchone()
        with pytest.raises(hub._driver().OperationalError):
            own.execute("CREATE TABLE t (x)")


def test_driver_errors_are_not_django_errors() -> None:
    assert not issubclass(hub._driver().OperationalError, DatabaseError)
    assert issubclass(hub._driver().OperationalError, hub._driver().Error)
