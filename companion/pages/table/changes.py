"""Recent changes: the newest entry, the entries since this phone's last one, undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any

from django.utils.translation import gettext as _

from companion.journal.recent import EntrySummary, summarise
from companion.models import Entry
from companion.pages.table.entry_texts import EntryTexts
from companion.pages.table.viewer import Viewer
from companion.web.entries import shown_steps


class Changes:
    """The newest entries, as one viewer needs to be told of them."""

    def __init__(self, viewer: Viewer, texts: EntryTexts) -> None:
        self._viewer = viewer
        self._snapshot = viewer.snapshot
        self._texts = texts

    @cached_property
    def newest(self) -> Entry | None:
        """The entry after which the table is shown; None at the start."""
        if self._snapshot.is_newest:
            return next(iter(self._snapshot.recent.entries), None)
        return self._snapshot.table.entries.filter(number=self._snapshot.at).first()

    def newest_steps(self) -> list[dict[str, Any]]:
        return shown_steps(self._snapshot.game, self.newest)

    @cached_property
    def places(self) -> list[str]:
        """The places to highlight: changed since this phone's last entry, or else by the newest entry."""
        entries = self._entries_since or self._newest_summary
        return sorted({place for entry in entries for place in entry.places})

    def titles_since(self) -> tuple[tuple[str, str], ...]:
        """Return faction and title of each entry since this phone's last one; empty if there is only one."""
        entries = self._entries_since
        if len(entries) < 2:  # noqa: PLR2004
            return ()
        return tuple((entry.faction, self._texts.title_of_summary(entry)) for entry in entries)

    @cached_property
    def _entries_since(self) -> Sequence[EntrySummary]:
        """The entries since the last one made for a seat of this phone, oldest first.

        For a phone without seats, and for a past state, only the newest entry.
        """
        mine = self._viewer.access.factions
        if not mine or not self._snapshot.is_newest:
            return self._newest_summary
        return list(takewhile(lambda entry: entry.faction not in mine, self._snapshot.recent.summaries))[::-1]

    @property
    def _newest_summary(self) -> Sequence[EntrySummary]:
        if self._snapshot.is_newest:
            return self._snapshot.recent.summaries[:1]
        return [summarise(self.newest)] if self.newest else []

    def undo_label(self) -> str:
        """Return the label of the undo button; empty at the start."""
        return _("Undo: %(what)s") % {"what": self._texts.title(self.newest)} if self.newest else ""

    def redo(self) -> Entry | None:
        """Return the entry that redo brings back, or None."""
        return None if self._snapshot.table.ended_by_host else self._snapshot.recent.redo
