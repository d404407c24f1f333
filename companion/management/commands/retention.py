"""Delete stale data."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.models import Status
from companion.tables.retention import ALWAYS, delete_stale

DAYS = 180
MOST_DAYS = 36_500


class Command(BaseCommand):
    help = (
        "Deletes data untouched for a while: tables whose game never started or was abandoned, idempotency "
        "keys, unused board copies, expired sessions, rate limit buckets. Prints counts, no table codes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days",
            type=int,
            default=DAYS,
            help="Minimum age in days (default %(default)s).",
        )
        parser.add_argument("--playing", action="store_true", help="Also delete games in progress.")
        parser.add_argument("--finished", action="store_true", help="Also delete finished games.")
        parser.add_argument("--dry-run", action="store_true", help="Only print what would be deleted.")

    def handle(
        self, *args: Any, days: int, playing: bool, finished: bool, dry_run: bool, **options: Any
    ) -> None:
        if not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days must be between 1 and {MOST_DAYS}.")
        optional = [(playing, Status.PLAYING), (finished, Status.FINISHED)]
        statuses = [*ALWAYS, *(status for wanted, status in optional if wanted)]
        deleted = delete_stale(days=days, statuses=[str(status) for status in statuses], dry_run=dry_run)
        self.stdout.write("Would be deleted:" if dry_run else "Deleted:")
        for name, count in deleted.items():
            self.stdout.write(f"  {name}: {count}")
