"""Entering a position by touch, to take up a game in mid-course."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")


async def select_cell(phone: Phone, name: str) -> None:
    spot = phone.page.locator(f".cells a[aria-label={name}]")
    await spot.tap()
    await expect(spot).to_have_attribute("aria-current", "true")


async def add_tile(phone: Phone, owner: str, tile: str) -> None:
    await phone.page.locator(f"input[name=owner][value={owner}]").tap()
    await phone.page.locator(f"button[name=piece][value={tile}]").tap()
    await expect(phone.page.locator("button[name=what]").first).to_be_visible()


async def add_knight(phone: Phone, owner: str, height: int) -> None:
    await phone.page.locator(f"button[name=what][value='{owner} knight']").tap()
    await expect(phone.page.locator(".stackline .tk")).to_have_count(height)


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.long)])
async def test_raubritter_position_is_entered_and_played_on(
    new_phone: NewPhone, site: str, *, scripts: bool
) -> None:
    evening = Evening.open(site, PAIR, start=False)
    anna = await new_phone("Anna", scripts=scripts)
    await anna.hold_seats(evening.tokens["host"])
    await anna.open(f"/t/{evening.code}/position/")
    await anna.press(anna.button("Hold to start the game"))

    await select_cell(anna, "K11")
    await add_tile(anna, "blue", "plain-castle")
    await add_knight(anna, "yellow", 1)
    await add_knight(anna, "blue", 2)
    await select_cell(anna, "M11")
    await add_tile(anna, "yellow", "plain-town")
    await anna.sees("Not yet: The land is not in one piece.")
    await expect(anna.button("Hold: go on from here")).to_be_disabled()
    await select_cell(anna, "L11")
    await add_tile(anna, "yellow", "plain")
    await anna.sees("This can be.")
    for round_ in ("2", "3"):
        await anna.button("one more").tap()
        await expect(anna.page.locator("output.big")).to_have_text(round_)
    await anna.page.locator("button[name=faction][value=yellow]").first.tap()
    await expect(anna.page.locator("button[name=faction][value=yellow]").first).to_have_attribute(
        "aria-pressed", "true"
    )
    assert evening.get()["version"] == 2, "nothing but the start was saved"

    await anna.press(anna.button("Hold: go on from here"))

    await anna.page.wait_for_url(f"**/t/{evening.code}/")
    await anna.sees("Round 3")
    table = evening.get()
    assert (table["round"], table["waiting_for"]) == (3, ["yellow"])
    holdings = evening.get("state/")["holdings"]
    assert {"owner": "blue", "piece": "knight", "place": "cell:0,0", "count": 1} in holdings
    assert {"owner": "yellow", "piece": "plain-town", "place": "cell:2,0", "count": 1} in holdings
    assert len(evening.get("journal/")) == 1


@pytest.mark.long
async def test_large_land_and_the_selected_cell_fit_one_screen(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, ("blue", "yellow", "green", "red"))
    evening.play(70)
    anna = await new_phone("Anna")
    await anna.hold_seats(evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/position/")
    await anna.sees("This can be.")
    await select_cell(anna, "K11")
    clear = anna.page.get_by_role("button", name="Clear", exact=True)
    await expect(clear).to_be_in_viewport()
    await clear.tap()
    await anna.sees("no tile: no knights")
    await anna.page.reload()
    await anna.sees("no tile: no knights")
    await anna.hold(anna.button("Hold: begin again from what the app knows"))
    await anna.sees("This can be.")


@pytest.mark.long
async def test_revolution_position_is_entered_province_by_province(new_phone: NewPhone, site: str) -> None:
    factions = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
    evening = Evening.open(site, factions, game="revolution", start=False)
    anna = await new_phone("Anna")
    await anna.hold_seats(evening.tokens["host"])
    await anna.open(f"/t/{evening.code}/position/")
    await anna.press(anna.button("Hold to start the game"))
    # Round, phase and play order.
    await anna.button(re.compile("^3$")).tap()
    await anna.button("New units").tap()
    await anna.button("Reformers: earlier").tap()
    await expect(anna.page.locator("ol.list li").nth(3)).to_contain_text("Reformers")
    await expect(anna.button("New units")).to_have_attribute("aria-pressed", "true")
    # On the map: Holland, then its neighbour.
    await anna.page.get_by_role("link", name="Next: provinces").tap()
    await anna.page.locator("svg a[aria-label=Holland]").tap()
    await anna.sees("7/12")
    await anna.button("Countryside: add Burghers").tap()
    await anna.button("Countryside: one more of Burghers").tap()
    await anna.button("Delft: Burghers").tap()
    await anna.sees("9/12")
    await anna.page.get_by_role("link", name="Utrecht", exact=True).first.tap()
    await anna.button("Utrecht: one more of Catholics").tap()
    await anna.sees("2/4")
    await expect(anna.page.locator(".stock summary")).to_contain_text(
        "Burghers: 12 of 32 placed, 20 in supply"
    )
    # Armies, treasuries and support; too many armies in a strip are reported at once.
    await anna.page.get_by_role("link", name="Next: armies").tap()
    await anna.button(re.compile("^Utrecht region: add Habsburgs")).tap()
    for armies in (2, 3, 4):
        await anna.button("Utrecht region: one more of Habsburgs").tap()
        await anna.sees(f"{armies} of 3 boxes")
    await anna.sees("Not yet:")
    await anna.button("Utrecht region: one fewer of Habsburgs").tap()
    await anna.sees("This can be.")
    await anna.page.get_by_role("link", name="Next: support and treasuries").tap()
    await anna.button("Treasury: one more of Nobility").tap()
    await anna.button("Jesuits, Cell 1: Catholics").tap()
    await expect(anna.button("Jesuits, Cell 1: Catholics")).to_have_attribute("aria-pressed", "true")
    # The charts are prefilled; change one marker.
    await anna.page.get_by_role("link", name="Next: cards and charts").tap()
    await anna.page.locator("summary", has_text="Leiden").first.tap()
    await anna.button("Leiden: 7").tap()
    await expect(anna.page.locator("summary", has_text="Leiden").first).to_contain_text("column 7")

    await anna.press(anna.button("Hold: go on from here"))

    await anna.page.wait_for_url(f"**/t/{evening.code}/")
    await anna.sees("Round 3")
    table = evening.get()
    assert (table["round"], table["phase"], len(evening.get("journal/"))) == (3, "new-units", 1)
    holdings = evening.get("state/")["holdings"]
    assert {"owner": "burghers", "piece": "counter", "place": "countryside:holland", "count": 2} in holdings
    assert {"owner": "habsburgs", "piece": "army", "place": "strip:utrecht", "count": 3} in holdings
    assert {"owner": "nobility", "piece": "counter", "place": "treasury", "count": 1} in holdings
