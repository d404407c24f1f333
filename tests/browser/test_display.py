"""The TV: everything it shows is on it, whatever its size."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPhone
from tools.evening import Evening

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
SEATS = {
    "revolution": ("catholics", "habsburgs", "nobility", "burghers", "reformers"),
    "wallenstein": ("red", "blue", "yellow", "purple", "black"),
    "signoria": ("yellow", "red", "blue", "purple"),
    "raubritter": ("blue", "yellow", "green", "red"),
}
# What must be seen whole; the list of hands takes what room is left, but the first line is there.
WHOLE = (
    ".picture > *, aside > header, aside > section:not(.hands), aside > footer, aside .hands li:first-child"
)
OUTSIDE = """selector => [...document.querySelectorAll(selector)]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.top < 0 || box.left < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
  .map(([one]) => one.outerHTML.slice(0, 80))"""


# Texts that cannot be read from three metres, with how tall they are in fortieths of the screen.
TOO_SMALL = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, one = text.parentElement, range = document.createRange();
    range.selectNodeContents(text);
    if (!text.data.trim() || one.closest(".hidden-text") || !range.getBoundingClientRect().height) continue;
    const matrix = one instanceof SVGElement ? one.getScreenCTM() : { b: 0, d: 1 };
    const height = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(matrix.b, matrix.d);
    if (height < innerHeight / 40 - 0.01) found.push(`${text.data.trim()}: ${(height / innerHeight * 40).toFixed(2)}`);
  }
  return found;
}"""


async def too_small(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(TOO_SMALL)
    return found


async def outside(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(OUTSIDE, WHOLE)
    return found


@pytest.mark.parametrize(
    "slug", [slug if slug == "raubritter" else pytest.param(slug, marks=pytest.mark.long) for slug in GAMES]
)
async def test_all_of_it_is_in_sight_at_every_size(phone: NewPhone, site: str, slug: str) -> None:
    """In the middle of a game of as many as may play, with hands to move pieces, and a seat that was left."""
    evening = Evening.open(site, SEATS[slug], game=slug, seed=4)
    evening.play(40)
    host = await phone("host")
    await host.hold_seats(evening.tokens["host"])
    await host.open(f"/t/{evening.code}/?tab=menu")
    await host.page.locator("details:has([value=free]) > summary").first.tap()
    await host.hold(host.page.locator("[value=free]").first)
    tv = await phone("tv")
    await tv.open(f"/t/{evening.code}/display/")
    while not await tv.page.locator("aside .hands li").count():
        version = await tv.version()
        evening.step()
        await tv.newer_than(version)
    for width, height in SIZES:
        await tv.page.set_viewport_size({"width": width, "height": height})
        await expect(tv.page.locator("aside .qr")).to_be_in_viewport(ratio=1)
        assert await outside(tv.page) == [], (width, height)
        assert await too_small(tv.page) == [], (width, height)


async def test_the_invitation_can_be_read_from_the_other_end_of_the_room(phone: NewPhone, site: str) -> None:
    lobby = Evening.open(site, ("blue",), start=False)
    tv = await phone("tv")
    await tv.page.set_viewport_size({"width": 1280, "height": 720})
    await tv.open(f"/t/{lobby.code}/display/")
    await expect(tv.page.locator(".qr")).to_be_in_viewport(ratio=1)
    assert await too_small(tv.page) == []
