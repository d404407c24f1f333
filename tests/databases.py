"""Databases of a test run: SQLite, and PostgreSQL if it is available.

PostgreSQL is expected at `TEST_DATABASE_URL`, by default on this machine. Tests create and drop databases
there, so the user needs that permission. `python -m tests.databases` prints the URL, or why it cannot be
used.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

DEFAULT_URL = "postgres://root@127.0.0.1:5432/test"
URL = os.environ.get("TEST_DATABASE_URL") or DEFAULT_URL


def place() -> str:
    """Return host, path and user of the PostgreSQL URL, without the password."""
    parts = urlsplit(URL)
    return f"{parts.hostname}:{parts.port or 5432}{parts.path}, user {parts.username}"


def beside(name: str) -> str:
    """Return the URL of another database of the same server."""
    return urlsplit(URL)._replace(path=f"/{name}").geturl()


@contextlib.contextmanager
def own_database() -> Iterator[str]:
    """Create an empty database and yield its URL; its name is unique per process."""
    import psycopg  # noqa: PLC0415 - optional
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415 - optional

    name = f"seneschal_own_{os.getpid()}"
    own = Identifier(name)
    with psycopg.connect(URL, autocommit=True) as admin:
        admin.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(own))
        admin.execute(SQL("CREATE DATABASE {}").format(own))
        try:
            yield beside(name)
        finally:
            admin.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(own))


@functools.cache
def _probe() -> tuple[str, str]:
    """Return the version of PostgreSQL, or the reason why it is not available."""
    try:
        import psycopg  # noqa: PLC0415 - optional

        with psycopg.connect(URL, connect_timeout=2) as connection:
            version = connection.execute("SHOW server_version").fetchone()
    except Exception as error:  # noqa: BLE001 - any failure means that it is not available
        return "", str(error).strip().splitlines()[0]
    assert version
    return str(version[0]).split()[0], ""


def postgres_version() -> str:
    return _probe()[0]


def why_no_postgres() -> str:
    version, why = _probe()
    return "" if version else f"no PostgreSQL at {place()}: {why}"


def used() -> str:
    """Return the databases of this run, for the summary."""
    from companion.operations import sqlite  # noqa: PLC0415 - tests of the rules need no Django

    sqlite.use_newest()
    import sqlite3  # noqa: PLC0415 - only after the line above

    postgres = f"PostgreSQL {postgres_version()} at {place()}"
    without = f"PostgreSQL: none answers at {place()}, tests that need it are skipped"
    return f"databases: SQLite {sqlite3.sqlite_version}, {postgres if postgres_version() else without}"


def runs_on_postgres() -> bool:
    """Return whether `DATABASE_URL` makes this run use PostgreSQL."""
    return os.environ.get("DATABASE_URL", "").startswith("postgres")


def main() -> None:
    if why := why_no_postgres():
        sys.exit(f"Tests on PostgreSQL are skipped: {why}")
    sys.stdout.write(f"{URL}\n")


if __name__ == "__main__":
    main()
