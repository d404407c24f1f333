"""Event streams: they tell clients that a table has a new version.

A message carries only a number, so that it may be lost, doubled or late without harm. Commits of this process are
announced directly. Those of other processes to the same SQLite file are noticed by polling ``data_version``, a
counter that moves when another connection commits; PostgreSQL announces them itself (LISTEN, NOTIFY). Both only while
streams are open.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from threading import Lock
from typing import Any

from django.db import connection, transaction

from companion.operations.capacity import capacity
from companion.operations.log_throttle import rejections

BEAT_SECONDS = 15.0
POLL_SECONDS = 0.1
# A phone that is gone without a word may look as if it listened; one that is there comes back by itself.
LONGEST_SECONDS = 3600.0
AGAIN_SECONDS = 1.0  # until a database that went away is asked again
# Limits of one process, besides those of its capacity. A fair sits behind one address; a table has its players,
# spectators and a display. A client that is refused polls the page instead.
MOST_FROM_ADDRESS = 3_000
MOST_AT_TABLE = 500
BACK_WITHIN = (1.0, 6.0)  # seconds in which phones come back to a server that is restarted
CHANNEL = "seneschal"
SQLITE_VERSIONS = "SELECT id, version FROM companion_table WHERE id IN (SELECT value FROM json_each(?))"
POSTGRESQL_VERSIONS = "SELECT id, version FROM companion_table WHERE id = ANY(%s)"
GONE = 2**31 - 1  # the version of a table that was deleted: newer than any


class Listener:
    """One open stream: wakes when its table has a newer version."""

    def __init__(self, table: int, address: str = "") -> None:
        self.table = table
        self.address = address
        self.version = 0
        self.is_dismissed = False
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def hear(self, version: int) -> None:
        """Called from any thread."""
        with contextlib.suppress(RuntimeError):  # its loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._hear, version)

    def _hear(self, version: int) -> None:
        if version > self.version:
            self.version = version
            self._woken.set()

    def dismiss(self) -> None:
        """Nothing more will come. Called from any thread."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._dismiss)

    def _dismiss(self) -> None:
        self.is_dismissed = True
        self._woken.set()

    async def newer_than(self, version: int, patience: float) -> bool:
        """Wait for a newer version, but not longer than ``patience`` seconds, nor after it was dismissed."""
        self._woken.clear()  # before looking, or a change in between would be slept through
        if self.version <= version and not self.is_dismissed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await self._woken.wait()
        return self.version > version


class Hub:
    """The streams that are open in this process."""

    def __init__(self) -> None:
        self._listeners: dict[int, set[Listener]] = defaultdict(set)
        self._addresses: Counter[str] = Counter()  # how many streams each has
        self._lock = Lock()
        self._watch: asyncio.Task[None] | None = None
        self.is_closing = False  # this process is about to end

    def tell(self, table: int, version: int) -> None:
        """A table has a new version. Called after the commit, from any thread."""
        with self._lock:
            listeners = list(self._listeners.get(table, ()))
        for listener in listeners:
            listener.hear(version)

    def add(self, listener: Listener) -> None:
        with self._lock:
            self._listeners[listener.table].add(listener)
            self._addresses[listener.address] += 1
            listener.is_dismissed = self.is_closing
        if self._watch is None or self._watch.done() or not self._watch.get_loop().is_running():
            self._watch = asyncio.get_running_loop().create_task(self._watch_others())

    def discard(self, listener: Listener) -> None:
        with self._lock:
            self._listeners[listener.table].discard(listener)
            self._addresses[listener.address] -= 1
            if not self._addresses[listener.address]:
                del self._addresses[listener.address]
            if not self._listeners[listener.table]:
                del self._listeners[listener.table]

    def close(self) -> None:
        """Send everybody away, and whoever still comes."""
        with self._lock:
            self.is_closing = True
            everybody = [one for listeners in self._listeners.values() for one in listeners]
        for listener in everybody:
            listener.dismiss()

    def is_full_for(self, table: int, address: str) -> bool:
        """Return True, and log it, if there may be no more streams of a table, from an address, or at all."""
        limits = capacity()
        with self._lock:
            is_full = (
                len(self._listeners.get(table, ())) >= MOST_AT_TABLE
                or self._addresses[address] >= min(MOST_FROM_ADDRESS, limits.streams_per_address)
                or self._addresses.total() >= limits.streams
            )
        if is_full:
            rejections.warning("Refused a stream to %s: too many are open.", address)
        return is_full

    def tables(self) -> list[int]:
        with self._lock:
            return sorted(self._listeners)

    def count(self) -> int:
        with self._lock:
            return sum(len(listeners) for listeners in self._listeners.values())

    async def _watch_others(self) -> None:
        """Tell what other processes committed, as long as somebody listens."""
        is_file = connection.vendor == "sqlite"
        while self.tables():
            with contextlib.suppress(_driver().Error):  # locked, or away for a moment
                await (self._look_at_the_file() if is_file else self._listen_to_the_database())
            if self.tables():
                await asyncio.sleep(AGAIN_SECONDS)

    async def _look_at_the_file(self) -> None:
        with contextlib.closing(_own_connection()) as file:
            seen = None
            told: dict[int, int] = {}
            while tables := self.tables():
                (counter,) = file.execute("PRAGMA data_version").fetchone()
                if counter != seen:
                    found = dict(file.execute(SQLITE_VERSIONS, [json.dumps(tables)]))
                    now = {table: found.get(table, GONE) for table in tables}
                    for table, version in now.items():
                        if told.get(table) != version:
                            self.tell(table, version)
                    seen, told = counter, now
                await asyncio.sleep(POLL_SECONDS)

    async def _listen_to_the_database(self) -> None:
        async with await _driver().AsyncConnection.connect(**_own_parameters()) as own:
            await own.execute("LISTEN seneschal")
            # Versions committed before LISTEN:
            answer = await own.execute(POSTGRESQL_VERSIONS, [self.tables()])
            for table, version in await answer.fetchall():
                self.tell(table, version)
            while self.tables():
                async for message in own.notifies(timeout=AGAIN_SECONDS):
                    table, version = message.payload.split(":")
                    self.tell(int(table), int(version))


