"""The calculators on a phone: one screen, no keyboard needed, an answer with every tap."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Locator, Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import HEIGHT
from tests.calculators.filling import ALL

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

# A finger's width, and what is smaller than that. A radio button or checkbox is tapped by its label.
FINGER = 44
TOO_SMALL = """finger => [...document.querySelectorAll("main button, main select, main input, main summary")]
  .map((one) => one.closest("label") ?? one)
  .filter((one) => one.checkVisibility() && !one.matches("[type=hidden], .hidden-text"))
  .filter((one) => one.offsetHeight < finger || one.offsetWidth < finger)
  .map((one) => one.outerHTML.slice(0, 120))"""
# Words that do not fit into what holds them.
CUT_OFF = """() => [...document.querySelectorAll("main button, main .choice > span, main th, main td, main legend:not(.hidden-text)")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
  .map((one) => one.outerHTML.slice(0, 120))"""
SIZE = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def told(answer: Locator, who: str) -> Locator:
    """The figures of one line of the answer's table."""
    return answer.locator("tr", has_text=who).locator("td")


async def test_a_tap_changes_the_answer_without_a_reload(phone: NewPhone) -> None:
    anna = await phone("Anna")
    await anna.open("/calculators/revolution/conflict/")
    await anna.page.evaluate("() => { window.samePage = true; }")
    answer = anna.page.locator("#answer")
    await expect(told(answer, "Habsburgs")).to_have_text(["0", "1"])
    await anna.page.get_by_label("Limit: more").tap()
    await expect(told(answer, "Habsburgs")).to_have_text(["1", "0"])
    await answer.locator("summary").tap()
    await anna.sees("6 counters, limit 6: no conflict.")
    await anna.page.get_by_label("Nobility, Counters: more").tap()
    await anna.sees("7 counters, limit 6: conflict")
    assert await anna.page.evaluate("() => window.samePage")


async def test_cells_are_counted_by_the_two_large_buttons(phone: NewPhone) -> None:
    anna = await phone("Anna")
    await anna.open("/calculators/signoria/end-score/")
    answer = anna.page.locator("#answer")
    await expect(answer).to_contain_text("32")
    await anna.page.locator("input[name='fields.political.face_up.0']").tap()
    await expect(anna.page.locator("#padlabel")).to_have_text("Political, Values face up 1")
    await anna.page.get_by_label("one more", exact=True).tap()
    await expect(answer).to_contain_text("33")
    await anna.button("Marriage, Values face up: one more").tap()
    await expect(anna.page.locator("input[name='fields.marriage.face_up.0']")).to_have_value("2")
    await expect(answer).to_contain_text("37")
    await anna.button("Marriage, Values face up: remove the last").tap()
    await expect(answer).to_contain_text("33")


async def test_an_order_is_made_by_taps(phone: NewPhone) -> None:
    anna = await phone("Anna")
    await anna.open("/calculators/signoria/winner/")
    ranking = anna.page.locator("#answer .values li")
    await expect(ranking).to_have_text(["Blue", "Red", "Yellow", "Purple"])
    places = anna.page.locator(".order input")
    for place in (2, 1):
        await anna.button("Move Blue forward").tap()
        await expect(places.nth(place)).to_have_value("blue")
    await expect(ranking).to_have_text(["Red", "Blue", "Yellow", "Purple"])


async def test_what_is_filled_in_outlasts_a_reload(phone: NewPhone) -> None:
    anna, bert = await phone("Anna"), await phone("Bert")
    await anna.open("/calculators/signoria/end-score/")
    await anna.button("Marriage, Values face up: one more").tap()
    await expect(anna.page.locator("input[name='fields.marriage.face_up.0']")).to_have_value("2")
    await anna.page.locator("input[name='men.0']").fill("10")
    points = anna.page.locator("#answer .told-line").first
    await expect(points).to_contain_text("37")
    before = await anna.page.locator("#answer").inner_text()
    await anna.page.reload()
    await expect(anna.page.locator("input[name='men.0']")).to_have_value("10")
    assert await anna.page.locator("#answer").inner_text() == before
    assert "csrf" not in anna.page.url
    await bert.open(anna.page.url.removeprefix(anna.site))
    assert await bert.page.locator("#answer").inner_text() == before


@pytest.mark.long
async def test_no_tap_is_lost_while_an_answer_is_under_way(phone: NewPhone) -> None:
    """Taps come faster than answers over a slow line; one that is late must not take them back."""
    anna = await phone("Anna")
    await anna.open("/calculators/signoria/die-cost/")

    async def dawdle(route: Route) -> None:
        await asyncio.sleep(0.2)
        await route.continue_()

    await anna.page.route("**/die-cost/", dawdle)
    fewer = anna.page.get_by_label("Number on the action space: fewer")
    for _ in range(4):
        await fewer.tap()
        await anna.page.wait_for_timeout(150)
    await expect(anna.page.locator("#answer")).to_contain_text("Florins 0")
    await expect(anna.page.locator("input[name=space]")).to_have_value("1")
    await anna.page.unroute_all(behavior="wait")


@pytest.mark.long
async def test_every_calculator_fits_on_one_screen(phone: NewPhone) -> None:
    """Once its hint was read."""
    anna = await phone("Anna")
    await anna.context.add_cookies([{"name": "hints", "value": "none", "url": anna.site}])
    faults: dict[str, object] = {}
    for game, calculator in ALL:
        address = f"/calculators/{game.slug}/{calculator.name}/"
        await anna.open(address)
        width, height = await anna.page.evaluate(SIZE)
        if width > 390 or height > HEIGHT:
            faults[address] = width, height
        if small := await anna.page.evaluate(TOO_SMALL, FINGER):
            faults[f"{address} small"] = small
        if cut := await anna.page.evaluate(CUT_OFF):
            faults[f"{address} cut"] = cut
    assert not faults, "\n".join(f"{where}: {what}" for where, what in faults.items())


@pytest.mark.long
async def test_no_calculator_is_wider_than_a_small_phone(phone: NewPhone) -> None:
    small = await phone("small", width=360)
    wide: dict[str, int] = {}
    for game, calculator in ALL:
        address = f"/calculators/{game.slug}/{calculator.name}/"
        await small.open(address)
        await small.page.evaluate(
            "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
        )
        width, _height = await small.page.evaluate(SIZE)
        if width > 360:
            wide[address] = width
    assert not wide
