"""Smoke test: two players play several turns by touch while a spectator watches."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def test_two_phones_and_a_spectator_play(new_phone: NewPhone) -> None:  # noqa: PLR0915 - one sequence
    anna, bert, watcher = await new_phone("Anna"), await new_phone("Bert"), await new_phone("Watcher")

    # Anna opens a table and sits down; Bert joins by the link; a spectator opens the page.
    await anna.open("/")
    await anna.button("Raubritter").tap()
    await anna.sees("Take your seats")
    await anna.sit("Anna", "Blue")
    await bert.open(f"/t/{anna.code}/")
    await bert.sit("Bert", "Yellow")
    await bert.sees("You are seated.")
    await watcher.open(f"/t/{anna.code}/")
    await anna.sees("Bert")

    # Only holding the button starts the game, on all phones.
    start = anna.button("Hold to start the game")
    await start.tap()
    await anna.page.wait_for_timeout(200)
    await anna.sees("Take your seats")
    await anna.hold(start)
    for phone in (anna, bert, watcher):
        await phone.sees("Lay your two starting tiles")

    # Both lay their starting tiles, in any order.
    await bert.lay()
    await anna.sees(re.compile("Lay a plain at"))
    await anna.lay()
    await bert.sees("Anna: Place a tile")
    await watcher.sees("Anna: Place a tile")
    assert await watcher.page.locator("#body button:enabled, #bar button").count() == 0

    # Anna places a plain; Bert's phone lists the pieces to move.
    await anna.place("plain")
    await bert.sees(re.compile("Lay a plain at"))

    # A line ticked on one phone is ticked on the others.
    line = anna.page.locator(".hands button").first
    await line.tap()
    for phone in (anna, bert, watcher):
        ticked = phone.page.locator(".hands button[aria-pressed=true]")
        await expect(ticked).to_have_count(1)

    # Anna places a castle and marches with its knights.
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

    # Undo and redo of the march reach all phones.
    await anna.tab("Score")
    await anna.undo.tap()
    await watcher.sees("send up to 5 knights")
    await anna.button("Redo").tap()
    await watcher.sees(re.compile("Anna: (Place|End)"))
    await anna.tab("Now")

    # Ending the turn shows Bert his prompt without a tap.
    await anna.button("End the turn").tap()
    await bert.sees("Bert: Place a tile")
    await anna.sees("Bert: Place a tile")

    # A corrected count appears in the journal of everybody.
    await anna.tab("Board")
    await anna.page.get_by_role("link", name="Correct a count").tap()
    await anna.page.locator("select[name=place]").select_option(index=1)
    await anna.button("Show what lies there").tap()
    row = anna.page.locator("form", has_text="Yellow").filter(has=anna.page.locator("[data-stepper]")).first
    await row.get_by_role("button", name="one more").tap()
    await row.get_by_role("button", name="Correct").tap()
    await watcher.tab("Journal")
    await watcher.sees("corrected by hand")

    # Everybody sees the same scores, and the spectator has nothing to tap.
    await bert.tab("Score")
    await bert.sees("If it ended now")
    await watcher.tab("Score")
    of_bert = await bert.page.locator("#body").inner_text()
    of_watcher = await watcher.page.locator("#body").inner_text()
    assert of_bert == of_watcher
    assert await watcher.page.locator("#body button:enabled, #bar button").count() == 0
