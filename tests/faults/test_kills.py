"""A hundred kills at random moments: clients that retry end up with every entry exactly once."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.faults import prefork
from tests.faults.clients import PatientLoad, Phone, Table, ask
from tests.faults.test_power_cut import assert_kept, assert_sound, wait_for_entries
from tests.servers import running_server

pytestmark = pytest.mark.long

KILLS = 100
ENTRIES_BETWEEN = 2
ALL_AT_ONCE = 0.15


def kill(data: Path, generator: random.Random) -> None:
    """Kill a worker, or all of them, at a random moment within a request or two."""
    time.sleep(generator.uniform(0, 0.06))
    pids = prefork.workers(data)
    for pid in pids if generator.random() < ALL_AT_ONCE else [generator.choice(pids)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def assert_phones_are_up_to_date(load: PatientLoad, phones: list[Phone]) -> None:
    for phone in phones:
        latest = ask(load.server, "GET", f"{phone.table.path}/")[1]["version"]
        phone.hears(latest)
        assert phone.heard == sorted(set(phone.heard))
        assert phone.version == latest


def assert_everything_was_answered(load: PatientLoad) -> None:
    assert not load.unanswered()
    assert {sent.status for sent in load.sent} <= {201, 400}
    assert_kept(load)  # so the journal has exactly the accepted entries


def test_no_entry_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    """Each kill sends SIGKILL to one of three workers or to all; entries are accepted in between."""
    generator = random.Random(100)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(running_server(tmp_path, module=prefork.MODULE))
        load = PatientLoad(server, [Table.opened(server, players) for players in (4, 3, 2)])
        phones = [stack.enter_context(Phone(server, table)) for table in load.tables * 3]
        with load.running(6):
            for _ in range(KILLS):
                wait_for_entries(load, ENTRIES_BETWEEN)
                kill(tmp_path, generator)
        assert_everything_was_answered(load)
        assert_phones_are_up_to_date(load, phones)
        assert sum(phone.reconnects for phone in phones) > KILLS
        assert load.retries[None] > KILLS / 4  # kills interrupted requests, not just idle workers
        assert set(load.retries) == {None}
        assert_sound(server)
