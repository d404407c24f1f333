"""Django's command, which also finds the wordings of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

# `text` and `plural` mark a wording in `games`; elsewhere they are names like any other.
KEYWORDS = ("--keyword=text:1,1t", "--keyword=text:1,2c,2t", "--keyword=plural:1,2")
NOT_OURS = ("data/*", "node_modules/*", "staticfiles/*", "tests/*")


class Command(makemessages.Command):
    # A guess is worse than a gap: the gap fails a test.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]  # noqa: RUF012 - as Django has it

    def handle(self, *args: Any, **options: Any) -> None:
        options["ignore_patterns"] = [*options["ignore_patterns"], *NOT_OURS]
        # Whoever compares two versions should see what is said, not on which line.
        options |= {"add_location": "file", "no_obsolete": True, "no_wrap": True}
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
