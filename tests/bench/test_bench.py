"""The benchmarks run with the bare server and with this checkout, and print the figures of the contract."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bench import browser, entries, load, resources, screens, servers
from bench.client import Answer, UnexpectedStatusError, expect
from bench.figures import Figure
from bench.phones import Phone, Table, hidden_fields
from bench.recordings import Entry, Recording, _button, documents, recordings, until
from companion.registry import titles
from tests.servers import ROOT
from tools.shots import chromium

FIELDS = {"name", "value", "unit", "baseline", "ratio"}
OF_ENTRIES = ("cpu", "received", "bytes", "largest-bytes")
OF_LOAD = ("median", "p99", "lost", "refused", "entries", "cpu", "phones-cpu")
SMALL_LOAD = load.Size(tables=4, every=1.0, warm_up=1.0, seconds=2.0, turns=1)


async def by_name(figures: AsyncIterator[Figure]) -> dict[str, Figure]:
    return {figure.name: figure async for figure in figures}


# --- The bare server, which is fast ---


async def test_entries_of_every_game_are_measured() -> None:
    figures = await by_name(entries.figures(servers.bare(), servers.bare(), entries=10))
    assert list(figures) == [f"entries.{slug}.{name}" for slug in titles() for name in OF_ENTRIES]
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures.values())


async def test_load_is_measured_without_loss() -> None:
    figures = await by_name(load.figures(servers.bare(), servers.bare(), SMALL_LOAD))
    assert list(figures) == [f"load.{name}" for name in OF_LOAD]
    assert figures["load.lost"].value == figures["load.refused"].value == 0


async def test_memory_and_idle_streams_are_measured() -> None:
    bare = servers.bare()
    figures = await by_name(resources.memory(bare, bare, tables=2, entries=2))
    figures |= await by_name(resources.idle(bare, bare, quiet=1.0))
    assert list(figures) == ["memory.2-tables", "idle.5-streams"]
    assert all(figure.value > 0 for figure in figures.values())


# --- The application ---


@pytest.mark.long
async def test_every_new_entry_is_accepted_and_stays_below_the_byte_limit() -> None:
    this = servers.checkout(ROOT, name="this checkout")
    figures = await by_name(entries.figures(this, servers.bare()))
    assert [str(figure) for figure in figures.values() if not figure.holds] == []


@pytest.mark.long
async def test_application_loses_no_event_under_load() -> None:
    figures = await by_name(load.figures(servers.product(), servers.bare(), SMALL_LOAD))
    assert figures["load.lost"].value == 0


@pytest.mark.long
async def test_every_screen_stays_below_its_byte_limit() -> None:
    figures = await by_name(screens.figures(moments=(1 / 2,)))
    assert {f"bytes.{tab}.change" for tab in screens.TABS} <= set(figures)
    assert [str(figure) for figure in figures.values() if not figure.holds] == []


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.skipif(
    chromium() is None, reason="Chromium is missing: install it, or set CHROMIUM to its path."
)
async def test_browsers_paint_every_new_entry() -> None:
    figures = await by_name(browser.figures(servers.product(), servers.bare(), loads=1, entries=2))
    assert list(figures) == [f"browser.{slug}.{name}" for slug in titles() for name in ("usable", "painted")]
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures.values())


@pytest.mark.long
def test_command_prints_one_json_object_per_line() -> None:
    command = [sys.executable, "-m", "bench", "rules", "journal", "statistics"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=900).stdout.decode()
    figures = {figure["name"]: figure for figure in map(json.loads, printed.splitlines())}
    assert all(set(figure) >= FIELDS for figure in figures.values())
    assert {"raubritter.apply", "journal.entry-1000", "statistics.end-of-a-game"} <= set(figures)


# --- Phones ---


def recording() -> Recording:
    lines = [{"number": number, "version": number + 2} for number in range(1, 5)]
    return Recording({"entries": lines, "seats": []}, [Entry("red", {"type": "pass"})])


class FailingPhone(Phone):
    """A phone whose form gets a 503 once."""

    tries = 0

    async def send(self, _act: str, _fields: dict[str, object]) -> None:
        self.tries += 1
        if self.tries == 1:
            expect(200, Answer(503, {}, {}, b"busy"))
        self.version += 1


def table_with(phone_class: type[Phone] = Phone) -> Table:
    table = Table(recording())
    table.page = "/t/ABCDEF/"
    table.phones = [phone_class(table, client=None, page=table.page) for _ in range(5)]  # type: ignore[arg-type]
    table._seats = {"red": table.phones[0]}
    return table


async def test_phone_with_an_old_version_is_behind() -> None:
    table = table_with()
    table.version = 3
    for phone in table.phones:
        phone.version = 3
    assert table.behind() == 0
    table.phones[4].version = 1
    assert table.behind() == 1
    assert table.behind(table.phones[:4]) == 0


async def test_failed_entry_is_retried() -> None:
    table = table_with(FailingPhone)
    with pytest.raises(UnexpectedStatusError):
        await table.enter()
    assert (await table.enter()).faction == "red"
    assert (table.version, table._remaining) == (1, deque())


async def test_two_entries_shown_by_one_refresh_are_both_recorded() -> None:
    table = table_with()
    table._sent = {7: 1.0, 8: 2.0}
    table.note(range(6, 9))  # 6 is the version before the first entry
    assert [received.sent for received in table.received] == [1.0, 2.0]


def test_tables_have_enough_entries_for_the_load_test() -> None:
    size = load.Size()
    needed = size.turns * (size.entries_in(size.warm_up) + size.entries_in(size.seconds))
    assert size.of_a_table * size.tables >= needed
    assert size.entries_in(10) / 10 == 20


# --- Forms ---


def test_hidden_fields_are_those_of_the_form() -> None:
    page = """<form action="/undo/"><input type="hidden" name="key" value="1"></form>
    <form action="/act/"><input type="hidden" name="key" value="2"><input name="at" value="3"></form>"""
    assert hidden_fields(page, "/act/") == {"key": "2"}
    with pytest.raises(RuntimeError, match="no form"):
        hidden_fields(page, "/redo/")


@pytest.mark.parametrize(
    ("action", "button"),
    [
        ({"type": "pass"}, "pass"),
        ({"type": "layout", "province": "holland", "layout": {}}, "layout:holland"),
        ({"type": "helper", "use": False}, "helper:no"),
        ({"type": "throw", "fallen": {}}, "throw"),
    ],
)
def test_button_of_an_action_is_found(action: dict[str, Any], button: str) -> None:
    values = ("pass", "layout:artois", "layout:holland", "helper:yes", "helper:no")
    page = "".join(f'<button name="type" value="{value}">' for value in values)
    assert _button(page, action) == button


async def test_recording_begins_in_the_middle_of_a_game() -> None:
    with servers.running(servers.bare()) as server:
        recorded = (await recordings(server.port, entries=3))["raubritter"]
    whole = documents()["raubritter"]["entries"]
    assert [entry.faction for entry in recorded.entries] == [
        line["faction"] for line in whole[recorded.middle : recorded.middle + 3]
    ]
    assert recorded.begun(later=2) == until(documents()["raubritter"], recorded.middle + 2)
