"""Deletion of stale data, in small batches so that a running server is not blocked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from companion.errors import Refusal
from companion.journal.result_sync import withdraw_result
from companion.journal.versions import bump_version, with_latest
from companion.models import Board, Bucket, IdempotencyKey, Seat, Status, Table

# Tables that are always deleted: never started, or abandoned.
ALWAYS = (Status.OPEN, Status.ABANDONED)
# A bucket refills within minutes; a full one equals a missing one.
BUCKETS_AFTER = timedelta(days=1)
BATCH_SIZE = 500


def delete_stale(*, days: int, statuses: Collection[str], dry_run: bool) -> Mapping[str, int]:
    """Delete data untouched for `days` days. Return the number of deleted rows by kind."""
    now = timezone.now()
    since = now - timedelta(days=days)
    tables = stale_tables(since, statuses)
    by_status = {f"tables ({status})": tables.filter(status=status) for status in statuses}
    deleted = {
        kind: rows.count() if dry_run else _delete_tables(rows, since) for kind, rows in by_status.items()
    }
    others: dict[str, QuerySet] = {
        "idempotency keys": stale_idempotency_keys(since, statuses),
        "copies of boards": unused_boards(since),
        "buckets": Bucket.objects.filter(filled_at__lt=now - BUCKETS_AFTER),
        "sessions": Session.objects.filter(expire_date__lt=now),
    }
    for kind, rows in others.items():
        deleted[kind] = rows.count() if dry_run else _delete_rows(rows)
    return deleted


def stale_tables(since: datetime, statuses: Collection[str]) -> QuerySet[Table]:
    """Return the tables without a change or a visit of a player since then."""
    seen = Seat.objects.filter(table=OuterRef("pk"), seen_at__gte=since)
    rows = Table.objects.filter(status__in=statuses, changed_at__lt=since, host_seen_at__lt=since)
    return rows.exclude(Exists(seen)).order_by("pk")


def stale_idempotency_keys(since: datetime, statuses: Collection[str]) -> QuerySet[IdempotencyKey]:
    """Return keys too old to be retried, except those of stale tables, which are deleted with their table."""
    rows = IdempotencyKey.objects.filter(table__changed_at__lt=since)
    return rows.exclude(table__in=stale_tables(since, statuses).order_by())


def unused_boards(since: datetime) -> QuerySet[Board]:
    """Return the board copies without a confirmed figure or a table."""
    return Board.objects.filter(confirmed=[], tables__isnull=True, changed_at__lt=since)


def _delete_tables(tables: QuerySet[Table], since: datetime) -> int:
    return sum(_delete_table(table, since) for table in list(tables))


def _delete_table(table: Table, since: datetime) -> bool:
    """Delete a table unless somebody has come back meanwhile; return True if deleted."""

    def attempt() -> bool:
        if not stale_tables(since, [table.status]).filter(pk=table.pk).exists():
            return False
        bump_version(table)
        withdraw_result(table)
        table.delete()
        return True

    try:
        return with_latest(table, attempt)
    except Refusal:  # deleted meanwhile, or too busy to be stale
        return False


def _delete_rows(rows: QuerySet) -> int:
    return sum(rows.filter(pk__in=keys).delete()[0] for keys in _batches(rows))


def _batches(rows: QuerySet) -> Iterator[list[object]]:
    keys = list(rows.values_list("pk", flat=True))
    for begin in range(0, len(keys), BATCH_SIZE):
        yield keys[begin : begin + BATCH_SIZE]
