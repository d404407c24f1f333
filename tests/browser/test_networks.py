"""Lost networks, killed browsers, drafts, offline pages and wake locks."""

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


async def about_to_place(new_phone: NewPhone, site: str, **settings: Any) -> tuple[Evening, Phone]:
    """Return a table whose next prompt is to place a tile, and the phone of the player asked."""
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    phone = await new_phone(faction, **settings)
    phone.ignore_faults(LOST)
    await phone.hold_seats(evening.tokens[faction])
    await phone.open(f"/t/{evening.code}/")
    await phone.live()
    return evening, phone


async def tap_offline(phone: Phone) -> None:
    """Make an entry while offline, which is queued."""
    await phone.choose("tile", "plain")
    await phone.choose("at")
    await phone.context.set_offline(True)
    await phone.main.tap()
    await expect(phone.page.locator("#unsent p")).to_have_count(1)


def entry_count(evening: Evening) -> int:
    """Return the number of entries that are not undone."""
    return sum(not entry["undone"] for entry in evening.get("journal/"))


async def test_offline_entry_is_shown_as_waiting_and_sent_once(new_phone: NewPhone, site: str) -> None:
    """Even if the button is tapped again meanwhile, and the page is reloaded afterwards."""
    evening, anna = await about_to_place(new_phone, site)
    before, seen = entry_count(evening), await anna.version()
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.context.set_offline(True)
    unsent = anna.page.locator("#unsent")
    for _ in range(2):
        await anna.main.tap()
        await expect(unsent.locator("p")).to_have_count(1)
    await expect(unsent).to_contain_text("Waiting for the network")
    assert entry_count(evening) == before
    await anna.context.set_offline(False)
    await expect(unsent).to_be_hidden()
    await anna.newer_than(seen)
    await anna.page.reload()
    await anna.live()
    assert entry_count(evening) == before + 1


async def test_waiting_entry_can_be_withdrawn(new_phone: NewPhone, site: str) -> None:
    evening, anna = await about_to_place(new_phone, site)
    before = entry_count(evening)
    await tap_offline(anna)
    await anna.button("Do not send").tap()
    await expect(anna.page.locator("#unsent")).to_be_hidden()
    await anna.context.set_offline(False)
    await anna.live()
    assert entry_count(evening) == before


async def test_waiting_entry_is_sent_when_a_poll_succeeds(new_phone: NewPhone, site: str) -> None:
    """Without a stream, the response to a poll shows that the server is reachable."""
    evening, anna = await about_to_place(new_phone, site)
    await anna.context.route("**/events/", lambda route: route.abort())
    await anna.page.reload()
    before = entry_count(evening)
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.page.route("**/act/", lambda route: route.abort(), times=1)
    await anna.main.tap()
    await expect(anna.page.locator("#unsent p")).to_have_count(1)
    await expect(anna.page.locator("#unsent")).to_be_hidden(timeout=20_000)
    assert await anna.page.locator("body").get_attribute("data-live") != "on"
    assert entry_count(evening) == before + 1


async def test_waiting_entry_is_still_shown_after_going_back(new_phone: NewPhone, site: str) -> None:
    _evening, anna = await about_to_place(new_phone, site)
    await anna.page.route("**/act/", lambda route: route.abort())
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.main.tap()
    waiting = anna.page.locator("#unsent p")
    await expect(waiting).to_have_count(1)
    await anna.tab("Score")
    await anna.page.go_back()
    await expect(anna.page.locator("nav.tabs a[aria-current=page]")).to_have_text("Now")
    await expect(waiting).to_be_visible()


async def test_waiting_entry_is_sent_after_the_csrf_cookie_was_lost(new_phone: NewPhone, site: str) -> None:
    """The form's token is invalid without its cookie; the entry is sent with the token of the next page."""
    evening, anna = await about_to_place(new_phone, site)
    before = entry_count(evening)
    await tap_offline(anna)
    await anna.context.clear_cookies(name="csrftoken")
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#unsent")).to_be_hidden(timeout=20_000)
    assert entry_count(evening) == before + 1


async def test_refused_waiting_entry_shows_the_title_of_the_error_page(
    new_phone: NewPhone, site: str
) -> None:
    _evening, anna = await about_to_place(new_phone, site)
    await tap_offline(anna)
    page = "<main><h1>There is nothing here.</h1></main>"
    await anna.page.route("**/act/", lambda route: route.fulfill(status=404, body=page))
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#unsent")).to_contain_text("Was not accepted: There is nothing here.")


async def test_each_refused_waiting_entry_shows_its_message(new_phone: NewPhone, site: str) -> None:
    """A phone with two seats may have two entries waiting."""
    _evening, anna = await about_to_place(new_phone, site)
    await tap_offline(anna)
    duplicate = """() => {
      const [name] = Object.keys(localStorage).filter((key) => key.startsWith("unsent "));
      const [entry] = JSON.parse(localStorage.getItem(name));
      localStorage.setItem(name, JSON.stringify([entry, { ...entry, key: `${entry.key}-2` }]));
    }"""
    await anna.page.evaluate(duplicate)
    messages = iter(("Blue is not asked.", "Red is not asked."))
    await anna.page.route(
        "**/act/",
        lambda route: route.fulfill(status=400, body=f"<main><p id=error>{next(messages)}</p></main>"),
    )
    await anna.context.set_offline(False)
    unsent = anna.page.locator("#unsent")
    await expect(unsent).to_contain_text("Was not accepted: Blue is not asked. Red is not asked.")
    await expect(unsent.locator("p")).to_have_count(1)


