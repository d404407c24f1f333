"""Clocks that run between page loads and stop during breaks; turn signals by sound and vibration."""

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
# Record tones and vibrations in `window.signals`. Each tone is an oscillator that was started.
RECORD_SIGNALS = """
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
TONE, VIBRATION = "tone running", "shake 120"


async def seated(new_phone: NewPhone, evening: Evening, faction: str, **settings: Any) -> Phone:
    phone = await new_phone(faction, **settings)
    await phone.context.add_init_script(RECORD_SIGNALS)
    await phone.hold_seats(evening.tokens[faction])
    await phone.open(f"/t/{evening.code}/")
    await phone.live()
    return phone


async def signals(phone: Phone) -> list[str]:
    """Return the signals since the last call."""
    recorded: list[str] = await phone.page.evaluate("() => window.signals.splice(0)")
    return recorded


async def switch(phone: Phone, name: str, value: str) -> None:
    button = phone.page.locator(f"form[data-signal] button[name={name}][value={value}]")
    async with phone.page.expect_response(lambda answer: answer.url.endswith("/look/")) as answer:
        await button.tap()
    assert (await answer.value).status == 204
    await expect(button).to_have_attribute("aria-pressed", "true")


def finish_setup(evening: Evening) -> None:
    """Play the set-up, after which it is blue's turn."""
    while evening.get()["phase"] == "setup":
        evening.step()
    assert evening.get()["waiting_for"] == ["blue"]


def play_until_turn_of(evening: Evening, faction: str) -> None:
    while evening.get()["waiting_for"] != [faction]:
        evening.step()


async def catch_up(phone: Phone, evening: Evening) -> None:
    await phone.shows(int(evening.get()["version"]))


# --- Clocks ---


async def abort(route: Route) -> None:
    await route.abort()


@pytest.mark.long
async def test_clocks_run_between_loads_and_stop_during_a_break(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await new_phone("Anna")
    anna.ignore_faults("AbortError|Failed to fetch|ERR_FAILED")  # without heartbeats, the page refreshes
    await anna.page.clock.install()
    await anna.hold_seats(evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/")
    line = anna.page.locator("#timers")
    await expect(line).to_have_text("This decision: 0 min Evening: 0 min")
    # Only the phone's clock advances: a refresh would bring back the server's time.
    page = re.compile(rf"/t/{evening.code}/$")
    await anna.page.route(page, abort)
    await anna.page.clock.fast_forward(3 * MINUTE + 5_000)
    await expect(line).to_have_text("This decision: 3 min Evening: 3 min")
    await anna.page.clock.fast_forward(70 * MINUTE)  # decisions are capped at 20 min, as in the report
    await expect(line).to_have_text("This decision: 20 min Evening: 20 min")
    # A refresh resets the clocks to the server's time.
    await anna.page.unroute(page)
    evening.post("actions", {"action": dict(evening.get("prompts/")[0]["example"]), "faction": "blue"})
    await anna.page.clock.fast_forward(6_000)  # past the polling interval of 5 s
    await expect(line).to_have_text("This decision: 0 min Evening: 0 min")
    await anna.page.route(page, abort)
    await anna.page.clock.fast_forward(2 * MINUTE)
    await expect(line).to_have_text("This decision: 2 min Evening: 2 min")
    await anna.page.unroute(page)

    await anna.menu()
    button = anna.button("Hold: take a break")
    await button.dispatch_event("pointerdown")
    await anna.page.clock.fast_forward(700)
    await expect(anna.page.locator("#break")).to_contain_text("Break since")
    await anna.tab("Now")
    stopped = await line.inner_text()
    await anna.page.clock.fast_forward(30 * MINUTE)
    await expect(line).to_have_text(stopped)
    await anna.button("Go on playing").tap()
    await expect(anna.page.locator("#break")).to_have_count(0)
    await expect(line).not_to_have_attribute("data-still", "")


async def test_break_is_shown_live_and_ended_by_an_entry(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    finish_setup(evening)
    anna = await seated(new_phone, evening, "blue")
    bert = await seated(new_phone, evening, "yellow")
    screen = await new_phone("screen")
    await screen.open(f"/t/{evening.code}/display/")
    await screen.live()
    await anna.menu()
    await anna.press(anna.button("Hold: take a break"))
    for phone in (anna, bert, screen):
        await phone.sees("Break since")
        shown = await phone.page.locator(".break time").inner_text()
        local_time = await phone.page.evaluate(
            """() => new Date(document.querySelector(".break time").dateTime).toTimeString().slice(0, 5)"""
        )
        assert shown == f"Break since {local_time}"
    evening.step()
    for phone in (anna, bert, screen):
        await expect(phone.page.locator(".break")).to_have_count(0)


async def test_clocks_and_breaks_work_without_scripts(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await new_phone("Anna", scripts=False)
    await anna.hold_seats(evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/?tab=menu")
    await anna.button("Hold: take a break").tap()
    await anna.sees("Break since")
    await anna.open(f"/t/{evening.code}/")
    await expect(anna.page.locator("#timers")).to_have_text("This decision: 0 min Evening: 0 min")
    await anna.button("Go on playing").tap()
    await expect(anna.page.locator("#break")).to_have_count(0)


# --- Signals ---


async def test_phone_is_silent_by_default(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    finish_setup(evening)
    bert = await seated(new_phone, evening, "yellow")
    await bert.tab("Board")  # sound would be allowed after a tap
    play_until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    await expect(bert.page.locator("#table[data-turn]")).to_have_count(1)
    assert await signals(bert) == []


@pytest.mark.long
async def test_enabled_signals_announce_each_turn_once(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    finish_setup(evening)
    bert = await seated(new_phone, evening, "yellow")
    await bert.menu()
    await switch(bert, "sound", "on")
    assert await signals(bert) == [TONE], "a sample"
    await switch(bert, "vibration", "on")
    assert await signals(bert) == [VIBRATION]

    play_until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    assert await signals(bert) == [TONE, VIBRATION]
    # Corrections and tab changes within the turn give no signal.
    evening.correct("cell:0,0", 2)
    await catch_up(bert, evening)
    await bert.tab("Now")
    assert await signals(bert) == []
    # Undo and redo lead to the same turn.
    for step in ("undo", "undo", "redo", "redo"):
        evening.post(step, {})
        await catch_up(bert, evening)
    assert await signals(bert) == []

    # A page opened during the turn gives no signal; the next turn is announced, after a tap on the page.
    await bert.page.reload()
    await bert.live()
    await bert.tab("Score")
    assert await signals(bert) == []
    play_until_turn_of(evening, "blue")
    await catch_up(bert, evening)
    assert await signals(bert) == []
    play_until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    assert await signals(bert) == [TONE, VIBRATION]

    await bert.menu()
    await switch(bert, "sound", "off")
    await switch(bert, "vibration", "off")
    play_until_turn_of(evening, "blue")
    play_until_turn_of(evening, "yellow")
    await catch_up(bert, evening)
    assert await signals(bert) == []


async def test_vibration_is_not_offered_if_unsupported(new_phone: NewPhone, site: str) -> None:
    anna = await new_phone("Anna")
    await anna.context.add_init_script("delete Navigator.prototype.vibrate;")
    await anna.open("/")
    await expect(anna.page.locator("button[name=sound]").first).to_be_visible()
    await expect(anna.page.locator("button[name=vibration]").first).to_be_hidden()
