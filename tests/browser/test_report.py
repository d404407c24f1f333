"""The report's charts are really drawn, in both looks, on a phone and on paper."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.servers import Server
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

FOUR = ("blue", "yellow", "green", "red")


@pytest.fixture(scope="module")
def evening(server: Server) -> Evening:
    game = Evening.open(server.url, FOUR)
    game.play(60)
    correction = {"type": "correct", "owner": "blue", "piece": "knight", "place": "cell:0,0", "count": 2}
    action = {**correction, "reason": "It fell down."}
    game.post("actions", {"faction": "blue", "action": action, "key": "report"})
    return game


def lines(phone: Phone) -> Locator:
    return phone.page.locator(".chart").first.locator("path.js-line")


async def opened(phone: NewPhone, evening: Evening, look: str, width: int = 390) -> Phone:
    anna = await phone("Anna", width=width)
    await anna.context.add_cookies([{"name": "look", "value": look, "url": anna.site}])
    await anna.open(f"/t/{evening.code}/report/")
    await expect(lines(anna)).to_have_count(len(FOUR))
    return anna


@pytest.mark.parametrize(("look", "width"), [("dark", 390), ("light", 390), ("dark", 1440)])
async def test_the_charts_are_drawn(phone: NewPhone, evening: Evening, look: str, width: int) -> None:
    """Without one word from the policy: the phone counts that as a fault."""
    anna = await opened(phone, evening, look, width)
    strokes = await lines(anna).evaluate_all("all => all.map(one => getComputedStyle(one).stroke)")
    dashes = await lines(anna).evaluate_all("all => all.map(one => getComputedStyle(one).strokeDasharray)")
    assert len(set(strokes)) == len(set(dashes)) == len(FOUR)
    bars = anna.page.locator(".chart.low g.point path")
    assert await bars.count() >= len(FOUR)
    box = await anna.page.locator(".chart").first.bounding_box()
    drawn = await anna.page.locator(".chart .main-svg").first.bounding_box()
    assert box
    assert drawn
    assert abs(box["width"] - drawn["width"]) < 2
    assert abs(box["height"] - drawn["height"]) < 2
    wide = await anna.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


async def test_the_table_behind_a_chart_has_its_numbers(phone: NewPhone, evening: Evening) -> None:
    anna = await opened(phone, evening, "dark")
    table = anna.page.locator("table.even")
    await expect(table).to_be_hidden()
    await anna.page.get_by_text("The same as a table").first.tap()
    await expect(table).to_be_visible()
    last = await table.locator("tbody tr").last.locator("td").all_text_contents()
    ends = await anna.page.locator(".chart").first.evaluate("box => box.data.map(line => line.y.at(-1))")
    assert [float(text) for text in last] == ends


async def test_a_finger_on_a_chart_scrolls_the_page(phone: NewPhone, evening: Evening) -> None:
    anna = await opened(phone, evening, "dark")
    chart = anna.page.locator(".chart").first
    await chart.scroll_into_view_if_needed()
    box = await chart.bounding_box()
    assert box
    before = await anna.page.evaluate("window.scrollY")
    session = await anna.context.new_cdp_session(anna.page)
    place = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}
    await session.send("Input.synthesizeScrollGesture", {**place, "yDistance": -200, "speed": 800})
    assert await anna.page.evaluate("window.scrollY") > before + 100


async def test_a_marked_moment_leads_into_the_replay(phone: NewPhone, evening: Evening) -> None:
    anna = await opened(phone, evening, "dark")
    await anna.sees("It fell down.")
    await anna.page.locator(".marked a").first.tap()
    await anna.page.wait_for_url("**/replay/?at=*")
    await anna.sees("corrected from")


async def test_on_paper(phone: NewPhone, evening: Evening) -> None:
    """Light, without controls, every table unfolded; and back again."""
    anna = await opened(phone, evening, "dark")
    ink = "box => getComputedStyle(box.querySelector('.xtick text')).fill"
    chart = anna.page.locator(".chart").first
    on_screen = await chart.evaluate(ink)
    await anna.page.emulate_media(media="print")
    await expect(anna.page.locator("table.even")).to_be_visible()
    await expect(anna.page.locator(".report nav")).to_be_hidden()
    await expect(anna.page.locator("summary").first).to_be_hidden()
    await anna.page.wait_for_function(
        f"before => ({ink})(document.querySelector('.chart')) !== before", arg=on_screen
    )
    ground = await anna.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    await anna.page.emulate_media(media="screen")
    await expect(anna.page.locator("table.even")).to_be_hidden()
    await anna.page.wait_for_function(
        f"before => ({ink})(document.querySelector('.chart')) === before", arg=on_screen
    )


async def test_without_scripts_the_numbers_are_there(phone: NewPhone, evening: Evening) -> None:
    anna = await phone("Anna", scripts=False)
    await anna.open(f"/t/{evening.code}/report/")
    await anna.page.get_by_text("The same as a table").first.tap()
    await expect(anna.page.locator("table.even")).to_be_visible()
    await expect(anna.page.get_by_role("button", name="Print")).to_be_hidden()
