"""Creation of the demo data through the same services that pages use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context

import django
from django.utils import timezone

from companion.access.table_access import TableAccess, identify
from companion.journal import mending, submit
from companion.journal.states import path_of
from companion.management.clock import Clock
from companion.management.evenings import CIRCLES, Event, PlayedEvening, play_evening
from companion.models import Circle, Table
from companion.tables import hosting, opening
from companion.tables.circles import open_circle
from companion.tables.opening import NewSeat
from companion.titles.demo import Evening

THURSDAY, WEEK = 3, 7
BEGINS = timedelta(hours=18, minutes=40)  # time of day
STAGGER = timedelta(minutes=7)
LAST_ENTRY_AGO = timedelta(minutes=3)  # of the games in progress


@dataclass(frozen=True, slots=True)
class DemoTable:
    """A table of the demo with its evening."""

    table: Table
    evening: Evening


def demo_exists() -> bool:
    """Return True if any circle of the demo exists."""
    return Circle.objects.filter(name__in=[group.name for group in CIRCLES]).exists()


def play_evenings(evenings: Iterable[Evening], processes: int = 1) -> Iterator[PlayedEvening]:
    """Yield the played evenings in order, each as soon as it is ready."""
    if processes == 1:
        yield from map(play_evening, evenings)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=django.setup) as workers:
        yield from workers.map(play_evening, evenings)


class DemoBuilder:
    """Creates circles and tables, and can delete them again after a failure."""

    def __init__(self) -> None:
        self.tables: list[DemoTable] = []
        self.hosts: dict[str, TableAccess] = {}
        self.keys: dict[str, str] = {}  # circle name -> key of its link
        self.circles: list[Circle] = []
        self.now = timezone.now()

    def open_circles(self) -> None:
        for group in CIRCLES:
            opened = open_circle(name=group.name)
            self.circles.append(opened.circle)
            self.keys[group.name] = opened.key

    def add(self, played: PlayedEvening) -> DemoTable:
        """Create a table and replay all its events at their times."""
        clock = Clock(self._start(played))
        with clock.patched():
            demo_table = DemoTable(self._replay(played, clock), played.evening)
        self.tables.append(demo_table)
        return demo_table

    def _start(self, played: PlayedEvening) -> datetime:
        """Return the start time; the last entry of a game in progress is a few minutes old."""
        if played.evening.stop is not None:
            behind = len([t for t in self.tables if t.evening.stop is not None]) * STAGGER
            return self.now - LAST_ENTRY_AGO - behind - timedelta(seconds=played.seconds)
        today = timezone.localtime(self.now).replace(hour=0, minute=0, second=0, microsecond=0)
        since = (today.weekday() - THURSDAY) % WEEK or WEEK
        days = since + WEEK * played.evening.weeks_ago
        return today - timedelta(days=days) + BEGINS + played.evening.circle * STAGGER

    def _replay(self, played: PlayedEvening, clock: Clock) -> Table:
        evening = played.evening
        opened = opening.open_table(
            game=evening.game,
            seats=[NewSeat(played.people[faction], faction) for faction in played.factions],
            options={"mode": evening.mode, "players": evening.players, "first_player": played.first},
            circle=self.circles[evening.circle],
        )
        table = opened.table
        host = identify(table, [opened.host_token])
        self.hosts[table.code] = host
        opening.start(table=table, access=host)
        seats = {seat.faction: identify(table, [token]) for seat, token in opened.seats}
        for event in played.events:
            clock.advance(event.seconds)
            _enter(table, seats, event)
        if evening.stop is not None:
            for number in path_of(table)[:-1]:  # leave only the newest entry's hand moves to do
                submit.tick_all(table=table, access=host, number=number)
        return table

    def delete_all(self) -> None:
        """Delete everything created so far."""
        for code, host in self.hosts.items():
            for table in Table.objects.filter(code=code):
                hosting.delete(table=table, access=host)
        for circle in self.circles:
            circle.delete()


def _enter(table: Table, seats: Mapping[str, TableAccess], event: Event) -> None:
    access = seats[event.faction]
    if event.kind == "mend":
        number = path_of(table)[-1 - event.back]
        mending.mend(
            table=table,
            access=access,
            number=number,
            action=event.action,
            faction=event.faction,
            reason=event.reason,
            version=table.version,
        )
        return
    submit.submit(table=table, access=access, faction=event.faction, action=event.action)
    if event.kind == "slip":
        submit.undo(table=table, access=access)
