"""What the clocks of a table show while it is played: the evening, the decision under way, who thought how long."""

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
    """How long people have played until now."""

    now: datetime
    since: datetime  # the last entry: what is decided now has been decided since then
    waited: timedelta  # since then, without breaks
    thinking: Mapping[str, timedelta]  # of each faction so far
    stands: bool  # there is a break

    @property
    def deciding(self) -> timedelta:
        """The decision under way. Where it takes as long as a pause, people are elsewhere: the clock stands still."""
        return min(self.waited, PAUSE)

    @property
    def played(self) -> timedelta:
        """The evening, without breaks and pauses."""
        return sum(self.thinking.values(), timedelta()) + self.deciding

    @property
    def most(self) -> timedelta:
        """What the evening can come to before the next entry."""
        return self.played - self.deciding + PAUSE


def clock_of(table: Table, breaks: Sequence[Break]) -> Clock:
    """The clocks of a game that has begun, after the same rules as its report."""
    now = timezone.now()
    thought = _thought(table, tuple(breaks))
    since = thought.entered or table.started_at or table.created_at
    stands = any(ended is None for _began, ended in breaks)
    return Clock(now, since, time_between(since, now, breaks), thought.thinking, stands)


@dataclass(frozen=True, slots=True)
class _Thought:
    """How long each faction thought up to an entry, and when that was made, if there is one."""

    last: int = 0
    entered: datetime | None = None
    thinking: Mapping[str, timedelta] = field(default_factory=dict)


_kept: LruCache[_Thought] = register(LruCache("thinking time", 300))


def _thought(table: Table, breaks: tuple[Break, ...]) -> _Thought:
    """Up to the newest entry. What is kept is gone on with: entries are never changed in what counts here."""
    key = (table.code, table.started_at, breaks)
    before = _kept.get(key) or _Thought()
    if before.last == table.latest:
        return before
    thought = _go_on(table, before if before.last < table.latest else _Thought(), breaks)
    if not connection.in_atomic_block:
        _kept.put(key, thought)
    return thought


def _go_on(table: Table, before: _Thought, breaks: Sequence[Break]) -> _Thought:
    since = Entry.objects.filter(table=table, number__gt=before.last, number__lte=table.latest, origin=None)
    entries = since.order_by("number").only("faction", "created_at", "origin")
    entered, thinking = before.entered, dict(before.thinking)
    for entry, time in times_before(entries, entered or table.started_at, breaks):
        entered = entry.created_at
        if time <= PAUSE:
            thinking[entry.faction] = thinking.get(entry.faction, timedelta()) + time
    return _Thought(table.latest, entered, thinking)


def in_minutes(time: timedelta) -> str:
    """A length of time as a clock shows it that nobody has to watch."""
    hours, minutes = divmod(int(time.total_seconds()) // 60, 60)
    words = _("{hours} h {minutes} min") if hours else _("{minutes} min")
    return words.format(hours=hours, minutes=minutes)
