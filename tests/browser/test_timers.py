"""Clocks that go on by themselves and stand still in a break; a phone that tells its turn, if it was asked to."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")
MINUTE = 60_000
# A phone whose tones and shakes can be counted. Each tone is an oscillator that was started.
COUNTED = """
window.signals = [];
window.AudioContext = class {
  state = "suspended";
  currentTime = 0;
  resume() { this.state = "running"; }
  createOscillator() {
    const start = () => window.signals.push(`tone ${this.state}`);
    return { frequency: {}, connect: (to) => to, start, stop() {} };
  }
  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
    return { gain, connect: (to) => to };
  }
};
navigator.vibrate = (pattern) => window.signals.push(`shake ${pattern}`);
"""
TONE, SHAKE = "tone running", "shake 120"


async def seated(phone: NewPhone, evening: Evening, faction: str, **settings: Any) -> Phone:
    one = await phone(faction, **settings)
    await one.context.add_init_script(COUNTED)
    await one.hold_seats(evening.tokens[faction])
    await one.open(f"/t/{evening.code}/")
    await one.live()
    return one


async def signals(one: Phone) -> list[str]:
    """What was to be heard and felt since this was asked last."""
    found: list[str] = await one.page.evaluate("() => window.signals.splice(0)")
    return found


async def switch(one: Phone, name: str, value: str) -> None:
    button = one.page.locator(f"form[data-signal] button[name={name}][value={value}]")
    async with one.page.expect_response(lambda answer: answer.url.endswith("/look/")) as answer:
        await button.tap()
    assert (await answer.value).status == 204
    await expect(button).to_have_attribute("aria-pressed", "true")


def both_lay(evening: Evening) -> None:
    """The set-up; then it is blue's turn."""
    while evening.get()["phase"] == "setup":
        evening.step()
    assert evening.get()["waiting_for"] == ["blue"]


def until_turn_of(evening: Evening, faction: str) -> None:
    while evening.get()["waiting_for"] != [faction]:
        evening.step()


async def catch_up(one: Phone, evening: Evening) -> None:
    await one.shows(int(evening.get()["version"]))


# --- Clocks ---


async def no_answer(route: Route) -> None:
    await route.abort()


@pytest.mark.long
async def test_clocks_go_on_and_stand_still_in_a_break(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await phone("Anna")
    anna.forgive("AbortError|Failed to fetch|ERR_FAILED")  # so long without a beat, a page asks anew
    await anna.page.clock.install()
    await anna.hold_seats(evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/")
    line = anna.page.locator("#timers")
    await expect(line).to_have_text("This decision: 0 min Evening: 0 min")
    # Only the phone's clock is moved on: a page that is fetched meanwhile would tell the server's again.
    page = re.compile(rf"/t/{evening.code}/$")
    await anna.page.route(page, no_answer)
    await anna.page.clock.fast_forward(3 * MINUTE + 5_000)
    await expect(line).to_have_text("This decision: 3 min Evening: 3 min")
    await anna.page.clock.fast_forward(70 * MINUTE)  # nobody plays so long, says the report
    await expect(line).to_have_text("This decision: 20 min Evening: 20 min")
    # A change morphs the page: the server's clock is right.
    await anna.page.unroute(page)
    evening.post("actions", {"action": dict(evening.get("prompts/")[0]["example"]), "faction": "blue"})
    await anna.page.clock.fast_forward(6_000)  # streams need no clock, but the page polls as well
    await expect(line).to_have_text("This decision: 0 min Evening: 0 min")
    await anna.page.route(page, no_answer)
    await anna.page.clock.fast_forward(2 * MINUTE)
    await expect(line).to_have_text("This decision: 2 min Evening: 2 min")
    await anna.page.unroute(page)

    await anna.menu()
    button = anna.button("Hold: take a break")
    await button.dispatch_event("pointerdown")
    await anna.page.clock.fast_forward(700)
    await expect(anna.page.locator("#break")).to_contain_text("Break since")
    await anna.tab("Now")
    still = await line.inner_text()
    await anna.page.clock.fast_forward(30 * MINUTE)
    await expect(line).to_have_text(still)
    await anna.button("Go on playing").tap()
    await expect(anna.page.locator("#break")).to_have_count(0)
    await expect(line).not_to_have_attribute("data-still", "")


async def test_a_break_is_seen_live_and_an_entry_ends_it(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    both_lay(evening)
    anna = await seated(phone, evening, "blue")
    bert = await seated(phone, evening, "yellow")
    screen = await phone("screen")
    await screen.open(f"/t/{evening.code}/display/")
    await screen.live()
    await anna.menu()
    await anna.press(anna.button("Hold: take a break"))
    for one in (anna, bert, screen):
        await one.sees("Break since")
        told = await one.page.locator(".break time").inner_text()
        here = await one.page.evaluate(
            """() => new Date(document.querySelector(".break time").dateTime).toTimeString().slice(0, 5)"""
        )
        assert told == f"Break since {here}", "the phone's own time"
    evening.step()
    for one in (anna, bert, screen):
        await expect(one.page.locator(".break")).to_have_count(0)


async def test_without_scripts_the_server_tells_the_minutes(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await phone("Anna", scripts=False)
    await anna.hold_seats(evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/?tab=menu")
    await anna.button("Hold: take a break").tap()
    await anna.sees("Break since")
    await anna.open(f"/t/{evening.code}/")
    await expect(anna.page.locator("#timers")).to_have_text("This decision: 0 min Evening: 0 min")
    await anna.button("Go on playing").tap()
    await expect(anna.page.locator("#break")).to_have_count(0)


# --- Signals ---


async def test_by_default_a_phone_is_silent(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    both_lay(evening)
    bert = await seated(phone, evening, "yellow")
    await bert.tab("Board")  # a tap, after which it could
    until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    await expect(bert.page.locator("#table[data-turn]")).to_have_count(1)
    assert await signals(bert) == []


@pytest.mark.long
async def test_switched_on_it_tells_its_turn_once(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    both_lay(evening)
    bert = await seated(phone, evening, "yellow")
    await bert.menu()
    await switch(bert, "sound", "on")
    assert await signals(bert) == [TONE], "how it will be"
    await switch(bert, "vibration", "on")
    assert await signals(bert) == [SHAKE]

    until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    assert await signals(bert) == [TONE, SHAKE]
    # It stays their turn, whatever else happens, and wherever they look.
    evening.correct("cell:0,0", 2)
    await catch_up(bert, evening)
    await bert.tab("Now")
    assert await signals(bert) == []
    # What is undone and redone is the same turn.
    for do in ("undo", "undo", "redo", "redo"):
        evening.post(do, {})
        await catch_up(bert, evening)
    assert await signals(bert) == []

    # A page that opens on its turn says nothing; the next turn is told again, once somebody has tapped.
    await bert.page.reload()
    await bert.live()
    await bert.tab("Score")
    assert await signals(bert) == []
    until_turn_of(evening, "blue")
    await catch_up(bert, evening)
    assert await signals(bert) == []
    until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    assert await signals(bert) == [TONE, SHAKE]

    await bert.menu()
    await switch(bert, "sound", "off")
    await switch(bert, "vibration", "off")
    until_turn_of(evening, "blue")
    until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    assert await signals(bert) == []


async def test_a_phone_that_cannot_shake_offers_none(phone: NewPhone, site: str) -> None:
    anna = await phone("Anna")
    await anna.context.add_init_script("delete Navigator.prototype.vibrate;")
    await anna.open("/")
    await expect(anna.page.locator("button[name=sound]").first).to_be_visible()
    await expect(anna.page.locator("button[name=vibration]").first).to_be_hidden()
