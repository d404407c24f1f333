"""Fill the database with demo games, so that every page has something to show."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from companion.errors import Refusal
from companion.management.demonstration import DemoBuilder, demo_exists, play_evenings
from companion.management.evenings import CIRCLES, all_evenings
from companion.management.progress_bar import with_progress
from companion.models import Circle, Table
from companion.registry import titles
from companion.tables.circles import renew_link


class Command(BaseCommand):
    help = (
        "Plays evenings of two circles with heuristic players and saves them as tables: finished games of "
        "every title, one of each in progress, and a score pad. Adds nothing if the demo exists already."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help="Number of worker processes (one per core).",
        )
        parser.add_argument(
            "--new-links",
            action="store_true",
            help="Renew the links to the circles of an existing demo; the old links become invalid.",
        )

    def handle(self, *args: Any, processes: int, new_links: bool, **options: Any) -> None:
        if processes < 1:
            raise CommandError("At least one process must work.")
        if new_links:
            self._new_links()
        elif demo_exists():
            self.stdout.write("The demo is here already; nothing was added.")
            self._print_tables(Table.objects.filter(circle__name__in=[group.name for group in CIRCLES]))
            self.stdout.write(
                "The links to its circles were told when it was made; --new-links makes others."
            )
        else:
            self._fill(processes)

    def _fill(self, processes: int) -> None:
        builder = DemoBuilder()
        try:
            builder.open_circles()
            evenings = all_evenings()
            for played in with_progress(play_evenings(evenings, processes), len(evenings), sys.stderr):
                builder.add(played)
        except BaseException as error:
            builder.delete_all()
            if isinstance(error, Refusal):
                raise CommandError(f"The demo could not be made: {error.message}") from error
            raise
        self._print_tables(
            Table.objects.filter(pk__in=[demo_table.table.pk for demo_table in builder.tables])
        )
        self._print_circles(builder.keys)

    def _new_links(self) -> None:
        circles = Circle.objects.filter(name__in=[group.name for group in CIRCLES])
        if not circles:
            raise CommandError("There is no demo here yet; `make demo` makes one.")
        self._print_circles({circle.name: renew_link(circle=circle) for circle in circles})

    def _print_tables(self, tables: Any) -> None:
        for table in tables.select_related("circle").order_by("started_at"):
            names = ", ".join(dict.fromkeys(seat.name for seat in table.seats.all()))
            pad = " (score pad)" if table.options["mode"] == "pad" else ""
            day = f"{timezone.localtime(table.started_at):%Y-%m-%d}" if table.started_at else ""
            game = f"{titles()[table.game].game.name}{pad}"
            self.stdout.write(
                f"{day}  {table.status:8}  {game:24}  {address(reverse('table', args=[table.code]))}  "
                f"{table.circle.name}: {names}"
            )

    def _print_circles(self, keys: dict[str, str]) -> None:
        for name, key in keys.items():
            self.stdout.write(f"{name}: {address(reverse('circle', args=[key]))}")


def address(path: str) -> str:
    """Return the URL of a page on a server running on this machine."""
    port = os.environ.get("PORT") or "8000"
    return f"http://localhost{'' if port == '80' else f':{port}'}{path}"
