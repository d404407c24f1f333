"""Breaks: the clocks stand still until somebody says so, or enters something."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal.versions import bump_version, with_latest
from companion.models import Break, Status, Table


def begin(*, table: Table, access: TableAccess) -> None:
    """Have a break; while there is one, nothing changes."""
    refuse_stranger(access)

    def attempt() -> None:
        if table.status != Status.PLAYING:
            raise Refusal("illegal", _("No game is being played at this table."))
        if under_way(table) is None:
            bump_version(table)
            Break.objects.create(table=table)

    with_latest(table, attempt)


def end(*, table: Table, access: TableAccess) -> None:
    """Go on; when people do already, nothing changes."""
    refuse_stranger(access)

    def attempt() -> None:
        if under_way(table) is not None:
            bump_version(table)
            end_with(table)

    with_latest(table, attempt)


def under_way(table: Table) -> Break | None:
    """Return the break that has not ended yet."""
    return Break.objects.filter(table=table, ended_at=None).first()


def end_with(table: Table) -> None:
    """End the break there may be, with a change of the table that is made anyway."""
    running = under_way(table)
    if running is not None:
        running.ended_at = max(running.began_at, timezone.now())  # clocks are set
        running.save(update_fields=["ended_at"])
