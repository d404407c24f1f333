"""Table pages: bytes on the wire, width, and use without scripts."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Request, expect

from tests.browser.conftest import NewPhone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")
FOUR = ("blue", "yellow", "green", "red")
FIRST_LOAD = 60_000  # bytes
CHANGE = 10_000  # bytes


async def bytes_of(request: Request) -> int:
    """Return the size of a response as sent: compressed, with headers."""
    sizes = await request.sizes()
    return sizes["responseBodySize"] + sizes["responseHeadersSize"]


async def test_first_load_and_changes_stay_below_their_byte_limits(new_phone: NewPhone, site: str) -> None:
    """Measured late in a game for four, when the page is largest."""
    evening = Evening.open(site, FOUR)
    evening.play(110)
    faction = evening.play_until("place")
    anna = await new_phone("Anna")
    await anna.hold_seats(evening.tokens[faction])
    finished: list[Request] = []
    anna.page.on("requestfinished", lambda request: finished.append(request))  # noqa: PLW0108 - Playwright needs a Python function
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    first = {urlsplit(request.url).path: await bytes_of(request) for request in finished}
    assert f"/t/{evening.code}/" in first
    assert sum(first.values()) <= FIRST_LOAD, first
    finished.clear()
    before = evening.get()["version"]
    evening.play(1)
    await anna.shows(before + 1)
    await anna.page.wait_for_timeout(200)
    changes = {urlsplit(request.url).path: await bytes_of(request) for request in finished}
    # The browser loads the icon at any time.
    changes = {path: size for path, size in changes.items() if "/icons/seneschal." not in path}
    assert set(changes) == {f"/t/{evening.code}/"}
    assert sum(changes.values()) <= CHANGE, changes


@pytest.mark.long
async def test_no_page_is_too_wide_with_the_longest_names(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, (), start=False)
    small = await new_phone("small", width=360)
    await small.hold_seats(evening.tokens["host"])
    await small.open(f"/t/{evening.code}/")
    for name, colour in (("W" * 20, "Blue"), ("Maximiliana-Wilhelmi", "Yellow")):
        if colour == "Yellow":
            await small.page.locator("summary", has_text="Another seat on this phone").tap()
        await small.sit(name, colour)
    await small.hold(small.button("Hold to start the game"))
    await small.sees("Lay your two starting tiles")
    for tab in ("now", "board", "score", "journal", "menu"):
        await small.open(f"/t/{evening.code}/?tab={tab}")
        assert await small.page.evaluate("() => document.documentElement.scrollWidth") <= 360, tab


async def test_a_game_can_be_played_without_scripts(new_phone: NewPhone, site: str) -> None:
    """Sitting down, starting, placing tiles, undo, a march and the end of a turn."""
    anna, bert = await new_phone("Anna", scripts=False), await new_phone("Bert", scripts=False)
    await anna.open("/")
    await anna.button("Raubritter").tap()
    await anna.sit("Anna", "Blue")
    await bert.open(f"/t/{anna.code}/")
    await bert.sit("Bert", "Yellow")
    await bert.sees("You are seated.")
    await anna.page.reload()
    await anna.button("Hold to start the game").tap()
    await anna.lay()
    await bert.page.reload()
    await bert.lay()
    await anna.page.reload()
    await anna.sees("Anna: Place a tile")
    await anna.choose("tile", "plain")
    await anna.choose("at", index=1)
    await anna.main.tap()
    await anna.sees(re.compile("Lay a plain at"))
    await anna.sees("up to 2 this turn")
    await anna.undo.tap()
    await anna.sees("up to 3 this turn")
    await anna.choose("tile", "plain-castle")
    await anna.choose("at", index=1)
    await anna.main.tap()
    await anna.sees("send up to 5 knights")
    await anna.page.locator("label.split").first.tap()
    await anna.main.tap()
    await anna.button("End the turn").tap()
    await anna.sees("Bert: Place a tile")
    await bert.page.reload()
    await expect(bert.main).to_be_visible()
