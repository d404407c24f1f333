"""Rebuild the mirror from the journals."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.errors import Refusal
from companion.journal.integrity import Unfoldable, rebuild_mirror
from companion.management.table_arguments import add_codes, started_tables


class Command(BaseCommand):
    help = "Rebuilds holdings, standings and the derived columns of tables from their journals."

    def add_arguments(self, parser: CommandParser) -> None:
        add_codes(parser)

    def handle(self, *args: Any, codes: list[str], **options: Any) -> None:
        checked = rebuilt = failed = 0
        try:
            for table in started_tables(codes):
                checked += 1
                try:
                    rebuilt += rebuild_mirror(table=table)
                except Unfoldable as error:
                    failed += 1
                    self.stderr.write(f"{table.code}: {error}")
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        self.stdout.write(f"Tables: {checked}, rebuilt: {rebuilt}.")
        if failed:
            raise CommandError(f"The journal of {failed} does not fold any more.")
