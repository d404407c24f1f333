"""A database that is away is asked by a few at a time; all others are told at once.

Who waits for it keeps one of the threads that answer requests (`companion/threads.py`). If all of them waited, nobody
would hear anything any more, not even those who ask for what needs no database.
"""

from __future__ import annotations

import time
from typing import Any

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

# Between two who wait for it. Each waits as long as the pool has patience (`companion/settings.py`), and makes it
# try anew; so these are a handful.
ASKED_EVERY = 2.0  # seconds


class Away:
    """Whether the database was there when it was asked last. Asked from any thread."""

    def __init__(self) -> None:
        self._there_at = 0.0
        self._asked_at: float | None = None  # None: it was there

    def refuse_if_just_asked(self) -> None:
        """Raises ``OperationalError`` where somebody else waits for it already."""
        asked_at, now = self._asked_at, time.monotonic()
        if asked_at is None:
            return
        if now - asked_at < ASKED_EVERY:
            raise OperationalError("The database is away; somebody else waits for it.")
        self._asked_at = now

    def is_there(self) -> None:
        self._there_at = time.monotonic()
        self._asked_at = None

    def is_not_there_since(self, begun: float) -> None:
        """Nothing came since then. If something came for others, it is not away but busy."""
        if self._there_at < begun:
            self._asked_at = self._asked_at or time.monotonic()


away = Away()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: Any) -> Any:
        away.refuse_if_just_asked()
        begun = time.monotonic()
        try:
            found = super().get_new_connection(conn_params)
        except (PoolTimeout, psycopg.OperationalError):
            away.is_not_there_since(begun)
            raise
        away.is_there()
        return found
