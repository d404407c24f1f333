"""Graceful shutdown: streams get a retry delay, requests finish, and the server exits soon."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import sqlite3
import threading
import time
from http.client import HTTPResponse
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.faults.clients import FIRST, Table, next_event, stream
from tests.servers import Server, running_server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SOON = 8.0  # seconds; a stream would otherwise keep the server running


def delay_of(farewell: str) -> int:
    match = re.fullmatch(r"retry: (\d+)\nevent: bye\ndata: \{\}\n", farewell)
    assert match, farewell
    return int(match[1])


def listen(server: Server, table: Table, phones: int, stack: contextlib.ExitStack) -> list[HTTPResponse]:
    answers = []
    for _ in range(phones):
        connection, answer = stream(server, table)
        stack.callback(connection.close)
        assert "event: changed" in next_event(answer)
        answers.append(answer)
    return answers


def ask_to_stop(server: Server) -> None:
    """Send SIGTERM to the first process, as a supervisor does."""
    assert server.process
    server.process.send_signal(signal.SIGTERM)


def ended(server: Server, since: float) -> int:
    assert server.process
    code = server.process.wait(SOON)
    assert time.monotonic() - since < SOON
    return code


@pytest.mark.long
def test_streams_are_closed_and_requests_finished(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, contextlib.ExitStack() as stack:
        table = Table.opened(server, 2)
        phones = listen(server, table, 6, stack)
        body = {**table.offered(server, FIRST), "key": "k"}
        lock = stack.enter_context(contextlib.closing(sqlite3.connect(server.database, isolation_level=None)))
        lock.execute("BEGIN IMMEDIATE")
        answers = []
        sending = threading.Thread(target=lambda: answers.append(table.send(server, body)))
        sending.start()
        time.sleep(0.3)  # until it waits for the lock

        began = time.monotonic()
        ask_to_stop(server)
        delays = [delay_of(next_event(phone)) for phone in phones]
        assert answers == []
        lock.execute("ROLLBACK")
        sending.join(SOON)

        assert [status for status, _answer in answers] == [201]
        assert [phone.read() for phone in phones] == [b""] * len(phones)
        assert all(1000 <= delay <= 6000 for delay in delays)
        assert len(set(delays)) > 1
        assert ended(server, began) in (0, -signal.SIGTERM)
        server.start()
        assert len(table.journal(server)) == 1


@pytest.mark.long
def test_every_process_closes_its_streams(tmp_path: Path) -> None:
    with running_server(tmp_path, WEB_CONCURRENCY="3") as server, contextlib.ExitStack() as stack:
        phones = listen(server, Table.opened(server, 2), 24, stack)

        began = time.monotonic()
        ask_to_stop(server)

        delays = [delay_of(next_event(phone)) for phone in phones]
        assert len(set(delays)) > 1
        ended(server, began)


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_browser_reconnects_and_shows_new_entries(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, sync_playwright() as playwright:
        table = Table.opened(server, 2)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{server.url}/t/{table.code}/")
        page.wait_for_selector("body[data-live=on]")

        server.stop()
        page.wait_for_selector("body:not([data-live=on])")
        server.start()

        status, answer = table.send(server, {**table.offered(server, FIRST), "key": "k"})
        assert status == 201
        page.wait_for_selector("body[data-live=on]")
        page.wait_for_selector(f"#table[data-version='{answer['version']}']")
        browser.close()
