"""Breaks: the clocks stop until somebody ends the break or makes an entry."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal.versions import bump_version, with_latest
from companion.models import Break, Status, Table


def begin(*, table: Table, access: TableAccess) -> None:
    """Begin a break; does nothing if there is one already."""
    refuse_stranger(access)

    def attempt() -> None:
        if table.status != Status.PLAYING:
            raise Refusal("illegal", _("No game is being played at this table."))
        if current_break(table) is None:
            bump_version(table)
            Break.objects.create(table=table)

    with_latest(table, attempt)


def end(*, table: Table, access: TableAccess) -> None:
    """End the current break; does nothing if there is none."""
    refuse_stranger(access)

    def attempt() -> None:
        if current_break(table) is not None:
            bump_version(table)
            end_current(table)

    with_latest(table, attempt)


def current_break(table: Table) -> Break | None:
    """Return the break that has not ended yet, or None."""
    return Break.objects.filter(table=table, ended_at=None).first()


def end_current(table: Table) -> None:
    """End the current break, if any, as part of a change that bumps the version anyway."""
    current = current_break(table)
    if current is not None:
        current.ended_at = max(current.began_at, timezone.now())  # the clock may have been set back
        current.save(update_fields=["ended_at"])
