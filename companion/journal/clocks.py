"""Clocks of a running game: playing time, the current decision, and the thinking time of each faction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.cache import LruCache, register
from companion.models import Entry, Table
from companion.results.pauses import PAUSE, Break, time_between, times_before


@dataclass(frozen=True, slots=True)
class Clock:
    """Playing times of a table at one moment."""

    now: datetime
    since: datetime  # the time of the last entry, when the current decision began
    waited: timedelta  # since then, without breaks
    thinking: Mapping[str, timedelta]  # of each faction so far
    is_stopped: bool  # there is a break

    @property
    def deciding(self) -> timedelta:
        """Return the time of the current decision; it stops at the length of a pause."""
        return min(self.waited, PAUSE)

    @property
    def played(self) -> timedelta:
        """Return the total playing time, without breaks and pauses."""
        return sum(self.thinking.values(), timedelta()) + self.deciding

    @property
    def longest(self) -> timedelta:
        """Return the limit that the total playing time can reach before the next entry."""
        return self.played - self.deciding + PAUSE


def clock_of(table: Table, breaks: Sequence[Break]) -> Clock:
    """Return the clocks of a started game, computed as in its report."""
    now = timezone.now()
    times = _thinking_times(table, tuple(breaks))
    since = times.entered or table.started_at or table.created_at
    is_stopped = any(ended is None for _began, ended in breaks)
    return Clock(now, since, time_between(since, now, breaks), times.thinking, is_stopped)


@dataclass(frozen=True, slots=True)
class _ThinkingTimes:
    """The thinking time of each faction up to an entry, and the time of that entry, if any."""

    last: int = 0
    entered: datetime | None = None
    thinking: Mapping[str, timedelta] = field(default_factory=dict)


_cache: LruCache[_ThinkingTimes] = register(LruCache("thinking time", 300))


def _thinking_times(table: Table, breaks: tuple[Break, ...]) -> _ThinkingTimes:
    """Return the thinking times up to the latest entry, continuing from the cached ones.

    That is safe because neither the faction nor the time of an entry ever changes.
    """
    key = (table.code, table.started_at, breaks)
    before = _cache.get(key) or _ThinkingTimes()
    if before.last == table.latest:
        return before
    times = _continue(table, before if before.last < table.latest else _ThinkingTimes(), breaks)
    if not connection.in_atomic_block:
        _cache.put(key, times)
    return times


def _continue(table: Table, before: _ThinkingTimes, breaks: Sequence[Break]) -> _ThinkingTimes:
    since = Entry.objects.filter(table=table, number__gt=before.last, number__lte=table.latest, origin=None)
    entries = since.order_by("number").only("faction", "created_at", "origin")
    entered, thinking = before.entered, dict(before.thinking)
    for entry, time in times_before(entries, entered or table.started_at, breaks):
        entered = entry.created_at
        if time <= PAUSE:
            thinking[entry.faction] = thinking.get(entry.faction, timedelta()) + time
    return _ThinkingTimes(table.latest, entered, thinking)


def in_minutes(time: timedelta) -> str:
    """Return a duration in hours and minutes, without seconds."""
    hours, minutes = divmod(int(time.total_seconds()) // 60, 60)
    text = _("{hours} h {minutes} min") if hours else _("{minutes} min")
    return text.format(hours=hours, minutes=minutes)
