"""Networks that go and come back, browsers that are killed, screens that must not sleep."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import HEIGHT, Phone
from tools.evening import Evening
from tools.shots import chromium

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")
LOST = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|aborted|Failed to load resource"


async def about_to_place(phone: NewPhone, site: str, **settings: Any) -> tuple[Evening, Phone]:
    """A phone whose owner is to lay a tile."""
    evening = Evening.open(site, PAIR)
    mine = evening.play_until("place")
    one = await phone(mine, **settings)
    one.forgive(LOST)
    await one.hold_seats(evening.tokens[mine])
    await one.open(f"/t/{evening.code}/")
    await one.live()
    return evening, one


async def tap_offline(one: Phone) -> None:
    """Enter something that waits for the network."""
    await one.choose("tile", "plain")
    await one.choose("at")
    await one.context.set_offline(True)
    await one.main.tap()
    await expect(one.page.locator("#unsent p")).to_have_count(1)


def counted(evening: Evening) -> int:
    return sum(not entry["undone"] for entry in evening.get("journal/"))


async def test_an_entry_without_a_network_waits_in_sight_and_is_sent_once(phone: NewPhone, site: str) -> None:
    """Even when the button is tapped again meanwhile, and the page loaded anew afterwards."""
    evening, anna = await about_to_place(phone, site)
    before, seen = counted(evening), await anna.version()
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.context.set_offline(True)
    unsent = anna.page.locator("#unsent")
    for _ in range(2):
        await anna.main.tap()
        await expect(unsent.locator("p")).to_have_count(1)
    await expect(unsent).to_contain_text("Waiting for the network")
    assert counted(evening) == before
    await anna.context.set_offline(False)
    await expect(unsent).to_be_hidden()
    await anna.newer_than(seen)
    await anna.page.reload()
    await anna.live()
    assert counted(evening) == before + 1


async def test_an_entry_that_waits_can_be_withdrawn(phone: NewPhone, site: str) -> None:
    evening, anna = await about_to_place(phone, site)
    before = counted(evening)
    await tap_offline(anna)
    await anna.button("Do not send").tap()
    await expect(anna.page.locator("#unsent")).to_be_hidden()
    await anna.context.set_offline(False)
    await anna.live()
    assert counted(evening) == before


async def test_an_entry_that_waits_is_sent_without_a_stream(phone: NewPhone, site: str) -> None:
    """The page is polled then, and an answer to that is a network as well."""
    evening, anna = await about_to_place(phone, site)
    await anna.context.route("**/events/", lambda route: route.abort())
    await anna.page.reload()
    before = counted(evening)
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.page.route("**/act/", lambda route: route.abort(), times=1)
    await anna.main.tap()
    await expect(anna.page.locator("#unsent p")).to_have_count(1)
    await expect(anna.page.locator("#unsent")).to_be_hidden(timeout=20_000)
    assert await anna.page.locator("body").get_attribute("data-live") != "on"
    assert counted(evening) == before + 1


async def test_an_entry_that_waits_outlasts_a_lost_cookie(phone: NewPhone, site: str) -> None:
    """The token of its form belongs to that cookie; the entry is sent with the one of the next page."""
    evening, anna = await about_to_place(phone, site)
    before = counted(evening)
    await tap_offline(anna)
    await anna.context.clear_cookies(name="csrftoken")
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#unsent")).to_be_hidden(timeout=20_000)
    assert counted(evening) == before + 1


async def test_an_entry_that_waited_is_never_dropped_without_a_word(phone: NewPhone, site: str) -> None:
    """Also if a page without the table says why."""
    _evening, anna = await about_to_place(phone, site)
    await tap_offline(anna)
    page = "<main><h1>There is nothing here.</h1></main>"
    await anna.page.route("**/act/", lambda route: route.fulfill(status=404, body=page))
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#unsent")).to_contain_text("Was not accepted: There is nothing here.")


async def test_each_of_several_entries_that_waited_says_why_it_was_refused(
    phone: NewPhone, site: str
) -> None:
    """As on a phone that enters for two people."""
    _evening, anna = await about_to_place(phone, site)
    await tap_offline(anna)
    once_more = """() => {
      const [name] = Object.keys(localStorage).filter((one) => one.startsWith("unsent "));
      const [entry] = JSON.parse(localStorage.getItem(name));
      localStorage.setItem(name, JSON.stringify([entry, { ...entry, key: `${entry.key}-2` }]));
    }"""
    await anna.page.evaluate(once_more)
    told = iter(("Blue is not asked.", "Red is not asked."))
    await anna.page.route(
        "**/act/",
        lambda route: route.fulfill(status=400, body=f"<main><p id=error>{next(told)}</p></main>"),
    )
    await anna.context.set_offline(False)
    unsent = anna.page.locator("#unsent")
    await expect(unsent).to_contain_text("Was not accepted: Blue is not asked. Red is not asked.")
    await expect(unsent.locator("p")).to_have_count(1)


async def test_a_tab_that_leads_nowhere_says_so(phone: NewPhone, site: str) -> None:
    _evening, anna = await about_to_place(phone, site)
    await anna.context.set_offline(True)
    await anna.page.locator("nav.tabs a", has_text="Score").tap()
    await anna.sees("The laptop does not answer")
    await anna.context.set_offline(False)
    await anna.tab("Score")
    await expect(anna.text("The laptop does not answer")).to_have_count(0)


async def test_what_was_chosen_is_there_after_a_reload(phone: NewPhone, site: str) -> None:
    _evening, anna = await about_to_place(phone, site)
    await anna.choose("tile", "plain")
    await anna.choose("at", index=1)
    chosen = anna.page.locator("input[name=at]:checked")
    cell = await chosen.get_attribute("value")
    await anna.page.reload()
    await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()
    await expect(chosen).to_have_attribute("value", cell or "")
    await expect(anna.main).to_be_enabled()


async def test_what_was_typed_beside_entries_is_there_after_a_reload(phone: NewPhone, site: str) -> None:
    """A name, a correction, a count, a mend and its reason; who comes to the page anew begins anew."""
    evening, anna = await about_to_place(phone, site)
    lobby = Evening.open(site, PAIR[:1], start=False)
    await anna.open(f"/t/{lobby.code}/")
    name = anna.page.locator("form[action$='/sit/'] input[name=name]")
    await name.fill("Zsófi")
    await anna.choose("faction", "green")
    await anna.page.reload()
    await expect(name).to_have_value("Zsófi")
    await expect(anna.page.locator("input[name=faction][value=green]")).to_be_checked()

    for page, field in (
        ("/", "form[action$='/join/'] input[name=code]"),
        ("/stats/", "input[name=name]"),
        ("/boards/wallenstein/", "input[name=name]"),
    ):
        await anna.open(page)
        await anna.page.locator(field).fill("KALLÓ")
        await anna.page.reload()
        await expect(anna.page.locator(field)).to_have_value("KALLÓ")

    await anna.open(f"/t/{evening.code}/?tab=correct&place=cell:0,0")
    line = anna.page.locator("form[action*='/correct/'] [data-stepper]").first
    await line.get_by_role("button", name="one more").tap()
    count = await line.locator("input").input_value()
    await anna.page.reload()
    await expect(line.locator("input")).to_have_value(count)

    await anna.open(f"/t/{evening.code}/compare/")
    found = anna.page.locator("#stop input[type=number]").first
    await anna.page.locator("#stop [data-step='1']").first.tap()
    count = await found.input_value()
    await anna.page.reload()
    await expect(found).to_have_value(count)
    await expect(anna.page.locator("#same")).to_have_text("It differs: go on")

    await anna.open(f"/t/{evening.code}/mend/1/")
    words = anna.page.locator("input[name=words]")
    await words.fill("It lay elsewhere")
    await anna.choose("tile1", "plain-village")
    await anna.page.reload()
    await expect(words).to_have_value("It lay elsewhere")
    await expect(anna.page.locator("input[name=tile1][value=plain-village]")).to_be_checked()
    await anna.open(f"/t/{evening.code}/mend/1/")
    await expect(words).to_have_value("")


@pytest.mark.long
async def test_thirty_seconds_without_a_network_while_entering(phone: NewPhone, site: str) -> None:
    """Nothing lost, nothing doubled, though the answer to the first try never came back."""
    evening, anna = await about_to_place(phone, site)
    before = counted(evening)
    await anna.choose("tile", "plain")
    await anna.context.set_offline(True)
    await anna.choose("at", index=1)
    cell = await anna.page.locator("input[name=at]:checked").get_attribute("value")
    await anna.main.tap()
    await expect(anna.page.locator("#unsent p")).to_have_count(1)
    await asyncio.sleep(30)

    async def arrives_without_an_answer(route: Any) -> None:
        await route.fetch()
        await route.abort()

    await anna.page.route("**/act/", arrives_without_an_answer, times=1)
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#unsent")).to_be_hidden(timeout=20_000)
    await anna.live(within=20_000)
    assert counted(evening) == before + 1
    sent = evening.get("journal/")[-1]["action"]
    assert (sent["tile"], sent["at"]) == ("plain", [int(part) for part in str(cell).split(",")])


async def test_a_page_that_was_seen_is_shown_offline_with_its_time(phone: NewPhone, site: str) -> None:
    evening, anna = await about_to_place(phone, site, installs=True)
    await anna.page.evaluate("navigator.serviceWorker.ready")
    await anna.page.reload()  # now with the worker between
    await anna.live()
    kept = "caches.keys().then(async names => (await Promise.all(names.map(async name =>"
    kept += " (await (await caches.open(name)).keys()).map(one => one.url)))).flat())"
    for _ in range(50):
        if any(url.endswith(f"/t/{evening.code}/") for url in await anna.page.evaluate(kept)):
            break
        await asyncio.sleep(0.1)
    await anna.context.set_offline(True)
    await anna.page.reload()
    await expect(anna.page.locator(".as-of")).to_have_text(re.compile(r"^As of \d\d:\d\d, offline$"))
    await expect(anna.page.locator("#table")).to_be_visible()
    await anna.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    await expect(anna.page.locator(".as-of")).to_be_in_viewport()
    await anna.open(f"/t/{evening.code}/replay/")
    await anna.sees("The laptop does not answer")
    await anna.context.set_offline(False)
    await anna.open(f"/t/{evening.code}/")
    await expect(anna.page.locator(".as-of")).to_have_count(0)
    await anna.live()


async def test_a_page_that_was_never_seen_is_missed_in_the_language_of_the_phone(
    phone: NewPhone, site: str
) -> None:
    """Also if it was another one when the worker came."""
    one = await phone(installs=True)
    one.forgive(LOST)
    await one.open("/")
    await one.page.evaluate("navigator.serviceWorker.ready")
    await one.page.get_by_role("button", name="Magyar").tap()
    await one.sees("Csatlakozás asztalhoz")
    in_hungarian = "caches.match('/offline/').then(page => page?.headers.get('Content-Language') === 'hu')"
    for _ in range(50):
        if await one.page.evaluate(in_hungarian):
            break
        await asyncio.sleep(0.1)
    await one.context.set_offline(True)
    await one.open("/calculators/")
    await one.sees("A laptop nem válaszol")


WATCH_LOCKS = """
window.locks = [];
const wakeLock = { async request() {
  const lock = new EventTarget();
  lock.release = async () => { locks.push("released"); lock.dispatchEvent(new Event("release")); };
  locks.push("taken");
  return lock;
}};
Object.defineProperty(Navigator.prototype, "wakeLock", { get: () => wakeLock });
"""


@pytest.mark.long
async def test_the_screen_stays_awake_while_the_game_runs(phone: NewPhone, site: str) -> None:
    """Taken again after coming back, let go at the end."""
    evening = Evening.open(site, PAIR)
    mine = evening.play_until("place")
    anna = await phone(mine)
    await anna.context.add_init_script(WATCH_LOCKS)
    await anna.hold_seats(evening.tokens[mine])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    assert await anna.page.evaluate("locks") == ["taken"]
    await anna.hide()
    assert await anna.page.evaluate("locks") == ["taken", "released"]
    await anna.wake()
    await anna.live()
    assert await anna.page.evaluate("locks") == ["taken", "released", "taken"]
    evening.play_to_the_end()
    await anna.page.wait_for_function("() => document.querySelector('[data-awake]') === null")
    await anna.page.wait_for_function("() => locks.at(-1) === 'released'")


@pytest.mark.long
@pytest.mark.flaky(reruns=1, reason="the browser decides when it writes what pages keep to the disk")
async def test_a_killed_browser_comes_back_into_its_seat(site: str, tmp_path: Path) -> None:
    """With what was chosen and not sent."""
    evening = Evening.open(site, PAIR[1:], start=False)
    settings: dict[str, Any] = {
        "executable_path": chromium(),
        "args": ["--no-sandbox"],
        "viewport": {"width": 390, "height": HEIGHT},
        "has_touch": True,
        "is_mobile": True,
    }
    async with async_playwright() as playwright:
        seated = await playwright.chromium.launch_persistent_context(tmp_path, **settings)
        anna = Phone(seated, seated.pages[0], site, "anna")
        await anna.open(evening.page)
        await anna.sit("Anna", "Blue")
        await anna.sees("You are seated.")
        await seated.close()  # browsers write cookies to the disk twice a minute, and when they are closed
        evening.post("start", {})
        evening.play_until("place", lambda prompt: prompt["faction"] == PAIR[0])
        killed = await playwright.chromium.launch_persistent_context(tmp_path, **settings)
        anna = Phone(killed, killed.pages[0], site, "anna")
        await anna.open(f"/t/{evening.code}/")
        await anna.choose("tile", "plain")
        await anna.choose("at")
        await anna.page.wait_for_timeout(8000)  # and what pages keep, every few seconds
        process = await asyncio.create_subprocess_exec("pkill", "-9", "-f", str(tmp_path))
        await process.wait()
        again = await playwright.chromium.launch_persistent_context(tmp_path, **settings)
        anna = Phone(again, again.pages[0], site, "anna")
        await anna.open(f"/t/{evening.code}/")
        await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()
        before, seen = counted(evening), await anna.version()
        await anna.main.tap()
        await anna.newer_than(seen)
        assert counted(evening) == before + 1
        await again.close()


async def test_a_phone_that_lost_its_cookie_loads_the_page_again_with_what_was_chosen(
    phone: NewPhone, site: str
) -> None:
    _evening, anna = await about_to_place(phone, site)
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.context.clear_cookies(name="csrftoken")
    before = await anna.version()
    async with anna.page.expect_navigation():
        await anna.main.tap()
    await anna.live()
    await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()
    await anna.main.tap()
    await anna.newer_than(before)
