"""Django's command, which also finds the wordings of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

# `text` and `plural` mark a wording in `games`; elsewhere they are names like any other.
KEYWORDS = ("--keyword=text", "--keyword=plural:1,2")
NOT_OURS = ("data/*", "node_modules/*", "staticfiles/*", "tests/*")


class Command(makemessages.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        options["ignore_patterns"] = [*options["ignore_patterns"], *NOT_OURS]
        super().handle(*args, **options)

    def process_locale_dir(self, locale_dir: str, files: list[Any]) -> None:
        rules = [file for file in files if Path(file.path).parts[0] == "games"]
        others = [file for file in files if file not in rules]
        plain = self.xgettext_options
        for some, keywords in ((others, ()), (rules, KEYWORDS)):
            self.xgettext_options = [*plain, *keywords]
            if some:
                super().process_locale_dir(locale_dir, some)
        self.xgettext_options = plain
