"""What nobody needs any more is deleted, in small pieces, so that a server goes on meanwhile."""

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

# Games that never began, and those that were given up.
ALWAYS = (Status.OPEN, Status.ABANDONED)
# A bucket is full after minutes, and then as good as none.
BUCKETS_AFTER = timedelta(days=1)
AT_ONCE = 500


def tidy(*, days: int, statuses: Collection[str], dry_run: bool) -> Mapping[str, int]:
    """Delete what nobody has touched for so many days. Gives how much of what, or how much it would be."""
    now = timezone.now()
    since = now - timedelta(days=days)
    tables = stale_tables(since, statuses)
    found = {f"tables ({status})": tables.filter(status=status) for status in statuses}
    deleted = {name: rows.count() if dry_run else _delete_tables(rows, since) for name, rows in found.items()}
    rows: dict[str, QuerySet] = {
        "receipts": stale_receipts(since, statuses),
        "copies of boards": unused_boards(since),
        "buckets": Bucket.objects.filter(filled_at__lt=now - BUCKETS_AFTER),
        "sessions": Session.objects.filter(expire_date__lt=now),
    }
    for name, those in rows.items():
        deleted[name] = those.count() if dry_run else _delete_rows(those)
    return deleted


def stale_tables(since: datetime, statuses: Collection[str]) -> QuerySet[Table]:
    """Tables at which nothing happened, and which nobody who sits there has looked at."""
    seen = Seat.objects.filter(table=OuterRef("pk"), seen_at__gte=since)
    rows = Table.objects.filter(status__in=statuses, changed_at__lt=since, host_seen_at__lt=since)
    return rows.exclude(Exists(seen)).order_by("pk")


def stale_receipts(since: datetime, statuses: Collection[str]) -> QuerySet[IdempotencyKey]:
    """No phone will send again what was sent so long ago. Those of deleted tables go with them."""
    rows = IdempotencyKey.objects.filter(table__changed_at__lt=since)
    return rows.exclude(table__in=stale_tables(since, statuses).order_by())


def unused_boards(since: datetime) -> QuerySet[Board]:
    """Copies of the printed figures that nobody compared, and no table was played with."""
    return Board.objects.filter(confirmed=[], tables__isnull=True, changed_at__lt=since)


def _delete_tables(tables: QuerySet[Table], since: datetime) -> int:
    return sum(_delete_table(table, since) for table in list(tables))


def _delete_table(table: Table, since: datetime) -> bool:
    """Unless somebody came back at this very moment."""

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
    return sum(rows.filter(pk__in=some).delete()[0] for some in _pieces(rows))


def _pieces(rows: QuerySet) -> Iterator[list[object]]:
    keys = list(rows.values_list("pk", flat=True))
    for begin in range(0, len(keys), AT_ONCE):
        yield keys[begin : begin + AT_ONCE]
