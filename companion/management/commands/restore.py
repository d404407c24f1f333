"""The database as a copy says it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.operations.backups import NotCopied, restore


class Command(BaseCommand):
    help = "Makes the database what a copy says that `backup` wrote. Stop the server first, and migrate afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="The copy.")
        parser.add_argument(
            "--force", action="store_true", help="Overwrite what is there; a copy of it is kept beside."
        )

    def handle(self, *args: Any, file: Path, force: bool, **options: Any) -> None:
        try:
            kept = restore(file, force=force)
        except NotCopied as reason:
            raise CommandError(str(reason)) from None
        if kept:
            self.stdout.write(f"What was there before is kept in {kept}.")
        self.stdout.write(f"The database is what {file} says. Now: manage.py migrate, manage.py fold.")
