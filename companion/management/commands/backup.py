"""Back up the database into a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.operations.backups import BackupError, back_up


class Command(BaseCommand):
    help = "Writes a verified backup of the whole database into a file. The server may keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="Path of the backup.")
        parser.add_argument("--force", action="store_true", help="Overwrite an existing file.")

    def handle(self, *args: Any, file: Path, force: bool, **options: Any) -> None:
        try:
            back_up(file, force=force)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The copy is whole: {file}, {file.stat().st_size:,} bytes.")
