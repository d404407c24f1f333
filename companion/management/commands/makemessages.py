"""Django's `makemessages`, extended to extract the wordings of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

# `text` and `plural` mark wordings in `games` only; elsewhere they are ordinary names.
KEYWORDS = ("--keyword=text:1,1t", "--keyword=text:1,2c,2t", "--keyword=plural:1,2")
NOT_OURS = ("data/*", "node_modules/*", "staticfiles/*", "tests/*")


class Command(makemessages.Command):
    # A missing translation fails a test; a fuzzy guess would not.
    msgmerge_options = [  # noqa: RUF012 - Django defines it as a class attribute
        *makemessages.Command.msgmerge_options,
        "--no-fuzzy-matching",
    ]

    def handle(self, *args: Any, **options: Any) -> None:
        options["ignore_patterns"] = [*options["ignore_patterns"], *NOT_OURS]
        # No line numbers, so that diffs of catalogues show changed texts only.
        options |= {"add_location": "file", "no_obsolete": True, "no_wrap": True}
        super().handle(*args, **options)

    def process_locale_dir(self, locale_dir: str, files: list[Any]) -> None:
        rules = [file for file in files if Path(file.path).parts[0] == "games"]
        others = [file for file in files if file not in rules]
        original = self.xgettext_options
        for group, keywords in ((others, ()), (rules, KEYWORDS)):
            self.xgettext_options = [*original, *keywords]
            if group:
                super().process_locale_dir(locale_dir, group)
        self.xgettext_options = original
