"""Rebuild the statistics from the journals of all finished games."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from companion.journal.result_sync import rebuild_results
from companion.models import Result


class Command(BaseCommand):
    help = "Rebuilds results, tallies and ratings of all finished games from their journals."

    def handle(self, *args: Any, **options: Any) -> None:
        failed = rebuild_results()
        self.stdout.write(f"Results: {Result.objects.count()}.")
        if failed:
            raise CommandError(
                f"Their journal does not fold any more, so they count as before: {', '.join(failed)}."
            )
