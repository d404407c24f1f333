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
from tests.servers import ROOT, environment, manage, running_server

OLDEST = "0001"


def columns(database: sqlite3.Connection, table: str, schema: str = "main") -> set[str]:
    return {row[1] for row in database.execute(f"PRAGMA {schema}.table_info({table})")}


def take_over(oldest: Path, today: Path) -> int:
    """Fill a database of the first version with the rows of today's, as far as it has a place for them."""
    with closing(sqlite3.connect(oldest)) as database:
        database.execute("ATTACH ? AS today", (str(today),))
        names = [
            name
            for (name,) in database.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
            if name.startswith("companion_")
        ]
        for name in names:
            shared = columns(database, name) & columns(database, name, "today")
            assert shared, f"{name} is there no more: this test must say what became of it"
            listed = ", ".join(f'"{column}"' for column in sorted(shared))
            database.execute(f"INSERT INTO main.{name} ({listed}) SELECT {listed} FROM today.{name}")  # noqa: S608
        database.commit()
        return len(names)


def told(path: str, server: Any) -> Any:
    status, answer = ask(server, "GET", path)
    assert status == 200
    return json.loads(json.dumps(answer))


@pytest.mark.long
def test_a_database_of_the_first_version(tmp_path: Path) -> None:
    with running_server(tmp_path / "today") as server:
        table = Table.opened(server, 3)
        for number in range(6):
            assert table.send(server, {**table.offered(server, FIRST), "key": str(number)})[0] == 201
        journal, standings = table.journal(server), told(f"{table.path}/standings/", server)
        today = server.database
    first = environment(tmp_path / "first")
    manage(first, "migrate", "companion", OLDEST, "--no-input", "--verbosity=0")
    oldest = tmp_path / "first" / "seneschal.sqlite3"
    assert take_over(oldest, today) > 5
    with closing(sqlite3.connect(oldest)) as database:
        assert "origin" not in columns(database, "companion_entry")

    with running_server(tmp_path / "first") as server:
        assert table.journal(server) == journal
        assert told(f"{table.path}/standings/", server) == standings
        assert table.send(server, {**table.offered(server, FIRST), "key": "next"})[0] == 201
        assert ask(server, "GET", "/readyz")[0] == 200
    assert_folds(first)


def assert_folds(env: dict[str, str]) -> None:
    for command in ("fold", "rebuild_statistics"):
        subprocess.run([sys.executable, "manage.py", command], cwd=ROOT, env=env, check=True, timeout=60)


@pytest.mark.long
@pytest.mark.postgres
def test_the_same_on_postgresql(tmp_path: Path, postgres: str) -> None:
    """The first version is reached by taking migrations back; what it has no place for is gone."""
    with running_server(tmp_path, DATABASE_URL=postgres) as server:
        table = Table.opened(server, 3)
        for number in range(6):
            assert table.send(server, {**table.offered(server, FIRST), "key": str(number)})[0] == 201
        journal, standings = table.journal(server), told(f"{table.path}/standings/", server)
        server.stop()
        manage(server.environment, "migrate", "companion", OLDEST, "--no-input", "--verbosity=0")
        manage(server.environment, "migrate", "--no-input", "--verbosity=0")
        server.start()
        assert table.journal(server) == journal
        assert told(f"{table.path}/standings/", server) == standings
        assert table.send(server, {**table.offered(server, FIRST), "key": "next"})[0] == 201
        assert ask(server, "GET", "/readyz")[0] == 200
    assert_folds(server.environment)
