"""Breaks: the clocks stand still until somebody says so, or enters something."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from companion.errors import Refusal
from companion.models import Break, Status, Table
from companion.rows import rows
from companion.tables.changes import change, on_newest
from companion.tables.holders import Holder, refuse_stranger


def begin(*, table: Table, holder: Holder) -> None:
    """Have a break; while there is one, nothing changes."""
    refuse_stranger(holder)

    def attempt() -> None:
        if table.status != Status.PLAYING:
            raise Refusal("illegal", _("No game is being played at this table."))
        if not under_way(table):
            change(table)
            Break.objects.create(table=table)

    on_newest(table, attempt)


def end(*, table: Table, holder: Holder) -> None:
    """Go on; when people do already, nothing changes."""
    refuse_stranger(holder)

    def attempt() -> None:
        if under_way(table):
            change(table)
            end_with(table)

    on_newest(table, attempt)


def under_way(table: Table) -> list[Break]:
    """The break there is now, or none."""
    return rows(Break, "table_id = %s AND ended_at IS NULL", table.pk)


def end_with(table: Table) -> None:
    """End the break there may be, with a change of the table that is made anyway."""
    for row in under_way(table):
        row.ended_at = max(row.began_at, timezone.now())  # clocks are set
        row.save(update_fields=["ended_at"])
