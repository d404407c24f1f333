"""A request goes to a thread once, threads stay, and nobody waits long for somebody who takes long."""

from __future__ import annotations

import asyncio
import errno
import math
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import override_settings
from django.urls import path
from django.utils import translation

from companion import threads, turns
from companion.threads import MOST, Handler

PATIENCE = 20  # seconds

View = Callable[..., Any]
views: dict[str, View] = {}


def called(request: HttpRequest, name: str) -> HttpResponseBase:
    response: HttpResponseBase = views[name](request)
    return response


urlpatterns = [path("<name>", called)]


@pytest.fixture(autouse=True)
def _addresses() -> Any:
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["*"]):
        yield
    views.clear()


@pytest.fixture(autouse=True)
def _own_threads() -> Iterator[None]:
    """Those of other tests may have kept a connection, which is not to be touched here."""
    with (
        ThreadPoolExecutor(MOST, thread_name_prefix="request") as own,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr(threads, "_threads", own)
        yield


class Phone:
    """Somebody who sends one request, and goes when told to."""

    def __init__(self, handler: Handler, name: str) -> None:
        self.handler = handler
        self.name = name
        self.goes = asyncio.Event()
        self.hears = asyncio.Event()
        self.heard: list[Mapping[str, Any]] = []
        self._asked = False

    async def ask(self) -> bytes:
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"/{self.name}",
            "query_string": b"",
            "headers": [],
            "server": ("127.0.0.1", 80),
        }
        await self.handler(scope, self._receive, self._send)
        return b"".join(message.get("body", b"") for message in self.heard)

    async def _receive(self) -> Mapping[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.goes.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Mapping[str, Any]) -> None:
        self.heard.append(message)
        if message.get("body"):
            self.hears.set()


def in_which_thread(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(threading.current_thread().name)


async def test_requests_are_answered_in_threads_that_stay() -> None:
    views["thread"] = in_which_thread
    handler = Handler()
    found = [await Phone(handler, "thread").ask() for _request in range(2 * MOST)]
    assert found[0].startswith(b"request")
    assert len(set(found)) <= MOST


async def test_a_request_is_over_in_the_thread_that_answered_it() -> None:
    views["thread"] = in_which_thread
    over: list[str] = []

    def note(**_told: Any) -> None:
        over.append(threading.current_thread().name)

    request_finished.connect(note)
    try:
        answered_in = await Phone(Handler(), "thread").ask()
    finally:
        request_finished.disconnect(note)
    assert over == [answered_in.decode()]


async def test_one_works_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "A_MOMENT", PATIENCE)
    at_once: list[int] = []
    working = 0

    def work(_request: HttpRequest) -> HttpResponse:
        nonlocal working
        working += 1
        at_once.append(working)
        threading.Event().wait(0.01)
        working -= 1
        return HttpResponse()

    views["work"] = work
    handler = Handler()
    await asyncio.gather(*(Phone(handler, "work").ask() for _phone in range(5)))
    assert at_once == [1] * 5


async def test_who_takes_long_keeps_nobody_waiting() -> None:
    both = threading.Barrier(2, timeout=PATIENCE)

    def meet(_request: HttpRequest) -> HttpResponse:
        both.wait()
        return HttpResponse("met")

    views["meet"] = meet
    handler = Handler()
    assert await asyncio.gather(*(Phone(handler, "meet").ask() for _phone in range(2))) == [b"met", b"met"]


async def test_who_has_changed_something_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "A_MOMENT", PATIENCE)
    both = threading.Barrier(2, timeout=PATIENCE)

    def change(_request: HttpRequest) -> HttpResponse:
        turns.give_way()
        both.wait()
        return HttpResponse("drawn")

    def hear(_request: HttpRequest) -> HttpResponse:
        both.wait()
        return HttpResponse("heard")

    views.update(change=change, hear=hear)
    handler = Handler()
    asked = (Phone(handler, name).ask() for name in ("change", "hear"))
    assert await asyncio.gather(*asked) == [b"drawn", b"heard"]


async def test_those_who_hear_of_a_change_are_answered_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "A_MOMENT", PATIENCE)
    monkeypatch.setattr(turns, "UNTIL_HEARD", PATIENCE)
    monkeypatch.setattr(turns, "UNTIL_SERVED", PATIENCE)
    done: list[str] = []

    def change(_request: HttpRequest) -> HttpResponse:
        turns.give_way()
        turns.let_others_first()
        done.append("changed")
        return HttpResponse()

    def hear(_request: HttpRequest) -> HttpResponse:
        time.sleep(0.05)
        done.append("heard")
        return HttpResponse()

    views.update(change=change, hear=hear)
    handler = Handler()
    await asyncio.gather(*(Phone(handler, name).ask() for name in ("change", "hear", "hear", "hear")))
    assert done == ["heard", "heard", "heard", "changed"]


