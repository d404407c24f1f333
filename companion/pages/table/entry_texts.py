"""Texts of journal entries, cached for all phones and beyond the table's version: entries are immutable."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from companion import wording
from companion.cache import LruCache, register
from companion.journal.recent import EntrySummary
from companion.journal.states import setup_of
from companion.journal.todo import Line, hands
from companion.models import Entry
from companion.pages.table.snapshot import Snapshot
from games.core.messages import Message
from games.core.steps import read_step

CACHED_TEXTS = 10_000

_texts: LruCache[Any] = register(LruCache("entry texts", CACHED_TEXTS))


class EntryTexts:
    """Titles and hand moves of the entries of a table."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._table = snapshot.table
        self._game = snapshot.game

    def title(self, entry: Entry) -> str:
        """Return the title of an entry: the sentence of its first step."""
        return self._title(entry.number, read_step(entry.steps[0]).message)

    def title_of_summary(self, summary: EntrySummary) -> str:
        return self._title(summary.number, summary.title)

    def _title(self, number: int, message: Message) -> str:
        key = (self._table.code, "title", number, get_language())
        title: str = _texts.get_or_compute(key, lambda: wording.render(self._game, message))
        return title

    def hand_lines(self, entry: Entry | None) -> list[Line]:
        """Return the hand moves of an entry, or of the setup."""

        def compute() -> list[Line]:
            steps = map(read_step, entry.steps) if entry else self._game.start(setup_of(self._table)).steps
            return hands(self._game, steps, self._table.order)

        number = entry.number if entry else 0
        key = (self._table.code, "hands", number, tuple(self._table.order), get_language())
        lines: list[Line] = _texts.get_or_compute(key, compute)
        return lines
