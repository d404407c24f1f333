"""The way back into games that are under way, for when the laptop has another address than before."""

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

MOST = 3
LATELY = timedelta(hours=12)


class Command(BaseCommand):
    help = "Shows, for each game under way, the link that makes a phone its host's; that shows one for each seat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="Where phones find the site, such as http://192.168.1.7:8000/.")

    def handle(self, *args: Any, site: str, **options: Any) -> None:
        for number, table in enumerate(under_way()[:MOST]):
            names = ", ".join(shown_name(seat) for seat in table.seats.all())
            link = f"{site.rstrip('/')}{reverse('claim', args=[table.code])}?{HOST_TICKET}={ticket_for_host(table)}"
            self.stdout.write(f"\n{game_of(table).name} {table.code} is under way: {names}.")
            self.stdout.write(
                "  If the address is another one now, the host opens this, then all are back by one scan each:"
            )
            self.stdout.write(f"  {link}")
            if not number:
                drawn = StringIO()
                segno.make(link, micro=False).terminal(drawn, compact=True, border=2)
                self.stdout.write(drawn.getvalue())


def under_way() -> list[Table]:
    """Games that somebody has touched this evening, the newest first."""
    since = timezone.now() - LATELY
    playing = Table.objects.filter(status=Status.PLAYING, changed_at__gte=since)
    return list(playing.order_by("-changed_at").prefetch_related("seats"))
