"""The replay by hand: scrubber, keys, buttons; every moment has a link of its own."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def at(one: Phone, index: int, of: int, number: int) -> None:
    await expect(one.page.locator(".replay .count")).to_have_text(f"{index} / {of}")
    await expect(one.page).to_have_url(re.compile(rf"at={number}\b"))


async def test_any_moment_is_a_drag_a_key_or_a_link_away(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, ("blue", "yellow"), seed=3)
    evening.play(14)
    evening.post("undo", {})
    evening.play(2)
    lines = evening.get("journal/")
    counting = [line["number"] for line in lines if not line["undone"]]
    last, (gone,) = len(counting), [line["number"] for line in lines if line["undone"]]
    anna, bert = await phone("Anna"), await phone("Bert")
    await anna.open(f"/t/{evening.code}/replay/")
    await expect(anna.page.locator(".replay .count")).to_have_text(f"{last} / {last}")

    await anna.page.keyboard.press("Home")
    await at(anna, 0, last, 0)
    await anna.sees("The start")
    anna.forgive("signal is aborted")  # an answer that nobody waits for any more
    for _ in range(3):  # faster than answers come
        await anna.page.keyboard.press("ArrowRight")
    await at(anna, 3, last, counting[2])
    await anna.page.keyboard.press("ArrowLeft")
    await at(anna, 2, last, counting[1])
    await anna.page.locator("#scrubber").fill(str(last - 1))
    await at(anna, last - 1, last, counting[-2])
    await anna.page.get_by_role("link", name="Next").tap()
    await at(anna, last, last, counting[-1])
    await anna.page.locator("#scrubber").fill("9")
    await at(anna, 9, last, counting[8])

    # Whoever follows the link sees the same: what was entered, the board, the standings.
    await bert.open(anna.page.url.removeprefix(anna.site))
    for part in ("h1", ".picture", ".aside"):
        there, here = (one.page.locator(f"#moment {part}").first for one in (bert, anna))
        assert await there.inner_html() == await here.inner_html()

    await anna.page.get_by_role("link", name="Show undone lines").tap()
    await expect(anna.page.locator(".replay .count")).to_have_text(f"9 / {last + 1}")
    await anna.page.locator("#scrubber").fill(str(gone))
    await at(anna, gone, last + 1, gone)
    await expect(anna.page.locator("h1")).to_contain_text("undone")
    await anna.page.keyboard.press("End")
    await at(anna, last + 1, last + 1, counting[-1])
