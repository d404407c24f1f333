"""Mending by touch: changing an entry, leaving one out, ruling a result differently."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser import accessibility
from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

PAIR = ("blue", "yellow")
# If blue places a plain elsewhere, the march from blue's castle and yellow's tile beside it become illegal.
PLAYED = (
    ("blue", {"type": "lay", "tiles": ["plain", "plain"], "at": [[0, 0], [0, 1]]}),
    ("yellow", {"type": "lay", "tiles": ["plain-village", "forest-town"], "at": [[1, 1], [1, 0]]}),
    ("blue", {"type": "place", "tile": "forest-castle", "at": [0, 2]}),
    ("blue", {"type": "march", "knights": 2, "direction": None, "left": [2]}),
    ("blue", {"type": "end"}),
    ("yellow", {"type": "place", "tile": "forest-village", "at": [-1, 2]}),
    ("yellow", {"type": "place", "tile": "mountain", "at": [-1, 1]}),
)


async def open_journal(phone: Phone, evening: Evening, *seats: str) -> None:
    await phone.hold_seats(*(evening.tokens[seat] for seat in seats))
    await phone.open(f"/t/{evening.code}/?tab=journal")
    await phone.live()


async def open_entry_link(phone: Phone, number: int, link: str) -> None:
    entry = phone.page.locator(f"#entry-{number}")
    await entry.locator("summary").tap()
    await entry.get_by_role("link", name=link).tap()


async def agree(phone: Phone) -> None:
    """Check that the preview fits the screen and is accessible, then hold the button."""
    await expect(phone.page.get_by_role("heading", name="What would change")).to_be_visible()
    assert await phone.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert not await accessibility.violations(phone.page)
    await phone.hold(phone.button("Hold: agree"))
    await expect(phone.page.get_by_role("heading", name="Journal")).to_be_visible()


async def test_entry_is_changed_and_another_left_out(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR)
    for faction, action in PLAYED:
        evening.enter(faction, action)
    anna, bert = await new_phone("Anna"), await new_phone("Bert")
    await open_journal(anna, evening, "blue")
    await open_journal(bert, evening, "yellow")

    await open_entry_link(anna, 3, "Change this")
    await anna.sees("Entry 3 was")
    await expect(anna.main).to_have_text("Place the forest castle at K13")  # filled in as entered
    await anna.choose("tile", "plain")
    await anna.choose("at", "1,2")
    await anna.main.tap()
    await anna.sees("2 later entries no longer hold and are left out:")
    await anna.sees("Knights enter only on the castle you have just placed.")
    await anna.sees("The tile must share a whole edge with a tile on the table.")
    before = evening.get("journal/")
    await anna.page.get_by_role("link", name="Cancel").tap()
    await expect(anna.page.get_by_role("heading", name="Journal")).to_be_visible()
    assert evening.get("journal/") == before

    await anna.page.go_back()
    await agree(anna)
    await bert.sees("changed afterwards")
    await bert.sees("Entry 3 was changed afterwards. We misplayed.")

    await open_entry_link(bert, 10, "Leave this out")
    await bert.page.get_by_label("Or in your own words").fill("Nobody saw it")
    await bert.button("See what would change").tap()
    await bert.sees("Nothing was entered after it.")
    await agree(bert)
    await anna.sees("Entry 10 was left out afterwards. Nobody saw it")
    assert [entry["number"] for entry in evening.get("journal/") if not entry["undone"]] == [1, 2, 8, 9]


@pytest.mark.long
async def test_result_is_ruled_differently(new_phone: NewPhone, site: str) -> None:
    evening = Evening.open(site, PAIR, seed=5)
    evening.play_to_the_end()
    last = evening.get()["number"]
    points = {line["faction"]: line["points"] for line in evening.get("standings/")[-2:]}
    anna = await new_phone("Anna")
    await open_journal(anna, evening, "blue")
    await open_entry_link(anna, last, "Rule differently")
    more = anna.page.locator("[data-stepper]", has=anna.page.get_by_label("Blue")).locator("[data-step='1']")
    await more.tap()
    await more.tap()
    await anna.page.locator("label", has_text="The app is wrong.").tap()
    await anna.button("See what would change").tap()
    await anna.sees("Ruled by the table: The app is wrong.")
    await agree(anna)
    await anna.sees("ruled by the table")
    ruled = {line["faction"]: line["points"] for line in evening.get("standings/")[-2:]}
    assert ruled == {**points, "blue": points["blue"] + 2}
