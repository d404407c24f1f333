"""Restore the database from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.operations.backups import BackupError, restore


class Command(BaseCommand):
    help = "Restores a backup written by `backup`. Stop the server first, and run `migrate` afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="Path of the backup.")
        parser.add_argument(
            "--force",
            action="store_true",
            help="Overwrite existing data; a backup of it is kept in DATA_DIR.",
        )

    def handle(self, *args: Any, file: Path, force: bool, **options: Any) -> None:
        try:
            saved = restore(file, force=force)
        except BackupError as error:
            raise CommandError(str(error)) from None
        if saved:
            self.stdout.write(f"What was there before is kept in {saved}.")
        self.stdout.write(
            f"The database is what {file} says. Now: manage.py migrate, manage.py check_journals."
        )
