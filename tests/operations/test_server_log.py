"""The log of a failing server: readable lines without secrets."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import urllib.parse
import urllib.request
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

from tests.faults.clients import Table, ask
from tests.servers import Server, environment, free_port, manage

BOARD = "CDFGHJKM"
TICKET = "1.0123456789abcdef:1vKmXa:o3J5hWq8rT-yBdFgHjKmNp0001xKz4Wn_9PqRtVw2s4"


def get(url: str, headers: Mapping[str, str], data: Mapping[str, str] | None = None) -> int:
    body = urllib.parse.urlencode(data).encode() if data else None
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, dict(headers)), timeout=30) as answer:  # noqa: S310 - our own server
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


def test_log_contains_no_codes_tokens_or_keys(tmp_path: Path) -> None:
    log = tmp_path / "log"
    server = Server(free_port(), environment(tmp_path, LOG_FORMAT="json"), log=log)
    manage(server.environment, "migrate", "--no-input", "--verbosity=0")
    try:
        server.start()
        table = Table.opened(server, 2)
        circle = ask(server, "POST", "/api/circles/", {"name": "Thursdays"})[1]["key"]
        secrets = [table.code, table.token, circle, BOARD, TICKET, TICKET.rpartition(":")[2]]
        break_everything(server.database)

        cookies = {"Cookie": f"seats={table.token}; circles={circle}; name=Ada", "Referer": server.url}
        addresses = [
            f"/t/{table.code}/",
            f"/t/{table.code}/claim/?ticket={TICKET}",
            f"/stats/circle/{circle}/",
            f"/stats/circle/{circle}/raubritter/?since={circle}",
            f"/boards/revolution/{BOARD}/",
            f"/api/tables/{table.code}/state/?seat={table.token}",
            f"/api/tables/{table.code}/events/",
            f"/api/circles/{circle}/stats/raubritter/",
            f"/api/boards/revolution/{BOARD}/",
        ]
        statuses = [get(server.url + address, cookies) for address in addresses]
        assert statuses.count(500) + statuses.count(503) >= 7, statuses
        assert 500 in statuses
        assert table.send(server, {"faction": "blue", "action": {"type": "end"}, "key": "k"})[0] >= 500
    finally:
        server.stop()

    lines = log.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert len(records) >= 7
    assert any(line.keys() == {"time", "level", "logger", "message", "error", "at"} for line in records)
    assert any("/t/…/" in line["message"] for line in records)
    shown = [secret for secret in secrets if any(secret in line for line in lines)]
    assert shown == []
    assert not re.search(r"Ada|Traceback", os.linesep.join(lines))


def break_everything(file: Path) -> None:
    """Store an unknown game in all tables, and remove the database tables of circles and boards."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE companion_table SET game = 'lost'")
        database.execute("ALTER TABLE companion_circle RENAME TO companion_circle_lost")
        database.execute("ALTER TABLE companion_board RENAME TO companion_board_lost")
        database.commit()
