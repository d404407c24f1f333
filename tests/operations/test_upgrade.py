"""A database of the first version, with a game in it, becomes one of today and still folds."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.faults.clients import FIRST, Table, ask
from tests.servers import ROOT, Server, manage, running_server

OLDEST = "0001"


def told(path: str, server: Any) -> Any:
    status, answer = ask(server, "GET", path)
    assert status == 200
    return json.loads(json.dumps(answer))


def entry_columns(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as database:
        return {row[1] for row in database.execute("PRAGMA table_info(companion_entry)")}


def go_back_to_first_version(server: Server) -> None:
    """Reverse the migrations. Columns that the first version does not have are lost."""
    server.stop()
    manage(server.environment, "migrate", "companion", OLDEST, "--no-input", "--verbosity=0")


def upgrade(server: Server) -> None:
    manage(server.environment, "migrate", "--no-input", "--verbosity=0")
    server.start()


def play_six_entries(server: Server) -> Table:
    table = Table.opened(server, 3)
    for number in range(6):
        assert table.send(server, {**table.offered(server, FIRST), "key": str(number)})[0] == 201
    return table


@pytest.mark.long
def test_sqlite_database_of_the_first_version_is_upgraded(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        table = play_six_entries(server)
        journal, standings = table.journal(server), told(f"{table.path}/standings/", server)
        go_back_to_first_version(server)
        assert "origin" not in entry_columns(server.database)
        upgrade(server)
        assert_same_game(server, table, journal, standings)


@pytest.mark.long
@pytest.mark.postgres
def test_postgresql_database_of_the_first_version_is_upgraded(tmp_path: Path, postgres: str) -> None:
    with running_server(tmp_path, DATABASE_URL=postgres) as server:
        table = play_six_entries(server)
        journal, standings = table.journal(server), told(f"{table.path}/standings/", server)
        go_back_to_first_version(server)
        upgrade(server)
        assert_same_game(server, table, journal, standings)


def assert_same_game(server: Server, table: Table, journal: Any, standings: Any) -> None:
    """The game reads as before, goes on, and folds."""
    assert table.journal(server) == journal
    assert told(f"{table.path}/standings/", server) == standings
    assert table.send(server, {**table.offered(server, FIRST), "key": "next"})[0] == 201
    assert ask(server, "GET", "/readyz")[0] == 200
    for command in ("fold", "rebuild_statistics"):
        process = [sys.executable, "manage.py", command]
        subprocess.run(process, cwd=ROOT, env=server.environment, check=True, timeout=60)
