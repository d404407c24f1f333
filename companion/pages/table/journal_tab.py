"""The journal: entries and notices, newest first."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from companion import wording
from companion.models import Entry, Notice, Table
from companion.pages.table.entry_texts import EntryTexts
from companion.pages.table.viewer import Viewer
from companion.web.entries import notice_text, shown_marks, shown_steps

MOST_ENTRIES = 40  # per page


def journal_page(viewer: Viewer, texts: EntryTexts, before: int | None) -> dict[str, Any]:
    """Return a page of entries and notices, newest first."""
    page = list(_entries(viewer.table, before)[: MOST_ENTRIES + 1])
    shown = page[:MOST_ENTRIES]
    has_older = len(page) > MOST_ENTRIES
    lines: list[tuple[datetime, dict[str, Any]]] = [(e.created_at, _line(viewer, texts, e)) for e in shown]
    if not before:
        since = min(entry.created_at for entry in shown) if has_older else None
        lines += [(n.created_at, {"notice": notice_text(n)}) for n in _notices(viewer.table, since)]
    lines.sort(key=lambda line: line[0], reverse=True)
    return {"lines": lines, "older": shown[-1].number if has_older else None}


def _entries(table: Table, before: int | None) -> QuerySet[Entry]:
    """Return the entries, newest first, without undone ones that a mend entered again."""
    remade = table.entries.exclude(origin=None).values("origin")
    entries = table.entries.exclude(undone=True, number__in=remade).order_by("-number")
    return entries.filter(number__lt=before) if before else entries


def _notices(table: Table, since: datetime | None) -> Iterable[Notice]:
    notices = table.notices.all()
    return notices.filter(created_at__gte=since) if since else notices


def _line(viewer: Viewer, texts: EntryTexts, entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry,
        "may_change": viewer.may_change(entry),
        "title": texts.title(entry),
        "steps": shown_steps(viewer.snapshot.game, entry),
        "marks": shown_marks(entry),
        "reason": wording.reason(entry.reason),
    }
