"""Write what is kept beside the journal anew, from the journal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.errors import Refusal
from companion.journal.integrity import Unfoldable, rebuild_mirror
from companion.management.table_arguments import add_codes, started


class Command(BaseCommand):
    help = "Rebuilds holdings, standings and where the game stands from the journal."

    def add_arguments(self, parser: CommandParser) -> None:
        add_codes(parser)

    def handle(self, *args: Any, codes: list[str], **options: Any) -> None:
        looked_at = mended = failed = 0
        try:
            for table in started(codes):
                looked_at += 1
                try:
                    mended += rebuild_mirror(table=table)
                except Unfoldable as error:
                    failed += 1
                    self.stderr.write(f"{table.code}: {error}")
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        self.stdout.write(f"Tables: {looked_at}, rebuilt: {mended}.")
        if failed:
            raise CommandError(f"The journal of {failed} does not fold any more.")
