"""Whether this server can do its work, for whoever watches over it.

`/livez`: the process answers. `/healthz`: the database answers as well. `/readyz`: phones may be sent here; the
database is as this version needs it, too. A process that is about to end is neither healthy nor ready.
"""

from __future__ import annotations

from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from companion.live import hub


class _NotYet(Exception):  # noqa: N818 - so that it is not remembered
    """The database lacks a migration."""


@never_cache
@require_safe
def livez(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    return _answer(_why_not_healthy())


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    return _answer(_why_not_healthy() or _why_not_ready())


def _answer(reason: str) -> JsonResponse:
    if reason:
        return JsonResponse({"status": "unavailable", "reason": reason}, status=503)
    return JsonResponse({"status": "ok"})


def _why_not_healthy() -> str:
    if hub.is_closing:
        return "stopping"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "database"
    return ""


def _why_not_ready() -> str:
    try:
        _require_migrated()
    except _NotYet:
        return "migrations"
    except DatabaseError:
        return "database"
    return ""


@cache
def _require_migrated() -> None:
    """Looked at until it is so once: what this process knows of migrations does not change."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _NotYet
