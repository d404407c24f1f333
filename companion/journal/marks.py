"""What is out of the ordinary about an entry: said wherever entries are shown or counted.

``correction``, ``option``, ``figure``, ``position``: the table told the app how things are.
``mended``: the entry was changed afterwards. ``overruled``: the table decided otherwise than the rules.
An entry that a mend only wrote again, since one before it changed, has no mark for that.
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
LEFT_OUT = ("left-out", "no-longer-held")  # the notices that tell of entries which a mend dropped

_MARKED = (
    Q(action__type__in=list(BY_TYPE)) | ~Q(reason="") | Q(action__rulings__isnull=False)
)  # as ``marks_of``


def marks_of(entry: Entry) -> list[str]:
    """The marks of an entry, in the order of ``MARKS``; most have none."""
    holds = {
        BY_TYPE.get(entry.action["type"]): True,
        "mended": bool(entry.reason),
        "overruled": bool(entry.action.get("rulings")),
    }
    return [mark for mark in MARKS if holds.get(mark)]


def corrections_of(table: Table) -> list[Entry]:
    """The entries of a table that count and have a mark, the oldest first."""
    return [entry for entry in table.entries.filter(undone=False).order_by("number") if marks_of(entry)]


def is_corrected(table: Table) -> bool:
    """Whether anything about the game of a table is out of the ordinary, or was ever left out by a mend."""
    return bool(corrected_among([table.pk]))


def corrected_among(tables: Collection[int]) -> set[int]:
    """Those of some tables of whose game that is true."""
    marked = Entry.objects.filter(_MARKED, table__in=tables, undone=False)
    told = Notice.objects.filter(code__in=LEFT_OUT, table__in=tables)
    return {*marked.values_list("table", flat=True), *told.values_list("table", flat=True)}
