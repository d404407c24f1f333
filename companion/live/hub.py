"""Server-sent events: each stream announces the new versions of one table.

An event carries only a version number, so it may be lost, duplicated or late without harm. Commits of this
process are announced directly. Commits of other processes to the same SQLite file are noticed by polling
``data_version``, a counter that changes when another connection commits; PostgreSQL announces them by LISTEN
and NOTIFY. Polling and listening stop while no stream is open.
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

HEARTBEAT_SECONDS = 15.0
POLL_SECONDS = 0.1
# Streams end after this time, since a lost connection may look open; clients reconnect by themselves.
MAX_STREAM_SECONDS = 3600.0
RETRY_SECONDS = 1.0  # between attempts to reach the database
# Limits per process, besides its capacity. Everybody at a fair may share one address; a table has players,
# spectators and a display. A client that is refused polls the page instead.
MOST_FROM_ADDRESS = 3_000
MOST_AT_TABLE = 500
RECONNECT_SECONDS = (1.0, 6.0)  # range of the random delay before a client reconnects
CHANNEL = "seneschal"
SQLITE_VERSIONS = "SELECT id, version FROM companion_table WHERE id IN (SELECT value FROM json_each(?))"
POSTGRESQL_VERSIONS = "SELECT id, version FROM companion_table WHERE id = ANY(%s)"
DELETED = 2**31 - 1  # the version announced for a deleted table: newer than any other


class Listener:
    """One open stream: wakes when its table has a newer version."""

    def __init__(self, table: int, address: str = "") -> None:
        self.table = table
        self.address = address
        self.version = 0
        self.is_closed = False
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def notify(self, version: int) -> None:
        """Wake the stream if the version is newer. Thread-safe."""
        with contextlib.suppress(RuntimeError):  # the event loop is closed, and the stream with it
            self._loop.call_soon_threadsafe(self._notify, version)

    def _notify(self, version: int) -> None:
        if version > self.version:
            self.version = version
            self._woken.set()

    def close(self) -> None:
        """Let the stream end. Thread-safe."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        self.is_closed = True
        self._woken.set()

    async def wait_for_newer(self, version: int, seconds: float) -> bool:
        """Wait for a newer version, for the stream to be closed, or for at most ``seconds``."""
        self._woken.clear()  # before the check, so that a notification in between is not lost
        if self.version <= version and not self.is_closed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._woken.wait()
        return self.version > version


class Hub:
    """The open streams of this process."""

    def __init__(self) -> None:
        self._listeners: dict[int, set[Listener]] = defaultdict(set)
        self._addresses: Counter[str] = Counter()  # number of streams per address
        self._lock = Lock()
        self._watch: asyncio.Task[None] | None = None
        self.is_closing = False  # the process is shutting down

    def publish(self, table: int, version: int) -> None:
        """Notify the streams of a table of its new version. Thread-safe; call it after the commit."""
        with self._lock:
            listeners = list(self._listeners.get(table, ()))
        for listener in listeners:
            listener.notify(version)

    def add(self, listener: Listener) -> None:
        with self._lock:
            self._listeners[listener.table].add(listener)
            self._addresses[listener.address] += 1
            listener.is_closed = self.is_closing
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
        """Close all streams, and those that are still opened afterwards."""
        with self._lock:
            self.is_closing = True
            open_streams = [listener for listeners in self._listeners.values() for listener in listeners]
        for listener in open_streams:
            listener.close()

    def is_full_for(self, table: int, address: str) -> bool:
        """Return True, and log it, if a limit for the table, the address or the process is reached."""
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
        """Publish the commits of other processes while there are open streams."""
        is_sqlite = connection.vendor == "sqlite"
        while self.tables():
            with contextlib.suppress(_driver().Error):  # locked, or unreachable for a moment
                await (self._poll_sqlite() if is_sqlite else self._listen_to_postgresql())
            if self.tables():
                await asyncio.sleep(RETRY_SECONDS)

    async def _poll_sqlite(self) -> None:
        with contextlib.closing(_own_connection()) as sqlite:
            seen = None
            published: dict[int, int] = {}
            while tables := self.tables():
                (counter,) = sqlite.execute("PRAGMA data_version").fetchone()
                if counter != seen:
                    rows = dict(sqlite.execute(SQLITE_VERSIONS, [json.dumps(tables)]))
                    versions = {table: rows.get(table, DELETED) for table in tables}
                    for table, version in versions.items():
                        if published.get(table) != version:
                            self.publish(table, version)
                    seen, published = counter, versions
                await asyncio.sleep(POLL_SECONDS)

    async def _listen_to_postgresql(self) -> None:
        async with await _driver().AsyncConnection.connect(**_own_parameters()) as own:
            await own.execute("LISTEN seneschal")
            # Versions committed before LISTEN:
            cursor = await own.execute(POSTGRESQL_VERSIONS, [self.tables()])
            for table, version in await cursor.fetchall():
                self.publish(table, version)
            while self.tables():
                async for message in own.notifies(timeout=RETRY_SECONDS):
                    table, version = message.payload.split(":")
                    self.publish(int(table), int(version))


def announce(table: int, version: int) -> None:
    """Announce a new version of a table to all processes once the transaction is committed."""
    transaction.on_commit(lambda: hub.publish(table, version))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{table}:{version}"])


def _driver() -> Any:
    """Return the database driver module that Django uses: sqlite3 or psycopg."""
    database: Any = connection
    return database.Database


def _own_connection() -> Any:
    """Return a read-only SQLite connection, since ``data_version`` shows only commits of other connections.

    Its timeout is 0, because waiting for a lock would block the event loop. It uses Django's own driver,
    because two copies of SQLite in one process undo each other's locks.
    """
    address = Path(connection.settings_dict["NAME"]).absolute().as_uri()
    return _driver().connect(f"{address}?mode=ro", uri=True, timeout=0, check_same_thread=False)


def _own_parameters() -> dict[str, Any]:
    """Return Django's connection parameters for a long-lived connection outside its pool."""
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
    every: float = HEARTBEAT_SECONDS,
    address: str = "",
) -> AsyncGenerator[str, None]:
    """Yield the events of a table: each newer version once, heartbeats in between, and a final ``bye``.

    ``newest`` reads the version from the database; ``seen`` is the version that the client has. ``beat`` is
    called with each heartbeat; the version it returns makes up for a lost notification.
    """
    listener = Listener(table, address)
    hub.add(listener)
    expiry = asyncio.get_running_loop().call_later(MAX_STREAM_SECONDS, listener.close)
    try:
        version = await newest()  # after hub.add, so that no version is missed in between
        listener.version = max(listener.version, version)
        sent = seen if seen == listener.version else 0
        retry = "retry: 2000\n"  # part of the first event, so that an up-to-date client gets no extra one
        while True:
            if await listener.wait_for_newer(sent, every if sent else 0):
                sent = listener.version
                yield f'{retry}event: changed\nid: {sent}\ndata: {{"version":{sent}}}\n\n'
            elif listener.is_closed:
                yield _bye()
                return
            else:
                listener.version = max(listener.version, await beat())
                yield f"{retry}event: beat\ndata: {{}}\n\n"
            retry = ""
    finally:
        expiry.cancel()
        hub.discard(listener)


def _bye() -> str:
    """Return the last event of a stream, with a random delay so that clients do not all reconnect at once."""
    delay = round(1000 * random.uniform(*RECONNECT_SECONDS))
    return f"retry: {delay}\nevent: bye\ndata: {{}}\n\n"
