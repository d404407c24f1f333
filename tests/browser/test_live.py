"""Live updates: phones that sleep, lose the connection, are interrupted, or tap at the same moment."""

from __future__ import annotations

import asyncio
import re
from statistics import median
from typing import Any

import pytest
from playwright.async_api import Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.browser.proxies import line_to
from tests.servers import Server
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")


async def seated(new_phone: NewPhone, evening: Evening, faction: str, **settings: Any) -> Phone:
    """Return a phone that holds a seat, with the table's page open and its stream connected."""
    phone = await new_phone(faction, **settings)
    await phone.hold_seats(evening.tokens[faction])
    await phone.open(f"/t/{evening.code}/")
    await phone.live()
    return phone


def version_of(evening: Evening) -> int:
    return int(evening.get()["version"])


# --- Asleep ---


@pytest.mark.long
async def test_hidden_page_catches_up_when_it_is_shown_again(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await seated(new_phone, evening, "blue")
    before = await anna.version()
    await anna.hide()
    evening.play(20)
    await anna.page.wait_for_timeout(500)
    assert await anna.version() == before, "a hidden page makes no requests"
    await anna.wake()
    await anna.shows(version_of(evening), within=5000)
    await anna.live()


@pytest.mark.long
async def test_offline_phone_catches_up_when_it_is_online_again(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await seated(new_phone, evening, "blue")
    anna.ignore_faults("ERR_INTERNET_DISCONNECTED|Failed to fetch|aborted")
    await anna.context.set_offline(True)
    await anna.live("off")
    evening.play(20)
    await anna.context.set_offline(False)
    await anna.shows(version_of(evening), within=5000)
    await anna.live()


# --- The connection ---


@pytest.mark.long
async def test_phone_reconnects_to_a_server_that_was_killed(new_phone: NewPhone, own_server: Server) -> None:
    evening = Evening.open(own_server.url, PAIR)
    anna = await seated(new_phone, evening, "blue", at=own_server.url)
    anna.ignore_faults("ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|Failed to fetch|aborted")
    evening.play(3)
    await anna.shows(version_of(evening))
    own_server.kill()
    await anna.live("connecting")
    own_server.start()
    evening.play(3)
    await anna.shows(version_of(evening), within=15_000)
    await anna.live(within=15_000)


@pytest.mark.long
async def test_silent_connection_is_detected_and_replaced(new_phone: NewPhone, server: Server) -> None:
    evening = Evening.open(server.url, PAIR)
    async with line_to(server.port) as line:
        anna = await new_phone("blue", at=line.url)
        # The proxy is closed before the page, so the last requests of the page may fail.
        anna.ignore_faults("aborted|ERR_TIMED_OUT|ERR_INCOMPLETE|ERR_CONNECTION")
        await anna.page.clock.install()
        await anna.hold_seats(evening.tokens["blue"])
        await anna.open(f"/t/{evening.code}/")
        await anna.live()
        assert line.swallow()
        before = await anna.version()
        evening.play(3)
        await anna.page.wait_for_timeout(1000)
        assert await anna.version() == before, "the connection carries no data"
        await anna.live("on")  # the phone cannot know yet
        await anna.page.clock.fast_forward(41_000)
        # The browser has up to six connections, and each has to time out.
        for _ in range(12):
            if await anna.version() == version_of(evening):
                break
            await anna.page.wait_for_timeout(1000)
            await anna.page.clock.fast_forward(6000)
        assert await anna.version() == version_of(evening)
        await anna.live(within=15_000)


@pytest.mark.long
@pytest.mark.parametrize("failure", ["cut", "refused"])
async def test_page_is_polled_without_a_stream(new_phone: NewPhone, site: str, failure: str) -> None:
    evening = Evening.open(site, PAIR)
    anna = await new_phone("blue")
    anna.ignore_faults("/events/")

    async def block(route: Route) -> None:
        await (route.abort() if failure == "cut" else route.fulfill(status=503))

    await anna.context.route("**/events/", block)
    await anna.hold_seats(evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/")
    evening.play(3)
    await anna.shows(version_of(evening), within=9000)
    evening.play(1)
    await anna.shows(version_of(evening), within=9000)
    await expect(anna.page.locator("body")).not_to_have_attribute("data-live", "on")


# --- Interrupted ---


async def test_unsent_choices_survive_the_entries_of_others(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    active = evening.play_until("place")
    other = next(faction for faction in PAIR if faction != active)
    anna, bert = await seated(new_phone, evening, active), await seated(new_phone, evening, other)
    await anna.choose("tile", "plain-village")
    await bert.page.locator(".hands button").first.tap()
    await expect(anna.page.locator(".hands button[aria-pressed=true]")).to_have_count(1)
    await anna.choose("at", index=2)
    words = await anna.main.inner_text()
    assert words.startswith("Place the plain village at")

    # Also if a correction becomes the latest entry.
    evening.correct("cell:0,0", 1)
    await anna.shows(version_of(evening))
    assert await anna.page.locator("input[name=tile]:checked").get_attribute("value") == "plain-village"
    assert await anna.main.inner_text() == words
    await anna.main.tap()
    await bert.sees(re.compile("Lay a plain village at"))


@pytest.mark.flaky(reruns=1, reason="measures wall-clock time between two pages of a real browser")
async def test_ticks_reach_the_other_phone_within_a_second(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    anna, bert = await seated(new_phone, evening, "blue"), await seated(new_phone, evening, "yellow")
    taken = []
    ticked = ".hands button[aria-pressed=true]"
    for number in range(1, 6):
        seen = expect(bert.page.locator(ticked)).to_have_count(number)
        await anna.page.locator(".hands button[aria-pressed=false]").first.tap()
        taken.append(await _seconds(seen))
        await expect(anna.page.locator(ticked)).to_have_count(
            number
        )  # else the next tap would hit the same line
    assert median(taken) < 1, taken


async def _seconds(wait: Any) -> float:
    loop = asyncio.get_running_loop()
    start = loop.time()
    await wait
    return loop.time() - start


@pytest.mark.long
@pytest.mark.flaky(reruns=1, reason="measures the duration of a state of 300 ms")
async def test_button_is_locked_briefly_when_others_change_its_meaning(
    new_phone: NewPhone, site: str
) -> None:
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await seated(new_phone, evening, faction)
    await anna.page.evaluate(
        """() => {
            window.settling = [];
            const check = () => {
              const now = Boolean(document.querySelector("#bar button.settling"));
              if (now !== (window.settling.length % 2 === 1)) window.settling.push(performance.now());
              requestAnimationFrame(check);
            };
            check();
        }"""
    )
    evening.enter(faction, next(p["example"] for p in evening.get("prompts/")))
    await anna.page.wait_for_function("() => window.settling.length === 2")
    start, end = await anna.page.evaluate("() => window.settling")
    assert 200 < end - start < 1500  # nominally 300 ms, on a machine that may be busy
    # The phone's own tap locks nothing.
    await anna.undo.tap()
    await anna.page.wait_for_timeout(300)
    assert len(await anna.page.evaluate("() => window.settling")) == 2


async def test_refusal_scrolls_into_view_and_keeps_the_choices(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await seated(new_phone, evening, faction)
    anna.ignore_faults("status of 400")
    await anna.choose("tile", "plain")
    await anna.choose("at", index=1)
    await anna.page.evaluate("() => { document.querySelector('input[name=at]:checked').value = '90,90'; }")
    await anna.page.evaluate("() => window.scrollTo(0, document.body.scrollHeight)")
    await anna.main.tap()
    await expect(anna.page.locator("#error")).to_be_in_viewport()
    assert await anna.page.locator("input[name=tile]:checked").get_attribute("value") == "plain"


# --- At the same moment ---


async def test_two_phones_that_tap_at_the_same_moment_make_one_entry(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await seated(new_phone, evening, faction)
    scribe = await new_phone("scribe")
    await scribe.hold_seats(evening.tokens["host"])
    await scribe.open(f"/t/{evening.code}/?tab=menu")
    await scribe.button("Enter for everybody on this phone").tap()
    await scribe.live()
    for phone in (anna, scribe):
        phone.ignore_faults("status of 400")
        await phone.choose("tile", "plain-village")
        await phone.choose("at", index=1)
    both_sent = asyncio.Barrier(2)

    async def send_together(route: Route) -> None:
        await both_sent.wait()
        await route.continue_()

    for phone in (anna, scribe):
        await phone.page.route("**/act/", send_together)
    before = evening.get()["number"]
    await asyncio.gather(anna.main.tap(), scribe.main.tap())
    for phone in (anna, scribe):
        await phone.shows(version_of(evening))
    await anna.page.wait_for_timeout(300)
    assert evening.get()["number"] == before + 1


async def test_repeated_taps_make_one_entry(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await seated(new_phone, evening, faction)
    before = evening.get()["number"]
    await anna.choose("tile", "plain-village")
    await anna.choose("at", index=1)
    box = await anna.main.bounding_box()
    assert box
    point = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(3):
        await anna.page.touchscreen.tap(*point)
    await anna.shows(version_of(evening))
    await anna.page.wait_for_timeout(500)
    assert evening.get()["number"] == before + 1


async def test_late_response_does_not_return_to_the_previous_tab(new_phone: NewPhone, site: str) -> None:
    """A player who changed tabs after sending an entry stays there, and sees its result."""
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await seated(new_phone, evening, faction)
    tab_changed = asyncio.Event()

    async def delay(route: Route) -> None:
        response = await route.fetch()
        await tab_changed.wait()
        await route.fulfill(response=response)

    await anna.page.route("**/act/", delay)
    await anna.choose("tile", "plain-village")
    await anna.choose("at")
    before = evening.get()["number"]
    async with anna.page.expect_response("**/act/"):
        await anna.main.tap()
        await anna.tab("Score")
        tab_changed.set()
    assert evening.get()["number"] == before + 1
    await anna.shows(version_of(evening))
    await expect(anna.page.locator("nav.tabs a[aria-current=page]")).to_have_text("Score")
    await anna.sees("Where the points come from")


async def test_holding_longer_does_not_press_the_next_button(new_phone: NewPhone, site: str) -> None:
    """Another button is under the finger when it is lifted."""
    evening = Evening.open(site, PAIR, start=False)
    anna = await new_phone("host")
    await anna.hold_seats(evening.tokens["host"], evening.tokens["blue"])
    await anna.open(f"/t/{evening.code}/")
    await anna.hold(anna.button("Hold to start the game"), longer=1500)
    await anna.sees("Lay your two starting tiles")
    assert evening.get()["number"] == 0


# --- History ---


async def test_back_and_forward_navigate_through_the_tabs(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    evening.play_until("place")
    anna = await seated(new_phone, evening, "blue")
    anna.ignore_faults("aborted")  # going back twice aborts the first request
    await anna.tab("Score")
    await anna.tab("Journal")
    current = anna.page.locator("nav.tabs a[aria-current=page]")
    await anna.page.go_back()
    await expect(current).to_have_text("Score")
    await anna.sees("Where the points come from")
    await anna.live()
    await anna.page.go_forward()
    await expect(current).to_have_text("Journal")
    evening.correct("cell:0,0", 1)
    await anna.sees("corrected by hand")
    await anna.page.go_back()
    await anna.page.go_back()
    await expect(current).to_have_text("Now")
    await anna.live()
