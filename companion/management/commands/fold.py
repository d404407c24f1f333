"""Fold every table again, as after a change of the rules."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.access.table_access import find
from companion.errors import Refusal
from companion.journal.integrity import Unfoldable, examine, go_on
from companion.management.table_arguments import add_codes, started


class Command(BaseCommand):
    help = (
        "Folds tables again and compares them with their stored steps and their mirror; changes nothing. "
        "With --go-on, a table whose journal no longer folds goes on from what lies on it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_codes(parser)
        parser.add_argument(
            "--go-on", metavar="CODE", help="Append a position to the journal of this table, if it needs one."
        )
        parser.add_argument(
            "--phase", help="Where that game is taken up, if not in the phase where it stood."
        )

    def handle(
        self, *args: Any, codes: list[str], go_on: str | None, phase: str | None, **options: Any
    ) -> None:
        if go_on:
            self._go_on(go_on, phase)
        else:
            self._fold(codes)

    def _go_on(self, code: str, phase: str | None) -> None:
        try:
            table = find(code)
            number = go_on(table=table, phase=phase)
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        except Unfoldable as error:
            raise CommandError(f"{code.upper()}: {error}") from None
        self.stdout.write(f"{table.code}: goes on from entry {number}.")

    def _fold(self, codes: list[str]) -> None:
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
