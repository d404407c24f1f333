"""The server is killed under load: every accepted entry is stored exactly once."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.faults.clients import FIRST, Load, Sent, Table, ask, next_event, stream
from tests.servers import ROOT, Server, running_server


def wait_for_entries(load: Load, more: int, seconds: float = 60) -> None:
    """Wait until this many more entries were accepted."""
    deadline, wanted = time.monotonic() + seconds, len(load.accepted()) + more
    while len(load.accepted()) < wanted:
        assert time.monotonic() < deadline, "too few entries were accepted"
        time.sleep(0.01)


def assert_kept(load: Load) -> None:
    """Assert that accepted entries are in the journal once, and unanswered ones at most once."""
    for table in load.tables:
        journal = {entry["number"]: entry for entry in table.journal(load.server)}
        assert sorted(journal) == list(range(1, len(journal) + 1))
        accepted = [sent for sent in load.accepted() if sent.table == table]
        numbers = [sent.answer["number"] for sent in accepted]
        assert len(numbers) == len(set(numbers))
        for sent in accepted:
            entry = journal[sent.answer["number"]]
            assert entry["faction"] == sent.body["faction"]
            assert entry["action"].items() >= sent.body["action"].items()
            assert entry["steps"] == sent.answer["steps"]
        unknown = len(journal) - len(numbers)
        assert 0 <= unknown <= len([sent for sent in load.unanswered() if sent.table == table])


def send_again(load: Load) -> None:
    """Repeat requests: accepted ones get the first response, unanswered ones get one now and keep it."""
    for sent in load.accepted()[-10:]:
        assert sent.table.send(load.server, sent.body) == (201, sent.answer)
    for index, sent in enumerate(load.sent):
        if sent.status is None:
            status, answer = sent.table.send(load.server, sent.body)
            assert status in (201, 400), answer
            if status == 201:
                assert sent.table.send(load.server, sent.body) == (201, answer)
            load.sent[index] = Sent(sent.table, sent.body, status, answer)


def assert_sound(server: Server) -> None:
    """Assert that the SQLite file is intact and every table folds to its stored columns."""
    if "DATABASE_URL" not in server.environment:
        with contextlib.closing(sqlite3.connect(server.database)) as file:
            assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert file.execute("SELECT count(*) FROM companion_entry").fetchone()[0] > 0
    command = [sys.executable, "manage.py", "check_journals"]
    subprocess.run(command, cwd=ROOT, env=server.environment, check=True, timeout=120)


def cut_and_restart(data: Path, *, cuts: int, clients: int, entries: int, **env: str) -> None:
    with running_server(data, **env) as server:
        load = Load(server, [Table.opened(server, players) for players in (4, 3, 2)])
        for _ in range(cuts):
            with load.running(clients):
                wait_for_entries(load, entries)
                server.kill()
            server.start()
            assert_kept(load)
            send_again(load)
            assert not load.unanswered()
            assert_kept(load)
        assert_sound(server)


@pytest.mark.long
def test_accepted_entries_survive_a_kill(tmp_path: Path) -> None:
    cut_and_restart(tmp_path, cuts=1, clients=4, entries=25)


@pytest.mark.long
def test_accepted_entries_survive_many_kills(tmp_path: Path) -> None:
    cut_and_restart(tmp_path, cuts=10, clients=6, entries=60)


@pytest.mark.long
def test_accepted_entries_of_several_processes_survive_kills(tmp_path: Path) -> None:
    cut_and_restart(tmp_path, cuts=5, clients=8, entries=60, WEB_CONCURRENCY="4")


@pytest.mark.long
@pytest.mark.postgres
def test_accepted_entries_on_postgresql_survive_kills(tmp_path: Path, postgres: str) -> None:
    cut_and_restart(tmp_path, cuts=3, clients=8, entries=60, WEB_CONCURRENCY="2", DATABASE_URL=postgres)


# Locks and graceful restarts


@pytest.mark.long
def test_locks_and_restarts(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        check_locked_database_is_waited_for(server)
        check_streams_resume_after_a_restart(server)
        assert_sound(server)


def check_streams_resume_after_a_restart(server: Server) -> None:
    table = Table.opened(server, 2)
    version = ask(server, "GET", f"{table.path}/")[1]["version"]
    streams = [stream(server, table) for _ in range(3)]
    assert all(f"id: {version}\n" in next_event(answer) for _connection, answer in streams)

    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 8
    for connection, _answer in streams:
        connection.close()
    server.start()

    connection, answer = stream(server, table, last=version - 1)
    with contextlib.closing(connection):
        assert f"id: {version}\n" in next_event(answer)
    connection, answer = stream(server, table, last=version)
    with contextlib.closing(connection):
        body = {"faction": "blue", "action": table.offered(server, FIRST)["action"], "key": "k"}
        threading.Timer(0.3, table.send, (server, body)).start()
        assert f"id: {version + 1}\n" in next_event(answer)


def check_locked_database_is_waited_for(server: Server) -> None:
    table = Table.opened(server, 2)
    body = {**table.offered(server, FIRST), "key": "k"}
    other = sqlite3.connect(server.database, isolation_level=None)
    with contextlib.closing(other):
        other.execute("BEGIN IMMEDIATE")
        answers = []
        sending = threading.Thread(target=lambda: answers.append(table.send(server, body)))
        sending.start()
        time.sleep(1.5)
        assert answers == []
        assert ask(server, "GET", f"{table.path}/")[0] == 200
        other.execute("ROLLBACK")
        sending.join(30)

    assert answers[0][0] == 201
