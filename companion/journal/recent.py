"""The newest part of a journal as pages show it, cached per version for all phones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet

from companion.cache import LruCache, register
from companion.journal.submit import next_redo
from companion.models import Entry, Table, Tick
from companion.results.pauses import Break, breaks_of
from games.core.messages import Message
from games.core.steps import read_step

# Number of newest entries whose hands list is shown while lines are unticked.
WITH_HANDS = 4
# Number of entries searched for changes since a player's own last entry.
MOST_SUMMARIES = 40
CACHED_VERSIONS = 100  # each holds the steps of several entries
CACHED_SUMMARIES = 10_000  # about 1 kB each: enough for 40 entries of 250 tables


@dataclass(frozen=True, slots=True)
class EntrySummary:
    """Summary of an entry: its faction, its title, and the places that received pieces."""

    number: int
    parent: int  # the entry before it; 0 is the start
    faction: str
    title: Message
    places: frozenset[str]


@dataclass(frozen=True, slots=True)
class Recent:
    """The newest part of a table's journal at one version. Shared between requests, so never modify it."""

    entries: Sequence[Entry]  # the newest that count, newest first
    summaries: Sequence[EntrySummary]  # of these and earlier entries
    redo: Entry | None
    ticks: frozenset[tuple[int, int]]  # pairs of entry (0 is the setup) and line
    breaks: Sequence[Break]


_recent: LruCache[Recent] = register(LruCache("recent", CACHED_VERSIONS))
_summaries: LruCache[EntrySummary] = register(LruCache("entries in short", CACHED_SUMMARIES))


def recent(table: Table) -> Recent:
    """Return the newest part of a table's journal, cached per version, since every visible change bumps it.

    A change committed during the queries may be included; its new version is announced anyway.
    """
    return _recent.get_or_compute((table.code, table.version), lambda: _read(table))


def summarise(entry: Entry) -> EntrySummary:
    places = {move["target"] for step in entry.steps for move in _moves(step)}
    title = read_step(entry.steps[0]).message
    return EntrySummary(entry.number, entry.parent, entry.faction, title, frozenset(places))


def _read(table: Table) -> Recent:
    entries = tuple(_newest_entries(table)[:WITH_HANDS])
    numbers = [0, *(entry.number for entry in entries)]
    ticks = Tick.objects.filter(table=table, number__in=numbers).values_list("number", "line")
    return Recent(
        entries=entries,
        summaries=tuple(_summarise_path(table, entries)),
        redo=next_redo(table) if table.head < table.latest else None,  # the latest entry has no child
        ticks=frozenset(ticks),
        breaks=tuple(breaks_of(table)),
    )


def _newest_entries(table: Table) -> QuerySet[Entry]:
    return Entry.objects.filter(table=table, undone=False).order_by("-number")


def _summarise_path(table: Table, entries: Sequence[Entry]) -> Iterator[EntrySummary]:
    """Yield summaries from the newest entry back; they never change, so each is cached by entry."""
    read = {entry.number: entry for entry in entries}
    number = entries[0].number if entries else 0
    for _ in range(MOST_SUMMARIES):
        if not number:
            return
        summary = _summaries.get((table.code, number))
        if summary is None:
            if number not in read:
                earlier = _newest_entries(table).filter(number__lte=number)
                read |= {entry.number: entry for entry in earlier[:MOST_SUMMARIES]}
            summary = _summaries.get_or_compute((table.code, number), partial(summarise, read[number]))
        yield summary
        number = summary.parent


def _moves(step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from step.get("moves", ())
    for substep in step.get("steps", ()):
        yield from _moves(substep)
