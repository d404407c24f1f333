"""Fold every table again, as after a change of the rules."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.errors import Refusal
from companion.management.tables import add_codes, started
from companion.tables.upkeep import examine


class Command(BaseCommand):
    help = "Folds tables again and compares them with their stored steps and their mirror; changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        add_codes(parser)

    def handle(self, *args: Any, codes: list[str], **options: Any) -> None:
        looked_at = different = 0
        try:
            for table in started(codes):
                looked_at += 1
                if findings := str(examine(table=table)):
                    different += 1
                    self.stdout.write(f"{table.code}: {findings}")
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        if different:
            raise CommandError(f"{different} of {looked_at} tables differ.")
