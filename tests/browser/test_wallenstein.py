"""Wallenstein by touch: set-up, secret plans and battles, on phones and on the big screen."""

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

FOUR = ("red", "blue", "yellow", "purple")
# Limit on the taps of all four players in a season in which each plans for all of their provinces;
# docs/wallenstein.md cites it.
MOST_TAPS = 111


class WallensteinSitting(Sitting):
    """Everybody plans for all of their provinces."""

    seats = FOUR
    opened_with: ClassVar = {"game": "wallenstein", "seed": 4}
    most_entries = 80

    async def fill(self, phone: Phone, prompt: Mapping[str, Any]) -> None:
        match prompt["action"]:
            case "fill" | "throw":
                await self._count(phone, prompt["example"]["fallen"])
            case "events":
                for i, card in enumerate(prompt["example"]["cards"]):
                    await phone.page.locator(f"select[name='e.{i}']").select_option(card["event"])
                    self.taps += 2  # the list, and the card in it
            case "row":  # movements first, so that there are battles
                await self._deal(phone, backwards=True)
            case "order" | "plan" | "hunger":
                await self._deal(phone)
            case _:
                await self._choose(phone)

    async def _count(self, phone: Phone, fallen: Mapping[str, int]) -> None:
        for colour, count in fallen.items():
            for _ in range(count):
                await self.tap(phone.page.locator(f".fall:has([name='n.{colour}']) [data-step='1']"))

    async def _deal(self, phone: Phone, *, backwards: bool = False) -> None:
        """Tap the cards in order until every space has one or no card is left."""
        cards = await phone.page.locator(".wa.ask .deck button[data-card]:not([data-card=''])").all()
        spaces = await phone.page.locator(".wa.ask [data-slot] select").count()
        for card in (cards[::-1] if backwards else cards)[:spaces]:
            if await card.get_attribute("aria-pressed") != "true":
                await self.tap(card)

    async def _choose(self, phone: Phone) -> None:
        """Tap the first option of each choice that is still open."""
        for choices in await phone.page.locator(".wa.ask .ones").all():
            if not await choices.locator("input:checked").count():
                await self.tap(choices.locator("label").first)


async def test_set_up_and_a_secret_plan_by_touch(new_phone: NewPhone, site: str) -> None:
    """Counts the cubes that fell, enters the action row, and makes a plan that nobody else sees."""
    table = await WallensteinSitting.open(new_phone, site, ("red", "blue"))
    anna, bert = table.phones["red"], table.phones["blue"]
    await expect(anna.main).to_have_text("Hold: nothing fell out")
    for colour in ("red", "red", "peasants"):
        await anna.page.locator(f".fall:has([name='n.{colour}']) [data-step='1']").tap()
    await expect(anna.main).to_have_text("Fell out: 3")
    await anna.main.tap()
    await anna.sees("Which letter do you take?")
    await anna.sees("Take 2 red cubes from the cup to the supply")
    await anna.sees("Take 1 green cube from the cup to the supply")
    table.evening.play_until("row")
    await anna.sees("Which action cards lie open, in order?")
    for action in ("movement-a", "collect-gold", "build-church", "recruit-5"):
        await anna.page.locator(f"[data-card={action}]").tap()
    await expect(anna.main).to_have_text("1 to go")
    await expect(anna.page.locator("[data-card=collect-gold]")).to_have_attribute("data-ordinal", "2")
    await anna.page.locator("[data-card=movement-b]").tap()
    await anna.main.tap()

    await anna.sees("Plan your ten actions")
    await expect(anna.main).to_have_text("5 to go")
    cards = anna.page.locator(".deck button[data-card]:not([data-card=''])")
    for i in range(6):
        await cards.nth(i).tap()
    await expect(anna.main).to_have_text("Plan, 4 blank")
    planned = await cards.first.get_attribute("data-card")
    await expect(anna.page.locator("select[name='c.movement-a']")).to_have_value(str(planned))
    # The plan of another player does not undo the cards.
    version = await anna.version()
    table.evening.enter("yellow", example_plan(table.evening, "yellow"))
    await anna.newer_than(version)
    await expect(anna.main).to_have_text("Plan, 4 blank")
    await anna.main.tap()
    await anna.sees("Your plan")
    await bert.sees("Plan your ten actions")
    await bert.tab("Board")
    await expect(bert.page.locator("#plan")).to_have_count(0)
    await bert.tab("Journal")
    await bert.sees("Red has planned.")
    lines = await bert.page.locator("#body").inner_text()
    assert "Movement A" not in lines.split("Red has planned.")[0]


