"""What a page has already is not sent to it again; it is the same page as for somebody who has just come."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Route, expect

from games.registry import GAMES
from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

# All but what differs from one answer to the next, and what scripts note on elements; attributes in any order.
SHOWN = """() => {
  const copy = document.getElementById("table").cloneNode(true);
  for (const one of copy.querySelectorAll("[name=csrfmiddlewaretoken], [name=key], #timers, #live, #forecast")) one.remove();
  for (const one of copy.querySelectorAll("button")) one.classList.remove("settling");
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    const attributes = [...one.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of attributes) one.removeAttribute(name);
    for (const [name, value] of attributes)
      if (!["data-htmx-powered", "open"].includes(name)) one.setAttribute(name, value);
  }
  return copy.outerHTML.replace(/\\s+/g, " ").replaceAll(' class=""', "");
}"""
EMPTY = "() => document.querySelectorAll('[data-same]').length"
OTHERS = set(GAMES) - {"wallenstein"}
PLAYED = {"revolution": 30, "wallenstein": 60, "signoria": 30, "raubritter": 50}


async def looking_at(
    phone: NewPhone, site: str, part: str, *, game: str, entries: int
) -> tuple[Evening, Phone, str]:
    """A game under way, a phone that looks at a part of its table, and the address of that."""
    evening = Evening.open(site, ("red", "blue", "yellow"), game=game)
    evening.play(entries)
    one, page = await phone("Anna"), f"/t/{evening.code}/{part}"
    await one.open(page)
    await one.live()
    return evening, one, page


async def sees_what_a_newcomer_sees(one: Phone, newcomer: Phone, page: str, version: int) -> None:
    await one.shows(version)
    await newcomer.open(page)
    assert await one.page.evaluate(SHOWN) == await newcomer.page.evaluate(SHOWN)
    assert await one.page.evaluate(EMPTY) == 0


@pytest.mark.parametrize(
    "slug", ["wallenstein", *(pytest.param(slug, marks=pytest.mark.long) for slug in sorted(OTHERS))]
)
async def test_after_every_change_it_is_the_whole_page(phone: NewPhone, site: str, slug: str) -> None:
    game = GAMES[slug]
    evening = Evening.open(site, game.factions[: game.max_players], game=slug)
    evening.play(PLAYED[slug])
    anna, newcomer = await phone("Anna"), await phone("Newcomer")
    for one in (anna, newcomer):
        await one.hold_seats(evening.tokens[game.factions[0]])
    sizes: list[int] = []

    async def measured(route: Route) -> None:
        answer = await route.fetch()
        sizes.append(len(await answer.body()))
        await route.fulfill(response=answer)

    await anna.page.route(lambda url: url.endswith((f"/t/{evening.code}/", "tab=board")), measured)
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    for way in ("enter", "enter", "undo", "undo", "redo", "enter", "enter"):
        if way == "enter":
            evening.step()
        else:
            evening.post(way, {})
        await sees_what_a_newcomer_sees(anna, newcomer, f"/t/{evening.code}/", evening.get()["version"])

    # From one part of the table to another and back: what was there comes back, or stands elsewhere.
    for tab, page in (("Board", "?tab=board"), ("Now", "?tab=now"), ("Board", "?tab=board")):
        await anna.tab(tab)
        await sees_what_a_newcomer_sees(anna, newcomer, f"/t/{evening.code}/{page}", evening.get()["version"])
    await anna.tab("Score")
    evening.step()
    await anna.shows(evening.get()["version"])
    sizes.clear()
    await anna.tab("Board")
    whole = len(await anna.page.evaluate("() => document.getElementById('table').outerHTML"))
    assert sizes[0] < whole / 2
    await sees_what_a_newcomer_sees(anna, newcomer, f"/t/{evening.code}/?tab=board", evening.get()["version"])


async def test_what_has_gone_meanwhile_is_fetched(phone: NewPhone, site: str) -> None:
    async def lose(anna: Phone, route: Route) -> None:
        await anna.page.evaluate("() => { document.querySelector('#borders').dataset.known = 'other' }")
        await route.continue_()

    await asks_for_the_whole_page(phone, site, lose)


async def test_the_mark_of_another_element_is_not_taken_for_its_own(phone: NewPhone, site: str) -> None:
    """A mark is short: somebody's may be another's as well."""

    async def mix_up(_anna: Phone, route: Route) -> None:
        another = route.request.headers["known"].split()[0]
        answer = await route.fetch()
        body = re.sub(r'(<nav id="tabs" data-same=")[^"]*', rf"\g<1>{another}", await answer.text())
        await route.fulfill(response=answer, body=body)

    await asks_for_the_whole_page(phone, site, mix_up)


async def asks_for_the_whole_page(
    phone: NewPhone, site: str, meddle: Callable[[Phone, Route], Awaitable[None]]
) -> None:
    """What a phone does whose first answer cannot be put together with what it has."""
    evening, anna, page = await looking_at(phone, site, "?tab=board", game="wallenstein", entries=40)
    newcomer = await phone("Newcomer")
    asked: list[str] = []

    async def first(route: Route) -> None:
        asked.append(route.request.headers.get("known", ""))
        await (meddle(anna, route) if len(asked) == 1 else route.continue_())

    await anna.page.route(re.compile(r"tab=board$"), first)
    evening.step()
    await sees_what_a_newcomer_sees(anna, newcomer, page, evening.get()["version"])
    assert [bool(known) for known in asked[:2]] == [True, False]


async def test_a_tile_that_is_looked_at_stays_where_it_lies(phone: NewPhone, site: str) -> None:
    """Its picture is shown once more below the land."""
    evening, anna, page = await looking_at(phone, site, "?tab=board", game="raubritter", entries=20)
    newcomer = await phone("Newcomer")
    tiles = "() => [...document.querySelectorAll('#map .t')].map((one) => [one.id, one.getAttribute('transform')])"
    await anna.page.locator("#map .t").first.tap()
    await expect(anna.page.locator(".look svg")).to_be_visible()
    for _ in range(3):
        evening.step()
        await anna.shows(evening.get()["version"])
        await newcomer.open(page)
        assert await anna.page.evaluate(tiles) == await newcomer.page.evaluate(tiles)
        await expect(anna.page.locator(".look svg")).to_be_visible()


async def test_a_refusal_is_told_wherever_its_sender_has_gone_meanwhile(phone: NewPhone, site: str) -> None:
    """Its page cannot be shown any more, as it counts on what is no longer there."""
    evening = Evening.open(site, ("red", "blue"))
    mine = evening.play_until("place")
    anna = await phone("Anna")
    anna.forgive("400")
    await anna.hold_seats(evening.tokens[mine])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    held: list[Route] = []
    await anna.page.route("**/act/**", lambda route: held.append(route))  # noqa: PLW0108 - as Playwright wants it
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.page.evaluate(
        "() => { document.querySelector('.entryform input[name=at]:checked').value = '99,99' }"
    )
    await anna.main.tap()
    await anna.tab("Board")
    await held[0].continue_()
    await expect(anna.page.locator("#error")).to_be_visible()
    await expect(anna.page.locator("nav.tabs a[aria-current=page]")).to_have_text("Board")
    assert await anna.page.evaluate(EMPTY) == 0


async def test_the_tv_is_sent_only_what_is_new(phone: NewPhone, site: str) -> None:
    evening, tv, page = await looking_at(phone, site, "display/", game="wallenstein", entries=40)
    newcomer = await phone("Newcomer")
    for _ in range(3):
        evening.step()
        await sees_what_a_newcomer_sees(tv, newcomer, page, evening.get()["version"])
    last = [request for request in tv.requests if request.headers.get("known")][-1]
    answer = await last.response()
    assert answer
    whole = len(await tv.page.evaluate("() => document.getElementById('table').outerHTML"))
    assert len(await answer.text()) < whole / 2
