"""Requests are answered in threads that stay, each with its connection; streams keep none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from companion.hosts import Application, Receive, Scope, Send
from companion.threads import MOST_FREE, Threads, in_kept_threads

Work = Callable[[Send], Awaitable[None]]


def served(work: Work) -> Application:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        await work(send)

    return in_kept_threads(application)


async def nothing() -> Mapping[str, Any]:
    return {}


async def heard(message: Mapping[str, Any]) -> None:
    pass


def begin(kind: bytes) -> Mapping[str, Any]:
    return {"type": "http.response.start", "status": 200, "headers": [(b"Content-Type", kind)]}


async def test_the_next_request_is_answered_in_the_same_thread() -> None:
    found: list[int] = []

    async def work(send: Send) -> None:
        found.append(await sync_to_async(threading.get_ident)())
        found.append(await sync_to_async(threading.get_ident)())
        await send(begin(b"text/html"))

    application = served(work)
    for _request in range(3):
        await application({}, nothing, heard)
    assert len(found) == 6
    assert len(set(found)) == 1


async def test_requests_at_one_moment_have_threads_of_their_own() -> None:
    both = threading.Barrier(2, timeout=20)
    application = served(lambda _send: sync_to_async(both.wait)())
    await asyncio.gather(*(application({}, nothing, heard) for _request in range(2)))


async def test_a_stream_gives_its_thread_back_and_still_asks_in_it() -> None:
    found: list[int] = []
    has_begun, is_over = asyncio.Event(), asyncio.Event()

    async def stream(send: Send) -> None:
        found.append(await sync_to_async(threading.get_ident)())
        await send(begin(b"text/event-stream; charset=utf-8"))
        if not has_begun.is_set():
            has_begun.set()
            await is_over.wait()
        found.append(await sync_to_async(threading.get_ident)())

    application = served(stream)
    first = asyncio.create_task(application({}, nothing, heard))  # type: ignore[arg-type]
    await has_begun.wait()
    await application({}, nothing, heard)
    is_over.set()
    await first
    assert len(found) == 4
    assert len(set(found)) == 1


async def test_a_request_that_fails_gives_its_thread_back() -> None:
    found: list[int] = []

    async def fail(_send: Send) -> None:
        found.append(await sync_to_async(threading.get_ident)())
        raise ValueError

    application = served(fail)
    for _request in range(2):
        with pytest.raises(ValueError):
            await application({}, nothing, heard)
    assert len(set(found)) == 1


def test_no_more_stay_than_are_needed_but_for_those_that_streams_ask_in() -> None:
    threads = Threads()
    taken = [threads.take() for _request in range(MOST_FREE + 2)]
    for thread in taken[:-1]:
        threads.give_back(thread)
    threads.give_back(taken[-1], to_stream=True)
    assert threads.free == [*taken[:MOST_FREE], taken[-1]]
    assert is_over(taken[MOST_FREE])
    for thread in threads.free:
        assert not is_over(thread)
        thread.shutdown()


def is_over(thread: ThreadPoolExecutor) -> bool:
    try:
        thread.submit(int)
    except RuntimeError:
        return True
    return False
