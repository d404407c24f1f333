"""When people do not play; and how long they thought when they did. Every time that is told is counted here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from companion.models import Break as Row
from companion.models import Table

# Longer than anybody thinks: they had dinner, and nobody said so.
PAUSE = timedelta(minutes=20)

# From when to when; the one that runs has no end yet.
Break = tuple[datetime, datetime | None]


class Entered(Protocol):
    """What is to be known of an entry."""

    @property
    def created_at(self) -> datetime: ...
    @property
    def origin(self) -> int | None: ...


E = TypeVar("E", bound=Entered)


def breaks_of(table: Table) -> list[Break]:
    breaks = Row.objects.filter(table=table).order_by("began_at", "pk")
    return list(breaks.values_list("began_at", "ended_at"))


def time_between(before: datetime, after: datetime, breaks: Sequence[Break]) -> timedelta:
    """Without breaks, which come in the order in which they began. Clocks are set: time never runs backwards."""
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
    """Each entry with the time before it, which belongs to whoever made it.

    That holds for undone entries too: their time was spent, and is not put on whoever comes next.
    What a mend wrote again took no time; what it replaced did.
    """
    last = began
    for entry in entries:
        if entry.origin is None:
            yield entry, time_between(last, entry.created_at, breaks) if last else timedelta()
            last = entry.created_at
