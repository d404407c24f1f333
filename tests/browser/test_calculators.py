"""Calculators on a phone: one screen, no keyboard, a new result after every tap."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Locator, Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import HEIGHT
from tests.calculators.filling import ALL

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

# Minimum size of a tap target in CSS pixels, and controls below it. Radio buttons and checkboxes are tapped
# by their labels.
MIN_TARGET = 44
TOO_SMALL = """minimum => [...document.querySelectorAll("main button, main select, main input, main summary")]
  .map((control) => control.closest("label") ?? control)
  .filter((control) => control.checkVisibility() && !control.matches("[type=hidden], .hidden-text"))
  .filter((control) => control.offsetHeight < minimum || control.offsetWidth < minimum)
  .map((control) => control.outerHTML.slice(0, 120))"""
# Elements whose text is clipped.
CUT_OFF = """() => [...document.querySelectorAll("main button, main .choice > span, main th, main td, main legend:not(.hidden-text)")]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1 && element.clientWidth)
  .map((element) => element.outerHTML.slice(0, 120))"""
SIZE = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def cells_of(answer: Locator, faction: str) -> Locator:
    """Return the cells of a faction's row in the result table."""
    return answer.locator("tr", has_text=faction).locator("td")


async def test_tap_updates_the_result_without_a_reload(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna")
    await anna.open("/calculators/revolution/conflict/")
    await anna.page.evaluate("() => { window.samePage = true; }")
    answer = anna.page.locator("#answer")
    await expect(cells_of(answer, "Habsburgs")).to_have_text(["0", "1"])
    await anna.page.get_by_label("Limit: more").tap()
    await expect(cells_of(answer, "Habsburgs")).to_have_text(["1", "0"])
    await answer.locator("summary").tap()
    await anna.sees("6 counters, limit 6: no conflict.")
    await anna.page.get_by_label("Nobility, Counters: more").tap()
    await anna.sees("7 counters, limit 6: conflict")
    assert await anna.page.evaluate("() => window.samePage")


async def test_plus_and_minus_buttons_change_the_selected_cell(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna")
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


async def test_order_can_be_changed_by_taps(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna")
    await anna.open("/calculators/signoria/winner/")
    ranking = anna.page.locator("#answer .values li")
    await expect(ranking).to_have_text(["Blue", "Red", "Yellow", "Purple"])
    places = anna.page.locator(".order input")
    for place in (2, 1):
        await anna.button("Move Blue forward").tap()
        await expect(places.nth(place)).to_have_value("blue")
    await expect(ranking).to_have_text(["Red", "Blue", "Yellow", "Purple"])


async def test_inputs_survive_a_reload_and_can_be_shared_by_link(new_phone: NewPhone) -> None:
    anna, bert = await new_phone("Anna"), await new_phone("Bert")
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
async def test_late_response_does_not_overwrite_newer_taps(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna")
    await anna.open("/calculators/signoria/die-cost/")

    async def delay(route: Route) -> None:
        await asyncio.sleep(0.2)
        await route.continue_()

    await anna.page.route("**/die-cost/", delay)
    fewer = anna.page.get_by_label("Number on the action space: fewer")
    for _ in range(4):
        await fewer.tap()
        await anna.page.wait_for_timeout(150)
    await expect(anna.page.locator("#answer")).to_contain_text("Florins 0")
    await expect(anna.page.locator("input[name=space]")).to_have_value("1")
    await anna.page.unroute_all(behavior="wait")


@pytest.mark.long
async def test_every_calculator_fits_on_one_screen(new_phone: NewPhone) -> None:
    """Hints are dismissed: they would take up space only on the first visit."""
    anna = await new_phone("Anna")
    await anna.context.add_cookies([{"name": "hints", "value": "none", "url": anna.site}])
    faults: dict[str, object] = {}
    for game, calculator in ALL:
        address = f"/calculators/{game.slug}/{calculator.name}/"
        await anna.open(address)
        width, height = await anna.page.evaluate(SIZE)
        if width > 390 or height > HEIGHT:
            faults[address] = width, height
        if small := await anna.page.evaluate(TOO_SMALL, MIN_TARGET):
            faults[f"{address} small"] = small
        if cut := await anna.page.evaluate(CUT_OFF):
            faults[f"{address} cut"] = cut
    assert not faults, "\n".join(f"{page}: {fault}" for page, fault in faults.items())


@pytest.mark.long
async def test_no_calculator_is_wider_than_a_small_phone(new_phone: NewPhone) -> None:
    small = await new_phone("small", width=360)
    too_wide: dict[str, int] = {}
    for game, calculator in ALL:
        address = f"/calculators/{game.slug}/{calculator.name}/"
        await small.open(address)
        await small.page.evaluate(
            "() => { for (const details of document.querySelectorAll('details')) details.open = true; }"
        )
        width, _height = await small.page.evaluate(SIZE)
        if width > 360:
            too_wide[address] = width
    assert not too_wide
