"""The benchmarks run, and say what the contract promises."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench import idle, load
from bench.phones import AT_TABLE, Channel, Group, Prepared, Table
from tests.servers import ROOT

FIELDS = {"name", "value", "unit", "baseline", "ratio"}


@pytest.mark.long
def test_every_figure_has_a_baseline_and_bytes_stay_in_their_budget() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "bench", "rules", "web", "statistics"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=900,
    ).stdout.decode()
    figures = {figure["name"]: figure for figure in map(json.loads, printed.splitlines())}
    assert all(set(figure) >= FIELDS for figure in figures.values())
    wanted = {"raubritter.apply", "raubritter.fold-a-game", "raubritter.prompts", "http.submit"}
    assert wanted | {"http.tap-to-other-screen", "http.submit.entry-1000"} <= set(figures)
    # Bytes are the same on every machine. What is timed is for people to read: this one may be busy.
    assert all(figure["ratio"] <= 1 for name, figure in figures.items() if name.startswith("bytes."))
    assert {"statistics.server", "statistics.circle", "statistics.end-of-a-game"} <= set(figures)


@pytest.mark.long
@pytest.mark.parametrize("processes", [1, 2])
async def test_nothing_is_lost_under_load(processes: int) -> None:
    size = load.Size(tables=4, every=1.0, warm_up=1.0, seconds=3.0, turns=1)
    figures = {figure.name: figure async for figure in load.figures(size, processes)}
    name = "load" if processes == 1 else "load.2-processes"
    wanted = ("median", "p99", "lost", "entries", "cpu", "phones-cpu")
    assert list(figures) == [f"{name}.{one}" for one in wanted]
    assert figures[f"{name}.lost"].value == 0
    assert all(figure.value > 0 for figure in figures.values() if figure.unit != "events")


@pytest.mark.long
async def test_every_idle_phone_is_served() -> None:
    size = idle.Size(phones=20, taps=5, quiet=1.0)
    figures = {figure.name: figure async for figure in idle.figures(size)}
    wanted = ("phones", "memory-per-phone", "cpu", "tap-to-other-screen")
    assert list(figures) == [f"idle.{one}" for one in wanted]
    assert figures["idle.phones"].value == size.phones


def groups() -> tuple[Table, Channel]:
    tokens = {faction: faction for faction in ("blue", "yellow", "green", "red", "host")}
    table = Table(0, Prepared("ABCDEF", tokens, []))
    return table, Channel(0, "1", table)


def entered(group: Group, *versions: int) -> None:
    """As if every phone had heard of these taps and shown them."""
    group.sent |= dict.fromkeys(versions, 0.0)
    group.version = versions[-1]
    for phone in group.phones:
        phone.version = versions[-1]
        phone.heard |= set(versions)


async def test_a_table_has_lost_what_a_phone_does_not_show_in_the_end() -> None:
    table, _channel = groups()
    entered(table, 1, 2, 3)
    table.phones[0].heard.discard(2)  # told together with the next
    assert (table.missing(), table.is_settled) == (0, True)
    table.phones[4].version = 1
    assert (table.missing(), table.is_settled) == (2, False)


async def test_a_channel_has_lost_every_number_that_a_phone_did_not_hear() -> None:
    _table, channel = groups()
    entered(channel, 1, 2, 3)
    assert (channel.missing(), channel.is_settled) == (0, True)
    channel.phones[0].heard.discard(2)
    channel.phones[1].heard -= {1, 3}
    assert (channel.missing(), channel.is_settled) == (3, False)


async def test_a_phone_that_shows_two_taps_at_once_took_its_time_for_both() -> None:
    table, _channel = groups()
    table.sent = {7: 1.0, 8: 2.0}
    table.note(range(6, 9))  # 6 was before the first tap
    assert [sent for sent, _seconds in table.taken] == [1.0, 2.0]


def test_both_sides_have_the_same_phones() -> None:
    table, channel = groups()
    assert len(table.phones) == len(channel.phones) == AT_TABLE
    cookies = [phone.client.cookies for phone in table.phones]
    assert [phone.client.cookies for phone in channel.phones] == cookies


def test_a_table_has_as_many_entries_ahead_as_are_made() -> None:
    size = load.Size()
    taps = size.turns * (size.taps_in(size.warm_up) + size.taps_in(size.seconds))
    assert size.ahead * size.tables >= taps
    assert size.taps_in(10) / 10 == 20
