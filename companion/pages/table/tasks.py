"""The to-do list: hand moves that players make on the real table and tick off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from companion.journal.recent import WITH_HANDS
from companion.journal.todo import Line
from companion.models import Entry
from companion.pages.table.entry_texts import EntryTexts
from companion.pages.table.snapshot import Player
from companion.pages.table.viewer import Viewer
from games.core.actions import Position


@dataclass(frozen=True, slots=True)
class Task:
    """Hand moves of one entry: each a line, a flag for done, and its player."""

    number: int
    title: str
    lines: tuple[tuple[Line, bool, Player | None], ...]

    @property
    def done(self) -> int:
        return sum(done for _line, done, _player in self.lines)


def tasks_of(viewer: Viewer, texts: EntryTexts) -> list[Task]:
    """Return the hand moves of the newest entry, and of recent ones that are not completely ticked.

    Entries before a position are left out, because a position states what is on the table.
    """
    entries = _from_position(viewer.snapshot.recent.entries)
    tasks = [_task(viewer, texts, entry) for entry in entries]
    if len(entries) < WITH_HANDS and not (entries and _is_position(entries[-1])):
        tasks.append(_task(viewer, texts, None))
    return [task for i, task in enumerate(tasks) if task.lines and (i == 0 or task.done < len(task.lines))]


def _task(viewer: Viewer, texts: EntryTexts, entry: Entry | None) -> Task:
    """Return the hand moves of an entry or of the setup, those of this phone's seats first."""
    snapshot, mine = viewer.snapshot, viewer.access.factions
    number, title = (entry.number, texts.title(entry)) if entry else (0, _("Setting up"))
    ticks, players = snapshot.recent.ticks, snapshot.players
    lines = sorted(texts.hand_lines(entry), key=lambda line: line.hand not in mine)
    rows = ((line, (number, line.number) in ticks, players.get(line.hand or "")) for line in lines)
    return Task(number, title, tuple(rows))


def _from_position(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the entries, newest first, down to and including the latest position."""
    ends = [i for i, entry in enumerate(entries, 1) if _is_position(entry)]
    return entries[: ends[0]] if ends else entries


def _is_position(entry: Entry) -> bool:
    return bool(entry.action["type"] == Position.type)
