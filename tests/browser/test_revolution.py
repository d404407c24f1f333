"""Revolution by touch: phases on phones and on the big screen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from playwright.async_api import Dialog, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.browser.sitting import Sitting

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIVE = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
# Limits per round on the taps of all five players who take the first choice; docs/revolution.md cites them.
MOST_TAPS = {0: 36, 1: 54}


class RevolutionSitting(Sitting):
    """Everybody takes the first choice offered."""

    seats = FIVE
    opened_with: ClassVar = {"game": "revolution"}
    most_entries = 160

    async def fill(self, phone: Phone, _prompt: Mapping[str, Any]) -> None:
        page = phone.page
        if await phone.main.is_enabled():
            return
        radios = page.locator(".rv.ask input[type=radio]")
        if await radios.count():
            await self.tap(radios.last.locator("xpath=.."))
        boxes = page.locator(".rv.ask input[type=checkbox]")
        for i in range(await boxes.count()):
            if await phone.main.is_enabled():
                break
            await self.tap(boxes.nth(i).locator("xpath=.."))
        names = page.locator(".rv.ask [data-all]")
        for i in range(await names.count()):
            if await phone.main.is_enabled():
                return
            await self.tap(names.nth(i))


async def test_first_phases_by_touch(new_phone: NewPhone, site: str) -> None:
    """Starting armies, placing new counters, and the sheet of a province on the map."""
    table = await RevolutionSitting.open(new_phone, site, ("catholics", "habsburgs"))
    anna, bert = table.phones["catholics"], table.phones["habsburgs"]
    assert await table.enter() == "start-armies"
    table.evening.play_until("place", lambda prompt: prompt["faction"] == "catholics")
    await anna.sees("Place 7 new counters")
    await expect(anna.main).to_have_text("7 to go")
    await anna.page.locator(".count-line", has_text="Trier").locator("[data-step='1']").tap()
    await expect(anna.main).to_have_text("6 to go")
    await anna.page.locator(".count-line", has_text="Trier").locator("[data-step='1']").tap()
    jesuits = anna.page.locator(".count-line", has_text="Jesuits")
    await jesuits.locator("[data-all]").tap()
    await expect(jesuits.locator("input")).to_have_value("4")
    await jesuits.locator("[data-all]").tap()
    await jesuits.locator("[data-step='1']").tap()
    await anna.page.locator(".count-line", has_text="Spanish Treasury").locator("[data-step='1']").tap()
    # An entry of another phone must not undo the counts.
    version = await anna.version()
    table.evening.correct("treasury", 3, piece="counter", owner="burghers")
    await anna.newer_than(version)
    await expect(anna.main).to_have_text("3 to go")
    await table.enter()
    assert table.entered[-1] == "place"
    await bert.sees("Place 6 new counters")
    # The map: a tap opens the sheet of a province.
    await bert.tab("Board")
    await bert.page.locator("[data-land=flanders]").tap(position={"x": 12, "y": 30})
    sheet = bert.page.locator("dialog.atlas-sheet")
    await expect(sheet).to_contain_text("Antwerpen")
    await sheet.get_by_role("button", name="Close").tap()
    await expect(sheet).to_have_count(0)


@pytest.mark.long
async def test_round_0_and_round_1_on_five_phones_and_a_display(new_phone: NewPhone, site: str) -> None:
    table = await RevolutionSitting.open(new_phone, site)
    display = await new_phone("display", width=1280)
    await display.open(f"/t/{table.evening.code}/display/")
    await table.play_until_round(1)
    await expect(display.page.locator("aside")).to_contain_text(re.compile("Round 1"))
    in_round_0 = table.taps
    await table.play_until_round(2)
    await expect(display.page.locator("aside")).to_contain_text(re.compile("Round 2"))
    assert {"tax", "place", "influence", "draft"} <= set(table.entered)
    assert in_round_0 <= MOST_TAPS[0], in_round_0
    assert table.taps - in_round_0 <= MOST_TAPS[1], table.taps - in_round_0
    standings = table.evening.get("standings/")
    assert {row["round"] for row in standings} >= {0, 1}
    for phone in table.phones.values():
        await phone.tab("Score")
        await phone.sees("Where the points come from")


@pytest.mark.long
async def test_ending_a_phase_for_everybody_requires_holding(new_phone: NewPhone, site: str) -> None:
    table = await RevolutionSitting.open(new_phone, site, ("catholics",))
    anna = table.phones["catholics"]
    table.evening.play_until("settled", lambda prompt: prompt["faction"] == "catholics")
    await expect(anna.main).to_have_text("Hold: everything else stays")
    version = table.evening.get()["version"]
    await anna.shows(version)
    await anna.main.tap()
    await anna.page.wait_for_timeout(500)  # until the tap is over, and the button unlocked
    # A key press asks for confirmation.
    questions: list[str] = []

    async def decline(dialog: Dialog) -> None:
        questions.append(dialog.message)
        await dialog.dismiss()

    anna.page.on("dialog", decline)
    async with anna.page.expect_event("dialog"):
        await anna.main.press("Enter")
    assert questions == ["Are you sure?"]
    assert table.evening.get()["version"] == version
    assert await table.enter() in ("settled", "layout", "dispute")
    assert "settled" not in {prompt["action"] for prompt in table.evening.get("prompts/")}


@pytest.mark.long
async def test_disputed_province_is_settled_step_by_step(new_phone: NewPhone, site: str) -> None:
    table = await RevolutionSitting.open(new_phone, site, ("catholics", "habsburgs"))
    anna = table.phones["catholics"]
    table.evening.play_until("dispute", lambda prompt: prompt["faction"] == "catholics")
    await anna.sees("Is everything settled?")
    lay = anna.page.locator("details.lay", has=anna.page.locator("[value^='dispute:']")).first
    await lay.locator("summary").tap()
    province = await lay.get_attribute("id")
    version = await anna.version()
    await lay.get_by_role("button", name="We disagree").tap()
    await anna.newer_than(version)
    slug = str(province).removeprefix("lay-")
    actions = {prompt["action"] for prompt in table.evening.get("prompts/")}
    assert "step" in actions
    assert "settled" not in actions, slug
