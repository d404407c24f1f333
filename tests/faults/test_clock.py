"""The machine's clock is set forwards and backwards by a day during a game."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.faults import shifting
from tests.faults.clients import Load, Phone, Table, ask
from tests.faults.test_postgres_away import page_of
from tests.faults.test_power_cut import assert_kept, assert_sound
from tests.servers import Server, running_server

pytestmark = pytest.mark.long

DAY = 24 * 60 * 60


def set_clock(server: Server, seconds: int) -> datetime:
    status, now = ask(server, "GET", f"/clock/?{seconds}")
    assert status == 200
    return datetime.fromisoformat(now)


def test_setting_the_clock_does_not_disturb_a_game(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(running_server(tmp_path, module=shifting.MODULE))
        table = Table.opened(server, 3)
        load = Load(server, [table])
        phone = stack.enter_context(Phone(server, table))
        before = set_clock(server, 0)
        for seconds in (DAY, -DAY, 0, -DAY, DAY):
            for _ in range(3):
                phone.hears(load.enter(table))
            now = set_clock(server, seconds)
            assert abs(now - before - timedelta(seconds=seconds)) < timedelta(minutes=5)
            assert_repeated_requests_get_first_response(load)
            assert_heartbeats_continue(phone)
            phone.hears(load.enter(table))
            for part in ("", "report/"):
                assert page_of(server, f"/t/{table.code}/{part}")[0] == 200
        assert phone.reconnects == 0
        assert phone.heard == sorted(phone.heard)
        assert_kept(load)
        times = [entry["at"] for entry in table.journal(server)]
        assert times != sorted(times), "the clock was set back, but the journal keeps its order"
        assert_sound(server)


def assert_repeated_requests_get_first_response(load: Load) -> None:
    for sent in load.accepted()[-4:]:
        assert sent.table.send(load.server, sent.body) == (201, sent.answer)


def assert_heartbeats_continue(phone: Phone) -> None:
    before = phone.beats
    phone.until(lambda: phone.beats > before + 1)
