"""Phones that sit together: at tables that were prepared before the server started, or on bare channels.

Tables are opened by the project's own code in a process of its own (``python -m bench.phones 200 24 8``), as opening
and playing hundreds of them through HTTP takes long. Each is a game of Raubritter for four, played at random,
each to another point of its first part; it ends long after any benchmark. The fifth phone is the host's, who has
no seat.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count, islice
from typing import Any, NamedTuple, Protocol, TypeVar

from bench.client import ACCEPTED, Answer, Client, Shown
from bench.web import csrf_of, expect, fields_of
from tests.servers import ROOT, manage

AT_TABLE = 5
PATIENCE = 60.0  # a server under too much load is slow, which is to be measured
AT_A_TIME = 50  # phones that come at one moment

T = TypeVar("T")

_keys = map(str, count())
_VERSION = re.compile(rb'data-version="(\d+)"')


class Prepared(NamedTuple):
    """A table, the tokens of its phones by faction (the host's last), and the entries that will be made there."""

    code: str
    tokens: Mapping[str, str]
    coming: Sequence[tuple[str, Any]]  # faction and action


def prepared(surroundings: dict[str, str], tables: int, entries: int, ahead: int) -> list[Prepared]:
    """So many tables in the database of a server that does not run yet.

    They have up to so many entries, and it is told which may be made then.
    """
    manage(surroundings, "migrate", "--no-input", "--verbosity=0", "--run-syncdb")
    command = [sys.executable, "-m", "bench.phones", *map(str, (tables, entries, ahead))]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, check=True)
    return [Prepared(*one) for one in json.loads(done.stdout)]


# --- Phones ---


class Phone:
    """A phone as `static/js/live.js` lets it behave: one fetch at a time, and none while its owner's tap is sent."""

    def __init__(self, group: Group, client: Client) -> None:
        self.group = group
        self.client = client
        self.version = 0  # of what it shows
        self.shown = Shown()
        self.heard: set[int] = set()
        self.is_listening = asyncio.Event()
        self.busy = asyncio.Lock()

    async def follow(self) -> None:
        async with self.client.events(self.group.events) as events:
            async for event in events:
                self.is_listening.set()
                if event.name == "changed":
                    self.heard.add(event.version)
                    await self._catch_up(event.version)
                self.group.moved.set()

    async def _catch_up(self, told: int) -> None:
        async with self.busy:
            if told > self.version:
                answer = expect(200, await self.client.get(self.group.page, **self.shown.as_htmx))
                shown = self.group.version_in(answer, told)
                self.group.note(range(self.version + 1, shown + 1))
                self.version = shown
                self.shown.take_in(answer)


class Group:
    """Phones that hear of each other's taps."""

    events: str
    page: str
    act: str

    def __init__(self) -> None:
        self.phones: list[Phone] = []
        self.version = 0
        self.sent: dict[int, float] = {}  # when the tap was sent that made a version
        self.taken: list[
            tuple[float, float]
        ] = []  # when a tap was sent, how long until another phone showed it
        self.moved = asyncio.Event()  # a phone has heard or shown something
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        """Every phone has its page."""
        raise NotImplementedError

    def version_in(self, answer: Answer, told: int) -> int:
        """What a page shows that was fetched when a version was told."""
        raise NotImplementedError

    def next_form(self) -> tuple[Phone, Mapping[str, str]]:
        """Who taps next, and what that sends."""
        raise NotImplementedError

    def missing(self) -> int:
        """How much of what was told has not arrived."""
        raise NotImplementedError

    @property
    def is_settled(self) -> bool:
        """Whether every phone shows what was entered last."""
        return all(phone.version == self.version for phone in self.phones) and not self.missing()

    async def settle(self, patience: float) -> None:
        """Wait until it is. Raises ``TimeoutError``."""
        async with asyncio.timeout(patience):
            while not self.is_settled:
                self.moved.clear()
                await self.moved.wait()

    async def close(self) -> None:
        for phone in self.phones:
            await phone.client.close()

    def forget(self) -> None:
        """What was taken so far."""
        self.sent.clear()
        self.taken.clear()

    def note(self, shown: range) -> None:
        """A phone whose owner did not tap shows these versions from now on."""
        now = time.perf_counter()
        self.taken += [(self.sent[one], now - self.sent[one]) for one in shown if one in self.sent]

    async def tap(self) -> None:
        """The next entry. Whoever taps has the new page by the answer."""
        async with self._turn:
            phone, form = self.next_form()
            async with phone.busy:
                version = self.version + 1
                self.sent[version] = time.perf_counter()
                answer = expect(200, await phone.client.post(self.act, form, **phone.shown.as_htmx))
                self.version = phone.version = self.version_in(answer, version)
                phone.shown.take_in(answer)
            if self.version != version:
                raise RuntimeError(f"version {self.version} instead of {version}: {answer.page()[:300]!r}")


