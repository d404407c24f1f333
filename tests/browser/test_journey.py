"""An evening in short: two phones and somebody who watches play several turns by touch."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def test_two_phones_and_a_spectator_play(phone: NewPhone) -> None:  # noqa: PLR0915 - an evening in order
    anna, bert, watcher = await phone("Anna"), await phone("Bert"), await phone("Watcher")

    # Anna opens a table and sits down; Bert joins by the link in three taps; somebody watches.
    await anna.open("/")
    await anna.button("Raubritter").tap()
    await anna.sees("Take your seats")
    await anna.sit("Anna", "Blue")
    await bert.open(f"/t/{anna.code}/")
    await bert.sit("Bert", "Yellow")
    await bert.sees("You are seated.")
    await watcher.open(f"/t/{anna.code}/")
    await anna.sees("Bert")

    # A tap does not start the game, holding does. All see it begin.
    start = anna.button("Hold to start the game")
    await start.tap()
    await anna.page.wait_for_timeout(200)
    await anna.sees("Take your seats")
    await anna.hold(start)
    for one in (anna, bert, watcher):
        await one.sees("Lay your two starting tiles")

    # Both lay their starting tiles, at once if they like.
    await bert.lay()
    await anna.sees(re.compile("Lay a plain at"))
    await anna.lay()
    await bert.sees("Anna: Place a tile")
    await watcher.sees("Anna: Place a tile")
    assert await watcher.page.locator("#body button:enabled, #bar button").count() == 0

    # Anna lays a plain, which Bert's hands list tells him at once.
    await anna.place("plain")
    await bert.sees(re.compile("Lay a plain at"))

    # A tick on one phone is on the others within the second.
    line = anna.page.locator(".hands button").first
    await line.tap()
    for one in (anna, bert, watcher):
        ticked = one.page.locator(".hands button[aria-pressed=true]")
        await expect(ticked).to_have_count(1)

    # A castle, and three knights of it march.
    await anna.place("plain-castle")
    await anna.sees("send up to 5 knights")
    await anna.choose("way", index=0)
    many = anna.page.locator("input[name=many]:not([disabled]):not([value='0'])").last
    await many.locator("xpath=..").tap()
    splits = anna.page.locator("label.split:not([hidden])")
    if await splits.locator("input:checked").count() == 0:
        await splits.first.tap()
    await expect(anna.main).to_be_enabled()
    assert re.match(r"Send \d knights? \w+|Put \d knights?", await anna.main.inner_text())
    await anna.main.tap()
    await bert.sees(re.compile("Put . knights? on"))

    # Undo takes the march back on all phones, redo brings it again.
    await anna.tab("Score")
    await anna.undo.tap()
    await watcher.sees("send up to 5 knights")
    await anna.button("Redo").tap()
    await watcher.sees(re.compile("Anna: (Place|End)"))
    await anna.tab("Now")

    # The turn ends; it is Bert's, on his phone without a tap.
    await anna.button("End the turn").tap()
    await bert.sees("Bert: Place a tile")
    await anna.sees("Bert: Place a tile")

    # The real table is right: a count is corrected, and all see why.
    await anna.tab("Board")
    await anna.page.get_by_role("link", name="Correct a count").tap()
    await anna.page.locator("select[name=place]").select_option(index=1)
    await anna.button("Show what lies there").tap()
    row = anna.page.locator("form", has_text="Yellow").filter(has=anna.page.locator("[data-stepper]")).first
    await row.get_by_role("button", name="one more").tap()
    await row.get_by_role("button", name="Correct").tap()
    await watcher.tab("Journal")
    await watcher.sees("corrected by hand")

    # Scores are the same for all, and the watcher still has nothing to tap.
    await bert.tab("Score")
    await bert.sees("If it ended now")
    await watcher.tab("Score")
    mine = await bert.page.locator("#body").inner_text()
    theirs = await watcher.page.locator("#body").inner_text()
    assert mine == theirs
    assert await watcher.page.locator("#body button:enabled, #bar button").count() == 0
