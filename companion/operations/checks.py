"""System checks that Django runs at start."""

import sqlite3
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, register
from django.core.checks import Warning as CheckWarning

from companion.operations.sqlite import has_wal_reset_bug


@register(Tags.compatibility)
def check_sqlite(**_: Any) -> list[CheckMessage]:
    """Warn if the SQLite library in use can lose a commit."""
    engines = {database["ENGINE"] for database in settings.DATABASES.values()}
    if "django.db.backends.sqlite3" not in engines or not has_wal_reset_bug(sqlite3.sqlite_version_info):
        return []
    return [
        CheckWarning(
            f"SQLite {sqlite3.sqlite_version} can, very rarely, lose a committed entry when several processes write.",
            hint="Install pysqlite3, use a system with SQLite 3.51.3 or newer, or move to PostgreSQL; "
            "until then run one process and keep copies of the database.",
            id="companion.W001",
        )
    ]
