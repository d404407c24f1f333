"""The benchmarks run, against the bare server and against a checkout, and print what the contract promises."""

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
from games.registry import GAMES
from tests.servers import ROOT
from tools.shots import chromium

FIELDS = {"name", "value", "unit", "baseline", "ratio"}
OF_ENTRIES = ("cpu", "received", "bytes", "largest-bytes")
OF_LOAD = ("median", "p99", "lost", "refused", "entries", "cpu", "phones-cpu")
SMALL_LOAD = load.Size(tables=4, every=1.0, warm_up=1.0, seconds=2.0, turns=1)


async def named(figures: AsyncIterator[Figure]) -> dict[str, Figure]:
    return {figure.name: figure async for figure in figures}


# --- Against the bare server, which takes no time ---


async def test_entries_of_every_game_are_measured() -> None:
    figures = await named(entries.figures(servers.bare(), servers.bare(), entries=10))
    assert list(figures) == [f"entries.{slug}.{name}" for slug in GAMES for name in OF_ENTRIES]
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures.values())


async def test_load_is_measured_without_loss() -> None:
    figures = await named(load.figures(servers.bare(), servers.bare(), SMALL_LOAD))
    assert list(figures) == [f"load.{name}" for name in OF_LOAD]
    assert figures["load.lost"].value == figures["load.refused"].value == 0


async def test_memory_and_idle_streams_are_measured() -> None:
    bare = servers.bare()
    figures = await named(resources.memory(bare, bare, tables=2, entries=2))
    figures |= await named(resources.idle(bare, bare, quiet=1.0))
    assert list(figures) == ["memory.2-tables", "idle.5-streams"]
    assert all(figure.value > 0 for figure in figures.values())


# --- Against the product ---


@pytest.mark.long
async def test_every_new_entry_is_accepted_and_stays_below_the_byte_limit() -> None:
    this = servers.checkout(ROOT, name="this checkout")
    figures = await named(entries.figures(this, servers.bare()))
    assert [str(figure) for figure in figures.values() if not figure.holds] == []


@pytest.mark.long
async def test_the_product_loses_nothing_under_load() -> None:
    figures = await named(load.figures(servers.product(), servers.bare(), SMALL_LOAD))
    assert figures["load.lost"].value == 0


@pytest.mark.long
async def test_every_screen_stays_below_its_byte_limit() -> None:
    figures = await named(screens.figures(moments=(1 / 2,)))
    assert {f"bytes.{tab}.change" for tab in screens.TABS} <= set(figures)
    assert [str(figure) for figure in figures.values() if not figure.holds] == []


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.skipif(
    chromium() is None, reason="Chromium is missing: install it, or set CHROMIUM to its path."
)
async def test_browsers_paint_every_new_entry() -> None:
    figures = await named(browser.figures(servers.product(), servers.bare(), loads=1, entries=2))
    assert list(figures) == [f"browser.{slug}.{name}" for slug in GAMES for name in ("usable", "painted")]
    assert all(figure.value > 0 and figure.baseline > 0 for figure in figures.values())


@pytest.mark.long
def test_the_command_prints_one_json_object_per_line() -> None:
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


async def test_a_phone_with_an_old_version_is_behind() -> None:
    table = table_with()
    table.version = 3
    for phone in table.phones:
        phone.version = 3
    assert table.behind() == 0
    table.phones[4].version = 1
    assert table.behind() == 1
    assert table.behind(table.phones[:4]) == 0


async def test_an_entry_that_fails_is_made_again() -> None:
    table = table_with(FailingPhone)
    with pytest.raises(UnexpectedStatusError):
        await table.enter()
    assert (await table.enter()).faction == "red"
    assert (table.version, table._coming) == (1, deque())


async def test_two_entries_shown_at_once_count_for_both() -> None:
    table = table_with()
    table._sent = {7: 1.0, 8: 2.0}
    table.note(range(6, 9))  # 6 was before the first entry
    assert [one.sent for one in table.received] == [1.0, 2.0]


def test_a_table_under_load_has_enough_entries() -> None:
    size = load.Size()
    made = size.turns * (size.entries_in(size.warm_up) + size.entries_in(size.seconds))
    assert size.of_a_table * size.tables >= made
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
def test_the_button_of_an_action_is_found(action: dict[str, Any], button: str) -> None:
    values = ("pass", "layout:artois", "layout:holland", "helper:yes", "helper:no")
    page = "".join(f'<button name="type" value="{value}">' for value in values)
    assert _button(page, action) == button


async def test_a_recording_begins_in_the_middle() -> None:
    with servers.running(servers.bare()) as server:
        found = (await recordings(server.port, entries=3))["raubritter"]
    whole = documents()["raubritter"]["entries"]
    assert [entry.faction for entry in found.entries] == [
        line["faction"] for line in whole[found.middle : found.middle + 3]
    ]
    assert found.begun(later=2) == until(documents()["raubritter"], found.middle + 2)
