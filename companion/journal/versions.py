"""How a table changes: one at a time, compare-and-set its version, then tell, once it is committed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.errors import Refusal, unknown_table
from companion.journal.result_sync import keep_result
from companion.live import hub
from companion.models import Notice, Status, Table

T = TypeVar("T")

MOST_TRIES = 20


class VersionConflict(Exception):  # noqa: N818
    """Somebody else changed the table since it was read."""


def with_latest(table: Table, attempt: Callable[[], T]) -> T:
    """Make an attempt on the newest row of a table, again if somebody else was faster."""
    for _try in range(MOST_TRIES):
        with contextlib.suppress(VersionConflict), transaction.atomic():
            # Others wait here for their turn; on SQLite they wait where the transaction begins.
            refresh(table, for_update=True)
            with _its_version_if_rolled_back(table):
                before = table.status
                done = attempt()
                if table.pk and Status.FINISHED in (before, table.status):
                    keep_result(table)
                return done
    raise Refusal("gone", _("Too much happened at this moment. Please try again."))


@contextlib.contextmanager
def _its_version_if_rolled_back(table: Table) -> Iterator[None]:
    """A version that was not committed will be given again: nothing may be kept for it meanwhile."""
    version = table.version
    try:
        yield
    except BaseException:
        table.version = version
        raise


def unchanged(table: Table, read: Callable[[], T]) -> T:
    """Read several rows of a table as they belong together, again if it changed meanwhile. Takes no lock."""
    for _try in range(MOST_TRIES):
        refresh(table)
        found = read()
        if Table.objects.filter(pk=table.pk, version=table.version).exists():
            return found
    raise Refusal("gone", _("Too much happened at this moment. Please try again."))


def refresh(table: Table, *, for_update: bool = False) -> None:
    """Reload the table row; ``for_update`` locks it until the transaction ends. Raises ``Refusal``."""
    tables = Table.objects.select_for_update() if for_update else Table.objects.all()
    try:
        table.refresh_from_db(from_queryset=tables)
    except Table.DoesNotExist:
        raise unknown_table() from None


def bump_version(table: Table, **columns: Any) -> None:
    """Set columns of a table and its next version; all phones hear of it after the commit.

    To be called within ``on_newest``. Raises ``Stale`` when the row is not the one that was read.
    """
    version = table.version + 1
    columns |= {"version": version, "changed_at": timezone.now()}
    if not Table.objects.filter(pk=table.pk, version=table.version).update(**columns):
        raise VersionConflict
    for name, value in columns.items():
        setattr(table, name, value)
    hub.announce(table.pk, version)


# What people can be told, and what of it differs from time to time.
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


def notice(table: Table, code: str, **params: str) -> None:
    """Tell everybody at the table of something that happened around the game."""
    Notice.objects.create(table=table, code=code, params=params)
