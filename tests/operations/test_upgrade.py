"""A database of the first version with a game in it can be upgraded."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.faults.clients import FIRST, Table, ask
from tests.servers import ROOT, Server, manage, running_server

OLDEST = "0001"
# Written by commit e97eb32, with the answers of its API.
VERSION_0_1 = Path(__file__).parent / "version_0_1"
EXPECTED = json.loads((VERSION_0_1 / "expected.json").read_text(encoding="utf-8"))


def fetched(path: str, server: Any) -> Any:
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
        journal, standings = table.journal(server), fetched(f"{table.path}/standings/", server)
        go_back_to_first_version(server)
        assert "origin" not in entry_columns(server.database)
        upgrade(server)
        assert_same_game(server, table, journal, standings)


@pytest.mark.long
@pytest.mark.postgres
def test_postgresql_database_of_the_first_version_is_upgraded(tmp_path: Path, postgres: str) -> None:
    with running_server(tmp_path, DATABASE_URL=postgres) as server:
        table = play_six_entries(server)
        journal, standings = table.journal(server), fetched(f"{table.path}/standings/", server)
        go_back_to_first_version(server)
        upgrade(server)
        assert_same_game(server, table, journal, standings)


def assert_same_game(server: Server, table: Table, journal: Any, standings: Any) -> None:
    """Assert that the game is unchanged, can be continued, and folds."""
    assert table.journal(server) == journal
    assert fetched(f"{table.path}/standings/", server) == standings
    assert table.send(server, {**table.offered(server, FIRST), "key": "next"})[0] == 201
    assert ask(server, "GET", "/readyz")[0] == 200
    for command in ("check_journals", "rebuild_statistics"):
        process = [sys.executable, "manage.py", command]
        subprocess.run(process, cwd=ROOT, env=server.environment, check=True, timeout=60)


def database_of_version_0_1(data_dir: Path) -> None:
    """Write the database of a server of version 0.1 with a game in progress of each title."""
    data_dir.mkdir(parents=True)
    with closing(sqlite3.connect(data_dir / "seneschal.sqlite3")) as database:
        database.executescript((VERSION_0_1 / "database.sql").read_text(encoding="utf-8"))


def test_games_of_version_0_1_continue(tmp_path: Path) -> None:
    database_of_version_0_1(tmp_path / "data")
    with running_server(tmp_path / "data") as server:
        for code, expected in EXPECTED.items():
            path = f"/api/tables/{code}"
            for part in ("state", "standings"):
                assert fetched(f"{path}/{part}/", server) == expected[part], expected["game"]
            assert fetched(f"{path}/export/", server) == expected["document"], expected["game"]
            assert_seat_can_enter(server, path, expected)
        manage(server.environment, "check_journals")
        manage(server.environment, "rebuild_mirror")
        manage(server.environment, "rebuild_statistics")


def assert_seat_can_enter(server: Server, path: str, expected: Any) -> None:
    prompt = fetched(f"{path}/prompts/", server)[0]
    body = {"action": prompt["example"], "faction": prompt["faction"], "key": "after the upgrade"}
    status, answer = ask(server, "POST", f"{path}/actions/", body, token=expected["seats"][prompt["faction"]])
    assert status == 201, answer
    assert answer["number"] == expected["state"]["number"] + 1


@pytest.mark.parametrize("code", sorted(EXPECTED))
def test_documents_of_version_0_1_are_imported(code: str, client: Client, db: None) -> None:
    document = EXPECTED[code]["document"]
    response = client.post("/api/tables/import/", document, content_type="application/json")
    assert response.status_code == 201, response.content
    imported = client.get(f"/api/tables/{response.json()['code']}/export/").json()
    assert imported == document
