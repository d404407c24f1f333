"""A copy made while people play, and the way back from it."""

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


def done(env: dict[str, str], *arguments: str) -> str:
    result = command(env, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def assert_there(server: Server, accepted: list[Sent]) -> None:
    """Every entry that was accepted is in the journal of its table."""
    journals = {table: table.journal(server) for table in {sent.table for sent in accepted}}
    for sent in accepted:
        entry = journals[sent.table][sent.answer["number"] - 1]
        assert entry["number"] == sent.answer["number"]
        assert entry["steps"] == sent.answer["steps"]


def back_up_and_restore(folder: Path, *, entries: int, here: dict[str, str], there: dict[str, str]) -> None:
    """A copy of one server's database, made under load, becomes that of another server."""
    copy = folder / "copy"
    with running_server(folder / "here", **here) as server:
        load = Load(server, [Table.opened(server, players) for players in (4, 2)])
        with load.running(3):
            wait_for_entries(load, entries)
            before = load.accepted()
            said = done(server.environment, "backup", str(copy))
            wait_for_entries(load, entries // 2)
    assert "The copy is whole" in said
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.glob("*copy*")] == ["copy"]

    other = Server(free_port(), environment(folder / "there", **there))
    assert "Now: manage.py migrate" in done(other.environment, "restore", str(copy))
    try:
        other.start()
        assert len(before) >= entries
        assert_there(other, before)
        assert_sound(other)
        for sent in before[-3:]:  # receipts came along: sent again it counts once
            assert sent.table.send(other, sent.body) == (201, sent.answer)
    finally:
        other.stop()


@pytest.mark.long
def test_what_was_accepted_before_a_copy_is_in_it(tmp_path: Path) -> None:
    back_up_and_restore(tmp_path, entries=40, here={"WEB_CONCURRENCY": "2"}, there={})


@pytest.mark.long
@pytest.mark.postgres
def test_the_same_on_postgresql(tmp_path: Path, postgres: str) -> None:
    """Back into the same database: it is not empty, so it takes --force, and is kept beside."""
    if shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is not installed (postgresql-client)")
    copy, data = tmp_path / "copy", tmp_path / "data"
    with running_server(data, WEB_CONCURRENCY="2", DATABASE_URL=postgres) as server:
        load = Load(server, [Table.opened(server, players) for players in (4, 2)])
        with load.running(3):
            wait_for_entries(load, 30)
            before = load.accepted()
            done(server.environment, "backup", str(copy))
            wait_for_entries(load, 15)
        newest = load.accepted()[-1]
        server.stop()

        refused = command(server.environment, "restore", str(copy))
        assert "The database is not empty. With --force" in refused.stderr
        said = done(server.environment, "restore", "--force", str(copy))
        (kept,) = data.glob("before-restore-*.backup")
        assert f"What was there before is kept in {kept}." in said

        server.start()
        assert_there(server, before)
        assert len(newest.table.journal(server)) < newest.answer["number"]
        assert_sound(server)
        server.stop()
        done(server.environment, "restore", "--force", str(kept))
        server.start()
        assert_there(server, load.accepted())
        damaged = tmp_path / "damaged"
        damaged.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
        assert "pg_restore stopped" in command(server.environment, "restore", "--force", str(damaged)).stderr
        assert_there(server, load.accepted())


def count(file: Path) -> int:
    """Return the number of boards in a database."""
    with closing(sqlite3.connect(file)) as database:
        (found,) = database.execute("SELECT count(*) FROM companion_board").fetchone()
        assert isinstance(found, int)
        return found


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
    """The services work on a file of the test's own, in the form the server leaves it."""
    file = tmp_path / "seneschal.sqlite3"
    manage(environment(tmp_path), "migrate", "--no-input", "--verbosity=0")
    add_board(file, "FIRST")
    monkeypatch.setattr(backups, "_database_file", lambda: file)
    monkeypatch.setattr(backups, "_is_sqlite", lambda: True)
    monkeypatch.setattr(backups, "_has_tables", file.exists)
    return file


def test_files_are_overwritten_only_by_force_and_the_old_database_is_kept(
    database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    backups.back_up(copy, force=False)
    add_board(database, "SECOND")
    with pytest.raises(backups.NotCopied, match=r"There is a file .*copy already"):
        backups.back_up(copy, force=False)
    with pytest.raises(backups.NotCopied, match="The database is not empty"):
        backups.restore(copy, force=False)
    assert (count(copy), count(database)) == (1, 2)

    kept = backups.restore(copy, force=True)

    assert kept
    assert kept.parent == database.parent
    assert (count(database), count(kept)) == (1, 2)
    with closing(sqlite3.connect(database)) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    backups.back_up(copy, force=True)
    assert count(copy) == 1


def test_a_server_that_still_writes_is_not_torn(database: Path, tmp_path: Path) -> None:
    """Whoever has the file open sees the old database or the new one; whoever holds its lock is waited for."""
    copy = tmp_path / "copy"
    backups.back_up(copy, force=False)
    with closing(sqlite3.connect(database)) as reader:
        add_board(database, "SECOND")
        assert reader.execute("SELECT count(*) FROM companion_board").fetchone() == (2,)
        backups.restore(copy, force=True)
        assert reader.execute("SELECT count(*) FROM companion_board").fetchone() == (1,)
        assert reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_is_no_sound_copy_is_refused(database: Path, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy", tmp_path / "other"
    backups.back_up(copy, force=False)
    whole = bytearray(copy.read_bytes())

    other.write_bytes(b"no database at all" * 100)
    with pytest.raises(backups.NotCopied, match="no sound copy"):
        backups.restore(other, force=True)
    other.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(backups.NotCopied, match=r"no sound copy|damaged"):
        backups.restore(other, force=True)
    with closing(sqlite3.connect(tmp_path / "stranger")) as stranger:
        stranger.execute("CREATE TABLE notes (text)")
    with pytest.raises(backups.NotCopied, match="no sound copy"):
        backups.restore(tmp_path / "stranger", force=True)
    with pytest.raises(backups.NotCopied, match="There is no file"):
        backups.restore(tmp_path / "nothing", force=True)
    with closing(sqlite3.connect(copy)) as newer:
        newer.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('companion', '9999_later', '')"
        )
        newer.commit()
    with pytest.raises(backups.NotCopied, match=r"newer version: companion\.9999_later"):
        backups.restore(copy, force=True)
    assert count(database) == 1
    assert not list(tmp_path.glob("before-restore-*"))


def test_a_copy_that_cannot_be_written_leaves_nothing(database: Path, tmp_path: Path) -> None:
    with pytest.raises(backups.NotCopied, match="There is no folder"):
        backups.back_up(tmp_path / "nowhere" / "copy", force=False)
    database.unlink()
    with pytest.raises(backups.NotCopied, match="cannot be opened"):
        backups.back_up(tmp_path / "copy", force=False)
    assert not list(tmp_path.glob("*copy*"))


def test_without_the_programs_of_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    with pytest.raises(backups.NotCopied, match=r"pg_dump is not installed\. It comes with"):
        backups._run("pg_dump")
