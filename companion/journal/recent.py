"""What pages show of the newest part of a journal, read once for all phones."""

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

# Lines of the hands list stay in sight until they are ticked, but not for ever.
WITH_HANDS = 4
# The most that are looked at for what changed since somebody's own last entry.
TOLD = 40
KEPT = 100  # versions; each holds the steps of several entries
KEPT_TOLD = 10_000  # about 1 kB each: 40 entries of 200 tables fit


@dataclass(frozen=True, slots=True)
class Told:
    """An entry in short: whose it was, its sentence, and where something came to lie."""

    number: int
    parent: int  # the entry that it was made on; 0: the start
    faction: str
    title: Message
    places: frozenset[str]


@dataclass(frozen=True, slots=True)
class Recent:
    """A table of one version. Nobody may change what is in here: others read it too."""

    entries: Sequence[Entry]  # the newest that count, the newest first
    told: Sequence[Told]  # and more of them in short
    redo: Entry | None
    ticks: frozenset[tuple[int, int]]  # numbers of those entries, or 0 for setting up, and of their lines
    breaks: Sequence[Break]


_recent: LruCache[Recent] = register(LruCache("recent", KEPT))
_told: LruCache[Told] = register(LruCache("entries in short", KEPT_TOLD))


def recent(table: Table) -> Recent:
    """Whatever people see of a table changes its version, so what belongs to a version never changes.

    A change that comes while this is read may be in it; who asks for it then hears of that version anyway.
    """
    return _recent.get_or_compute((table.code, table.version), lambda: _read(table))


def told(entry: Entry) -> Told:
    """An entry in short."""
    places = {move["target"] for step in entry.steps for move in _moves(step)}
    title = read_step(entry.steps[0]).message
    return Told(entry.number, entry.parent, entry.faction, title, frozenset(places))


def _read(table: Table) -> Recent:
    entries = tuple(_newest_entries(table)[:WITH_HANDS])
    numbers = [0, *(entry.number for entry in entries)]
    ticks = Tick.objects.filter(table=table, number__in=numbers).values_list("number", "line")
    return Recent(
        entries=entries,
        told=tuple(_in_short(table, entries)),
        redo=next_redo(table) if table.head < table.latest else None,  # nothing was made on the newest of all
        ticks=frozenset(ticks),
        breaks=tuple(breaks_of(table)),
    )


def _newest_entries(table: Table) -> QuerySet[Entry]:
    return Entry.objects.filter(table=table, undone=False).order_by("-number")


def _in_short(table: Table, entries: Sequence[Entry]) -> Iterator[Told]:
    """From the newest entry back. They never change in what is told here: what was read before is not read again."""
    read = {entry.number: entry for entry in entries}
    number = entries[0].number if entries else 0
    for _one in range(TOLD):
        if not number:
            return
        one = _told.get((table.code, number))
        if one is None:
            if number not in read:
                earlier = _newest_entries(table).filter(number__lte=number)
                read |= {entry.number: entry for entry in earlier[:TOLD]}
            one = _told.get_or_compute((table.code, number), partial(told, read[number]))
        yield one
        number = one.parent


def _moves(step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from step.get("moves", ())
    for finer in step.get("steps", ()):
        yield from _moves(finer)
