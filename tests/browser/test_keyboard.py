"""Without a finger: turns entered with Tab, Enter, Space and the arrows alone, and one sees where one is."""

from __future__ import annotations

import pytest
from playwright.async_api import Dialog, Locator, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

FIVE = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
MOST_TABS = 150
# What has the focus is ringed: itself, what is drawn beside it, or what it lies in.
RINGED = """() => {
  const one = document.activeElement;
  return [one, one.nextElementSibling, one.parentElement].some((ring) => {
    const { outlineStyle, outlineWidth } = ring ? getComputedStyle(ring) : {};
    return outlineStyle && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
}"""


async def tab_to(one: Phone, target: Locator) -> None:
    """Press Tab until it has the focus; wherever the focus goes on the way, it is to be seen."""
    for _ in range(MOST_TABS):
        if await target.evaluate("one => one === document.activeElement"):
            return
        await one.page.keyboard.press("Tab")
        if await one.page.evaluate("() => document.activeElement !== document.body"):
            where = await one.page.evaluate("() => document.activeElement.outerHTML.slice(0, 120)")
            assert await one.page.evaluate(RINGED), where
    raise AssertionError("Tab does not lead there")


async def pick(one: Phone, radio: Locator) -> None:
    """Into the group with Tab, to the choice with the arrows."""
    group = one.page.locator(f"input[name='{await radio.get_attribute('name')}']")
    for _ in range(MOST_TABS):
        if await group.evaluate_all("all => all.includes(document.activeElement)"):
            break
        await one.page.keyboard.press("Tab")
    await one.page.keyboard.press("Space")
    for _ in range(await group.count()):
        if await radio.is_checked():
            return
        await one.page.keyboard.press("ArrowDown")
    raise AssertionError("the arrows do not lead there")


async def test_a_turn_of_raubritter(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, ("blue", "yellow"))
    mine = evening.play_until("place")
    anna = await phone("Anna")
    await anna.hold_seats(evening.tokens[mine])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    version = await anna.version()
    await pick(anna, anna.page.locator("input[name=tile]").nth(1))
    await pick(anna, anna.page.locator("input[name=at]").nth(2))
    await tab_to(anna, anna.main)
    await anna.page.keyboard.press("Enter")
    await anna.newer_than(version)
    version = await anna.version()
    await tab_to(anna, anna.undo)
    await anna.page.keyboard.press("Space")
    await anna.newer_than(version)


@pytest.mark.long
async def test_an_entry_of_revolution(phone: NewPhone, site: str) -> None:
    """Counters are placed with the steppers' buttons; what others hold, a key asks about."""
    evening = Evening.open(site, FIVE, game="revolution")
    anna = await phone("Anna")
    mine = evening.play_until("place")
    await anna.hold_seats(evening.tokens[mine])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    version = await anna.version()
    for more in await anna.page.locator(".count-line [data-all]").all():
        if await anna.main.is_enabled():
            break
        await tab_to(anna, more)
        await anna.page.keyboard.press("Enter")
    await tab_to(anna, anna.main)
    await anna.page.keyboard.press("Space")
    await anna.newer_than(version)


async def test_a_held_button_is_a_key_and_an_answer(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, FIVE, game="revolution", start=False)
    anna = await phone("Anna")
    await anna.hold_seats(evening.tokens["host"])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    questions: list[str] = []

    async def agree(dialog: Dialog) -> None:
        questions.append(dialog.message)
        await dialog.accept()

    anna.page.on("dialog", agree)
    await tab_to(anna, anna.button("Hold to start the game"))
    await anna.page.keyboard.press("Space")
    await expect(anna.page.locator("nav.tabs")).to_be_visible()
    assert questions == ["Are you sure?"]


async def test_the_sheet_of_a_province(phone: NewPhone, site: str) -> None:
    """Opened from the map with Enter, closed with Escape, and the focus is back on the map."""
    evening = Evening.open(site, FIVE, game="revolution")
    anna = await phone("Anna")
    await anna.open(f"/t/{evening.code}/?tab=board")
    land = anna.page.locator("a[data-land=holland]")
    await tab_to(anna, land)
    await anna.page.keyboard.press("Enter")
    await expect(anna.page.locator("dialog.atlas-sheet")).to_contain_text("Amsterdam")
    await anna.page.keyboard.press("Escape")
    await expect(anna.page.locator("dialog.atlas-sheet")).to_have_count(0)
    await expect(land).to_be_focused()
