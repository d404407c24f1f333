"""In a real browser, with phones as large as most are.

*Usable* is a page from the start of its navigation, with nothing kept from before, until all its scripts have run and
the frame after that was painted; htmx must have taken it over by then. The processor is slowed fourfold.

*Tap to other screen* is from the click on a button of one phone until another one has painted the new version. The
other one waits for its turn, as most phones do at any moment; but for *entry*, where two people take turns. The
bare echo that it is compared with does the same in the same browser: a click sends a request, a stream tells the other
page, which fetches an empty page, puts it into its document and paints it. The two are taken in turns.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

from playwright.async_api import Browser, Locator, Page, async_playwright

from bench.figures import Figure, typical
from bench.midgame import Table, documents, take_in, until
from bench.web import open_game
from games.registry import GAMES
from tests.browser.phones import Phone, open_phone
from tools.shots import chromium

SLOWED = 4
LOADS = 9
TAPS = 60
MIDDLE = 1 / 2
BARE = "/bare/empty/"
CHANNEL = "browser"

# A script of the browser's own, before any of the page: when the page was painted with all its scripts run.
LOADED = """
addEventListener("DOMContentLoaded", () =>
  requestAnimationFrame(() => requestAnimationFrame(() => { window.usableAt = performance.now(); })));
"""
# Likewise: when this phone was tapped, and when it had painted which version. Pages of one machine share a clock.
SEEN = """
document.addEventListener("click", (event) => { window.tappedAt = performance.timeOrigin + event.timeStamp; }, true);
window.painted = { version: -1, at: 0 };
new MutationObserver(() => {
  const version = Number(document.getElementById("table")?.dataset.version ?? -1);
  if (version <= painted.version) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (version > painted.version) painted = { version, at: performance.timeOrigin + performance.now() };
  }));
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
"""
TAPPING = """() => {
  const button = document.createElement("button");
  button.textContent = "Tap";
  button.className = "main";
  button.addEventListener("click", () => fetch("/bare/echo/CHANNEL/", { method: "POST" }));
  document.body.append(button);
}""".replace("CHANNEL", CHANNEL)
LISTENING = """() => {
  const main = document.createElement("main");
  main.id = "table";
  document.body.append(main);
  new EventSource("/bare/events/CHANNEL/").addEventListener("changed", async (event) => {
    main.innerHTML = await (await fetch("/bare/empty/")).text();
    main.dataset.version = JSON.parse(event.data).version;
  });
}""".replace("CHANNEL", CHANNEL)
# A tile and where it lies; or no knights, after a castle. That has long been drawn when a thumb is at the button.
CHOOSE = """async () => {
  for (const field of ["[name=tile]", "[name=at]", "[name=many][value='0']"]) {
    const choice = document.querySelector(`.entryform input${field}`);
    if (!choice) continue;
    choice.checked = true;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }
  await new Promise((done) => setTimeout(done, 100));
}"""

Tap = Callable[[], Awaitable[Phone]]


async def figures(port: int, loads: int = LOADS, taps: int = TAPS) -> AsyncIterator[Figure]:
    site, whole = f"http://127.0.0.1:{port}", documents()
    tables = {slug: await take_in(port, until(whole[slug], MIDDLE)) for slug in GAMES}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for slug, table in tables.items():
            yield await _usable(browser, site, slug, table, loads)
        yield await _entry(browser, port, site, taps)
        for slug, table in tables.items():
            yield await _undo_and_redo(browser, site, slug, table, taps)
        await browser.close()


# --- Usable ---


async def _usable(browser: Browser, site: str, slug: str, table: Table, loads: int) -> Figure:
    pages, bare = [], []
    for _ in range(loads):
        pages.append(await _load(browser, site, table.page, table.own))
        bare.append(await _load(browser, site, BARE))
    against = f"an empty page, the processor slowed {SLOWED} times for both"
    return Figure(f"browser.usable.{slug}", typical(pages), "ms", typical(bare), against)


async def _load(browser: Browser, site: str, address: str, seat: str = "") -> float:
    async with open_phone(browser, site) as phone:
        await phone.context.add_init_script(LOADED)
        if seat:
            await phone.hold_seats(seat)
        session = await phone.context.new_cdp_session(phone.page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        await phone.open(address)
        usable: float = await (await phone.page.wait_for_function("() => window.usableAt")).json_value()
        if seat and not await phone.page.locator("#table[data-htmx-powered]").count():
            raise RuntimeError("htmx has not taken the page over")
        return usable


# --- Tap to other screen ---


async def _entry(browser: Browser, port: int, site: str, taps: int) -> Figure:
    """Tiles of Raubritter, laid in turns: whoever is asked taps, the other looks."""
    game = await open_game(port, players=2)
    for _seat in game.phones:
        await game.submit_example()
    async with AsyncExitStack() as stack:
        for client in (game.host, *game.phones.values()):
            stack.push_async_callback(client.close)
        phones = {
            faction: await _phone(stack, browser, site, game.page, client.cookies["seats"])
            for faction, client in game.phones.items()
        }

        async def tap() -> Phone:
            asked = (await game.prompts())[0]["faction"]
            await phones[asked].page.evaluate(CHOOSE)
            await _touch(phones[asked].main)
            return phones[asked]

        return await _taps(stack, browser, site, "entry", (list(phones.values()), tap), taps)


async def _undo_and_redo(browser: Browser, site: str, slug: str, table: Table, taps: int) -> Figure:
    """The newest entry of a game is taken back and brought again."""
    async with AsyncExitStack() as stack:
        own, other = [
            await _phone(stack, browser, site, table.page, seat) for seat in (table.own, table.other)
        ]
        ways = ["undo", "redo"]

        async def tap() -> Phone:
            await _touch(own.page.locator(f"#bar form[action*='/{ways[0]}/'] button"))
            ways.reverse()
            return own

        return await _taps(stack, browser, site, slug, ([own, other], tap), taps)


async def _phone(stack: AsyncExitStack, browser: Browser, site: str, address: str, seat: str = "") -> Phone:
    phone = await stack.enter_async_context(open_phone(browser, site))
    await phone.context.add_init_script(SEEN)
    if seat:
        await phone.hold_seats(seat)
    await phone.open(address)
    if seat:
        await phone.live()
    return phone


async def _taps(
    stack: AsyncExitStack, browser: Browser, site: str, name: str, game: tuple[list[Phone], Tap], taps: int
) -> Figure:
    tapping, listening = [await _phone(stack, browser, site, BARE) for _ in range(2)]
    await tapping.page.evaluate(TAPPING)
    await listening.page.evaluate(LISTENING)
    await _painted(listening.page, -1)

    async def echo() -> Phone:
        await _touch(tapping.page.locator("button.main"))
        return tapping

    screens, echoes = [], []
    for _ in range(taps):
        screens.append(await _seen(*game))
        echoes.append(await _seen([listening], echo))
    against = "a bare echo and the fetch of an empty page, in the same browser"
    return Figure(f"browser.tap-to-other-screen.{name}", typical(screens), "ms", typical(echoes), against)


async def _touch(button: Locator) -> None:
    """As a thumb does: where the button is. Playwright's own tap scrolls the page first, below a bar that stays."""
    box = await button.bounding_box()
    if box is None:
        raise RuntimeError("there is no button")
    await button.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def _seen(phones: list[Phone], tap: Tap) -> float:
    """From a tap until all others have painted what came of it, in milliseconds."""
    before = max([await _version(phone.page) for phone in phones])
    tapped = await tap()
    painted = {phone: await _painted(phone.page, before) for phone in phones}
    at: float = await tapped.page.evaluate("() => window.tappedAt")
    return max(time for phone, time in painted.items() if phone is not tapped) - at


async def _version(page: Page) -> int:
    version: int = await page.evaluate("() => painted.version")
    return version


async def _painted(page: Page, before: int) -> float:
    """When the page had painted a version newer than that."""
    found = await page.wait_for_function(
        "before => painted.version > before && painted.at", arg=before, polling=20
    )
    time: float = await found.json_value()
    return time
