"""Filling the database with evenings that were played, through the services that people use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context

from django.utils import timezone

from companion.access.table_access import TableAccess, identify
from companion.journal import mending, submit
from companion.journal.states import path_of
from companion.management.clock import Clock
from companion.management.evenings import CIRCLES, EVENINGS, Evening, Happened, Played, played
from companion.models import Circle, Table
from companion.tables import hosting, opening
from companion.tables.circles import open_circle
from companion.tables.opening import NewSeat

THURSDAY, WEEK = 3, 7
BEGINS = timedelta(hours=18, minutes=40)  # of the day
STAGGER = timedelta(minutes=7)
NOT_LONG_AGO = timedelta(minutes=3)


@dataclass(frozen=True, slots=True)
class Made:
    """A table of the demo."""

    table: Table
    evening: Evening


def is_there() -> bool:
    """Whether the demo was made before: its circles are there, or one of them."""
    return Circle.objects.filter(name__in=[people.name for people in CIRCLES]).exists()


def play_evenings(evenings: Iterable[Evening], processes: int = 1) -> Iterator[Played]:
    """The evenings in their order, as they become known."""
    if processes == 1:
        yield from map(played, evenings)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as workers:
        yield from workers.map(played, evenings)


class Filling:
    """Makes circles and tables. What was made until something went wrong can be taken away again."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self.hosts: dict[str, TableAccess] = {}
        self.keys: dict[str, str] = {}  # of the circles, by their name
        self.circles: list[Circle] = []
        self.began = timezone.now()

    def open_circles(self) -> None:
        for people in CIRCLES:
            opened = open_circle(name=people.name)
            self.circles.append(opened.circle)
            self.keys[people.name] = opened.key

    def add(self, one: Played) -> Made:
        """A table with everything that happened at it, at the times it happened."""
        clock = Clock(self._start(one))
        with clock.running():
            made = Made(self._play(one, clock), one.evening)
        self.made.append(made)
        return made

    def _start(self, one: Played) -> datetime:
        """On the evening; a game that is still under way was entered in last just now."""
        if one.evening.stop is not None:
            behind = len([m for m in self.made if m.evening.stop is not None]) * STAGGER
            return self.began - NOT_LONG_AGO - behind - timedelta(seconds=one.seconds)
        today = timezone.localtime(self.began).replace(hour=0, minute=0, second=0, microsecond=0)
        since = (today.weekday() - THURSDAY) % WEEK or WEEK
        days = since + WEEK * one.evening.weeks_ago
        return today - timedelta(days=days) + BEGINS + one.evening.circle * STAGGER

    def _play(self, one: Played, clock: Clock) -> Table:
        evening = one.evening
        opened = opening.open_table(
            game=evening.game,
            seats=[NewSeat(one.people[faction], faction) for faction in one.factions],
            options={"mode": evening.mode, "players": evening.players, "first_player": one.first},
            circle=self.circles[evening.circle],
        )
        table = opened.table
        host = identify(table, [opened.host_token])
        self.hosts[table.code] = host
        opening.start(table=table, access=host)
        seats = {seat.faction: identify(table, [token]) for seat, token in opened.seats}
        for happened in one.happened:
            clock.passes(happened.seconds)
            _enter(table, seats, happened)
        if evening.stop is not None:
            for number in path_of(table)[:-1]:  # only the newest hands' moves are still to be done
                submit.tick_all(table=table, access=host, number=number)
        return table

    def take_away(self) -> None:
        """Leave nothing half made behind."""
        for code, host in self.hosts.items():
            for table in Table.objects.filter(code=code):
                hosting.delete(table=table, access=host)
        for circle in self.circles:
            circle.delete()


def _enter(table: Table, seats: Mapping[str, TableAccess], happened: Happened) -> None:
    access = seats[happened.faction]
    if happened.kind == "mend":
        number = path_of(table)[-1 - happened.back]
        mending.mend(
            table=table,
            access=access,
            number=number,
            action=happened.action,
            faction=happened.faction,
            reason=happened.reason,
            version=table.version,
        )
        return
    submit.submit(table=table, access=access, faction=happened.faction, action=happened.action)
    if happened.kind == "slip":
        submit.undo(table=table, access=access)


__all__ = ["EVENINGS", "Filling", "Made", "is_there", "play_evenings"]
