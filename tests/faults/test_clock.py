"""The clock of the machine is set, by a day and back again, while people play: the game does not care."""

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
    status, told = ask(server, "GET", f"/clock/?{seconds}")
    assert status == 200
    return datetime.fromisoformat(told)


def test_a_clock_that_is_set_while_people_play(tmp_path: Path) -> None:
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
            what_was_sent_before_gets_its_first_answer(load)
            beats_go_on(phone)
            phone.hears(load.enter(table))
            for part in ("", "report/"):
                assert page_of(server, f"/t/{table.code}/{part}")[0] == 200
        assert phone.comebacks == 0
        assert phone.heard == sorted(phone.heard)
        assert_kept(load)
        times = [entry["at"] for entry in table.journal(server)]
        assert times != sorted(times), "the clock was set back, and the journal keeps its order"
        assert_sound(server)


def what_was_sent_before_gets_its_first_answer(load: Load) -> None:
    for sent in load.accepted()[-4:]:
        assert sent.table.send(load.server, sent.body) == (201, sent.answer)


def beats_go_on(phone: Phone) -> None:
    heard = phone.beats
    phone.until(lambda: phone.beats > heard + 1)
