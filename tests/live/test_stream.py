"""Event stream of a table: each newer version once, heartbeats in between, nothing lost."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Iterator

import pytest

from companion.live import hub
from tests.live.phones import Phone, until

pytestmark = pytest.mark.usefixtures("_no_watch")


async def test_stream_starts_with_the_version() -> None:
    async with Phone(version=5) as phone:
        assert await phone.hears() == 5


async def test_first_event_sets_the_retry_delay() -> None:
    async with Phone() as phone:
        assert (await anext(phone.events)).startswith("retry: 2000\n")


@pytest.mark.parametrize("seen", [None, 0, 1, 4, 6, 10**9])
async def test_client_with_another_version_gets_the_version_at_once(seen: int | None) -> None:
    async with Phone(version=5, seen=seen) as phone:
        assert await phone.hears() == 5


async def test_up_to_date_client_gets_only_heartbeats() -> None:
    async with Phone(version=5, seen=5, every=0.2) as phone:
        began = time.monotonic()

        assert await phone.hears() == "beat"

        assert time.monotonic() - began > 0.15
        assert phone.beats == 1
        hub.hub.publish(1, 6)
        assert await phone.hears() == 6


async def test_heartbeats_repeat() -> None:
    async with Phone(every=0.01) as phone:
        assert [await phone.hears() for _ in range(4)] == [5, "beat", "beat", "beat"]


async def test_lost_notification_is_made_up_for_by_heartbeat() -> None:
    """The connection that listens to the database may be dead without an error."""
    async with Phone(version=5, every=0.01) as phone:
        assert [await phone.hears(), await phone.hears()] == [5, "beat"]
        phone.at_beats = 7
        assert [await phone.hears() for _ in range(3)] == ["beat", 7, "beat"]


async def test_new_version_wakes_waiting_stream() -> None:
    async with Phone(version=5) as phone:
        await phone.hears()
        waiting = asyncio.create_task(phone.hears())
        await asyncio.sleep(0.01)

        hub.hub.publish(1, 6)

        assert await waiting == 6


async def test_several_versions_become_one_event() -> None:
    async with Phone(version=5, every=0.05) as phone:
        await phone.hears()
        for version in (6, 7, 8):
            hub.hub.publish(1, version)
        await asyncio.sleep(0)

        assert [await phone.hears(), await phone.hears()] == [8, "beat"]


async def test_late_and_duplicate_versions_are_ignored() -> None:
    async with Phone(version=5, every=0.05) as phone:
        await phone.hears()
        for version in (3, 5, 8, 8, 7, 6):
            hub.hub.publish(1, version)

        assert [await phone.hears(), await phone.hears()] == [8, "beat"]


async def test_other_tables_get_no_event() -> None:
    async with Phone(table=1, every=0.05) as phone, Phone(table=2) as other:
        await phone.hears()
        await other.hears()
        hub.hub.publish(2, 9)

        assert await other.hears() == 9
        assert await phone.hears() == "beat"


async def test_all_streams_of_a_table_get_the_event() -> None:
    async with contextlib.AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(Phone()) for _ in range(20)]
        assert [await phone.hears() for phone in phones] == [5] * 20

        hub.hub.publish(1, 6)

        assert [await phone.hears() for phone in phones] == [6] * 20


# Races


@pytest.mark.parametrize("seen", [None, 5])
async def test_version_published_during_the_query_is_not_lost(seen: int | None) -> None:
    """Version 6 is published while the query for the version returns 5."""

    async def newest() -> int:
        hub.hub.publish(1, 6)
        await asyncio.sleep(0.01)
        return 5

    async def beat() -> int:
        pytest.fail("version 6 was lost")

    events = hub.stream(1, newest, seen, beat, every=0.5)
    async with contextlib.aclosing(events), asyncio.timeout(5):
        received = [await anext(events)]
        if "id: 5\n" in received[0]:
            received.append(await anext(events))

    assert "id: 6\n" in received[-1]


async def test_last_version_arrives_despite_races() -> None:
    """Three threads publish 6,000 versions while a phone listens; the last one must arrive."""
    last = 6000
    versions = iter(range(6, last + 1))
    lock = threading.Lock()

    def publish(seed: int) -> None:
        generator = random.Random(seed)
        while True:
            with lock:
                version = next(versions, None)
            if version is None:
                return
            hub.hub.publish(1, version)
            if generator.random() < 0.02:
                time.sleep(0.0005)

    async with Phone(version=5) as phone:
        heard = [await phone.hears()]
        threads = [threading.Thread(target=publish, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        while heard[-1] != last:
            heard.append(await phone.hears(20))
            if len(heard) % 7 == 0:
                await asyncio.sleep(0)
        for thread in threads:
            thread.join()

    assert heard == sorted(set(heard))


async def test_every_single_change_wakes_the_stream() -> None:
    """Each version is published at an arbitrary moment between two waits, and must arrive on its own."""
    ready = threading.Event()
    versions = iter(range(6, 1006))

    def publish() -> None:
        for version in versions:
            ready.wait(10)
            ready.clear()
            hub.hub.publish(1, version)

    async with Phone(version=5) as phone:
        thread = threading.Thread(target=publish)
        thread.start()
        heard = await phone.hears()
        while heard < 1005:
            ready.set()
            heard = await phone.hears()
        thread.join()


# Shutdown


@pytest.fixture
def _reset_closing() -> Iterator[None]:
    yield
    hub.hub.is_closing = False


def delay_of(event: str) -> int:
    retry, *lines = event.split("\n")
    assert lines == ["event: bye", "data: {}", "", ""]
    return int(retry.removeprefix("retry: "))


@pytest.mark.usefixtures("_reset_closing")
async def test_shutdown_closes_streams_with_random_delays() -> None:
    async with contextlib.AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(Phone(table=n % 3)) for n in range(30)]
        assert [await phone.hears() for phone in phones] == [5] * 30
        waiting = [asyncio.create_task(anext(phone.events)) for phone in phones]
        await asyncio.sleep(0)

        hub.hub.close()

        delays = [delay_of(await task) for task in waiting]
        assert all(1000 <= delay <= 6000 for delay in delays)
        assert max(delays) - min(delays) > 1000
        for phone in phones:
            with pytest.raises(StopAsyncIteration):
                await anext(phone.events)
        assert hub.hub.count() == 0


@pytest.mark.usefixtures("_reset_closing")
async def test_pending_version_is_sent_before_bye() -> None:
    async with Phone() as phone:
        await phone.hears()
        hub.hub.publish(1, 6)
        hub.hub.close()
        await asyncio.sleep(0)

        assert await phone.hears() == 6
        delay_of(await anext(phone.events))


@pytest.mark.usefixtures("_reset_closing")
async def test_stream_opened_during_shutdown_gets_version_and_bye() -> None:
    hub.hub.close()
    async with Phone() as phone, Phone(seen=5) as other:
        assert await phone.hears() == 5
        delay_of(await anext(phone.events))
        delay_of(await anext(other.events))


# Disconnects


async def test_closed_stream_is_discarded() -> None:
    async with Phone(), Phone() as second:
        assert hub.hub.count() == 0
        await second.hears()
        assert hub.hub.count() == 1
    assert hub.hub.count() == 0


async def test_stream_cancelled_while_waiting_is_discarded() -> None:
    phone = Phone(every=60)

    async def listen() -> None:
        async for _event in phone.events:
            pass

    task = asyncio.create_task(listen())
    await until(lambda: hub.hub.count() == 1)
    await asyncio.sleep(0.01)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task

    assert hub.hub.count() == 0


async def test_stream_closed_while_sending_is_discarded() -> None:
    phone = Phone()
    await phone.hears()
    assert hub.hub.count() == 1

    await phone.events.aclose()

    assert hub.hub.count() == 0


async def test_failing_query_discards_the_listener() -> None:
    async def newest() -> int:
        raise LookupError

    async def beat() -> int:
        return 0

    events = hub.stream(1, newest, None, beat)
    with pytest.raises(LookupError):
        await anext(events)

    assert hub.hub.count() == 0


def test_publishing_without_live_listeners_does_nothing() -> None:
    hub.hub.publish(1, 6)

    async def abandon_listener() -> hub.Listener:
        listener = hub.Listener(1)
        hub.hub.add(listener)
        return listener

    listener = asyncio.run(abandon_listener())
    hub.hub.publish(1, 7)

    hub.hub.discard(listener)
    hub.hub.discard(listener)
    assert hub.hub.count() == 0
