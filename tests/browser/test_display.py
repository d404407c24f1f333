"""The big screen: everything fits and is legible at every size."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from companion.registry import titles
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
# Elements that must be entirely visible. The list of pieces to move takes the remaining space, so its first
# line suffices.
WHOLE = (
    ".picture > *, aside > header, aside > section:not(.hands), aside > footer, aside .hands li:first-child"
)
OUTSIDE = """selector => [...document.querySelectorAll(selector)]
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, box]) => box.top < 0 || box.left < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
  .map(([element]) => element.outerHTML.slice(0, 80))"""


# Texts too small to be read from 3 m, with their height in units of 1/40 of the screen height.
TOO_SMALL = """() => {
  const small = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, parent = text.parentElement, range = document.createRange();
    range.selectNodeContents(text);
    if (!text.data.trim() || parent.closest(".hidden-text") || !range.getBoundingClientRect().height) continue;
    const matrix = parent instanceof SVGElement ? parent.getScreenCTM() : { b: 0, d: 1 };
    const height = parseFloat(getComputedStyle(parent).fontSize) * Math.hypot(matrix.b, matrix.d);
    if (height < innerHeight / 40 - 0.01) small.push(`${text.data.trim()}: ${(height / innerHeight * 40).toFixed(2)}`);
  }
  return small;
}"""


async def too_small(page: Page) -> list[str]:
    texts: list[str] = await page.evaluate(TOO_SMALL)
    return texts


async def outside(page: Page) -> list[str]:
    elements: list[str] = await page.evaluate(OUTSIDE, WHOLE)
    return elements


@pytest.mark.parametrize(
    "slug",
    [slug if slug == "raubritter" else pytest.param(slug, marks=pytest.mark.long) for slug in titles()],
)
async def test_display_fits_the_screen_at_every_size(new_phone: NewPhone, site: str, slug: str) -> None:
    """In mid-game with all seats taken but one that was freed, and pieces to be moved."""
    evening = Evening.open(site, SEATS[slug], game=slug, seed=4)
    evening.play(40)
    host = await new_phone("host")
    await host.hold_seats(evening.tokens["host"])
    await host.open(f"/t/{evening.code}/?tab=menu")
    await host.page.locator("details:has([value=free]) > summary").first.tap()
    await host.hold(host.page.locator("[value=free]").first)
    tv = await new_phone("tv")
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


async def test_invitation_is_legible_from_a_distance(new_phone: NewPhone, site: str) -> None:
    lobby = Evening.open(site, ("blue",), start=False)
    tv = await new_phone("tv")
    await tv.page.set_viewport_size({"width": 1280, "height": 720})
    await tv.open(f"/t/{lobby.code}/display/")
    await expect(tv.page.locator(".qr")).to_be_in_viewport(ratio=1)
    assert await too_small(tv.page) == []
