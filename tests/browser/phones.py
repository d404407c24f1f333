"""A phone: a browser context of its own, with the actions of the person who uses it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, expect

HEIGHT = 844
# Timeout in milliseconds; generous because test machines are busy. Tests of speed measure time themselves.
PATIENCE = 8000
# Log violations of the Content-Security-Policy as console errors, which count as faults.
WATCH_POLICY = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""
# Check the page before and after each swap: ids are unique, and drawings consist of SVG elements. (htmx's
# morph may create an <svg> in the HTML namespace, which shows nothing.)
WATCH_SWAPS = """
for (const when of ["htmx:before:swap", "htmx:after:swap"]) document.addEventListener(when, () => {
  const page = document.getElementById("table");
  const ids = [...(page?.querySelectorAll("[id]") ?? [])].map((element) => element.id);
  const duplicates = ids.filter((id, index) => ids.indexOf(id) !== index);
  const notSvg = [...(page?.querySelectorAll("svg, svg *") ?? [])].filter((element) => !(element instanceof SVGElement));
  const faults = [...duplicates, ...notSvg.map((element) => element.outerHTML.slice(0, 80))];
  if (faults.length) console.error(`${when}: ${faults.slice(0, 3).join(" | ")}`);
});
"""


class Phone:
    """A phone. `faults` collects console errors, failed requests and requests to other hosts."""

    def __init__(
        self, context: BrowserContext, page: Page, site: str, name: str, *, scripts: bool = True
    ) -> None:
        self.context = context
        self.page = page
        self.site = site
        self.name = name
        self.scripts = scripts
        self.faults: list[str] = []
        self.requests: list[Request] = []
        self._ignored: list[re.Pattern[str]] = []
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._fault(f"script: {error}"))
        page.on("requestfailed", self._on_failed)
        context.on("request", self._on_request)

    # Faults

    def ignore_faults(self, pattern: str) -> None:
        """Ignore faults that match a pattern, because the test causes them on purpose."""
        self._ignored.append(re.compile(pattern))
        self.faults = [fault for fault in self.faults if not self._is_ignored(fault)]

    def _is_ignored(self, fault: str) -> bool:
        return any(pattern.search(fault) for pattern in self._ignored)

    def _fault(self, fault: str) -> None:
        fault = f"{self.name or 'phone'}: {fault}"
        if not self._is_ignored(fault):
            self.faults.append(fault)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._fault(f"console: {message.text} ({message.location.get('url', '')})")

    def _on_failed(self, request: Request) -> None:
        # The browser aborts requests of a page that is left, and fetches that a newer one replaces.
        if request.failure != "net::ERR_ABORTED":
            self._fault(f"failed: {request.method} {request.url} {request.failure}")

    def _on_request(self, request: Request) -> None:
        self.requests.append(request)
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and f"{address.scheme}://{address.netloc}" != self.site:
            self._fault(f"another host: {request.url}")

    # Navigation and connection

    async def open(self, address: str) -> None:
        await self.page.goto(address if "://" in address else self.site + address)

    async def tab(self, name: str) -> None:
        await self.page.locator("nav.tabs a", has_text=name).tap()
        await expect(self.page.locator("nav.tabs a[aria-current=page]")).to_have_text(name)

    async def menu(self) -> None:
        await self.page.locator("a.menu").tap()
        await expect(self.page.get_by_role("heading", name="Seats")).to_be_visible()

    @property
    def code(self) -> str:
        return urlsplit(self.page.url).path.split("/")[2]

    async def version(self) -> int:
        return int(await self.page.locator("#table").get_attribute("data-version") or 0)

    async def tokens(self) -> list[str]:
        """Return the seat tokens in the cookie."""
        cookies = await self.context.cookies(self.site)
        cookie = next((c["value"] for c in cookies if c["name"] == "seats"), "")
        return [token for token in cookie.split(".") if token]

    async def hold_seats(self, *tokens: str) -> None:
        """Set the cookie with tokens of seats that were taken elsewhere."""
        await self.context.add_cookies([{"name": "seats", "value": ".".join(tokens), "url": self.site}])

    async def live(self, state: str = "on", within: float = PATIENCE) -> None:
        """Wait until the event stream has a state: "on", "connecting" or "off"."""
        await expect(self.page.locator("body")).to_have_attribute("data-live", state, timeout=within)

    async def hide(self) -> None:
        """Hide the page, as when the screen is locked or another app is in front."""
        await self._set_hidden("true")

    async def wake(self) -> None:
        await self._set_hidden("false")

    async def _set_hidden(self, hidden: str) -> None:
        await self.page.evaluate(
            f"""() => {{
                Object.defineProperty(document, "hidden", {{ configurable: true, get: () => {hidden} }});
                document.dispatchEvent(new Event("visibilitychange"));
            }}"""
        )

    # Content

    def text(self, words: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_text(words).first

    async def sees(self, words: str | re.Pattern[str], within: float = PATIENCE) -> None:
        await expect(self.text(words)).to_be_visible(timeout=within)

    def button(self, words: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=words)

    @property
    def main(self) -> Locator:
        """The main action, in the bar at the bottom."""
        return self.page.locator("#bar button.main")

    @property
    def undo(self) -> Locator:
        return self.page.locator("#bar button[aria-label^='Undo']")

    # Touch

    async def hold(self, button: Locator, longer: int = 100) -> None:
        """Hold a button until it fires, and some milliseconds longer."""
        # Centred, because the bar at the bottom may cover what is merely in view.
        await button.evaluate("button => button.scrollIntoView({ block: 'center' })")
        box = await button.bounding_box()
        assert box
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        held = self.page.locator("button.held")
        session = await self.context.new_cdp_session(self.page)  # Playwright itself only taps
        await session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        await expect(held).to_have_count(1)
        await expect(held).to_have_count(0)
        await self.page.wait_for_timeout(longer)
        await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await session.detach()

    async def press(self, button: Locator) -> None:
        """Hold a button that requires it, else tap it. Without scripts a tap is always enough."""
        if self.scripts and await button.get_attribute("data-hold") is not None:
            await expect(button).to_be_enabled()
            await self.hold(button)
        else:
            await button.tap()

    async def choose(self, field: str, value: str = "", *, index: int = 0) -> None:
        """Tap the label of a radio button, and wait until it is checked."""
        selector = f"input[name='{field}']" + (f"[value='{value}']" if value else "")
        radio = self.page.locator(selector).nth(index)
        await radio.locator("xpath=..").tap()
        await expect(radio).to_be_checked()

    async def sit(self, name: str, colour: str) -> None:
        """Fill in name and colour, and take the seat."""
        form = self.page.locator("form[action$='/sit/']")
        await form.locator("input[name=name]").fill(name)
        await form.locator("label", has_text=colour).tap()
        await form.get_by_role("button", name="Take this seat").tap()

    async def lay(self, tiles: tuple[str, str] = ("plain", "mountain")) -> None:
        """Lay the two starting tiles on the cells that the form proposes."""
        for field, tile in zip(("tile1", "tile2"), tiles, strict=True):
            await self.choose(field, tile)
        await self.main.tap()
        await expect(self.page.locator("[data-entry=lay]")).to_have_count(0)

    async def place(self, tile: str, at: str = "") -> None:
        """Place a tile on a cell; by default on the first one offered."""
        await self.choose("tile", tile)
        await self.choose("at", at)
        before = await self.version()
        await self.main.tap()
        await self.newer_than(before)

    async def shows(self, version: int, within: float = PATIENCE) -> None:
        """Wait until the page shows this version or a newer one."""
        await self.newer_than(version - 1, within)

    async def newer_than(self, version: int, within: float = PATIENCE) -> None:
        await self.page.wait_for_function(
            "version => Number(document.getElementById('table')?.dataset.version) > version",
            arg=version,
            timeout=within,
        )


@asynccontextmanager
async def open_phone(
    browser: Browser,
    site: str,
    *,
    name: str = "",
    width: int = 390,
    locale: str = "en",
    scripts: bool = True,
    installs: bool = False,
) -> AsyncIterator[Phone]:
    """Open a phone; `installs` allows the service worker, which would interfere with other tests."""
    context = await browser.new_context(
        viewport={"width": width, "height": HEIGHT},
        has_touch=True,
        is_mobile=True,
        locale=locale,
        java_script_enabled=scripts,
        service_workers="allow" if installs else "block",
        device_scale_factor=1,
    )
    context.set_default_timeout(PATIENCE)
    if scripts:
        await context.add_init_script(WATCH_POLICY)
    try:
        phone = Phone(context, await context.new_page(), site, name, scripts=scripts)
        phone.ignore_faults("Service Worker registration blocked")
        yield phone
    finally:
        await context.close()
