"""Copies of the whole database, made while the server runs, and the way back from one.

SQLite copies itself (its backup API): the copy is the database of one moment, whatever is written meanwhile.
PostgreSQL has programs for it, `pg_dump` and `pg_restore`. A copy is looked at before it counts as one.
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
WITHOUT = {"context", "cursor_factory", "prepare_threshold"}  # what is no matter of PostgreSQL


class NotCopied(Exception):  # noqa: N818 - as whoever called it meets it
    """Nothing was changed; the sentence says why."""


def back_up(file: Path, *, force: bool) -> None:
    """Write a copy of the database into a file. Raises ``NotCopied``."""
    if file.exists() and not force:
        raise NotCopied(f"There is a file {file} already. With --force it is overwritten.")
    if not file.parent.is_dir():
        raise NotCopied(f"There is no folder {file.parent}.")
    _back_up(file)


def _back_up(file: Path) -> None:
    with _draft(file) as draft:
        if _is_sqlite():
            with contextlib.closing(_open(_database_file())) as source:
                _copy(source, draft)
            _check_file(draft)
        else:
            _dump(draft)
            _check_dump(draft)
        draft.replace(file)


def restore(file: Path, *, force: bool) -> Path | None:
    """Make the database what a copy says. Gives where what was there before is kept, if there was something.

    No server may run meanwhile: it would go on from what it remembers. Raises ``NotCopied``.
    """
    if not file.is_file():
        raise NotCopied(f"There is no file {file}.")
    (_check_file if _is_sqlite() else _check_dump)(file)
    kept = None
    if _has_tables():
        if not force:
            raise NotCopied(
                "The database is not empty. With --force it is overwritten; a copy of it is kept."
            )
        kept = _name_for_old()
        _back_up(kept)
    (_restore_file if _is_sqlite() else _restore_dump)(file)
    return kept


def _is_sqlite() -> bool:
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


def _has_tables() -> bool:
    if _is_sqlite() and not _database_file().exists():
        return False
    with contextlib.closing(connections[DEFAULT_DB_ALIAS]) as database, database.cursor() as cursor:
        return OWN_TABLE in database.introspection.table_names(cursor)


def _name_for_old() -> Path:
    from django.conf import settings  # noqa: PLC0415 - not before it is needed

    folder = _database_file().parent if _is_sqlite() else Path(settings.DATA_DIR)
    return folder / f"before-restore-{timezone.now():%Y%m%d-%H%M%S-%f}.backup"


@contextlib.contextmanager
def _draft(file: Path) -> Iterator[Path]:
    """A file beside another that only its owner may read, and that is gone if it did not become the other."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")  # mkstemp: mode 0600
    os.close(handle)
    try:
        yield Path(name)
    finally:
        for left in Path(name).parent.glob(f"{Path(name).name}*"):
            left.unlink(missing_ok=True)


# SQLite


def _database_file() -> Path:
    return Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"])


def _open(file: Path, mode: str = "ro") -> sqlite3.Connection:
    try:
        return sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=20)
    except sqlite3.Error as error:
        raise NotCopied(f"{file} cannot be opened: {error}.") from None


def _copy(source: sqlite3.Connection, draft: Path) -> None:
    with contextlib.closing(sqlite3.connect(draft)) as target:
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
        except sqlite3.Error as error:
            raise NotCopied(f"The copy cannot be written: {error}.") from None


def _check_file(file: Path) -> None:
    """Whether a file is a whole database of ours, and not of a newer version. Raises ``NotCopied``."""
    with contextlib.closing(_open(file)) as found:
        try:
            (verdict,) = found.execute("PRAGMA integrity_check(1)").fetchone()
            loose = found.execute("PRAGMA foreign_key_check").fetchone()
            found.execute("SELECT count(*) FROM companion_table")
            migrations = found.execute("SELECT app, name FROM django_migrations").fetchall()
        except sqlite3.Error as error:
            raise NotCopied(f"{file} is no sound copy: {error}.") from None
    if verdict != "ok" or loose:
        raise NotCopied(f"{file} is damaged: {verdict if verdict != 'ok' else loose}.")
    _refuse_newer(migrations)


def _refuse_newer(migrations: Sequence[tuple[str, str]]) -> None:
    known = MigrationLoader(None).disk_migrations
    if unknown := [f"{app}.{name}" for app, name in migrations if (app, name) not in known]:
        raise NotCopied(f"The copy is of a newer version: {', '.join(unknown)} is not known here.")


def _restore_file(file: Path) -> None:
    """Through SQLite as well: all of it or nothing, also if the machine is switched off on the way."""
    target = _open(_database_file(), "rwc")
    with contextlib.closing(_open(file)) as source, contextlib.closing(target):
        try:
            source.backup(target)
        except sqlite3.Error as error:
            raise NotCopied(f"The database cannot be written: {error}. Is the server stopped?") from None


# PostgreSQL


def _dump(draft: Path) -> None:
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={draft}", *_whereto())


def _check_dump(file: Path) -> None:
    """Read a dump from its beginning to its end. Raises ``NotCopied``."""
    contents = _run("pg_restore", "--list", str(file))
    if f" {OWN_TABLE} " not in contents:
        raise NotCopied(f"{file} is no copy of this database: it has no tables of ours.")
    _run("pg_restore", f"--file={os.devnull}", str(file))
    lines = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file)).splitlines()
    cells = [line.split("\t") for line in lines if line.count("\t") == 3]  # noqa: PLR2004 - id, app, name, when
    _refuse_newer([(app, name) for _id, app, name, _when in cells])


def _restore_dump(file: Path) -> None:
    """In one transaction: what is there goes, the copy comes; or else nothing happens."""
    database = connections[DEFAULT_DB_ALIAS]
    with contextlib.closing(database):
        names = [*database.introspection.django_table_names(only_existing=True), "django_migrations"]
    with tempfile.TemporaryDirectory(prefix="seneschal-") as folder:
        away, script = Path(folder) / "away.sql", Path(folder) / "script.sql"
        away.write_text("".join(f'DROP TABLE IF EXISTS "{name}" CASCADE;\n' for name in names))
        _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
        files = [f"--file={away}", f"--file={script}"]
        _run(
            "psql",
            "--quiet",
            "--no-psqlrc",
            "--single-transaction",
            "--set=ON_ERROR_STOP=1",
            *files,
            *_whereto(),
        )


def _parameters() -> dict[str, Any]:
    given = connections[DEFAULT_DB_ALIAS].get_connection_params()
    return {name: value for name, value in given.items() if name not in WITHOUT and value is not None}


def _whereto() -> list[str]:
    """The database, as PostgreSQL's programs are told; but for the password, which everybody could read there."""
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415 - only where there is PostgreSQL

    parameters = {name: value for name, value in _parameters().items() if name != "password"}
    return [f"--dbname={make_conninfo(**parameters)}"]


def _run(program: str, *arguments: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise NotCopied(f"{program} is not installed. It comes with PostgreSQL's client (postgresql-client).")
    password = _parameters().get("password")
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own program
        [found, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise NotCopied(f"{program} stopped: {said[0]}")
    return done.stdout
