"""The first evening: sitting down, understanding the screens, each in their own language, and getting back."""

from __future__ import annotations

import gettext
import re
import subprocess
import sys

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.servers import ROOT, Server, free_port
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")
THREE = {
    "blue": ("Anna", "English", "en"),
    "yellow": ("Béla", "Magyar", "hu"),
    "green": ("Carla", "Italiano", "it"),
}
COUNT_TAPS = """
document.addEventListener("pointerdown", () =>
  localStorage.setItem("taps", 1 + Number(localStorage.getItem("taps"))), true);
"""


# Sitting down


async def counting(phone: NewPhone, name: str) -> Phone:
    """A phone that knows how often it was tapped."""
    one = await phone(name)
    await one.context.add_init_script(COUNT_TAPS)
    return one


async def taps(one: Phone) -> int:
    return int(await one.page.evaluate("() => Number(localStorage.getItem('taps'))"))


async def test_seated_three_taps_after_the_link(phone: NewPhone, site: str) -> None:
    """Two, once the phone knows the name."""
    bert = await counting(phone, "Bert")
    await bert.open(Evening.open(site, start=False).page)
    await bert.page.locator("input[name=name]").tap()
    await bert.page.keyboard.type("Bert")
    await bert.page.locator("label", has_text="Yellow").tap()
    await bert.button("Take this seat").tap()
    await bert.sees("You are seated.")
    assert await taps(bert) == 3

    await bert.open(Evening.open(site, start=False).page)
    await bert.page.locator("label", has_text="Green").tap()
    await bert.button("Take this seat").tap()
    await bert.sees("You are seated.")
    await expect(bert.page.locator("#seats")).to_contain_text("Bert")
    assert await taps(bert) == 5


# Screens that explain themselves


