"""The databases of a run: SQLite always, PostgreSQL wherever one answers.

It is looked for at ``TEST_DATABASE_URL``, or at the usual address on this machine. Tests make databases of
their own there and remove them, so its user must be allowed to.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

USUAL = "postgres://root@127.0.0.1:5432/test"
URL = os.environ.get("TEST_DATABASE_URL") or USUAL


def place() -> str:
    """Where it is looked for, without a password."""
    parts = urlsplit(URL)
    return f"{parts.hostname}:{parts.port or 5432}{parts.path}, user {parts.username}"


def beside(name: str) -> str:
    """The address of another database of the same server."""
    return urlsplit(URL)._replace(path=f"/{name}").geturl()


@contextlib.contextmanager
def own_database() -> Iterator[str]:
    """The address of an empty database there, for a server of a test's own; other runs have others."""
    import psycopg  # noqa: PLC0415 - optional

    name = f"seneschal_own_{os.getpid()}"
    with psycopg.connect(URL, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield beside(name)
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@functools.cache
def _asked() -> tuple[str, str]:
    """The version of the PostgreSQL that answers, or why there is none."""
    try:
        import psycopg  # noqa: PLC0415 - optional

        with psycopg.connect(URL, connect_timeout=2) as found:
            version = found.execute("SHOW server_version").fetchone()
    except Exception as error:  # noqa: BLE001 - whatever it is, there is none
        return "", str(error).strip().splitlines()[0]
    assert version
    return str(version[0]).split()[0], ""


def postgres_version() -> str:
    return _asked()[0]


def why_no_postgres() -> str:
    version, why = _asked()
    return "" if version else f"no PostgreSQL at {place()}: {why}"


def used() -> str:
    """What a run says of its databases."""
    from companion import sqlite  # noqa: PLC0415 - tests of the rules do without

    sqlite.use_newest()
    import sqlite3  # noqa: PLC0415 - not before the line above

    postgres = f"PostgreSQL {postgres_version()} at {place()}"
    without = f"PostgreSQL: none answers at {place()}, tests that need it are skipped"
    return f"databases: SQLite {sqlite3.sqlite_version}, {postgres if postgres_version() else without}"
