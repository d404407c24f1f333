"""Keyboard only: turns entered with Tab, Enter, Space and arrow keys, with a visible focus throughout."""

from __future__ import annotations

import pytest
from playwright.async_api import Dialog, Locator, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.browser.tours import Tour
from tests.servers import Server
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

FIVE = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
MOST_TABS = 150
# The focused element, its next sibling or its parent has an outline of at least 2 px.
FOCUS_VISIBLE = """() => {
  const focused = document.activeElement;
  return [focused, focused.nextElementSibling, focused.parentElement].some((element) => {
    const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : {};
    return outlineStyle && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
}"""


async def tab_to(phone: Phone, target: Locator) -> None:
    """Press Tab until an element has the focus, which must be visible at every step."""
    for _ in range(MOST_TABS):
        if await target.evaluate("element => element === document.activeElement"):
            return
        await phone.page.keyboard.press("Tab")
        if await phone.page.evaluate("() => document.activeElement !== document.body"):
            where = await phone.page.evaluate("() => document.activeElement.outerHTML.slice(0, 120)")
            assert await phone.page.evaluate(FOCUS_VISIBLE), where
    raise AssertionError("Tab does not reach the element")


async def tab_back_to(phone: Phone, target: Locator) -> None:
    for _ in range(MOST_TABS):
        if await target.evaluate("element => element === document.activeElement"):
            return
        await phone.page.keyboard.press("Shift+Tab")
    raise AssertionError("Shift+Tab does not reach the element")


async def expect_visible_focus(phone: Phone) -> None:
    await expect(phone.page.locator("*:focus")).to_have_count(1)
    assert await phone.page.evaluate(FOCUS_VISIBLE)


async def enter(phone: Phone, key: str = "Enter") -> None:
    """Press the main button by a key; afterwards the next prompt has the focus."""
    await tab_to(phone, phone.main)
    version = await phone.version()
    await phone.page.keyboard.press(key)
    await phone.newer_than(version)
    await expect(phone.page.locator("#head .what")).to_be_focused()
    await expect_visible_focus(phone)


async def pick(phone: Phone, radio: Locator) -> None:
    """Reach a group of radio buttons with Tab, and select one with the arrow keys."""
    group = phone.page.locator(f"input[name='{await radio.get_attribute('name')}']")
    for _ in range(MOST_TABS):
        if await group.evaluate_all("all => all.includes(document.activeElement)"):
            break
        await phone.page.keyboard.press("Tab")
    await phone.page.keyboard.press("Space")
    await expect_visible_focus(phone)
    for _ in range(await group.count()):
        if await radio.is_checked():
            return
        await phone.page.keyboard.press("ArrowDown")
    raise AssertionError("the arrow keys do not reach the radio button")


async def test_raubritter_tile_is_placed_and_undone(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, ("blue", "yellow"))
    faction = evening.play_until("place")
    anna = await new_phone("Anna")
    await anna.hold_seats(evening.tokens[faction])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    await pick(anna, anna.page.locator("input[name=tile]").nth(1))
    await pick(anna, anna.page.locator("input[name=at]").nth(2))
    await enter(anna)
    version = await anna.version()
    await tab_to(anna, anna.undo)
    await anna.page.keyboard.press("Space")
    await anna.newer_than(version)
    await expect_visible_focus(anna)


@pytest.mark.long
async def test_revolution_counters_are_placed_with_steppers(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, FIVE, game="revolution")
    anna = await new_phone("Anna")
    faction = evening.play_until("place")
    await anna.hold_seats(evening.tokens[faction])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    for more in await anna.page.locator(".count-line [data-all]").all():
        if await anna.main.is_enabled():
            break
        await tab_to(anna, more)
        await anna.page.keyboard.press("Enter")
    await enter(anna, "Space")


async def sit_down(new_phone: NewPhone, evening: Evening, faction: str) -> Phone:
    phone = await new_phone(faction)
    await phone.hold_seats(evening.tokens[faction])
    await phone.open(f"/t/{evening.code}/")
    await phone.live()
    return phone


async def test_wallenstein_plan_keeps_the_focus_when_others_plan(new_phone: NewPhone, server: Server) -> None:
    evening, faction = Tour(server).at("wallenstein", "plan")
    anna = await sit_down(new_phone, evening, faction)
    cards = anna.page.locator(".deck button[data-card]:not([data-card=''])")
    for place in range(5):
        await tab_to(anna, cards.nth(place))
        await anna.page.keyboard.press("Space")
        await expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
    [plan, *_more] = [prompt for prompt in evening.get("prompts/") if prompt["faction"] != faction]
    version = await anna.version()
    evening.enter(plan["faction"], plan["example"])
    await anna.newer_than(version)
    await expect(cards.nth(4)).to_be_focused()
    # Fill one space from its list: a letter selects the card.
    lists = anna.page.locator(".ask [data-slot] select")
    await tab_back_to(anna, lists.last)
    first_letter = (await cards.nth(5).inner_text()).strip()[0]
    await anna.page.keyboard.press(first_letter)
    await expect(lists.last).not_to_have_value("")
    await enter(anna)
    await anna.sees("Your plan")


