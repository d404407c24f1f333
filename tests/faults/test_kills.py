"""A hundred kills at random moments: whoever goes on as people and phones do ends up with everything, once."""

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
    """A process that serves, or all of them at once, at a random moment within the work on a request or two."""
    time.sleep(generator.uniform(0, 0.06))
    serving = prefork.workers(data)
    for pid in serving if generator.random() < ALL_AT_ONCE else [generator.choice(serving)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def everybody_is_up_to_date(load: PatientLoad, phones: list[Phone]) -> None:
    for phone in phones:
        newest = ask(load.server, "GET", f"{phone.table.path}/")[1]["version"]
        phone.hears(newest)
        assert phone.heard == sorted(set(phone.heard))
        assert phone.version == newest


def assert_everything_was_answered(load: PatientLoad) -> None:
    assert not load.unanswered()
    assert {sent.status for sent in load.sent} <= {201, 400}
    assert_kept(load)  # nothing was unanswered: the journal has what was accepted, and nothing else


def test_a_hundred_kills(tmp_path: Path) -> None:
    """A kill is a SIGKILL for one of three processes that serve, or for all of them at once.

    Between two of them entries were accepted.
    """
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
        everybody_is_up_to_date(load, phones)
        assert sum(phone.comebacks for phone in phones) > KILLS
        assert load.not_now[None] > KILLS / 4  # kills hit the work on a request, not idle processes
        assert set(load.not_now) == {None}
        assert_sound(server)