async def test_until_they_come_what_they_ask_for_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Part by part, and no further once somebody is there."""
    for name in ("A_MOMENT", "UNTIL_HEARD", "UNTIL_SERVED"):
        monkeypatch.setattr(turns, name, PATIENCE)
    done: list[str] = []
    two_made, somebody_came = threading.Event(), threading.Event()

    def ahead() -> Iterator[None]:
        for part in ("first", "second", "third", "fourth"):
            done.append(part)
            if part == "second":
                two_made.set()
                assert somebody_came.wait(PATIENCE)
            yield

    def change(_request: HttpRequest) -> HttpResponse:
        turns.give_way()
        turns.let_others_first(ahead())
        done.append("changed")
        return HttpResponse()

    def hear(_request: HttpRequest) -> HttpResponse:
        somebody_came.set()
        time.sleep(0.05)
        done.append("heard")
        return HttpResponse()

    views.update(change=change, hear=hear)
    handler = Handler()
    changing = asyncio.create_task(Phone(handler, "change").ask())
    await asyncio.to_thread(two_made.wait, PATIENCE)
    await asyncio.gather(changing, Phone(handler, "hear").ask())
    assert done == ["first", "second", "heard", "changed"]


@pytest.mark.parametrize("others", [0, 1])
async def test_nobody_is_waited_for_in_vain(monkeypatch: pytest.MonkeyPatch, others: int) -> None:
    """Whether nobody comes, or somebody who takes long."""
    monkeypatch.setattr(turns, "A_MOMENT", PATIENCE)
    changed = threading.Event()

    def change(_request: HttpRequest) -> HttpResponse:
        turns.give_way()
        turns.let_others_first()
        changed.set()
        return HttpResponse("drawn")

    def hear(_request: HttpRequest) -> HttpResponse:
        assert changed.wait(PATIENCE)
        return HttpResponse("heard")

    views.update(change=change, hear=hear)
    handler = Handler()
    asked = [Phone(handler, name).ask() for name in ["change", *["hear"] * others]]
    assert await asyncio.gather(*asked) == [b"drawn", *[b"heard"] * others]


def test_elsewhere_nobody_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "UNTIL_HEARD", math.inf)
    turns.let_others_first()


async def test_what_fails_leaves_the_turn_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "A_MOMENT", PATIENCE)
    views["thread"] = in_which_thread
    handler = Handler()
    monkeypatch.setattr(handler, "get_response", lambda _request: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await Phone(handler, "thread").ask()
    monkeypatch.undo()
    assert await Phone(handler, "thread").ask()


async def test_a_body_for_which_the_disk_has_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django lays large ones down there."""

    async def fail(_receive: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    handler = Handler()
    monkeypatch.setattr(handler, "read_body", fail)
    phone = Phone(handler, "thread")
    assert b"no room" in await phone.ask()
    assert phone.heard[0]["status"] == 503


async def test_a_stream_keeps_no_turn_and_ends_with_its_phone() -> None:
    is_over = asyncio.Event()

    async def told() -> AsyncIterator[str]:
        try:
            yield "one"
            await asyncio.Event().wait()
        finally:
            is_over.set()

    views["stream"] = lambda _request: StreamingHttpResponse(told())
    views["thread"] = in_which_thread
    handler = Handler()
    phone = Phone(handler, "stream")
    follows = asyncio.create_task(phone.ask())
    async with asyncio.timeout(PATIENCE):
        await phone.hears.wait()
        assert await Phone(handler, "thread").ask()
        phone.goes.set()
        assert await follows == b"one"
        await is_over.wait()


async def test_who_lets_a_stream_in_keeps_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is over in another thread, or in an hour; until then the pool would miss it."""
    begun: list[str] = []
    closed: list[str] = []

    async def told() -> AsyncIterator[str]:
        yield "one"

    def begin(_request: HttpRequest) -> HttpResponseBase:
        begun.append(threading.current_thread().name)
        return StreamingHttpResponse(told())

    views["stream"] = begin
    monkeypatch.setattr(
        threads, "close_old_connections", lambda: closed.append(threading.current_thread().name)
    )
    await Phone(Handler(), "stream").ask()
    assert closed == begun


async def test_what_is_read_bit_by_bit_is_read_and_over_in_one_thread() -> None:
    """A cursor of the database belongs to the thread that opened it."""
    read: list[str] = []

    def name() -> str:
        read.append(threading.current_thread().name)
        return "one"

    async def told() -> AsyncIterator[str]:
        for _part in range(20):
            yield await sync_to_async(name)()

    def note(**_told: Any) -> None:
        read.append(threading.current_thread().name)

    views["file"] = lambda _request: StreamingHttpResponse(told())
    handler = Handler()
    request_finished.connect(note)
    try:
        await asyncio.gather(*(Phone(handler, "file").ask() for _phone in range(2)))
    finally:
        request_finished.disconnect(note)
    assert len(read) == 2 * (20 + 1)
    assert len(set(read)) == 2


async def test_what_is_read_bit_by_bit_is_in_the_language_of_the_request() -> None:
    async def told() -> AsyncIterator[str]:
        for _part in range(2):
            yield await sync_to_async(lambda: translation.get_language() or "")()

    def begin(_request: HttpRequest) -> HttpResponseBase:
        translation.activate("hu")
        return StreamingHttpResponse(told())

    views["file"] = begin
    assert await Phone(Handler(), "file").ask() == b"huhu"


async def test_a_stream_that_breaks_says_why() -> None:
    async def told() -> AsyncIterator[str]:
        yield "one"
        raise ValueError

    views["stream"] = lambda _request: StreamingHttpResponse(told())
    with pytest.raises(ValueError):
        await Phone(Handler(), "stream").ask()
