"""Without a finger: turns entered with Tab, Enter, Space and the arrows alone, and one sees where one is."""

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


async def tab_back_to(one: Phone, target: Locator) -> None:
    for _ in range(MOST_TABS):
        if await target.evaluate("one => one === document.activeElement"):
            return
        await one.page.keyboard.press("Shift+Tab")
    raise AssertionError("Shift and Tab do not lead there")


async def is_somewhere(one: Phone) -> None:
    """The focus is not lost, and is to be seen."""
    await expect(one.page.locator("*:focus")).to_have_count(1)
    assert await one.page.evaluate(RINGED)


async def enter(one: Phone, key: str = "Enter") -> None:
    """The main button by a key; then the focus is on what comes next."""
    await tab_to(one, one.main)
    version = await one.version()
    await one.page.keyboard.press(key)
    await one.newer_than(version)
    await expect(one.page.locator("#head .what")).to_be_focused()
    await is_somewhere(one)


async def pick(one: Phone, radio: Locator) -> None:
    """Into the group with Tab, to the choice with the arrows."""
    group = one.page.locator(f"input[name='{await radio.get_attribute('name')}']")
    for _ in range(MOST_TABS):
        if await group.evaluate_all("all => all.includes(document.activeElement)"):
            break
        await one.page.keyboard.press("Tab")
    await one.page.keyboard.press("Space")
    await is_somewhere(one)
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
    await pick(anna, anna.page.locator("input[name=tile]").nth(1))
    await pick(anna, anna.page.locator("input[name=at]").nth(2))
    await enter(anna)
    version = await anna.version()
    await tab_to(anna, anna.undo)
    await anna.page.keyboard.press("Space")
    await anna.newer_than(version)
    await is_somewhere(anna)


@pytest.mark.long
async def test_an_entry_of_revolution(phone: NewPhone, site: str) -> None:
    """Counters are placed with the steppers' buttons; what others hold, a key asks about."""
    evening = Evening.open(site, FIVE, game="revolution")
    anna = await phone("Anna")
    mine = evening.play_until("place")
    await anna.hold_seats(evening.tokens[mine])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    for more in await anna.page.locator(".count-line [data-all]").all():
        if await anna.main.is_enabled():
            break
        await tab_to(anna, more)
        await anna.page.keyboard.press("Enter")
    await enter(anna, "Space")


async def sit_down(phone: NewPhone, evening: Evening, faction: str) -> Phone:
    one = await phone(faction)
    await one.hold_seats(evening.tokens[faction])
    await one.open(f"/t/{evening.code}/")
    await one.live()
    return one


async def test_a_plan_of_wallenstein(phone: NewPhone, server: Server) -> None:
    """Cards laid by keys; somebody else plans meanwhile, and the focus stays where it is."""
    evening, mine = Tour(server).at("wallenstein", "plan")
    anna = await sit_down(phone, evening, mine)
    cards = anna.page.locator(".deck button[data-card]:not([data-card=''])")
    for place in range(5):
        await tab_to(anna, cards.nth(place))
        await anna.page.keyboard.press("Space")
        await expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
    [plan, *_more] = [one for one in evening.get("prompts/") if one["faction"] != mine]
    version = await anna.version()
    evening.enter(plan["faction"], plan["example"])
    await anna.newer_than(version)
    await expect(cards.nth(4)).to_be_focused()
    # One space is filled from its list instead: a letter finds the card in it.
    lists = anna.page.locator(".ask [data-slot] select")
    await tab_back_to(anna, lists.last)
    first_letter = (await cards.nth(5).inner_text()).strip()[0]
    await anna.page.keyboard.press(first_letter)
    await expect(lists.last).not_to_have_value("")
    await enter(anna)
    await anna.sees("Your plan")


async def test_a_movement_of_wallenstein_and_what_fell_from_the_tower(
    phone: NewPhone, server: Server
) -> None:
    evening, mine = Tour(server).at("wallenstein", "move")
    anna = await sit_down(phone, evening, mine)
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


async def test_that_nothing_fell_is_a_key_and_an_answer(phone: NewPhone, server: Server) -> None:
    evening, mine = Tour(server).at("wallenstein", "throw")
    anna = await sit_down(phone, evening, mine)
    anna.page.on("dialog", lambda dialog: dialog.accept())
    await expect(anna.main).to_have_text("Hold: nothing fell out")
    await enter(anna)


async def test_a_die_of_signoria(phone: NewPhone, server: Server) -> None:
    """A die, what it does, and the points that it brings; then others play, and the focus is kept."""
    evening, mine = Tour(server).at("signoria", "take")
    anna = await sit_down(phone, evening, mine)
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
    await is_somewhere(anna)
    version = await anna.version()
    evening.play(1)
    await anna.newer_than(version)
    await is_somewhere(anna)


async def test_a_walk_along_the_real_table(phone: NewPhone, server: Server) -> None:
    """Each stop begins at its top, and so does the focus."""
    evening, mine = Tour(server).at("revolution", "place", 60)
    anna = await sit_down(phone, evening, mine)
    await anna.open(f"/t/{evening.code}/compare/")
    await anna.page.set_viewport_size({"width": 390, "height": 400})  # so that every stop is longer
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


async def test_a_line_of_a_calculator_that_is_taken_out(phone: NewPhone) -> None:
    anna = await phone("Anna")
    await anna.open("/calculators/raubritter/march/")
    out = anna.page.get_by_role("button", name="remove 3")
    await tab_to(anna, out)
    await anna.page.keyboard.press("Enter")
    await expect(out).to_have_count(0)
    await is_somewhere(anna)


async def test_a_question_that_goes_away_leaves_the_focus(phone: NewPhone, server: Server) -> None:
    """Somebody takes the newest entry back while a choice of it has the focus."""
    evening, mine = Tour(server).at("wallenstein", "throw")
    anna = await sit_down(phone, evening, mine)
    await tab_to(anna, anna.page.locator(".fall [data-step='1']").first)
    version = await anna.version()
    evening.post("undo", {})
    await anna.newer_than(version)
    await expect(anna.page.locator(".fall")).to_have_count(0)
    await expect(anna.page.locator("#head .what")).to_be_focused()


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
