"""Signoria by touch: set-up, preparation and a round, on phones and on the big screen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.browser.sitting import Sitting
from tools.evening import Evening

pytestmark = pytest.mark.asyncio(loop_scope="session")

THREE = ("yellow", "red", "blue")
# Limit on the taps of all three players in the first round, with two turns each: 6 for the preparation, 6 per
# turn, 3 for passing, and at most 6 per reward, as dice and tiles are random. docs/signoria.md cites it.
MOST_TAPS = 6 + 2 * 3 * 6 + 3 + 3 * 6


class SignoriaSitting(Sitting):
    """Random draws are left to the phone; choices are taken in rotation."""

    seats = THREE
    opened_with: ClassVar = {"game": "signoria"}
    most_entries = 120
    passing = False  # players pass instead of taking a die

    async def send(self, phone: Phone, prompt: Mapping[str, Any]) -> str:
        if not self.passing or prompt["action"] != "take":
            return await super().send(phone, prompt)
        await self.tap(phone.page.get_by_role("button", name="Pass", exact=True))
        return "pass"

    async def fill(self, phone: Phone, _prompt: Mapping[str, Any]) -> None:
        first = phone.page.locator(".sg.ask .part").first
        if await phone.main.is_enabled():
            return
        if await first.locator(".lot").count():
            await self.tap(first.locator(".lot"))
            return
        picks = first.locator("input[name=pick]")
        if await picks.count() > 1:
            await self.tap(picks.nth(len(self.entered) % await picks.count()).locator("xpath=.."))
        ways = first.locator("fieldset:not([hidden]) input[name=way]")
        if await ways.count() and not await phone.main.is_enabled():
            await self.tap(ways.nth(len(self.entered) % await ways.count()).locator("xpath=.."))
        names = first.locator("[data-all]")
        if await names.count():
            await self.tap(names.first)


async def test_set_up_and_first_die_by_touch(new_phone: NewPhone, site: str) -> None:
    """Cards are tapped into their places, dice entered by face, a die taken with its price and effect."""
    table = await SignoriaSitting.open(new_phone, site, ("yellow",))
    bert = table.phones["yellow"]
    await expect(bert.main).to_have_text("3 to go")
    for name in ("Blue", "Yellow"):
        await bert.page.locator(".part").first.locator(".deck button", has_text=name).tap()
    await expect(bert.main).to_have_text("Enter the order")  # the last place is filled automatically
    # An entry of another phone must not undo the order.
    version = await bert.version()
    table.evening.correct("reserve", 6, piece="florin", owner="red")
    await bert.newer_than(version)
    await bert.main.tap()
    await bert.sees("Choose 1 city")
    await bert.sees(re.compile("Take 2 florins"))
    table.evening.play_until("roll")
    table.evening.enter(
        "yellow", next(p["example"] for p in table.evening.get("prompts/") if p["action"] == "refill")
    )
    row = bert.page.locator(".faces").first
    for face in (2, 2, 5):
        await row.locator("[data-face]").nth(face).tap()
    await expect(row.locator("[data-entered]")).to_have_text("3 / 3")
    await expect(row.locator("input").nth(2)).to_have_value("2")
    table.evening.play_until("take", lambda prompt: prompt["faction"] == "yellow")
    await bert.sees("Which die?")
    await bert.choose("pick", "turquoise-1")
    await bert.sees("Turquoise 1: what does it do?")
    dice = bert.page.locator(".picks .choice", has=bert.page.locator("[value='turquoise-1']"))
    await expect(dice).to_contain_text("4 florins")
    await bert.page.locator("fieldset:not([hidden]) .choice", has_text="Progress on the tracks").tap()
    await bert.main.tap()
    await bert.sees("Use up to 4 progress points")
    await bert.page.locator("[data-all]").first.tap()
    await bert.sees("Points used: 4 of 4")
    await bert.sees(re.compile(r"an available man goes to .* space 4"))
    await bert.main.tap()
    await bert.tab("Score")
    await bert.sees("Men on career tracks")  # points of the end of the game


@pytest.mark.long
async def test_round_on_three_phones_and_a_display(new_phone: NewPhone, site: str) -> None:
    table = await SignoriaSitting.open(new_phone, site)
    display = await new_phone("display", width=1280)
    await display.open(f"/t/{table.evening.code}/display/")
    await table.play_until_asked("refill")
    await expect(display.page.locator("aside")).to_contain_text("Round 1")
    in_set_up = table.taps
    await table.play_until_asked("take")
    turns = 0
    while table.evening.get()["round"] == 1 and len(table.entered) < table.most_entries:
        turns += table.evening.get("prompts/")[0]["action"] == "take"
        table.passing = turns > 2 * len(THREE)
        await table.enter()
    await expect(display.page.locator("aside")).to_contain_text("Round 2")
    assert {"order", "unused", "reward-tiles", "boards", "refill", "roll", "deal"} <= set(table.entered)
    assert {"take", "pass", "reward"} <= set(table.entered)
    assert table.taps - in_set_up <= MOST_TAPS, table.taps - in_set_up
    standings = table.evening.get("standings/")
    points = {row["faction"]: row["points"] for row in standings if row["round"] == 1}
    assert set(points) == set(THREE)
    for phone in table.phones.values():
        await phone.tab("Score")
        await phone.sees("Points after each round")
        row = phone.page.locator("tr", has=phone.page.locator("th", has_text="Round 1"))
        shown = [int(cell) for cell in await row.locator("td").all_inner_texts()]
        assert sorted(shown) == sorted(points.values())
        await phone.tab("Board")
        await phone.sees("Careers and initiative")


@pytest.mark.long
async def test_position_is_entered_and_played_on(new_phone: NewPhone, site: str) -> None:
    """Sets the round, a man on a track and the florins of a player."""
    evening = Evening.open(site, THREE, game="signoria")
    anna = await new_phone("blue")
    await anna.hold_seats(evening.tokens["host"], evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/position/")
    await anna.page.locator("button[name=round][value='3']").tap()
    await expect(anna.page.locator("button[name=round][value='3']")).to_have_attribute("aria-pressed", "true")
    await anna.page.locator("nav.parts a", has_text="Tracks").tap()
    await anna.page.locator("a[aria-label='church space 4']").tap()
    more = anna.page.get_by_role("button", name="Blue: one more")
    await more.tap()
    await anna.page.locator("nav.parts a", has_text="Players").tap()
    florins = anna.page.get_by_role("spinbutton", name="Florins").first
    for count in ("38", "39", "40"):
        await florins.fill(count)
        async with anna.page.expect_response(lambda response: response.request.method == "POST"):
            await florins.press("Enter")
        await expect(florins).to_have_value(count)
    await anna.sees("This can be.")
    await anna.hold(anna.main)
    await anna.sees("Round 3")
    holdings = {(h["owner"], h["place"]): h["count"] for h in evening.get("state/")["holdings"]}
    assert holdings["blue", "track:church:4"] == 1
    assert holdings["yellow", "reserve"]
    assert any(h["piece"] == "florin" and h["count"] == 40 for h in evening.get("state/")["holdings"])


# Right edge of the name of each field, and left edge of its first shield.
NAMES_AND_SHIELDS = """() => [...document.querySelectorAll("svg.own .field")].map((field) => [
  field.querySelector(".name").getBoundingClientRect().right,
  field.querySelector(".shield use").getBoundingClientRect().left,
])"""


@pytest.mark.parametrize("language", ["en", "hu", "it"])
async def test_names_on_a_player_board_do_not_cover_the_shields(
    new_phone: NewPhone, site: str, language: str
) -> None:
    evening = Evening.open(site, ("yellow", "red", "blue"), game="signoria")
    faction = evening.play_until("take")
    phone = await new_phone(width=360, locale=language)
    await phone.hold_seats(evening.tokens[faction])
    await phone.open(f"/t/{evening.code}/")
    fields = await phone.page.evaluate(NAMES_AND_SHIELDS)
    assert len(fields) >= 4
    assert all(name <= shield for name, shield in fields), fields


# Texts that extend beyond the edge of their picture, where they are clipped.
CUT_OFF = """() => [...document.querySelectorAll("svg.panel, svg.own")].flatMap((picture) => {
  const { left, right } = picture.getBoundingClientRect();
  return [...picture.querySelectorAll("text")]
    .map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.left < left - 1 || box.right > right + 1)
    .map(([text]) => text);
})"""


@pytest.mark.parametrize("language", ["en", "hu", "it"])
async def test_no_text_on_the_boards_is_clipped(new_phone: NewPhone, site: str, language: str) -> None:
    evening = Evening.open(site, ("yellow", "red", "blue"), game="signoria")
    evening.play_until("take")
    phone = await new_phone(width=360, locale=language)
    await phone.open(f"/t/{evening.code}/?tab=board")
    await expect(phone.page.locator("svg.panel text.task")).not_to_have_count(0)
    assert await phone.page.evaluate(CUT_OFF) == []