async def test_tab_that_cannot_be_loaded_shows_an_error(new_phone: NewPhone, site: str) -> None:
    _evening, anna = await about_to_place(new_phone, site)
    await anna.context.set_offline(True)
    await anna.page.locator("nav.tabs a", has_text="Score").tap()
    await anna.sees("The laptop does not answer")
    await anna.context.set_offline(False)
    await anna.tab("Score")
    await expect(anna.text("The laptop does not answer")).to_have_count(0)


async def test_choices_survive_a_reload(new_phone: NewPhone, site: str) -> None:
    _evening, anna = await about_to_place(new_phone, site)
    await anna.choose("tile", "plain")
    await anna.choose("at", index=1)
    chosen = anna.page.locator("input[name=at]:checked")
    cell = await chosen.get_attribute("value")
    await anna.page.reload()
    await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()
    await expect(chosen).to_have_attribute("value", cell or "")
    await expect(anna.main).to_be_enabled()


async def test_other_forms_survive_a_reload_but_not_a_new_visit(new_phone: NewPhone, site: str) -> None:
    """A name, a correction, a count, a changed entry and its reason."""
    evening, anna = await about_to_place(new_phone, site)
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
    counted = anna.page.locator("#stop input[type=number]").first
    await anna.page.locator("#stop [data-step='1']").first.tap()
    count = await counted.input_value()
    await anna.page.reload()
    await expect(counted).to_have_value(count)
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
async def test_entry_survives_thirty_seconds_without_a_network(new_phone: NewPhone, site: str) -> None:
    """The entry is made once, although the response to the first attempt is lost."""
    evening, anna = await about_to_place(new_phone, site)
    before = entry_count(evening)
    await anna.choose("tile", "plain")
    await anna.context.set_offline(True)
    await anna.choose("at", index=1)
    cell = await anna.page.locator("input[name=at]:checked").get_attribute("value")
    await anna.main.tap()
    await expect(anna.page.locator("#unsent p")).to_have_count(1)
    await asyncio.sleep(30)

    async def lose_response(route: Any) -> None:
        await route.fetch()
        await route.abort()

    await anna.page.route("**/act/", lose_response, times=1)
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#unsent")).to_be_hidden(timeout=20_000)
    await anna.live(within=20_000)
    assert entry_count(evening) == before + 1
    sent = evening.get("journal/")[-1]["action"]
    assert (sent["tile"], sent["at"]) == ("plain", [int(part) for part in str(cell).split(",")])


async def test_visited_page_is_shown_offline_with_its_time(new_phone: NewPhone, site: str) -> None:
    evening, anna = await about_to_place(new_phone, site, installs=True)
    await anna.page.evaluate("navigator.serviceWorker.ready")
    await anna.page.reload()  # now through the service worker
    await anna.live()
    cached_urls = "caches.keys().then(async names => (await Promise.all(names.map(async name =>"
    cached_urls += " (await (await caches.open(name)).keys()).map(request => request.url)))).flat())"
    for _ in range(50):
        if any(url.endswith(f"/t/{evening.code}/") for url in await anna.page.evaluate(cached_urls)):
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


async def test_offline_page_has_the_language_of_the_phone(new_phone: NewPhone, site: str) -> None:
    """Also if the language was changed after the service worker was installed."""
    phone = await new_phone(installs=True)
    phone.ignore_faults(LOST)
    await phone.open("/")
    await phone.page.evaluate("navigator.serviceWorker.ready")
    await phone.page.get_by_role("button", name="Magyar").tap()
    await phone.sees("Csatlakozás asztalhoz")
    in_hungarian = "caches.match('/offline/').then(page => page?.headers.get('Content-Language') === 'hu')"
    for _ in range(50):
        if await phone.page.evaluate(in_hungarian):
            break
        await asyncio.sleep(0.1)
    await phone.context.set_offline(True)
    await phone.open("/calculators/")
    await phone.sees("A laptop nem válaszol")


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
async def test_wake_lock_is_held_while_the_game_runs(new_phone: NewPhone, site: str) -> None:
    """It is released while the page is hidden and at the end of the game."""
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await new_phone(faction)
    await anna.context.add_init_script(WATCH_LOCKS)
    await anna.hold_seats(evening.tokens[faction])
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
@pytest.mark.flaky(reruns=1, reason="the browser decides when it writes local storage to disk")
async def test_killed_browser_restores_seat_and_draft(site: str, tmp_path: Path) -> None:
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
        await seated.close()  # Chromium writes cookies to disk every 30 s, and when it is closed
        evening.post("start", {})
        evening.play_until("place", lambda prompt: prompt["faction"] == PAIR[0])
        killed = await playwright.chromium.launch_persistent_context(tmp_path, **settings)
        anna = Phone(killed, killed.pages[0], site, "anna")
        await anna.open(f"/t/{evening.code}/")
        await anna.choose("tile", "plain")
        await anna.choose("at")
        await anna.page.wait_for_timeout(8000)  # and local storage every few seconds
        process = await asyncio.create_subprocess_exec("pkill", "-9", "-f", str(tmp_path))
        await process.wait()
        restarted = await playwright.chromium.launch_persistent_context(tmp_path, **settings)
        anna = Phone(restarted, restarted.pages[0], site, "anna")
        await anna.open(f"/t/{evening.code}/")
        await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()
        before, seen = entry_count(evening), await anna.version()
        await anna.main.tap()
        await anna.newer_than(seen)
        assert entry_count(evening) == before + 1
        await restarted.close()


async def test_lost_csrf_cookie_reloads_the_page_and_keeps_the_choices(
    new_phone: NewPhone, site: str
) -> None:
    _evening, anna = await about_to_place(new_phone, site)
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