def announce(table: int, version: int) -> None:
    """A table has a new version: once it is committed, all processes hear of it."""
    transaction.on_commit(lambda: hub.tell(table, version))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{table}:{version}"])


def _driver() -> Any:
    """The module that Django talks to the database with: sqlite3 or psycopg."""
    database: Any = connection
    return database.Database


def _own_connection() -> Any:
    """``data_version`` moves only for commits of other connections, so it needs one that never writes.

    It never waits for a lock either: the whole process would. And it is made by the library that Django uses:
    two copies of SQLite in one process undo each other's locks.
    """
    address = Path(connection.settings_dict["NAME"]).absolute().as_uri()
    return _driver().connect(f"{address}?mode=ro", uri=True, timeout=0, check_same_thread=False)


def _own_parameters() -> dict[str, Any]:
    """As Django connects, without what it adds for its own cursors. The pool is for short work only."""
    parameters = connection.get_connection_params()
    for name in ("context", "cursor_factory", "prepare_threshold"):
        parameters.pop(name, None)
    return {**parameters, "autocommit": True}


hub = Hub()


async def stream(
    table: int,
    newest: Callable[[], Awaitable[int]],
    seen: int | None,
    beat: Callable[[], Awaitable[int]],
    every: float = BEAT_SECONDS,
    address: str = "",
) -> AsyncGenerator[str, None]:
    """The events of a table: each newer version once, a beat in between, and a farewell in the end.

    ``newest`` reads the version from the database; ``seen`` is what the phone says it has; ``beat`` may give a version
    that it came across, so that a call which never woke anybody is made good.
    """
    listener = Listener(table, address)
    hub.add(listener)
    farewell = asyncio.get_running_loop().call_later(LONGEST_SECONDS, listener.dismiss)
    try:
        found = await newest()  # after joining: nothing falls in between
        listener.version = max(listener.version, found)
        told = seen if seen == listener.version else 0
        retry = "retry: 2000\n"  # part of the first event, so that a phone that is up to date hears nothing
        while True:
            if await listener.newer_than(told, every if told else 0):
                told = listener.version
                yield f'{retry}event: changed\nid: {told}\ndata: {{"version":{told}}}\n\n'
            elif listener.is_dismissed:
                yield _farewell()
                return
            else:
                listener.version = max(listener.version, await beat())
                yield f"{retry}event: beat\ndata: {{}}\n\n"
            retry = ""
    finally:
        farewell.cancel()
        hub.discard(listener)


def _farewell() -> str:
    """The server stops, or the stream has lasted long enough.

    Phones come back by themselves, each after a time of its own, not all at one moment.
    """
    delay = round(1000 * random.uniform(*BACK_WITHIN))
    return f"retry: {delay}\nevent: bye\ndata: {{}}\n\n"
