"""Backup under load, and restoring it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.operations import backups
from tests.faults.clients import Load, Sent, Table
from tests.faults.test_power_cut import assert_sound, wait_for_entries
from tests.servers import ROOT, Server, environment, free_port, manage, running_server


def command(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def run_command(env: dict[str, str], *arguments: str) -> str:
    result = command(env, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def assert_there(server: Server, accepted: list[Sent]) -> None:
    """Assert that every accepted entry is in the journal of its table."""
    journals = {table: table.journal(server) for table in {sent.table for sent in accepted}}
    for sent in accepted:
        entry = journals[sent.table][sent.answer["number"] - 1]
        assert entry["number"] == sent.answer["number"]
        assert entry["steps"] == sent.answer["steps"]


def back_up_and_restore(folder: Path, *, entries: int, here: dict[str, str], there: dict[str, str]) -> None:
    """Copy a server's database under load and restore it for another server."""
    copy = folder / "copy"
    with running_server(folder / "here", **here) as server:
        load = Load(server, [Table.opened(server, players) for players in (4, 2)])
        with load.running(3):
            wait_for_entries(load, entries)
            before = load.accepted()
            output = run_command(server.environment, "backup", str(copy))
            wait_for_entries(load, entries // 2)
    assert "The copy is whole" in output
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.glob("*copy*")] == ["copy"]

    other = Server(free_port(), environment(folder / "there", **there))
    assert "Now: manage.py migrate" in run_command(other.environment, "restore", str(copy))
    try:
        other.start()
        assert len(before) >= entries
        assert_there(other, before)
        assert_sound(other)
        for sent in before[-3:]:  # idempotency keys are restored, too
            assert sent.table.send(other, sent.body) == (201, sent.answer)
    finally:
        other.stop()


@pytest.mark.long
def test_sqlite_backup_contains_all_accepted_entries(tmp_path: Path) -> None:
    back_up_and_restore(tmp_path, entries=40, here={"WEB_CONCURRENCY": "2"}, there={})


@pytest.mark.long
@pytest.mark.postgres
def test_postgresql_backup_contains_all_accepted_entries(tmp_path: Path, postgres: str) -> None:
    """Restored into the same database, which is not empty: it needs --force and is saved first."""
    if shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is not installed (postgresql-client)")
    copy, data = tmp_path / "copy", tmp_path / "data"
    with running_server(data, WEB_CONCURRENCY="2", DATABASE_URL=postgres) as server:
        load = Load(server, [Table.opened(server, players) for players in (4, 2)])
        with load.running(3):
            wait_for_entries(load, 30)
            before = load.accepted()
            run_command(server.environment, "backup", str(copy))
            wait_for_entries(load, 15)
        latest = load.accepted()[-1]
        server.stop()

        refused = command(server.environment, "restore", str(copy))
        assert "The database is not empty. With --force" in refused.stderr
        output = run_command(server.environment, "restore", "--force", str(copy))
        (old_copy,) = data.glob("before-restore-*.backup")
        assert f"What was there before is kept in {old_copy}." in output

        server.start()
        assert_there(server, before)
        assert len(latest.table.journal(server)) < latest.answer["number"]
        assert_sound(server)
        server.stop()
        run_command(server.environment, "restore", "--force", str(old_copy))
        server.start()
        assert_there(server, load.accepted())
        damaged = tmp_path / "damaged"
        damaged.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
        assert "pg_restore stopped" in command(server.environment, "restore", "--force", str(damaged)).stderr
        assert_there(server, load.accepted())


def count(file: Path) -> int:
    """Return the number of boards in a database."""
    with closing(sqlite3.connect(file)) as database:
        (boards,) = database.execute("SELECT count(*) FROM companion_board").fetchone()
        assert isinstance(boards, int)
        return boards


def add_board(file: Path, code: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute(
            "INSERT INTO companion_board (code, game, name, figures, confirmed, version, created_at, changed_at) "
            "VALUES (?, 'revolution', 'Ours', '{}', '[]', 1, '2026-01-01', '2026-01-01')",
            (code,),
        )
        database.commit()


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the services use the test's own database file, as the server would create it."""
    file = tmp_path / "seneschal.sqlite3"
    manage(environment(tmp_path), "migrate", "--no-input", "--verbosity=0")
    add_board(file, "FIRST")
    monkeypatch.setattr(backups, "_database_file", lambda: file)
    monkeypatch.setattr(backups, "_is_sqlite", lambda: True)
    monkeypatch.setattr(backups, "_has_tables", file.exists)
    return file


def test_overwriting_needs_force_and_saves_the_old_database(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    backups.back_up(copy, force=False)
    add_board(database, "SECOND")
    with pytest.raises(backups.BackupError, match=r"There is a file .*copy already"):
        backups.back_up(copy, force=False)
    with pytest.raises(backups.BackupError, match="The database is not empty"):
        backups.restore(copy, force=False)
    assert (count(copy), count(database)) == (1, 2)

    old_copy = backups.restore(copy, force=True)

    assert old_copy
    assert old_copy.parent == database.parent
    assert (count(database), count(old_copy)) == (1, 2)
    with closing(sqlite3.connect(database)) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    backups.back_up(copy, force=True)
    assert count(copy) == 1


def test_restore_is_atomic_for_open_connections(database: Path, tmp_path: Path) -> None:
    """Open connections see the old database or the new one; locks are waited for."""
    copy = tmp_path / "copy"
    backups.back_up(copy, force=False)
    with closing(sqlite3.connect(database)) as reader:
        add_board(database, "SECOND")
        assert reader.execute("SELECT count(*) FROM companion_board").fetchone() == (2,)
        backups.restore(copy, force=True)
        assert reader.execute("SELECT count(*) FROM companion_board").fetchone() == (1,)
        assert reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_invalid_copy_is_rejected(database: Path, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy", tmp_path / "other"
    backups.back_up(copy, force=False)
    whole = bytearray(copy.read_bytes())

    other.write_bytes(b"no database at all" * 100)
    with pytest.raises(backups.BackupError, match="no sound copy"):
        backups.restore(other, force=True)
    other.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(backups.BackupError, match=r"no sound copy|damaged"):
        backups.restore(other, force=True)
    with closing(sqlite3.connect(tmp_path / "stranger")) as stranger:
        stranger.execute("CREATE TABLE notes (text)")
    with pytest.raises(backups.BackupError, match="no sound copy"):
        backups.restore(tmp_path / "stranger", force=True)
    with pytest.raises(backups.BackupError, match="There is no file"):
        backups.restore(tmp_path / "nothing", force=True)
    with closing(sqlite3.connect(copy)) as newer:
        newer.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('companion', '9999_later', '')"
        )
        newer.commit()
    with pytest.raises(backups.BackupError, match=r"newer version: companion\.9999_later"):
        backups.restore(copy, force=True)
    assert count(database) == 1
    assert not list(tmp_path.glob("before-restore-*"))


def test_failed_backup_leaves_no_file(database: Path, tmp_path: Path) -> None:
    with pytest.raises(backups.BackupError, match="There is no folder"):
        backups.back_up(tmp_path / "nowhere" / "copy", force=False)
    database.unlink()
    with pytest.raises(backups.BackupError, match="cannot be opened"):
        backups.back_up(tmp_path / "copy", force=False)
    assert not list(tmp_path.glob("*copy*"))


def test_missing_pg_dump_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    with pytest.raises(backups.BackupError, match=r"pg_dump is not installed\. It comes with"):
        backups._run("pg_dump")
