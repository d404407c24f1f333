"""What the clocks of a table show while it is played: the evening, the decision under way, who thought how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.utils import timezone
from django.utils.translation import gettext as _

from companion.models import Entry, Table
from companion.statistics.pauses import PAUSE, Break, time_between, times_before


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
    entered, thinking = _thought(table.pk, table.last, table.started_at, tuple(breaks))
    since = entered or table.started_at or table.created_at
    stands = any(ended is None for _began, ended in breaks)
    return Clock(now, since, time_between(since, now, breaks), thinking, stands)


@lru_cache(maxsize=512)
def _thought(
    table: int, last: int, began: datetime | None, breaks: tuple[Break, ...]
) -> tuple[datetime | None, Mapping[str, timedelta]]:
    """When the last entry was made, if there is one, and how long each faction thought until then; read once for all phones.

    The number of the last entry says which there are: entries are never changed in what counts here.
    """
    entries = Entry.objects.filter(table=table, number__lte=last, origin=None).order_by("number")
    lines = entries.values_list("faction", "at", "origin", named=True)
    entered, thinking = None, dict[str, timedelta]()
    for entry, time in times_before(lines, began, breaks):
        entered = entry.at
        if time <= PAUSE:
            thinking[entry.faction] = thinking.get(entry.faction, timedelta()) + time
    return entered, thinking


forget = _thought.cache_clear


def in_minutes(time: timedelta) -> str:
    """A length of time as a clock shows it that nobody has to watch."""
    hours, minutes = divmod(int(time.total_seconds()) // 60, 60)
    words = _("{hours} h {minutes} min") if hours else _("{minutes} min")
    return words.format(hours=hours, minutes=minutes)
