"""Marks of unusual entries, shown and counted wherever entries are.

``correction``, ``option``, ``figure``, ``position``: the players set something by hand.
``mended``: the entry was changed afterwards. ``overruled``: the players overruled the rules.
An entry that a mend only rewrote because an earlier one changed has no mark for that.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from companion.models import Entry, Notice, Table
from games.core.actions import Correct, Position, SetFigure, SetOption

BY_TYPE = {
    Correct.type: "correction",
    SetOption.type: "option",
    SetFigure.type: "figure",
    Position.type: "position",
}
MARKS = (*BY_TYPE.values(), "mended", "overruled")
LEFT_OUT = ("left-out", "no-longer-held")  # notices about entries that a mend dropped

# The same condition as in ``marks_of``.
_MARKED = Q(action__type__in=list(BY_TYPE)) | ~Q(reason="") | Q(action__rulings__isnull=False)


def marks_of(entry: Entry) -> list[str]:
    """Return the marks of an entry, in the order of ``MARKS``."""
    holds = {
        BY_TYPE.get(entry.action["type"]): True,
        "mended": bool(entry.reason),
        "overruled": bool(entry.action.get("rulings")),
    }
    return [mark for mark in MARKS if holds.get(mark)]


def corrections_of(table: Table) -> list[Entry]:
    """Return the entries of a table that count and have a mark, oldest first."""
    return [entry for entry in table.entries.filter(undone=False).order_by("number") if marks_of(entry)]


def is_corrected(table: Table) -> bool:
    """Return whether an entry of a table has a mark, or was ever left out by a mend."""
    return bool(corrected_among([table.pk]))


def corrected_among(tables: Collection[int]) -> set[int]:
    """Return those of some tables for which ``is_corrected`` is true."""
    marked = Entry.objects.filter(_MARKED, table__in=tables, undone=False)
    notices = Notice.objects.filter(code__in=LEFT_OUT, table__in=tables)
    return {*marked.values_list("table", flat=True), *notices.values_list("table", flat=True)}
