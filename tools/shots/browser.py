"""Reproducible screenshots with Chromium.

The browser's clock shows the server's time, animations are off, and a picture is taken only when nothing is
loading. `STEADY_PAGE` replaces or hides all random content of a page.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from tools.shots.shot import PHONE, SIZES, Shot
from tools.shots.stage import Stage

TALLEST = 8_000  # CSS pixels in one picture; Chromium draws at most 16,384 device pixels
QUIET_MS = 120  # without requests; longer than the delay after which pages send typed input
QUIET_AFTER_TAPS_MS = 450
PATIENCE_MS = 20_000

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",  # renders edges differently from run to run
    "--disable-partial-raster",
    "--disable-lcd-text",
    "--disable-font-subpixel-positioning",  # takes effect too late on some pages, which shifts their text
    "--force-color-profile=srgb",
)

# Content that differs from run to run, or with the size of a script; it keeps its space.
HIDDEN = ("svg.qr", "a[href$='standalone.html']")
CODE = "SHOTS7"
ADDRESS = "http://seneschal.example/"
STEADY_PAGE = """([hidden, codes, code, address]) => {
  for (const element of document.querySelectorAll(hidden)) element.style.visibility = "hidden";
  const steady = (text) => codes.reduce((result, random) => result.replaceAll(random, code), text.replace(/https?:\\/\\/\\S+/g, address));
  const texts = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = steady(texts.currentNode.data);
    if (text !== texts.currentNode.data) texts.currentNode.data = text;
  }
  for (const input of document.querySelectorAll("input:not([type=hidden])")) {
    if (steady(input.value) !== input.value) input.value = steady(input.value);
  }
}"""
LOADED = """async () => {
  await document.fonts.ready;
  const decoded = (image) => Object.assign(image, { loading: "eager" }).decode().catch(() => {});
  await Promise.all([...document.images].map(decoded));
}"""
# The event stream of the page, if it has one, is connected.
LISTENING = """() => {
  const { events, live } = document.body?.dataset ?? {};
  return !events || !live || live === "on";
}"""


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Start the system's Chromium. Raise `RuntimeError` if it is missing."""
    program = chromium()
    if program is None:
        raise RuntimeError("Chromium is missing; install it, or set CHROMIUM to its path.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def take(browser: Browser, stage: Stage, shot: Shot, folder: Path) -> None:
    """Take a shot on a device of each of its sizes."""
    for size in shot.sizes:
        with opened(browser, stage, shot, size) as page:
            name = f"{shot.name}.{size}"
            parts = whole_page(page) if size == PHONE else [0]
            for number, top in enumerate(parts):
                part = f".{number + 1}" if number else ""
                page.evaluate("top => scrollTo(0, top)", top)
                page.evaluate(STEADY_PAGE, [", ".join(HIDDEN), stage.codes, CODE, ADDRESS])
                page.screenshot(path=folder / f"{name}{part}.png", animations="disabled", caret="hide")
            print(name, flush=True)


@contextmanager
def opened(browser: Browser, stage: Stage, shot: Shot, size: str) -> Iterator[Page]:
    """Open the page of a shot on a new device, run its preparation, and wait until it is rendered."""
    context = device(browser, shot, size)
    try:
        add_cookies(context, stage, shot)
        page = context.new_page()
        page.clock.set_fixed_time(stage.clock.now)
        traffic = Traffic(page)
        response = page.goto(shot.address, wait_until="load")
        if response is None or response.status != shot.status:
            raise RuntimeError(f"{shot.name} has status {response and response.status}, not {shot.status}")
        traffic.settle(QUIET_MS)
        if shot.prepare:
            shot.prepare(page)
            traffic.settle(QUIET_AFTER_TAPS_MS)
        yield page
    finally:
        context.close()


def device(browser: Browser, shot: Shot, size: str) -> BrowserContext:
    width, height = SIZES[size]
    is_phone = size == PHONE
    return browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if is_phone else 1,
        is_mobile=is_phone,
        has_touch=is_phone,
        locale=shot.look.language,
        timezone_id="UTC",
        reduced_motion="reduce",
        service_workers="block",
    )


def add_cookies(context: BrowserContext, stage: Stage, shot: Shot) -> None:
    hints = "" if shot.look.hints else "none"
    cookies = {"look": shot.look.theme, "seats": ".".join(shot.tokens), "hints": hints, **shot.cookies}
    context.add_cookies(
        [{"name": name, "value": value, "url": stage.site} for name, value in cookies.items() if value]
    )


def whole_page(page: Page) -> list[int]:
    """Make the screen as tall as the page, up to `TALLEST`; return the top of each picture."""
    width, height = SIZES[PHONE]
    whole: int = page.evaluate("() => document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(whole, height), TALLEST)})
    page.evaluate(LOADED)
    return list(range(0, max(whole, 1), TALLEST))


class Traffic:
    """Pending requests of a page, without its event stream."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pending: set[Request] = set()
        self.seen = 0
        page.on("request", self._began)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def _began(self, request: Request) -> None:
        if request.resource_type != "eventsource":
            self.pending.add(request)
            self.seen += 1

    def _ended(self, request: Request) -> None:
        self.pending.discard(request)

    def settle(self, quiet_ms: int) -> None:
        """Wait until the stream is connected, everything is loaded and no request is made for `quiet_ms`."""
        self.page.wait_for_function(LISTENING, timeout=PATIENCE_MS)
        self.page.evaluate(LOADED)
        seen = -1
        while self.pending or seen != self.seen:
            seen = self.seen
            self.page.wait_for_timeout(quiet_ms)