def example_plan(evening: Evening, faction: str) -> Any:
    return next(p["example"] for p in evening.get("prompts/") if p["faction"] == faction)


@pytest.mark.long
async def test_defending_with_no_army_requires_holding(new_phone: NewPhone, site: str) -> None:
    """Allowed (A-13), but only by holding the button."""
    evening = Evening.open(site, FOUR, game="wallenstein", seed=4)
    defender = evening.play_until("defend")
    anna = await new_phone(defender)
    await anna.hold_seats(evening.tokens[defender])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    await expect(anna.main).to_have_text("Defend")
    armies = anna.page.locator(".wa.ask input[name=armies]")
    await armies.last.locator("xpath=..").tap()
    await expect(anna.main).to_have_text("Hold: nobody defends")
    await armies.first.locator("xpath=..").tap()
    await expect(anna.main).to_have_text("Defend")
    await armies.last.locator("xpath=..").tap()
    version = await anna.version()
    await anna.main.tap()
    assert evening.get()["version"] == version
    await anna.hold(anna.main)
    await anna.newer_than(version)


@pytest.mark.long
async def test_season_on_four_phones_and_a_display(new_phone: NewPhone, site: str) -> None:
    table = await WallensteinSitting.open(new_phone, site)
    display = await new_phone("display", width=1280)
    await display.open(f"/t/{table.evening.code}/display/")
    picture, aside = display.page.locator(".picture"), display.page.locator("aside")
    while table.evening.get()["phase"] != "planning":
        await table.enter()
    await expect(picture).to_contain_text("Spring of year 1")
    await expect(aside).to_contain_text("Plan your ten actions")
    table.taps = 6  # those of the action row count towards the season
    for _ in FOUR:
        assert await table.enter() == "plan"
    while table.evening.get()["phase"] in ("order", "event"):
        await table.enter()
    event = await picture.locator(".event").text_content() or ""
    await expect(picture.locator(".card.now")).to_have_count(1)
    for phone in table.phones.values():
        await expect(phone.page.locator(".course .event, .wa.ask")).to_contain_text(event.partition(":")[0])

    while "throw" not in table.entered:
        await table.enter()
    assert table.evening.get()["round"] == 1
    # Everybody sees which cubes to move after the battle.
    red = table.phones["red"]
    await expect(red.page.locator(".hands").first).to_contain_text(re.compile(r"\d+ \w+ cubes?"))
    await table.play_until_round(2)
    await expect(aside).to_contain_text("Summer of year 1")
    assert {"plan", "order", "event", "turn", "move", "defend", "throw", "recruit"} <= set(table.entered)
    assert table.taps <= MOST_TAPS, table.taps
    for phone in table.phones.values():
        await phone.tab("Score")
        await phone.sees("If winter 1 were scored now.")


# Names of actions that extend beyond the edge of the picture, where they are clipped.
CUT_OFF = """() => {
  const { right } = document.querySelector("svg.whole").getBoundingClientRect();
  return [...document.querySelectorAll("svg.whole .row-name")]
    .filter((text) => text.getBoundingClientRect().right > right)
    .map((text) => text.textContent);
}"""


@pytest.mark.parametrize("language", ["en", "hu", "it"])
async def test_display_clips_no_action_name(new_phone: NewPhone, site: str, language: str) -> None:
    evening = Evening.open(site, ("red", "blue", "yellow", "purple"), game="wallenstein")
    evening.play(60)  # the card with the longest name is face up
    phone = await new_phone(width=1280, locale=language)
    await phone.open(f"/t/{evening.code}/display/")
    await expect(phone.page.locator("svg.whole .card .row-name")).not_to_have_count(0)
    assert await phone.page.evaluate(CUT_OFF) == []
