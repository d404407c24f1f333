"""Circuit breaker: while PostgreSQL is down, one connection attempt per 2 s, all others fail fast.

An attempt blocks a request thread. If all threads were waiting, no page could be served.
"""

from __future__ import annotations

import time
from typing import Any

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

RETRY_SECONDS = 2.0


class CircuitBreaker:
    """State of the last connection attempt. Thread-safe."""

    def __init__(self) -> None:
        self._succeeded_at = 0.0
        self._tried_at: float | None = None  # last attempt while the database is down, else None

    def check(self) -> None:
        """Raise OperationalError if the database is down and the last attempt was less than 2 s ago."""
        tried_at, now = self._tried_at, time.monotonic()
        if tried_at is None:
            return
        if now - tried_at < RETRY_SECONDS:
            raise OperationalError("The database is down; the next attempt to connect is due in a moment.")
        self._tried_at = now

    def record_success(self) -> None:
        self._succeeded_at = time.monotonic()
        self._tried_at = None

    def record_failure(self, *, started_at: float) -> None:
        """Record a failed attempt, unless others succeeded since: then the database is only busy."""
        if self._succeeded_at < started_at:
            self._tried_at = self._tried_at or time.monotonic()


breaker = CircuitBreaker()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: Any) -> Any:
        breaker.check()
        started_at = time.monotonic()
        try:
            connection = super().get_new_connection(conn_params)
        except (PoolTimeout, psycopg.OperationalError):
            breaker.record_failure(started_at=started_at)
            raise
        breaker.record_success()
        return connection
