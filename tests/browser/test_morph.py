"""A page that htmx has morphed after changes is the page that a newcomer gets."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Route, expect

from games.registry import GAMES
from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

# The page without what differs from one response to the next and what scripts note; attributes in any order.
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
OTHERS = set(GAMES) - {"wallenstein"}
PLAYED = {"revolution": 30, "wallenstein": 60, "signoria": 30, "raubritter": 50}


async def looking_at(
    phone: NewPhone, site: str, part: str, *, game: str, entries: int
) -> tuple[Evening, Phone, str]:
    """A game under way, a phone that looks at a part of its table, and the address of that."""
    evening = Evening.open(site, GAMES[game].factions[: GAMES[game].max_players], game=game)
    evening.play(entries)
    one, page = await phone("Anna"), f"/t/{evening.code}/{part}"
    await one.open(page)
    await one.live()
    return evening, one, page


async def sees_what_a_newcomer_sees(one: Phone, newcomer: Phone, page: str, version: int) -> None:
    await one.shows(version)
    await newcomer.open(page)
    assert await one.page.evaluate(SHOWN) == await newcomer.page.evaluate(SHOWN)


@pytest.mark.parametrize(
    "slug", ["wallenstein", *(pytest.param(slug, marks=pytest.mark.long) for slug in sorted(OTHERS))]
)
async def test_morphed_page_equals_a_new_one(phone: NewPhone, site: str, slug: str) -> None:
    game = GAMES[slug]
    evening = Evening.open(site, game.factions[: game.max_players], game=slug)
    evening.play(PLAYED[slug])
    anna, newcomer = await phone("Anna"), await phone("Newcomer")
    for one in (anna, newcomer):
        await one.hold_seats(evening.tokens[game.factions[0]])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    for way in ("enter", "enter", "undo", "undo", "redo", "enter", "enter"):
        if way == "enter":
            evening.step()
        else:
            evening.post(way, {})
        await sees_what_a_newcomer_sees(anna, newcomer, f"/t/{evening.code}/", evening.get()["version"])

    for tab, page in (("Board", "?tab=board"), ("Now", "?tab=now"), ("Board", "?tab=board")):
        await anna.tab(tab)
        await sees_what_a_newcomer_sees(anna, newcomer, f"/t/{evening.code}/{page}", evening.get()["version"])


# The places that are highlighted and can be seen, and all places of the page.
HIGHLIGHTED = """() => {
  const places = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .flatMap((one) => one.dataset.place.split(" "));
  return [places("#table .changed, #moment .changed"), places("#table [data-place], #moment [data-place]")];
}"""


@pytest.mark.parametrize("slug", sorted(GAMES))
async def test_places_of_the_newest_entry_are_highlighted(phone: NewPhone, site: str, slug: str) -> None:
    evening, anna, _page = await looking_at(phone, site, "?tab=board", game=slug, entries=PLAYED[slug] // 2)
    tv, replay = await phone("TV"), await phone("Replay")
    shown: set[str] = set()
    for _ in range(40):  # until an entry changes a place that the board shows
        evening.step()
        await anna.shows(evening.get()["version"])
        shown = await highlighted(anna, evening)
        if shown:
            break
    assert shown
    await tv.open(f"/t/{evening.code}/display/")
    await replay.open(f"/t/{evening.code}/replay/")
    for one in (tv, replay):
        assert await highlighted(one, evening)


async def highlighted(one: Phone, evening: Evening) -> set[str]:
    """Return the highlighted places, which must be those of the newest entry that the page has."""
    changed, places = map(set, await one.page.evaluate(HIGHLIGHTED))
    if "raubritter" not in evening.get()["game"]:  # its frames are only visible where something changed
        assert changed == changed_places(evening) & places
    assert changed <= changed_places(evening)
    return changed


def changed_places(evening: Evening) -> set[str]:
    """Return the targets of the moves of the newest entry."""

    def targets(steps: list[dict[str, Any]]) -> set[str]:
        own = {move["target"] for step in steps for move in step["moves"]}
        return own.union(*(targets(step.get("steps", [])) for step in steps))

    return targets(evening.get("journal/")[-1]["steps"])


async def test_tapped_tile_stays_in_place(phone: NewPhone, site: str) -> None:
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


async def test_refusal_is_shown_after_its_sender_changed_tabs(phone: NewPhone, site: str) -> None:
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


async def test_morphed_display_equals_a_new_one(phone: NewPhone, site: str) -> None:
    evening, tv, page = await looking_at(phone, site, "display/", game="wallenstein", entries=40)
    newcomer = await phone("Newcomer")
    for _ in range(3):
        evening.step()
        await sees_what_a_newcomer_sees(tv, newcomer, page, evening.get()["version"])
