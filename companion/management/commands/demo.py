"""Fill the database with games that were played, so that every page has something to show."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from companion.errors import Refusal
from companion.management.demonstration import EVENINGS, Filling, is_there, play_evenings
from companion.management.evenings import CIRCLES
from companion.management.progress import shown
from companion.models import Circle, Table
from companion.tables.circles import renew_link
from games.registry import GAMES


class Command(BaseCommand):
    help = (
        "Plays evenings of two circles with heuristic players and keeps them as tables: finished games of "
        "every title, one of each under way, and a score pad. What is there already is not added again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="How many play at once (one per core)."
        )
        parser.add_argument(
            "--new-links",
            action="store_true",
            help="New links to the circles of a demo that is there; the old ones lead nowhere then.",
        )

    def handle(self, *args: Any, processes: int, new_links: bool, **options: Any) -> None:
        if processes < 1:
            raise CommandError("At least one process must work.")
        if new_links:
            self._new_links()
        elif is_there():
            self.stdout.write("The demo is here already; nothing was added.")
            self._tell(Table.objects.filter(circle__name__in=[people.name for people in CIRCLES]))
            self.stdout.write(
                "The links to its circles were told when it was made; --new-links makes others."
            )
        else:
            self._fill(processes)

    def _fill(self, processes: int) -> None:
        filling = Filling()
        try:
            filling.open_circles()
            for one in shown(play_evenings(EVENINGS, processes), len(EVENINGS), sys.stderr):
                filling.add(one)
        except BaseException as error:
            filling.take_away()
            if isinstance(error, Refusal):
                raise CommandError(f"The demo could not be made: {error.message}") from error
            raise
        self._tell(Table.objects.filter(pk__in=[made.table.pk for made in filling.made]))
        self._tell_circles(filling.keys)

    def _new_links(self) -> None:
        circles = Circle.objects.filter(name__in=[people.name for people in CIRCLES])
        if not circles:
            raise CommandError("There is no demo here yet; `make demo` makes one.")
        self._tell_circles({circle.name: renew_link(circle=circle) for circle in circles})

    def _tell(self, tables: Any) -> None:
        for table in tables.select_related("circle").order_by("started_at"):
            names = ", ".join(dict.fromkeys(seat.name for seat in table.seats.all()))
            pad = " (score pad)" if table.options["mode"] == "pad" else ""
            day = f"{timezone.localtime(table.started_at):%Y-%m-%d}" if table.started_at else ""
            game = f"{GAMES[table.game].name}{pad}"
            self.stdout.write(
                f"{day}  {table.status:8}  {game:24}  {address(reverse('table', args=[table.code]))}  "
                f"{table.circle.name}: {names}"
            )

    def _tell_circles(self, keys: dict[str, str]) -> None:
        for name, key in keys.items():
            self.stdout.write(f"{name}: {address(reverse('circle', args=[key]))}")


def address(path: str) -> str:
    """Where a page is once the server runs on this machine."""
    port = os.environ.get("PORT") or "8000"
    return f"http://localhost{'' if port == '80' else f':{port}'}{path}"