async def test_a_hint_goes_with_one_tap_and_what_was_chosen_stays(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    mine = evening.play_until("place")
    anna = await phone(mine)
    await anna.hold_seats(evening.tokens[mine])
    await anna.open(evening.page)
    await anna.live()
    hint = anna.page.locator("#hint-now")
    await expect(hint).to_be_visible()
    await anna.choose("tile", "plain")
    async with anna.page.expect_response("**/hints/"):
        await hint.get_by_role("button", name="Do not show this again").tap()
    await expect(hint).to_have_count(0)
    await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()

    # Nor does it come again with what others do, or with the next page.
    seen = await anna.version()
    evening.play(1)
    await anna.newer_than(seen)
    await expect(hint).to_have_count(0)
    await anna.page.reload()
    await anna.live()
    await expect(hint).to_have_count(0)


async def test_a_hint_lies_over_nothing(phone: NewPhone, site: str) -> None:
    """On a small phone, with the longest of them."""
    evening = Evening.open(site, PAIR)
    mine = evening.play_until("place")
    anna = await phone(mine, width=360)
    await anna.hold_seats(evening.tokens[mine])
    for address in (evening.page, f"{evening.page}?tab=board", f"{evening.page}mend/1/"):
        await anna.open(address)
        overlaps = await anna.page.locator(".hint").evaluate(
            """hint => {
                const at = hint.getBoundingClientRect();
                const bar = document.getElementById("bar").getBoundingClientRect();
                const body = document.getElementById("body").getBoundingClientRect();
                return at.bottom > bar.top || at.bottom > body.top + 1 || at.right > innerWidth;
            }"""
        )
        assert not overlaps, address


async def test_hints_work_without_scripts(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    watcher = await phone("watcher", scripts=False)
    await watcher.open(f"{evening.page}?tab=score")
    hint = watcher.page.locator("#hint-score")
    await hint.get_by_role("button").tap()
    await expect(hint).to_have_count(0)
    await expect(watcher.page.locator("nav.tabs a[aria-current=page]")).to_have_text("Score")
    await watcher.menu()
    await watcher.button("Show the hints again").tap()
    await watcher.tab("Score")
    await expect(hint).to_be_visible()


# Languages


def told_in(language: str, english: str) -> str:
    if language == "en":
        return english
    return gettext.translation("django", ROOT / "companion" / "locale", [language]).gettext(english)


@pytest.mark.long
async def test_three_languages_at_one_table(phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, tuple(THREE))
    phones = {}
    for faction, (name, language, code) in THREE.items():
        one = phones[faction] = await phone(name)
        await one.hold_seats(evening.tokens[faction])
        await one.open(f"{evening.page}?tab=menu")
        await one.button(language).tap()
        await expect(one.page.locator("html")).to_have_attribute("lang", code)
        await one.open(evening.page)
        await one.live()
    for one in phones.values():
        await one.shows(evening.get()["version"])
        await one.lay()

    async def all_see_it() -> None:
        version = evening.get()["version"]
        for faction, (_name, _language, code) in THREE.items():
            page = phones[faction].page
            await phones[faction].shows(version)
            await expect(page.locator("html")).to_have_attribute("lang", code)
            hands, standing = (told_in(code, words) for words in ("Hands", "If it ended now"))
            await expect(page.locator("section[id^=task-] h2").first).to_have_text(hands)
            await expect(page.locator("#standing h2")).to_have_text(standing)

    await all_see_it()
    loaded = {faction: len(one.requests) for faction, one in phones.items()}
    for _ in range(4):  # as it comes: each in turn, by touch
        faction = evening.get()["waiting_for"][0]
        await phones[faction].shows(evening.get()["version"])
        await phones[faction].place("plain")
        await all_see_it()
        before = evening.get()["version"]
        await phones[faction].page.locator("#bar button[value=end]").tap()
        await phones[faction].newer_than(before)
    for faction, one in phones.items():
        navigated = [r for r in one.requests[loaded[faction] :] if r.is_navigation_request()]
        assert not navigated, "no page was loaded again"
    mine = evening.get("journal/")
    assert {entry["faction"] for entry in mine} == set(THREE)


# Another address


def way_back(server: Server) -> str:
    """What the laptop shows when it is started again."""
    command = [sys.executable, "manage.py", "way_back", server.url]
    shown = subprocess.run(
        command, cwd=ROOT, env=server.environment, check=True, capture_output=True, text=True
    )
    return re.findall(rf"{re.escape(server.url)}\S+", shown.stdout)[0]


async def scan(one: Phone, link: str) -> None:
    """Hold the camera at a code, and say yes to what it asks."""
    await one.open(link)
    await one.button("Yes, this phone now").tap()


@pytest.mark.long
async def test_another_address_one_scan_for_each_phone_and_the_evening_goes_on(
    phone: NewPhone, own_server: Server
) -> None:
    evening = Evening.open(own_server.url, PAIR)
    anna, bert = await phone("Anna", at=own_server.url), await phone("Bert", at=own_server.url)
    await anna.hold_seats(evening.tokens["host"], evening.tokens["blue"])
    await bert.hold_seats(evening.tokens["yellow"])
    for one in (anna, bert):
        one.forgive(f"ERR_|Failed to fetch|{re.escape(own_server.url)}")  # where nobody answers any more
        await one.open(evening.page)
        await one.live()
    await anna.lay()
    await bert.lay()

    # The laptop is in another network now, with what it had.
    own_server.stop()
    moved = Server(free_port(), own_server.environment, host="127.0.0.2")
    moved.start()
    try:
        anna.site = bert.site = moved.url
        there = f"{moved.url}/t/{evening.code}/"
        await bert.open(there)
        await bert.sees("You are watching.")

        # The host scans what the laptop shows, the others what the host's phone shows.
        await scan(anna, way_back(moved))
        await anna.sees("A code for each phone")
        rows = anna.page.locator(".codes > li")
        link = await rows.filter(has_text="Bert").locator(".address").inner_text()
        await rows.filter(has_text="Anna").get_by_role("button", name="Take this seat on this phone").tap()
        await anna.sees("Place a tile")
        await scan(bert, link)

        # Both are in their seats, and Anna is the host.
        await bert.sees("Anna: Place a tile")
        await anna.place("plain")
        await bert.sees(re.compile("Lay a plain at"))
        await anna.button("End the turn").tap()
        await bert.sees("Bert: Place a tile")
        await bert.place("plain")
        await anna.menu()
        await expect(anna.page.get_by_role("heading", name="Host")).to_be_visible()
        names = [seat["name"] for seat in Evening(moved.url, evening.code, evening.tokens).get()["seats"]]
        assert names == ["Anna", "Bert"]
    finally:
        moved.stop()
