"""Changes of a table: serialised by compare-and-set on its version, announced after the commit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.errors import Refusal, unknown_table
from companion.journal.result_sync import sync_result
from companion.live import hub
from companion.models import Notice, Status, Table

T = TypeVar("T")

MOST_TRIES = 20


class VersionConflict(Exception):  # noqa: N818
    """Another transaction changed the table since it was read."""


def with_latest(table: Table, attempt: Callable[[], T]) -> T:
    """Run an attempt in a transaction on the latest row of a table; retry it on ``VersionConflict``."""
    for _try in range(MOST_TRIES):
        with contextlib.suppress(VersionConflict), transaction.atomic():
            # Concurrent writers wait for this lock; on SQLite they wait at the beginning of the transaction.
            refresh(table, for_update=True)
            with _restored_version_on_rollback(table):
                before = table.status
                result = attempt()
                if table.pk and Status.FINISHED in (before, table.status):
                    sync_result(table)
                return result
    raise Refusal("gone", _("Too much happened at this moment. Please try again."))


@contextlib.contextmanager
def _restored_version_on_rollback(table: Table) -> Iterator[None]:
    """Restore the version if the attempt fails: it will be used again, so nothing may be cached under it."""
    version = table.version
    try:
        yield
    except BaseException:
        table.version = version
        raise


def read_consistent(table: Table, read: Callable[[], T]) -> T:
    """Read several rows of one version of a table, without a lock; retry if the table changed meanwhile."""
    for _try in range(MOST_TRIES):
        refresh(table)
        result = read()
        if Table.objects.filter(pk=table.pk, version=table.version).exists():
            return result
    raise Refusal("gone", _("Too much happened at this moment. Please try again."))


def refresh(table: Table, *, for_update: bool = False) -> None:
    """Reload the table row; ``for_update`` locks it until the transaction ends. Raises ``Refusal``."""
    tables = Table.objects.select_for_update() if for_update else Table.objects.all()
    try:
        table.refresh_from_db(from_queryset=tables)
    except Table.DoesNotExist:
        raise unknown_table() from None


def bump_version(table: Table, **columns: Any) -> None:
    """Set columns of a table and increment its version, which is announced after the commit.

    Call it within ``with_latest``. Raises ``VersionConflict`` if the row has changed since it was read.
    """
    version = table.version + 1
    columns |= {"version": version, "changed_at": timezone.now()}
    if not Table.objects.filter(pk=table.pk, version=table.version).update(**columns):
        raise VersionConflict
    for name, value in columns.items():
        setattr(table, name, value)
    hub.announce(table.pk, version)


# Codes of notices, with the names of their parameters.
NOTICES: Mapping[str, tuple[str, ...]] = {
    "seat-taken": ("old", "new"),
    "seat-freed": ("name",),
    "seat-moved": ("name",),
    "seat-taken-over": ("name",),
    "host-handed-over": ("name",),
    "host-taken-over": ("name",),
    "finished-early": (),
    "abandoned": (),
    "reopened": (),
    "mended": ("number", "reason"),
    "left-out": ("number", "reason"),
    "no-longer-held": ("numbers", "version"),
    "compared": ("places", "corrections", "round"),
}


def add_notice(table: Table, code: str, **params: str) -> None:
    """Add a notice for everybody at the table about an event outside the rules."""
    Notice.objects.create(table=table, code=code, params=params)
