"""The first evening: sitting down, hints, languages, and moving to another address."""

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


async def tap_counting_phone(new_phone: NewPhone, name: str) -> Phone:
    """Return a phone that counts its taps."""
    phone = await new_phone(name)
    await phone.context.add_init_script(COUNT_TAPS)
    return phone


async def taps(phone: Phone) -> int:
    return int(await phone.page.evaluate("() => Number(localStorage.getItem('taps'))"))


async def test_taking_a_seat_needs_three_taps_then_two(new_phone: NewPhone, site: str) -> None:
    """The second time the phone knows the name."""
    bert = await tap_counting_phone(new_phone, "Bert")
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


# Hints


async def test_dismissing_a_hint_keeps_the_choices_of_the_form(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await new_phone(faction)
    await anna.hold_seats(evening.tokens[faction])
    await anna.open(evening.page)
    await anna.live()
    hint = anna.page.locator("#hint-now")
    await expect(hint).to_be_visible()
    await anna.choose("tile", "plain")
    async with anna.page.expect_response("**/hints/"):
        await hint.get_by_role("button", name="Do not show this again").tap()
    await expect(hint).to_have_count(0)
    await expect(anna.page.locator("input[name=tile][value=plain]")).to_be_checked()

    # It does not return with the entries of others or after a reload.
    seen = await anna.version()
    evening.play(1)
    await anna.newer_than(seen)
    await expect(hint).to_have_count(0)
    await anna.page.reload()
    await anna.live()
    await expect(hint).to_have_count(0)


async def test_hint_covers_nothing(new_phone: NewPhone, site: str) -> None:
    """Checks the longest hints on a small phone."""
    evening = Evening.open(site, PAIR)
    faction = evening.play_until("place")
    anna = await new_phone(faction, width=360)
    await anna.hold_seats(evening.tokens[faction])
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


async def test_hints_work_without_scripts(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    watcher = await new_phone("watcher", scripts=False)
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


def translated(language: str, english: str) -> str:
    if language == "en":
        return english
    return gettext.translation("django", ROOT / "companion" / "locale", [language]).gettext(english)


@pytest.mark.long
async def test_three_phones_in_three_languages_at_one_table(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, tuple(THREE))
    phones = {}
    for faction, (name, language, code) in THREE.items():
        phone = phones[faction] = await new_phone(name)
        await phone.hold_seats(evening.tokens[faction])
        await phone.open(f"{evening.page}?tab=menu")
        await phone.button(language).tap()
        await expect(phone.page.locator("html")).to_have_attribute("lang", code)
        await phone.open(evening.page)
        await phone.live()
    for phone in phones.values():
        await phone.shows(evening.get()["version"])
        await phone.lay()

    async def expect_translated_pages() -> None:
        version = evening.get()["version"]
        for faction, (_name, _language, code) in THREE.items():
            page = phones[faction].page
            await phones[faction].shows(version)
            await expect(page.locator("html")).to_have_attribute("lang", code)
            hands, standing = (translated(code, words) for words in ("Hands", "If it ended now"))
            await expect(page.locator("section[id^=task-] h2").first).to_have_text(hands)
            await expect(page.locator("#standing h2")).to_have_text(standing)

    await expect_translated_pages()
    loaded = {faction: len(phone.requests) for faction, phone in phones.items()}
    for _ in range(4):
        faction = evening.get()["waiting_for"][0]
        await phones[faction].shows(evening.get()["version"])
        await phones[faction].place("plain")
        await expect_translated_pages()
        before = evening.get()["version"]
        await phones[faction].page.locator("#bar button[value=end]").tap()
        await phones[faction].newer_than(before)
    for faction, phone in phones.items():
        navigated = [r for r in phone.requests[loaded[faction] :] if r.is_navigation_request()]
        assert not navigated, "no page was loaded again"
    assert {entry["faction"] for entry in evening.get("journal/")} == set(THREE)


# Moving to another address


def host_link(server: Server) -> str:
    """Return the link for the host that the server prints when it is started."""
    command = [sys.executable, "manage.py", "host_link", server.url]
    shown = subprocess.run(
        command, cwd=ROOT, env=server.environment, check=True, capture_output=True, text=True
    )
    return re.findall(rf"{re.escape(server.url)}\S+", shown.stdout)[0]


async def scan(phone: Phone, link: str) -> None:
    """Open a scanned link and confirm it."""
    await phone.open(link)
    await phone.button("Yes, this phone now").tap()


@pytest.mark.long
async def test_after_a_change_of_address_one_scan_restores_each_phone(
    new_phone: NewPhone, own_server: Server
) -> None:
    evening = Evening.open(own_server.url, PAIR)
    anna, bert = await new_phone("Anna", at=own_server.url), await new_phone("Bert", at=own_server.url)
    await anna.hold_seats(evening.tokens["host"], evening.tokens["blue"])
    await bert.hold_seats(evening.tokens["yellow"])
    for phone in (anna, bert):
        phone.ignore_faults(f"ERR_|Failed to fetch|{re.escape(own_server.url)}")  # the old address
        await phone.open(evening.page)
        await phone.live()
    await anna.lay()
    await bert.lay()

    # The server starts at another address with the same data.
    own_server.stop()
    moved = Server(free_port(), own_server.environment, host="127.0.0.2")
    moved.start()
    try:
        anna.site = bert.site = moved.url
        await bert.open(f"{moved.url}/t/{evening.code}/")
        await bert.sees("You are watching.")

        # The host scans the code of the server, the others scan codes on the host's phone.
        await scan(anna, host_link(moved))
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
