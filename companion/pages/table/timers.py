"""Timers of a running game: playing time, the current decision, thinking times and breaks."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from companion import wording
from companion.journal.clocks import Clock, clock_of, in_minutes
from companion.pages.table.snapshot import Player, Snapshot
from companion.results.pauses import PAUSE


class Timers:
    """The clocks of a table as text."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @property
    def break_since(self) -> datetime | None:
        """Start of the running break, or None."""
        running = (began for began, ended in self._snapshot.recent.breaks if ended is None)
        return next(running, None) if self._snapshot.is_playing else None

    @cached_property
    def clock(self) -> Clock:
        return clock_of(self._snapshot.table, self._snapshot.recent.breaks)

    def rows(self) -> list[dict[str, Any]]:
        """Return the clocks: text, and the seconds from which a script continues."""
        clock = self.clock
        return [
            _row(_("This decision"), clock.deciding, PAUSE),
            _row(_("Evening"), clock.played, clock.longest),
        ]

    def thinking(self) -> list[tuple[Player, str]]:
        """Return the thinking time of each player in seat order."""
        spent = self.clock.thinking
        players = self._snapshot.players
        return [(player, wording.duration(spent[f])) for f, player in players.items() if f in spent]


def _row(title: str, time: timedelta, most: timedelta) -> dict[str, Any]:
    return {
        "title": title,
        "text": in_minutes(time),
        "seconds": int(time.total_seconds()),
        "most": int(most.total_seconds()),
    }
