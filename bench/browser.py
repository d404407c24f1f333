"""Real browsers: time until a page is usable, and until a phone has painted a new entry of another player.

*usable*: from the start of navigation, with an empty cache, until all scripts have run and the next frame is
painted. The CPU is throttled to a quarter.

*painted*: from sending the form of a new entry until the other phones have painted the new page. Two of the
five phones of a table are browsers; the others, and all that send forms, are HTTP clients
(`bench/phones.py`). The phone of the player who makes the entry is not measured. The same entries are made on
both servers alternately.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from playwright.async_api import Browser, async_playwright

from bench.figures import Figure, typical
from bench.phones import Table, listening
from bench.recordings import ENTRIES, Recording, recordings
from bench.servers import Running, Side, running
from companion.registry import titles
from tests.browser.phones import Phone, open_phone
from tools.shots import chromium

THROTTLING = 4
LOADS = 7
BROWSERS = 2  # of the phones of a table

# Init scripts, which run before the scripts of the page.
USABLE = """
addEventListener("DOMContentLoaded", () =>
  requestAnimationFrame(() => requestAnimationFrame(() => { window.usableAt = performance.now(); })));
"""
PAINTED = """
window.painted = { version: -1, at: 0 };
new MutationObserver(() => {
  const version = Number(document.getElementById("table")?.dataset.version ?? -1);
  if (version <= painted.version) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (version > painted.version) painted = { version, at: performance.timeOrigin + performance.now() };
  }));
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
"""

Games = Mapping[str, Recording]


@dataclass(slots=True)
class Screens:
    """A table on one of the servers, with browsers for some of its seats."""

    table: Table
    browsers: dict[str, Phone] = field(default_factory=dict)  # by faction
    milliseconds: list[float] = field(default_factory=list)

    @classmethod
    async def open(cls, stack: AsyncExitStack, browser: Browser, server: Running, game: Recording) -> Screens:
        screens = cls(Table(game))
        await screens.table.open(server.port)
        stack.push_async_callback(screens.table.close)
        for faction, token in list(screens.table.tokens.items())[:BROWSERS]:
            phone = await stack.enter_async_context(open_phone(browser, server.url))
            await phone.context.add_init_script(PAINTED)
            await phone.hold_seats(token)
            await phone.open(screens.table.page)
            await phone.live()
            screens.browsers[faction] = phone
        await stack.enter_async_context(listening(screens.table.phones[BROWSERS:]))
        return screens

    async def enter(self) -> None:
        entered = await self.table.enter()
        sent = time.time() - (time.perf_counter() - entered.sent)
        painted = {
            faction: await _painted(phone, self.table.version) for faction, phone in self.browsers.items()
        }
        await self.table.settle(self.table.phones[BROWSERS:])
        others = [at for faction, at in painted.items() if faction != entered.faction]
        self.milliseconds.append(max(others) - sent * 1e3)


async def figures(
    product: Side, baseline: Side, loads: int = LOADS, entries: int = ENTRIES
) -> AsyncIterator[Figure]:
    async with AsyncExitStack() as stack:
        servers = [stack.enter_context(running(side)) for side in (product, baseline)]
        games = [await recordings(server.port, entries) for server in servers]
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for slug in titles():
            sides = [(server, recorded[slug]) for server, recorded in zip(servers, games, strict=True)]
            usable = await _usable(browser, sides, loads)
            yield Figure(f"browser.{slug}.usable", usable[0], "ms", usable[1], baseline.name)
            painted = await _entries(browser, sides, entries)
            yield Figure(f"browser.{slug}.painted", painted[0], "ms", painted[1], baseline.name)
        await browser.close()


async def _usable(browser: Browser, sides: Sequence[tuple[Running, Recording]], loads: int) -> list[float]:
    tables = []
    for server, game in sides:
        table = Table(game)
        await table.open(server.port)
        tables.append((server.url, table))
        await table.close()
    samples = [[await _load(browser, url, table) for url, table in tables] for _ in range(loads)]
    return [typical(times) for times in zip(*samples, strict=True)]


async def _load(browser: Browser, url: str, table: Table) -> float:
    async with open_phone(browser, url) as phone:
        await phone.context.add_init_script(USABLE)
        await phone.hold_seats(next(iter(table.tokens.values())))
        session = await phone.context.new_cdp_session(phone.page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLING})
        await phone.open(table.page)
        usable: float = await (await phone.page.wait_for_function("() => window.usableAt")).json_value()
        if not await phone.page.locator("#table[data-htmx-powered]").count():
            raise RuntimeError("htmx has not processed the page")
        return usable


async def _entries(browser: Browser, sides: Sequence[tuple[Running, Recording]], entries: int) -> list[float]:
    async with AsyncExitStack() as stack:
        opened = [await Screens.open(stack, browser, server, game) for server, game in sides]
        for number in range(entries):
            for screens in opened if number % 2 else opened[::-1]:
                await screens.enter()
    return [typical(screens.milliseconds) for screens in opened]


async def _painted(phone: Phone, version: int) -> float:
    """Wait until the browser has painted a version; return when, in milliseconds since the epoch."""
    painted = await phone.page.wait_for_function(
        "version => painted.version >= version && painted.at", arg=version, polling=20
    )
    at: float = await painted.json_value()
    return at