async def test_wallenstein_movement_and_fallen_cubes_are_entered(new_phone: NewPhone, server: Server) -> None:
    evening, faction = Tour(server).at("wallenstein", "move")
    anna = await sit_down(new_phone, evening, faction)
    await pick(anna, anna.page.get_by_role("radio", name="Regensburg"))
    await tab_to(anna, anna.page.get_by_role("spinbutton", name="Armies that move"))
    await anna.page.keyboard.press("ArrowUp")
    await enter(anna)
    await anna.sees("Hold: nothing fell out")
    more = anna.page.locator(".fall [data-step='1']").first
    await tab_to(anna, more)
    await anna.page.keyboard.press("Enter")
    await anna.page.keyboard.press("Space")
    await expect(anna.main).to_have_text("Fell out: 2")
    await tab_to(anna, anna.page.locator(".fall [data-step='-1']").first)
    await anna.page.keyboard.press("Enter")
    await expect(anna.main).to_have_text("Fell out: 1")
    await enter(anna)


async def test_wallenstein_empty_throw_is_confirmed_in_a_dialog(new_phone: NewPhone, server: Server) -> None:
    evening, faction = Tour(server).at("wallenstein", "throw")
    anna = await sit_down(new_phone, evening, faction)
    anna.page.on("dialog", lambda dialog: dialog.accept())
    await expect(anna.main).to_have_text("Hold: nothing fell out")
    await enter(anna)


async def test_signoria_die_and_progress_points_are_entered(new_phone: NewPhone, server: Server) -> None:
    """Also: the focus returns when a rule sheet is closed, and stays on the page when others make entries."""
    evening, faction = Tour(server).at("signoria", "take")
    anna = await sit_down(new_phone, evening, faction)
    section = anna.page.locator("#head a.rule")
    await tab_to(anna, section)
    await anna.page.keyboard.press("Enter")
    await expect(anna.page.locator("dialog.sheet")).to_be_visible()
    await anna.page.keyboard.press("Escape")
    await expect(section).to_be_focused()
    await pick(anna, anna.page.get_by_role("radio", name="turquoise 5"))
    ways = anna.page.locator("fieldset:not([hidden]) .choice", has_text="Progress on the tracks")
    await pick(anna, ways.locator("input"))
    await enter(anna)
    await anna.sees("progress points")
    await tab_to(anna, anna.page.locator("[data-all]").first)
    await anna.page.keyboard.press("Enter")
    await enter(anna)
    await tab_to(anna, anna.page.locator("nav.tabs a", has_text="Score"))
    await anna.page.keyboard.press("Enter")
    await expect(anna.page.locator("nav.tabs a[aria-current=page]")).to_have_text("Score")
    await expect_visible_focus(anna)
    version = await anna.version()
    evening.play(1)
    await anna.newer_than(version)
    await expect_visible_focus(anna)


async def test_each_stop_of_a_walk_starts_at_the_top_with_the_focus(
    new_phone: NewPhone, server: Server
) -> None:
    evening, faction = Tour(server).at("revolution", "place", 60)
    anna = await sit_down(new_phone, evening, faction)
    await anna.open(f"/t/{evening.code}/compare/")
    await anna.page.set_viewport_size({"width": 390, "height": 400})  # shorter than every stop
    for number in (1, 2):
        await expect(anna.page.locator("#head")).to_contain_text(f"{number} of ")
        await tab_to(anna, anna.page.locator("summary", has_text="All places of the walk"))
        await tab_to(anna, anna.button("Same"))
        await anna.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        await anna.page.keyboard.press("Enter")
        await expect(anna.page.locator("#head")).to_contain_text(f"{number + 1} of ")
        await expect(anna.page.locator(".head .what")).to_be_focused()
        await expect(anna.page.locator(".head .what")).to_be_in_viewport()
        assert await anna.page.evaluate("() => scrollY") == 0


async def test_focus_survives_removing_a_line_of_a_calculator(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna")
    await anna.open("/calculators/raubritter/march/")
    remove = anna.page.get_by_role("button", name="remove 3")
    await tab_to(anna, remove)
    await anna.page.keyboard.press("Enter")
    await expect(remove).to_have_count(0)
    await expect_visible_focus(anna)


async def test_focus_moves_to_the_prompt_when_its_form_disappears(
    new_phone: NewPhone, server: Server
) -> None:
    """Another phone undoes the entry that led to the form."""
    evening, faction = Tour(server).at("wallenstein", "throw")
    anna = await sit_down(new_phone, evening, faction)
    await tab_to(anna, anna.page.locator(".fall [data-step='1']").first)
    version = await anna.version()
    evening.post("undo", {})
    await anna.newer_than(version)
    await expect(anna.page.locator(".fall")).to_have_count(0)
    await expect(anna.page.locator("#head .what")).to_be_focused()


async def test_hold_button_asks_for_confirmation_when_a_key_is_used(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, FIVE, game="revolution", start=False)
    anna = await new_phone("Anna")
    await anna.hold_seats(evening.tokens["host"])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    questions: list[str] = []

    async def accept(dialog: Dialog) -> None:
        questions.append(dialog.message)
        await dialog.accept()

    anna.page.on("dialog", accept)
    await tab_to(anna, anna.button("Hold to start the game"))
    await anna.page.keyboard.press("Space")
    await expect(anna.page.locator("nav.tabs")).to_be_visible()
    assert questions == ["Are you sure?"]


async def test_province_sheet_returns_the_focus_to_the_map(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, FIVE, game="revolution")
    anna = await new_phone("Anna")
    await anna.open(f"/t/{evening.code}/?tab=board")
    land = anna.page.locator("a[data-land=holland]")
    await tab_to(anna, land)
    await anna.page.keyboard.press("Enter")
    await expect(anna.page.locator("dialog.atlas-sheet")).to_contain_text("Amsterdam")
    await anna.page.keyboard.press("Escape")
    await expect(anna.page.locator("dialog.atlas-sheet")).to_have_count(0)
    await expect(land).to_be_focused()
