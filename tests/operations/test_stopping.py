"""The server is asked to stop: phones are told when to come back, what was begun is done, and it ends soon."""

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
SOON = 8.0  # seconds; a stream that nobody ends would last for ever


def delay_of(farewell: str) -> int:
    found = re.fullmatch(r"retry: (\d+)\nevent: bye\ndata: \{\}\n", farewell)
    assert found, farewell
    return int(found[1])


def listen(server: Server, table: Table, phones: int, stack: contextlib.ExitStack) -> list[HTTPResponse]:
    answers = []
    for _ in range(phones):
        connection, answer = stream(server, table)
        stack.callback(connection.close)
        assert "event: changed" in next_event(answer)
        answers.append(answer)
    return answers


def ask_to_stop(server: Server) -> None:
    """As a supervisor does, who knows the first process only."""
    assert server.process
    server.process.send_signal(signal.SIGTERM)


def ended(server: Server, since: float) -> int:
    assert server.process
    code = server.process.wait(SOON)
    assert time.monotonic() - since < SOON
    return code


@pytest.mark.long
def test_phones_are_sent_away_and_what_was_begun_is_done(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, contextlib.ExitStack() as stack:
        table = Table.opened(server, 2)
        phones = listen(server, table, 6, stack)
        body = {**table.offered(server, FIRST), "key": "k"}
        lock = stack.enter_context(contextlib.closing(sqlite3.connect(server.database, isolation_level=None)))
        lock.execute("BEGIN IMMEDIATE")
        answers = []
        sending = threading.Thread(target=lambda: answers.append(table.send(server, body)))
        sending.start()
        time.sleep(0.3)  # it waits for the lock by now

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
def test_every_process_sends_its_phones_away(tmp_path: Path) -> None:
    with running_server(tmp_path, WEB_CONCURRENCY="3") as server, contextlib.ExitStack() as stack:
        phones = listen(server, Table.opened(server, 2), 24, stack)

        began = time.monotonic()
        ask_to_stop(server)

        delays = [delay_of(next_event(phone)) for phone in phones]
        assert len(set(delays)) > 1
        ended(server, began)


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_phone_comes_back_by_itself_and_shows_what_happened(tmp_path: Path) -> None:
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
