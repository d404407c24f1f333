"""Fold journals again and compare them with the stored data, as after a change of the rules."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.access.table_access import find
from companion.errors import Refusal
from companion.journal.integrity import Unfoldable, examine, resume_from_position
from companion.management.table_arguments import add_codes, started_tables


class Command(BaseCommand):
    help = (
        "Folds journals again and compares them with the stored steps and the mirror; changes nothing. "
        "With --go-on, lets a table whose journal no longer folds continue from its current position."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_codes(parser)
        parser.add_argument(
            "--go-on",
            metavar="CODE",
            help="Append a position to the journal of this table if it no longer folds.",
        )
        parser.add_argument("--phase", help="Phase to continue in (default: the current one).")

    def handle(
        self, *args: Any, codes: list[str], go_on: str | None, phase: str | None, **options: Any
    ) -> None:
        if go_on:
            self._go_on(go_on, phase)
        else:
            self._check(codes)

    def _go_on(self, code: str, phase: str | None) -> None:
        try:
            table = find(code)
            number = resume_from_position(table=table, phase=phase)
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        except Unfoldable as error:
            raise CommandError(f"{code.upper()}: {error}") from None
        self.stdout.write(f"{table.code}: goes on from entry {number}.")

    def _check(self, codes: list[str]) -> None:
        checked = different = 0
        try:
            for table in started_tables(codes):
                checked += 1
                if findings := str(examine(table=table)):
                    different += 1
                    self.stdout.write(f"{table.code}: {findings}")
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        if different:
            raise CommandError(f"{different} of {checked} tables differ.")
