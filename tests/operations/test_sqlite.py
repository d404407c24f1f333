"""SQLite: a version without the WAL-reset bug, and the settings of a connection."""

import sqlite3

import pytest
from django.db import connection, transaction

from companion.operations.checks import check_sqlite
from companion.operations.sqlite import has_wal_reset_bug


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 0), True),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 4), False),
    ],
)
def test_versions_with_the_wal_reset_bug(version: tuple[int, int, int], expected: bool) -> None:  # noqa: FBT001
    assert has_wal_reset_bug(version) is expected


def test_check_accepts_a_fixed_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))

    assert check_sqlite() == []


def test_check_warns_about_an_old_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.40.1")

    (warning,) = check_sqlite()

    assert warning.id == "companion.W001"
    assert "SQLite 3.40.1 can" in warning.msg


def test_newest_library_is_used() -> None:
    pysqlite3 = pytest.importorskip("pysqlite3")

    assert connection.Database.sqlite_version_info >= pysqlite3.sqlite_version_info


sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="runs on another database")


@sqlite_only
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("PRAGMA journal_mode", "wal"),
        ("PRAGMA synchronous", 1),
        ("PRAGMA busy_timeout", 20000),
        ("PRAGMA foreign_keys", 1),
    ],
)
def test_pragmas_of_a_connection(pragma: str, value: str | int) -> None:
    with connection.cursor() as cursor:
        assert cursor.execute(pragma).fetchone() == (value,)


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_transaction_takes_the_write_lock_at_once() -> None:
    path = connection.settings_dict["NAME"]
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        other = sqlite3.connect(path, timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()
