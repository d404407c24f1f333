"""The stream of a table: each newer version once, beats in between, nothing lost."""

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

pytestmark = pytest.mark.usefixtures("_alone")


async def test_the_version_comes_at_once() -> None:
    async with Phone(version=5) as phone:
        assert await phone.hears() == 5


async def test_a_browser_is_told_how_soon_to_come_back() -> None:
    async with Phone() as phone:
        assert (await anext(phone.events)).startswith("retry: 2000\n")


@pytest.mark.parametrize("seen", [None, 0, 1, 4, 6, 10**9])
async def test_who_has_seen_another_version_is_told_at_once(seen: int | None) -> None:
    async with Phone(version=5, seen=seen) as phone:
        assert await phone.hears() == 5


async def test_who_has_seen_it_all_hears_nothing_then_a_beat() -> None:
    async with Phone(version=5, seen=5, every=0.2) as phone:
        began = time.monotonic()

        assert await phone.hears() == "beat"

        assert time.monotonic() - began > 0.15
        assert phone.beats == 1
        hub.hub.tell(1, 6)
        assert await phone.hears() == 6


async def test_beats_go_on() -> None:
    async with Phone(every=0.01) as phone:
        assert [await phone.hears() for _ in range(4)] == [5, "beat", "beat", "beat"]


async def test_a_change_that_woke_nobody_is_told_after_a_beat() -> None:
    """The line on which the database calls may be dead without a word."""
    async with Phone(version=5, every=0.01) as phone:
        assert [await phone.hears(), await phone.hears()] == [5, "beat"]
        phone.at_beats = 7
        assert [await phone.hears() for _ in range(3)] == ["beat", 7, "beat"]


async def test_a_change_wakes_who_waits() -> None:
    async with Phone(version=5) as phone:
        await phone.hears()
        waiting = asyncio.create_task(phone.hears())
        await asyncio.sleep(0.01)

        hub.hub.tell(1, 6)

        assert await waiting == 6


async def test_several_versions_are_told_as_one() -> None:
    async with Phone(version=5, every=0.05) as phone:
        await phone.hears()
        for version in (6, 7, 8):
            hub.hub.tell(1, version)
        await asyncio.sleep(0)

        assert [await phone.hears(), await phone.hears()] == [8, "beat"]


async def test_what_comes_late_or_twice_is_not_told() -> None:
    async with Phone(version=5, every=0.05) as phone:
        await phone.hears()
        for version in (3, 5, 8, 8, 7, 6):
            hub.hub.tell(1, version)

        assert [await phone.hears(), await phone.hears()] == [8, "beat"]


async def test_other_tables_are_not_told() -> None:
    async with Phone(table=1, every=0.05) as phone, Phone(table=2) as other:
        await phone.hears()
        await other.hears()
        hub.hub.tell(2, 9)

        assert await other.hears() == 9
        assert await phone.hears() == "beat"


async def test_everybody_at_a_table_is_told() -> None:
    async with contextlib.AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(Phone()) for _ in range(20)]
        assert [await phone.hears() for phone in phones] == [5] * 20

        hub.hub.tell(1, 6)

        assert [await phone.hears() for phone in phones] == [6] * 20


# Nothing is lost


@pytest.mark.parametrize("seen", [None, 5])
async def test_a_change_while_the_database_is_asked(seen: int | None) -> None:
    """It says 5; before that answer is looked at, somebody is told of 6."""

    async def newest() -> int:
        hub.hub.tell(1, 6)
        await asyncio.sleep(0.01)
        return 5

    async def beat() -> int:
        pytest.fail("6 was slept through")

    events = hub.stream(1, newest, seen, beat, every=0.5)
    async with contextlib.aclosing(events), asyncio.timeout(5):
        told = [await anext(events)]
        if "id: 5\n" in told[0]:
            told.append(await anext(events))

    assert "id: 6\n" in told[-1]


async def test_changes_that_race_with_waiting() -> None:
    """Three threads tell thousands of versions while a phone listens; the last one must arrive."""
    last = 6000
    versions = iter(range(6, last + 1))
    lock = threading.Lock()

    def tell(seed: int) -> None:
        generator = random.Random(seed)
        while True:
            with lock:
                version = next(versions, None)
            if version is None:
                return
            hub.hub.tell(1, version)
            if generator.random() < 0.02:
                time.sleep(0.0005)

    async with Phone(version=5) as phone:
        heard = [await phone.hears()]
        threads = [threading.Thread(target=tell, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        while heard[-1] != last:
            heard.append(await phone.hears(20))
            if len(heard) % 7 == 0:
                await asyncio.sleep(0)
        for thread in threads:
            thread.join()

    assert heard == sorted(set(heard))


async def test_one_change_at_a_time_is_never_slept_through() -> None:
    """A change comes at any moment of the loop between two waits; each must be heard by itself."""
    told = threading.Event()
    versions = iter(range(6, 1006))

    def tell() -> None:
        for version in versions:
            told.wait(10)
            told.clear()
            hub.hub.tell(1, version)

    async with Phone(version=5) as phone:
        thread = threading.Thread(target=tell)
        thread.start()
        heard = await phone.hears()
        while heard < 1005:
            told.set()
            heard = await phone.hears()
        thread.join()


# The server stops


@pytest.fixture
def closing() -> Iterator[None]:
    yield
    hub.hub.is_closing = False


def delay_of(farewell: str) -> int:
    retry, *rest = farewell.split("\n")
    assert rest == ["event: bye", "data: {}", "", ""]
    return int(retry.removeprefix("retry: "))


@pytest.mark.usefixtures("closing")
async def test_everybody_is_sent_away_to_come_back_at_different_times() -> None:
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


@pytest.mark.usefixtures("closing")
async def test_a_change_before_the_end_is_told_first() -> None:
    async with Phone() as phone:
        await phone.hears()
        hub.hub.tell(1, 6)
        hub.hub.close()
        await asyncio.sleep(0)

        assert await phone.hears() == 6
        delay_of(await anext(phone.events))


@pytest.mark.usefixtures("closing")
async def test_who_comes_too_late_is_told_the_version_and_sent_away() -> None:
    hub.hub.close()
    async with Phone() as phone, Phone(seen=5) as other:
        assert await phone.hears() == 5
        delay_of(await anext(phone.events))
        delay_of(await anext(other.events))


# Leaving


async def test_who_closes_the_stream_is_forgotten() -> None:
    async with Phone(), Phone() as second:
        assert hub.hub.count() == 0
        await second.hears()
        assert hub.hub.count() == 1
    assert hub.hub.count() == 0


async def test_who_is_cut_off_while_waiting_is_forgotten() -> None:
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


async def test_who_is_cut_off_while_something_is_sent_is_forgotten() -> None:
    phone = Phone()
    await phone.hears()
    assert hub.hub.count() == 1

    await phone.events.aclose()

    assert hub.hub.count() == 0


async def test_a_database_that_does_not_answer_leaves_nobody_listening() -> None:
    async def newest() -> int:
        raise LookupError

    async def beat() -> int:
        return 0

    events = hub.stream(1, newest, None, beat)
    with pytest.raises(LookupError):
        await anext(events)

    assert hub.hub.count() == 0


def test_telling_nobody_and_telling_who_is_gone() -> None:
    hub.hub.tell(1, 6)

    async def leave_without_a_word() -> hub.Listener:
        listener = hub.Listener(1)
        hub.hub.add(listener)
        return listener

    listener = asyncio.run(leave_without_a_word())
    hub.hub.tell(1, 7)

    hub.hub.discard(listener)
    hub.hub.discard(listener)
    assert hub.hub.count() == 0
