"""Online backups of the whole database, and restoring them.

SQLite is copied with its backup API, so a copy is consistent whatever is written meanwhile. PostgreSQL is
copied with `pg_dump` and `pg_restore`. Every copy is verified before it counts as one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

OWN_TABLE = "companion_table"
NOT_LIBPQ = {"context", "cursor_factory", "prepare_threshold"}  # psycopg's own parameters, unknown to libpq


class BackupError(Exception):
    """A backup or restore that changed nothing; the message says why."""


def back_up(file: Path, *, force: bool) -> None:
    """Write a copy of the database to a file. Raises `BackupError`."""
    if file.exists() and not force:
        raise BackupError(f"There is a file {file} already. With --force it is overwritten.")
    if not file.parent.is_dir():
        raise BackupError(f"There is no folder {file.parent}.")
    _back_up(file)


def _back_up(file: Path) -> None:
    with _temporary_file(file) as temporary:
        if _is_sqlite():
            with contextlib.closing(_open(_database_file())) as source:
                _copy(source, temporary)
            _check_file(temporary)
        else:
            _dump(temporary)
            _check_dump(temporary)
        temporary.replace(file)


def restore(file: Path, *, force: bool) -> Path | None:
    """Replace the database with a copy; return the path of a backup of the old one, if it had tables.

    The server must be stopped, because it would go on with its caches. Raises `BackupError`.
    """
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    (_check_file if _is_sqlite() else _check_dump)(file)
    old_copy = None
    if _has_tables():
        if not force:
            raise BackupError(
                "The database is not empty. With --force it is overwritten; a copy of it is kept."
            )
        old_copy = _name_for_old()
        _back_up(old_copy)
    (_restore_file if _is_sqlite() else _restore_dump)(file)
    return old_copy


def _is_sqlite() -> bool:
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


def _has_tables() -> bool:
    if _is_sqlite() and not _database_file().exists():
        return False
    with contextlib.closing(connections[DEFAULT_DB_ALIAS]) as database, database.cursor() as cursor:
        return OWN_TABLE in database.introspection.table_names(cursor)


def _name_for_old() -> Path:
    from django.conf import settings  # noqa: PLC0415 - needed only here

    folder = _database_file().parent if _is_sqlite() else Path(settings.DATA_DIR)
    return folder / f"before-restore-{timezone.now():%Y%m%d-%H%M%S-%f}.backup"


@contextlib.contextmanager
def _temporary_file(file: Path) -> Iterator[Path]:
    """Create a temporary file beside the target, readable by its owner only, and remove it at the end."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")  # mkstemp: mode 0600
    os.close(handle)
    try:
        yield Path(name)
    finally:
        for leftover in Path(name).parent.glob(f"{Path(name).name}*"):
            leftover.unlink(missing_ok=True)


# SQLite


def _database_file() -> Path:
    return Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"])


def _open(file: Path, mode: str = "ro") -> sqlite3.Connection:
    try:
        return sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=20)
    except sqlite3.Error as error:
        raise BackupError(f"{file} cannot be opened: {error}.") from None


def _copy(source: sqlite3.Connection, temporary: Path) -> None:
    with contextlib.closing(sqlite3.connect(temporary)) as target:
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # a single file, without a -wal file beside it
        except sqlite3.Error as error:
            raise BackupError(f"The copy cannot be written: {error}.") from None


def _check_file(file: Path) -> None:
    """Check that a file is an intact database of this version or an older one. Raises `BackupError`."""
    with contextlib.closing(_open(file)) as copy:
        try:
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
            violation = copy.execute("PRAGMA foreign_key_check").fetchone()
            copy.execute("SELECT count(*) FROM companion_table")
            migrations = copy.execute("SELECT app, name FROM django_migrations").fetchall()
        except sqlite3.Error as error:
            raise BackupError(f"{file} is no sound copy: {error}.") from None
    if verdict != "ok" or violation:
        raise BackupError(f"{file} is damaged: {verdict if verdict != 'ok' else violation}.")
    _refuse_newer(migrations)


def _refuse_newer(migrations: Sequence[tuple[str, str]]) -> None:
    known = MigrationLoader(None).disk_migrations
    if unknown := [f"{app}.{name}" for app, name in migrations if (app, name) not in known]:
        raise BackupError(f"The copy is of a newer version: {', '.join(unknown)} is not known here.")


def _restore_file(file: Path) -> None:
    """Copy with SQLite's backup API, which is atomic even if the machine crashes."""
    target = _open(_database_file(), "rwc")
    with contextlib.closing(_open(file)) as source, contextlib.closing(target):
        try:
            source.backup(target)
        except sqlite3.Error as error:
            raise BackupError(f"The database cannot be written: {error}. Is the server stopped?") from None


# PostgreSQL


def _dump(temporary: Path) -> None:
    _run(
        "pg_dump",
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        f"--file={temporary}",
        *_connection_argument(),
    )


def _check_dump(file: Path) -> None:
    """Read a dump from beginning to end. Raises `BackupError`."""
    contents = _run("pg_restore", "--list", str(file))
    if f" {OWN_TABLE} " not in contents:
        raise BackupError(f"{file} is no copy of this database: it has no tables of ours.")
    _run("pg_restore", f"--file={os.devnull}", str(file))
    lines = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file)).splitlines()
    cells = [line.split("\t") for line in lines if line.count("\t") == 3]  # noqa: PLR2004
    _refuse_newer([(app, name) for _id, app, name, _when in cells])


def _restore_dump(file: Path) -> None:
    """Drop our tables and load the dump in one transaction."""
    database = connections[DEFAULT_DB_ALIAS]
    with contextlib.closing(database):
        names = [*database.introspection.django_table_names(only_existing=True), "django_migrations"]
    with tempfile.TemporaryDirectory(prefix="seneschal-") as folder:
        drops, script = Path(folder) / "drops.sql", Path(folder) / "script.sql"
        drops.write_text("".join(f'DROP TABLE IF EXISTS "{name}" CASCADE;\n' for name in names))
        _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
        files = [f"--file={drops}", f"--file={script}"]
        _run(
            "psql",
            "--quiet",
            "--no-psqlrc",
            "--single-transaction",
            "--set=ON_ERROR_STOP=1",
            *files,
            *_connection_argument(),
        )


def _parameters() -> dict[str, Any]:
    parameters = connections[DEFAULT_DB_ALIAS].get_connection_params()
    return {name: value for name, value in parameters.items() if name not in NOT_LIBPQ and value is not None}


def _connection_argument() -> list[str]:
    """Return the connection argument without the password: other users can read the process list."""
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415 - psycopg is optional

    parameters = {name: value for name, value in _parameters().items() if name != "password"}
    return [f"--dbname={make_conninfo(**parameters)}"]


def _run(program: str, *arguments: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise BackupError(
            f"{program} is not installed. It comes with PostgreSQL's client (postgresql-client)."
        )
    password = _parameters().get("password")
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    result = subprocess.run(  # noqa: S603 - a program of PostgreSQL
        [path, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        errors = result.stderr.strip().splitlines() or [f"exit code {result.returncode}"]
        raise BackupError(f"{program} stopped: {errors[0]}")
    return result.stdout
