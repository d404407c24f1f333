"""The replay: scrubber, keys and buttons; every moment has its own link."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def expect_moment(phone: Phone, index: int, of: int, number: int) -> None:
    await expect(phone.page.locator(".replay .count")).to_have_text(f"{index} / {of}")
    await expect(phone.page).to_have_url(re.compile(rf"at={number}\b"))


async def test_every_moment_is_reached_by_scrubber_key_and_link(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, ("blue", "yellow"), seed=3)
    evening.play(14)
    evening.post("undo", {})
    evening.play(2)
    lines = evening.get("journal/")
    counting = [line["number"] for line in lines if not line["undone"]]
    last, (undone,) = len(counting), [line["number"] for line in lines if line["undone"]]
    anna, bert = await new_phone("Anna"), await new_phone("Bert")
    await anna.open(f"/t/{evening.code}/replay/")
    await expect(anna.page.locator(".replay .count")).to_have_text(f"{last} / {last}")

    await anna.page.keyboard.press("Home")
    await expect_moment(anna, 0, last, 0)
    await anna.sees("The start")
    anna.ignore_faults("signal is aborted")  # a newer request replaces one under way
    for _ in range(3):  # faster than responses arrive
        await anna.page.keyboard.press("ArrowRight")
    await expect_moment(anna, 3, last, counting[2])
    await anna.page.keyboard.press("ArrowLeft")
    await expect_moment(anna, 2, last, counting[1])
    await anna.page.locator("#scrubber").fill(str(last - 1))
    await expect_moment(anna, last - 1, last, counting[-2])
    await anna.page.get_by_role("link", name="Next").tap()
    await expect_moment(anna, last, last, counting[-1])
    await anna.page.locator("#scrubber").fill("9")
    await expect_moment(anna, 9, last, counting[8])

    # The link shows the same entry, board and standings on another phone.
    await bert.open(anna.page.url.removeprefix(anna.site))
    for part in ("h1", ".picture", ".aside"):
        of_bert, of_anna = (phone.page.locator(f"#moment {part}").first for phone in (bert, anna))
        assert await of_bert.inner_html() == await of_anna.inner_html()

    await anna.page.get_by_role("link", name="Show undone lines").tap()
    await expect(anna.page.locator(".replay .count")).to_have_text(f"9 / {last + 1}")
    await anna.page.locator("#scrubber").fill(str(undone))
    await expect_moment(anna, undone, last + 1, undone)
    await expect(anna.page.locator("h1")).to_contain_text("undone")
    await anna.page.keyboard.press("End")
    await expect_moment(anna, last + 1, last + 1, counting[-1])
