"""The newer of the two SQLite libraries a machine may have.

SQLite up to 3.51.2 can lose a commit in WAL mode. Distributions ship such versions for years, so a fixed one
comes with the package `pysqlite3` where that has a wheel, and takes the place of the standard library's module.
"""

import sqlite3
import sys


def use_newest() -> None:
    """Let every later `import sqlite3` find `pysqlite3`, if it is there and newer. Call before Django loads."""
    try:
        import pysqlite3  # noqa: PLC0415 - optional
        from pysqlite3 import dbapi2  # noqa: PLC0415 - optional
    except ImportError:
        return
    if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = dbapi2


def has_wal_reset_bug(version: tuple[int, int, int]) -> bool:
    """Whether a version of SQLite may lose a commit in WAL mode (sqlite.org/wal.html, "The WAL-Reset Bug")."""
    mended_in = {(3, 44): (3, 44, 6), (3, 50): (3, 50, 7)}.get(version[:2], (3, 51, 3))
    return (3, 7, 0) <= version < mended_in
