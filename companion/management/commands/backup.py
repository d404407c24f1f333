"""A copy of the database in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.operations.backups import NotCopied, back_up


class Command(BaseCommand):
    help = "Writes a copy of the whole database into a file, and checks it. The server may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="Where the copy goes.")
        parser.add_argument("--force", action="store_true", help="Overwrite the file if it is there.")

    def handle(self, *args: Any, file: Path, force: bool, **options: Any) -> None:
        try:
            back_up(file, force=force)
        except NotCopied as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"The copy is whole: {file}, {file.stat().st_size:,} bytes.")
