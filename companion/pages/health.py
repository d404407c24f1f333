"""Health checks for monitoring.

`/healthz`: the database answers. `/readyz`: it also has all migrations of this version. A process that is
shutting down is neither healthy nor ready. `/livez` is answered in `companion/operations/requests.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import Lock

from django.db import DatabaseError, close_old_connections, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from companion.live.hub import hub

DEADLINE = 1.0  # seconds; the health checks must respond within 2 s


class _NotYet(Exception):  # noqa: N818 - a state, not an error
    """The database lacks a migration. Raised, not returned, so that `@cache` does not store it."""


class DatabaseCheck:
    """Single-flight check in its own thread that fails after a deadline.

    The thread is needed because a database may accept a connection and never answer.
    """

    def __init__(self, check: Callable[[], str]) -> None:
        self._check = check
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._lock = Lock()
        self._running: Future[str] | None = None
        self._started_at = 0.0

    def reason(self) -> str:
        """Return why the database cannot be used, or an empty string."""
        with self._lock:
            if self._running is None or self._running.done():
                self._running = self._thread.submit(self._run)
                self._started_at = time.monotonic()
            running, left = self._running, self._started_at + DEADLINE - time.monotonic()
        try:
            return running.result(max(left, 0))
        except TimeoutError:
            return "database"

    def _run(self) -> str:
        try:
            return self._check()
        except DatabaseError:
            return "database"
        finally:
            close_old_connections()


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    return _answer(_answering)


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    return _answer(_migrated)


def _answer(check: DatabaseCheck) -> JsonResponse:
    if reason := "stopping" if hub.is_closing else check.reason():
        return JsonResponse({"status": "unavailable", "reason": reason}, status=503)
    return JsonResponse({"status": "ok"})


def _check_answering() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def _check_migrated() -> str:
    _check_answering()
    try:
        _require_migrated()
    except _NotYet:
        return "migrations"
    return ""


@cache
def _require_migrated() -> None:
    """Raise `_NotYet` until all migrations are applied; success is cached for the life of the process."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _NotYet


_answering = DatabaseCheck(_check_answering)
_migrated = DatabaseCheck(_check_migrated)
