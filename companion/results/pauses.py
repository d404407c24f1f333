"""Breaks, pauses and thinking times. Every duration that is shown is computed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from companion.models import Break as Row
from companion.models import Table

# A longer gap between two entries counts as a pause that nobody recorded, not as thinking time.
PAUSE = timedelta(minutes=20)

# Start and end; the current break has no end yet.
Break = tuple[datetime, datetime | None]


class TimedEntry(Protocol):
    """The fields of an entry that thinking times depend on."""

    @property
    def created_at(self) -> datetime: ...
    @property
    def origin(self) -> int | None: ...


E = TypeVar("E", bound=TimedEntry)


def breaks_of(table: Table) -> list[Break]:
    breaks = Row.objects.filter(table=table).order_by("began_at", "pk")
    return list(breaks.values_list("began_at", "ended_at"))


def time_between(before: datetime, after: datetime, breaks: Sequence[Break]) -> timedelta:
    """Return the time between two moments without breaks, which are ordered by their start; never negative.

    Clocks may be set back, so ``after`` may be earlier than ``before``.
    """
    time, at = max(after - before, timedelta()), before
    for began, ended in breaks:
        first, last = max(began, at), min(ended or after, after)
        if first < last:
            time -= last - first
            at = last
    return time


def times_before(
    entries: Iterable[E], began: datetime | None, breaks: Sequence[Break]
) -> Iterator[tuple[E, timedelta]]:
    """Yield each entry with the thinking time before it, which belongs to the faction that made it.

    Undone entries count too: their time was spent, and must not count for the next faction.
    Entries that a mend rewrote took no time; those that it replaced did.
    """
    last = began
    for entry in entries:
        if entry.origin is None:
            yield entry, time_between(last, entry.created_at, breaks) if last else timedelta()
            last = entry.created_at
