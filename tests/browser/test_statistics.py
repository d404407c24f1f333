"""Statistics across games on a phone: charts and their tables, the filter, and the link of a circle."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from playwright.async_api import expect

from companion.registry import titles
from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.browser.test_report import expect_chart_and_table
from tests.servers import ROOT, Server

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

WIDTH = 360


@pytest.fixture(scope="module")
def circle(server: Server) -> dict[str, str]:
    """Create a circle with many games of each title; return its key and one of its members."""
    command = [sys.executable, "-m", "tests.statistics.many"]
    done = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, check=True)
    created: dict[str, str] = json.loads(done.stdout)
    return created


async def check_every_chart(anna: Phone) -> set[str]:
    """Check each choice of every section with charts; return the ids of these sections."""
    sections = anna.page.locator("section.section:has(.panel)")
    seen, ids = 0, set()
    for at in range(await sections.count()):
        section = sections.nth(at)
        ids.add(await section.get_attribute("id") or "")
        assert await section.locator("> p").first.text_content()
        buttons = section.locator("[data-shows]")
        for choice in range(max(await buttons.count(), 1)):
            if await buttons.count():
                await buttons.nth(choice).tap()
            await expect_chart_and_table(section.locator(".panel:visible"))
            seen += 1
    assert seen == await anna.page.locator(".panel").count()
    assert await anna.page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    return ids


@pytest.mark.parametrize(
    "slug",
    ["raubritter", *(pytest.param(s, marks=pytest.mark.long) for s in sorted({*titles()} - {"raubritter"}))],
)
async def test_every_chart_is_rendered_and_has_a_table(
    new_phone: NewPhone, circle: dict[str, str], slug: str
) -> None:
    anna = await new_phone("Anna", width=WIDTH)
    await anna.open(f"/stats/circle/{circle['key']}/{slug}/")
    expected = {"factions", "players", "seats", "points", "lengths", "half-time"}
    assert await check_every_chart(anna) == expected
    await anna.open(f"/stats/circle/{circle['key']}/{slug}/{circle['member']}/")
    assert {"rating", "against"} <= await check_every_chart(anna)


async def test_filter_of_the_server_statistics_stays_in_the_address(
    new_phone: NewPhone, circle: dict[str, str]
) -> None:
    anna = await new_phone("Anna", width=360)
    await anna.open("/stats/raubritter/")
    await expect(anna.page.locator("#factions .main-svg").first).to_be_visible()
    assert await anna.page.evaluate("document.documentElement.scrollWidth") <= 360
    await anna.page.locator(".filter summary").tap()
    await anna.page.locator("select[name=players]").select_option("4")
    await anna.page.get_by_label("Only games without corrections").check()
    await anna.page.get_by_role("button", name="Show these games").tap()
    await anna.page.wait_for_url("**players=4**clean=1**")
    await expect(anna.page.locator(".filter summary")).to_contain_text(" of ")
    await expect(anna.page.locator("select[name=players]")).to_have_value("4")
    await expect(anna.page.locator("#factions .main-svg").first).to_be_visible()
    assert await anna.page.evaluate("document.documentElement.scrollWidth") <= 360


async def test_circle_is_opened_its_link_renewed_and_a_game_started(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna", width=WIDTH)
    await anna.open("/")
    await anna.page.get_by_role("link", name="Statistics and circles").tap()
    await anna.page.get_by_label("What your group is called").fill("Saturdays")
    await anna.page.get_by_role("button", name="Open the circle").tap()
    await anna.page.wait_for_url("**/stats/circle/*/")
    before = anna.page.url
    await anna.page.get_by_text("Change the circle").tap()
    button = anna.page.get_by_role("button", name="Hold: renew the link")
    await button.tap()
    assert anna.page.url == before, "a tap is not enough"
    await button.scroll_into_view_if_needed()
    box = await button.bounding_box()
    assert box
    await anna.page.mouse.move(box["x"] + 20, box["y"] + 20)
    await anna.page.mouse.down()
    await anna.page.wait_for_url(lambda url: url != before)
    await anna.page.mouse.up()
    await anna.page.get_by_role("button", name="Raubritter").tap()
    await anna.page.wait_for_url("**/t/*/")
