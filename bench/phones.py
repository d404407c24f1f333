"""A table with five HTTP clients: a phone for each seat, and big screens for the others."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from typing import NamedTuple, TypeVar

from bench.client import LOCALHOST, TIMEOUT, Answer, Client, expect
from bench.recordings import Recording

PHONES = 5  # of a table
AT_A_TIME = 50  # phones that connect concurrently
ENGLISH = ("en",)

T = TypeVar("T")

_VERSION = re.compile(r'data-version="(\d+)"')


class Entered(NamedTuple):
    """The faction that made an entry, and when it was sent (`time.perf_counter`)."""

    faction: str
    sent: float


class Received(NamedTuple):
    """When an entry was sent, and the seconds until another phone had its new page."""

    sent: float
    seconds: float


class Phone:
    """A phone that behaves like `static/js/live.js`: one refresh at a time, none while it sends a form."""

    def __init__(self, table: Table, client: Client, page: str) -> None:
        self.client = client
        self.page = page
        self.version = 0  # of the page shown
        self.text = ""
        self.sizes: list[int] = []  # bytes of each change, compressed
        self.is_listening = asyncio.Event()
        self.busy = asyncio.Lock()
        self._table = table

    async def open(self) -> None:
        self._show(expect(200, await self.client.get(self.page)))
        self.sizes.clear()

    async def follow(self) -> None:
        """Refresh on every event that names a newer version, until the stream ends."""
        async with self.client.events(self._table.events) as events:
            async for event in events:
                self.is_listening.set()
                if event.name == "changed":
                    await self.catch_up(event.version)

    async def catch_up(self, version: int) -> None:
        async with self.busy:
            if version > self.version:
                before = self.version
                self._show(expect(200, await self.client.get(self.page, **self._htmx("table"))))
                self._table.note(range(before + 1, self.version + 1))

    async def send(self, act: str, fields: dict[str, object]) -> None:
        """Send the form of the page, filled in; the response is the new page."""
        form = hidden_fields(self.text, act) | fields
        self._show(expect(200, await self.client.post(act, form, **self._htmx("form"))))

    def _htmx(self, source: str) -> dict[str, str]:
        url = f"http://{LOCALHOST}:{self.client.port}{self.page}"
        target = {"hx_target": "main#table", "hx_request_type": "partial", "accept": "text/html"}
        return {"hx_request": "true", "hx_source": source, "hx_current_url": url, **target}

    def _show(self, answer: Answer) -> None:
        self.text = answer.page()
        match = _VERSION.search(self.text)
        if not match:
            raise RuntimeError(f"not the page of a table: {self.text[:300]!r}")
        self.version = int(match[1])
        self.sizes.append(len(answer.body))


class Table:
    """A table in the middle of a game, at which the recorded entries are made."""

    def __init__(self, recording: Recording, *, later: int = 0) -> None:
        self.phones: list[Phone] = []
        self.version = 0
        self.received: list[Received] = []
        self._sent: dict[int, float] = {}  # by the version that the entry led to
        self._document = recording.begun(later)
        self._remaining = deque(recording.entries[later:])
        self._moved = asyncio.Event()
        self._entering = asyncio.Lock()

    async def open(self, port: int, *, number: int = 0, languages: Sequence[str] = ENGLISH) -> None:
        """Import the game and open every page. Each `number` connects from its own local address."""
        address = f"127.1.{number // 250}.{number % 250 + 1}"
        clients = [
            Client(port, address=address, language=languages[n % len(languages)]) for n in range(PHONES)
        ]
        opened = expect(201, await clients[0].post_json("/api/tables/import/", self._document)).json()
        self.code = opened["code"]
        self.events, self.page = f"/api/tables/{self.code}/events/", f"/t/{self.code}/"
        self.tokens = {seat["faction"]: seat["token"] for seat in opened["seats"]}
        for client, token in zip(clients, self.tokens.values(), strict=False):
            client.cookies["seats"] = token
            self.phones.append(Phone(self, client, self.page))
        for client in clients[len(self.phones) :]:
            self.phones.append(Phone(self, client, f"{self.page}display/"))
        self._seats = dict(zip(self.tokens, self.phones, strict=False))
        for phone in self.phones:
            await phone.open()
            self.version = phone.version

    async def close(self) -> None:
        for phone in self.phones:
            await phone.client.close()

    async def enter(self) -> Entered:
        """Make the next entry with the form of the faction asked. A failed entry stays the next one."""
        async with self._entering:
            entry = self._remaining[0]
            phone = self._seats[entry.faction]
            await phone.catch_up(self.version)
            async with phone.busy:
                before, sent = self.version, time.perf_counter()
                # Other phones may get the new version before this response arrives.
                self._sent[before + 1] = sent
                await phone.send(f"{self.page}act/", dict(entry.fields))
                self.version = phone.version
            if self.version != before + 1:
                raise RuntimeError(f"version {self.version} after {before}: {dict(entry.fields)} was refused")
            self._remaining.popleft()
            self._moved.set()
            return Entered(entry.faction, sent)

    def note(self, versions: Iterable[int]) -> None:
        """Record that a phone that did not make these entries shows them now."""
        now = time.perf_counter()
        self.received += [
            Received(self._sent[version], now - self._sent[version])
            for version in versions
            if version in self._sent
        ]
        self._moved.set()

    async def settle(self, phones: Sequence[Phone] | None = None, within: float = TIMEOUT) -> None:
        """Wait until these phones (default: all) show the latest version."""
        async with asyncio.timeout(within):
            while self.behind(phones):
                self._moved.clear()
                await self._moved.wait()

    def behind(self, phones: Sequence[Phone] | None = None) -> int:
        """Return how many of these phones (default: all) show an old version."""
        return sum(phone.version < self.version for phone in phones or self.phones)


class _HiddenFields(HTMLParser):
    """Collect the hidden inputs of the form with a given action."""

    def __init__(self, act: str) -> None:
        super().__init__()
        self.fields: dict[str, object] = {}
        self.has_form = False
        self._act = act
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self._is_inside = (attributes.get("action") or attributes.get("hx-post")) == self._act
            self.has_form |= self._is_inside
        elif tag == "input" and self._is_inside and attributes.get("type") == "hidden":
            self.fields[attributes.get("name") or ""] = attributes.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_inside = False


def hidden_fields(page: str, act: str) -> dict[str, object]:
    """Return the hidden fields of a form, such as the CSRF token and the idempotency key."""
    parser = _HiddenFields(act)
    parser.feed(page)
    if not parser.has_form:
        raise RuntimeError(f"the page has no form for {act}")
    return parser.fields


async def open_tables(port: int, tables: Iterable[Table], languages: Sequence[str] = ENGLISH) -> None:
    """Open tables one after another, because a server imports one game at a time."""
    for number, table in enumerate(tables):
        await table.open(port, number=number, languages=languages)


async def each(items: Iterable[T], do: Callable[[T], Awaitable[None]], at_a_time: int = AT_A_TIME) -> None:
    """Run a coroutine function on all items, with at most `at_a_time` concurrently."""
    slots = asyncio.Semaphore(at_a_time)

    async def run(item: T) -> None:
        async with slots:
            await do(item)

    async with asyncio.TaskGroup() as tasks:
        for item in items:
            tasks.create_task(run(item))


@asynccontextmanager
async def listening(phones: Sequence[Phone]) -> AsyncIterator[None]:
    """Keep the streams of these phones open. On entry, each has received its first event."""
    streams: list[asyncio.Task[None]] = []

    async def begin(phone: Phone) -> None:
        phone.is_listening.clear()
        stream = asyncio.create_task(phone.follow())
        streams.append(stream)
        first_event = asyncio.create_task(phone.is_listening.wait())
        await asyncio.wait((stream, first_event), timeout=TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        first_event.cancel()
        _raise_errors([stream])
        if not phone.is_listening.is_set():
            raise RuntimeError("a phone received no event")

    try:
        await each(phones, begin)
        yield
        _raise_errors(streams)
    finally:
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)


def _raise_errors(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()


def all_phones(tables: Iterable[Table]) -> Iterator[Phone]:
    for table in tables:
        yield from table.phones
