"""Use the newest SQLite library that is installed.

SQLite up to 3.51.2 can lose a commit in WAL mode. Distributions ship such versions for years, so the package
`pysqlite3` brings a fixed one where it has a wheel, and replaces the standard library's module.
"""

import sqlite3
import sys


def use_newest() -> None:
    """Make every later `import sqlite3` use `pysqlite3` if it is newer. Call before Django loads."""
    try:
        import pysqlite3  # noqa: PLC0415 - optional
        from pysqlite3 import dbapi2  # noqa: PLC0415 - optional
    except ImportError:
        return
    if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = dbapi2


def has_wal_reset_bug(version: tuple[int, int, int]) -> bool:
    """Return whether this version has the "WAL-Reset Bug" (sqlite.org/wal.html), which loses a commit."""
    fixed_in = {(3, 44): (3, 44, 6), (3, 50): (3, 50, 7)}.get(version[:2], (3, 51, 3))
    return (3, 7, 0) <= version < fixed_in
