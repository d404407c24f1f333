"""Print links that restore the host role after the laptop's address has changed."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import segno
from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse
from django.utils import timezone

from companion.journal.states import game_of
from companion.models import Status, Table
from companion.tables.hosting import HOST_TICKET, ticket_for_host
from companion.tables.seats import shown_name

MOST_TABLES = 3
RECENT = timedelta(hours=12)


class Command(BaseCommand):
    help = (
        "Prints a link for each game in progress that makes a phone its host. The host's phone then shows "
        "links for all seats."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="URL of the site for phones, such as http://192.168.1.7:8000/.")

    def handle(self, *args: Any, site: str, **options: Any) -> None:
        for number, table in enumerate(recent_tables()[:MOST_TABLES]):
            names = ", ".join(shown_name(seat) for seat in table.seats.all())
            path = reverse("claim", args=[table.code])
            link = f"{site.rstrip('/')}{path}?{HOST_TICKET}={ticket_for_host(table)}"
            self.stdout.write(f"\n{game_of(table).name} {table.code} is under way: {names}.")
            self.stdout.write(
                "  If the address is another one now, the host opens this, then all are back by one scan each:"
            )
            self.stdout.write(f"  {link}")
            if not number:
                qr_code = StringIO()
                segno.make(link, micro=False).terminal(qr_code, compact=True, border=2)
                self.stdout.write(qr_code.getvalue())


def recent_tables() -> list[Table]:
    """Return the games in progress that changed in the last 12 hours, newest first."""
    since = timezone.now() - RECENT
    playing = Table.objects.filter(status=Status.PLAYING, changed_at__gte=since)
    return list(playing.order_by("-changed_at").prefetch_related("seats"))
