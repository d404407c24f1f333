"""Delete what nobody needs any more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.models import Status
from companion.tables.retention import ALWAYS, tidy

DAYS = 180
MOST_DAYS = 36_500


class Command(BaseCommand):
    help = (
        "Deletes what nobody has touched for a while: tables whose game never began or was given up, receipts, copies "
        "of boards that nobody compared or used, expired sessions, buckets. Codes are not named."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help="For how many days nobody touched it (default %(default)s).",
        )
        parser.add_argument("--playing", action="store_true", help="Also games that nobody went on with.")
        parser.add_argument("--finished", action="store_true", help="Also games that have ended.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would be deleted.")

    def handle(
        self, *args: Any, days: int, playing: bool, finished: bool, dry_run: bool, **options: Any
    ) -> None:
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days must be between 1 and {MOST_DAYS}.")
        more = [(playing, Status.PLAYING), (finished, Status.FINISHED)]
        statuses = [*ALWAYS, *(status for wanted, status in more if wanted)]
        deleted = tidy(days=days, statuses=[str(status) for status in statuses], dry_run=dry_run)
        self.stdout.write("Would be deleted:" if dry_run else "Deleted:")
        for name, count in deleted.items():
            self.stdout.write(f"  {name}: {count}")
