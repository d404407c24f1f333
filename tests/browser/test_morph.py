"""A page morphed by htmx after changes equals a newly loaded one."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Route, expect

from companion.registry import titles
from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

# The page without tokens, clocks and state of scripts; attributes sorted.
SHOWN = """() => {
  const copy = document.getElementById("table").cloneNode(true);
  const varying = "[name=csrfmiddlewaretoken], [name=key], #timers, #live, #forecast";
  for (const element of copy.querySelectorAll(varying)) element.remove();
  for (const button of copy.querySelectorAll("button")) button.classList.remove("settling");
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    const attributes = [...element.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of attributes) element.removeAttribute(name);
    for (const [name, value] of attributes)
      if (!["data-htmx-powered", "open"].includes(name)) element.setAttribute(name, value);
  }
  return copy.outerHTML.replace(/\\s+/g, " ").replaceAll(' class=""', "");
}"""
OTHERS = set(titles()) - {"wallenstein"}
PLAYED = {"revolution": 30, "wallenstein": 60, "signoria": 30, "raubritter": 50}


async def open_part(
    new_phone: NewPhone, site: str, part: str, *, game: str, entries: int
) -> tuple[Evening, Phone, str]:
    """Return a game under way, a phone with a part of its page open, and the address of that part."""
    evening = Evening.open(site, titles()[game].game.factions[: titles()[game].game.max_players], game=game)
    evening.play(entries)
    phone, page = await new_phone("Anna"), f"/t/{evening.code}/{part}"
    await phone.open(page)
    await phone.live()
    return evening, phone, page


async def expect_same_page(phone: Phone, newcomer: Phone, page: str, version: int) -> None:
    await phone.shows(version)
    await newcomer.open(page)
    assert await phone.page.evaluate(SHOWN) == await newcomer.page.evaluate(SHOWN)


@pytest.mark.parametrize(
    "slug", ["wallenstein", *(pytest.param(slug, marks=pytest.mark.long) for slug in sorted(OTHERS))]
)
async def test_morphed_page_equals_a_new_one(new_phone: NewPhone, site: str, slug: str) -> None:
    game = titles()[slug].game
    evening = Evening.open(site, game.factions[: game.max_players], game=slug)
    evening.play(PLAYED[slug])
    anna, newcomer = await new_phone("Anna"), await new_phone("Newcomer")
    for phone in (anna, newcomer):
        await phone.hold_seats(evening.tokens[game.factions[0]])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    for step in ("enter", "enter", "undo", "undo", "redo", "enter", "enter"):
        if step == "enter":
            evening.step()
        else:
            evening.post(step, {})
        await expect_same_page(anna, newcomer, f"/t/{evening.code}/", evening.get()["version"])

    for tab, page in (("Board", "?tab=board"), ("Now", "?tab=now"), ("Board", "?tab=board")):
        await anna.tab(tab)
        await expect_same_page(anna, newcomer, f"/t/{evening.code}/{page}", evening.get()["version"])


# Visible highlighted places, and all visible places of the page.
HIGHLIGHTED = """() => {
  const places = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
    .flatMap((element) => element.dataset.place.split(" "));
  return [places("#table .changed, #moment .changed"), places("#table [data-place], #moment [data-place]")];
}"""


@pytest.mark.parametrize("slug", sorted(titles()))
async def test_places_of_the_latest_entry_are_highlighted(new_phone: NewPhone, site: str, slug: str) -> None:
    evening, anna, _page = await open_part(
        new_phone, site, "?tab=board", game=slug, entries=PLAYED[slug] // 2
    )
    tv, replay = await new_phone("TV"), await new_phone("Replay")
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
    for phone in (tv, replay):
        assert await highlighted(phone, evening)


async def highlighted(phone: Phone, evening: Evening) -> set[str]:
    """Return the highlighted places; assert that they are those of the latest entry that the page shows."""
    changed, places = map(set, await phone.page.evaluate(HIGHLIGHTED))
    if "raubritter" not in evening.get()["game"]:  # its frames are only visible where something changed
        assert changed == changed_places(evening) & places
    assert changed <= changed_places(evening)
    return changed


def changed_places(evening: Evening) -> set[str]:
    """Return the targets of the moves of the latest entry."""

    def targets(steps: list[dict[str, Any]]) -> set[str]:
        direct = {move["target"] for step in steps for move in step["moves"]}
        return direct.union(*(targets(step.get("steps", [])) for step in steps))

    return targets(evening.get("journal/")[-1]["steps"])


async def test_tapped_tile_stays_in_place(new_phone: NewPhone, site: str) -> None:
    evening, anna, page = await open_part(new_phone, site, "?tab=board", game="raubritter", entries=20)
    newcomer = await new_phone("Newcomer")
    tiles = "() => [...document.querySelectorAll('#map .t')].map((tile) => [tile.id, tile.getAttribute('transform')])"
    await anna.page.locator("#map .t").first.tap()
    await expect(anna.page.locator(".look svg")).to_be_visible()
    for _ in range(3):
        evening.step()
        await anna.shows(evening.get()["version"])
        await newcomer.open(page)
        assert await anna.page.evaluate(tiles) == await newcomer.page.evaluate(tiles)
        await expect(anna.page.locator(".look svg")).to_be_visible()


async def test_refusal_is_shown_after_its_sender_changed_tabs(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, ("red", "blue"))
    faction = evening.play_until("place")
    anna = await new_phone("Anna")
    anna.ignore_faults("400")
    await anna.hold_seats(evening.tokens[faction])
    await anna.open(f"/t/{evening.code}/")
    await anna.live()
    pending: list[Route] = []
    await anna.page.route("**/act/**", lambda route: pending.append(route))  # noqa: PLW0108 - Playwright needs a Python function
    await anna.choose("tile", "plain")
    await anna.choose("at")
    await anna.page.evaluate(
        "() => { document.querySelector('.entryform input[name=at]:checked').value = '99,99' }"
    )
    await anna.main.tap()
    await anna.tab("Board")
    await pending[0].continue_()
    await expect(anna.page.locator("#error")).to_be_visible()


async def test_morphed_display_equals_a_new_one(new_phone: NewPhone, site: str) -> None:
    evening, tv, page = await open_part(new_phone, site, "display/", game="wallenstein", entries=40)
    newcomer = await new_phone("Newcomer")
    for _ in range(3):
        evening.step()
        await expect_same_page(tv, newcomer, page, evening.get()["version"])