class Table(Group):
    """A table of the product."""

    def __init__(self, port: int, table: Prepared) -> None:
        super().__init__()
        self.events, self.page = f"/api/tables/{table.code}/events/", f"/t/{table.code}/"
        self.act = f"{self.page}act/"
        for token in table.tokens.values():
            client = Client(port, PATIENCE)
            client.cookies["seats"] = token
            self.phones.append(Phone(self, client))
        self._seats = dict(zip(table.tokens, self.phones, strict=True))
        self._coming = iter(table.coming)
        self._csrf: dict[Phone, str] = {}

    async def open(self) -> None:
        for phone in self.phones:
            answer = expect(200, await phone.client.get(self.page, accept_encoding=ACCEPTED))
            phone.shown.take_in(answer)
            self._csrf[phone] = csrf_of(answer)
            self.version = phone.version = self.version_in(answer, 0)

    def version_in(self, answer: Answer, told: int) -> int:  # noqa: ARG002 - the page itself says it
        found = _VERSION.search(answer.page())
        if not found:
            raise RuntimeError(f"no page of a table: {answer.body[:300]!r}")
        return int(found[1])

    def next_form(self) -> tuple[Phone, Mapping[str, str]]:
        faction, action = next(self._coming)
        phone = self._seats[faction]
        own = {"csrfmiddlewaretoken": self._csrf[phone], "faction": faction, "key": next(_keys)}
        return phone, own | fields_of(action)

    def missing(self) -> int:
        """Several versions may be told as one; what counts is that nobody stays behind."""
        return sum(self.version - phone.version for phone in self.phones)


class Channel(Group):
    """The same without a product: a bare echo, and an empty page. Its phones have the cookies of a table's."""

    def __init__(self, port: int, name: str, like: Table) -> None:
        super().__init__()
        self.events, self.page, self.act = f"/bare/events/{name}/", "/bare/empty/", f"/bare/echo/{name}/"
        for phone in like.phones:
            client = Client(port, PATIENCE)
            client.cookies = phone.client.cookies
            self.phones.append(Phone(self, client))
        self._number = 0

    async def open(self) -> None:
        for phone in self.phones:
            expect(200, await phone.client.get(self.page, **phone.shown.as_htmx))

    def version_in(self, answer: Answer, told: int) -> int:  # noqa: ARG002 - there is nothing in it
        return told

    def next_form(self) -> tuple[Phone, Mapping[str, str]]:
        self._number += 1
        return self.phones[self._number % len(self.phones)], {"key": next(_keys)}

    def missing(self) -> int:
        """Every number is told, to each of its phones."""
        return sum(len(self.sent.keys() - phone.heard) for phone in self.phones)


class Listens(Protocol):
    """Whoever has a stream open as long as it follows."""

    is_listening: asyncio.Event  # has heard something

    async def follow(self) -> None: ...


async def each(items: Iterable[T], do: Callable[[T], Awaitable[None]]) -> None:
    """Do it for all of them, not for too many at one moment."""
    doors = asyncio.Semaphore(AT_A_TIME)

    async def come(item: T) -> None:
        async with doors:
            await do(item)

    async with asyncio.TaskGroup() as tasks:
        for item in items:
            tasks.create_task(come(item))


@asynccontextmanager
async def listening(phones: Sequence[Listens]) -> AsyncIterator[None]:
    """Phones that follow meanwhile, each of which has heard something in the beginning."""
    following: list[asyncio.Task[None]] = []

    async def begin(phone: Listens) -> None:
        phone.is_listening.clear()
        follows = asyncio.create_task(phone.follow())
        following.append(follows)
        hears = asyncio.create_task(phone.is_listening.wait())
        await asyncio.wait((follows, hears), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        hears.cancel()
        if follows.done():
            follows.result()  # says why
        if not phone.is_listening.is_set():
            raise RuntimeError("a phone hears nothing")

    try:
        await each(phones, begin)
        yield
        for follows in following:
            if follows.done():
                follows.result()
    finally:
        for follows in following:
            follows.cancel()
        await asyncio.gather(*following, return_exceptions=True)


# --- In the other process ---


def main(tables: int, entries: int, ahead: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    import django  # noqa: PLC0415

    django.setup()
    from django.db import transaction  # noqa: PLC0415

    with transaction.atomic():
        print(json.dumps([_table(number, number % (entries + 1), ahead) for number in range(tables)]))


def _table(seed: int, entries: int, ahead: int) -> Prepared:
    from companion.states import game_of, state_at  # noqa: PLC0415
    from games.core.actions import action_json  # noqa: PLC0415
    from players import randomly  # noqa: PLC0415
    from tests.tables import sitting  # noqa: PLC0415

    found = sitting.play(players=4)
    sitting.play_on(found, entries, seed)
    state = state_at(found.table, found.table.tip)
    coming = islice(randomly.play_on(game_of(found.table), state, random.Random(seed)), ahead)
    return Prepared(
        found.table.code,
        {**found.tokens, "host": found.host_token},
        [(played.prompt.faction, action_json(played.action)) for played in coming],
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
