"""Printed figures: a group compares them with its own copy of a game, and plays with the result."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def compare(anna: Phone, name: str) -> None:
    """Create a copy of the board, and open its first screen."""
    await anna.open("/boards/raubritter/")
    await anna.page.get_by_label("What your group calls it").fill(name)
    await anna.button("Make our own copy").tap()
    await anna.sees("0 of 15 compared")
    await anna.page.get_by_role("link", name="Compare: Tiles of one player’s set").tap()
    await expect(anna.page).to_have_url(re.compile("at=tile_set"))


@pytest.mark.long
async def test_board_copy_is_compared_and_used_at_a_table(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna")
    await compare(anna, "Our box")
    # One lake too many is saved, and reported at the top and beside the figure.
    await anna.button("Lake: more").tap()
    await anna.button("Lake is right like this").tap()
    await anna.sees("A set has 24 tiles; this one adds up to 25.")
    await anna.sees("Lake: the set has 2, but 1 bear a letter.")
    await anna.button("Lake: fewer").tap()
    await anna.button(re.compile("All of these are right")).tap()
    # On this copy letters A and B have one of their tiles exchanged.
    await anna.page.get_by_label("Letter A 4").select_option("lake")
    await anna.button("All of these are right").tap()
    await anna.sees("2 things elsewhere cannot be right yet.")
    await anna.page.get_by_label("Letter B 1").select_option("mountain")
    for _screen in "BCDE":
        await anna.button("All of these are right").tap()
    await anna.sees("Starting rectangle")
    await anna.button("Rows: fewer").tap()
    await anna.button("All of these are right").tap()
    await anna.sees("Everything is compared.")
    await anna.sees("15 of 15 compared")
    await anna.sees("Letters on the backs, Letter A")
    # Open a table with the copy.
    await anna.button("Open a table with it").tap()
    await anna.sit("Anna", "Blue")
    await anna.page.locator("summary", has_text="Another seat on this phone").tap()
    await anna.sit("Bert", "Yellow")
    await anna.page.locator("summary", has_text="Before you start").tap()
    await expect(anna.button("Our box")).to_have_attribute("aria-pressed", "true")
    await expect(anna.text("not been compared")).to_have_count(0)
    await anna.hold(anna.button("Hold to start the game"))
    await anna.sees("Lay your two starting tiles")
    await anna.open(f"/t/{anna.code}/?tab=help")
    await expect(anna.page.locator("li", has_text="Rows of the starting rectangle")).to_contain_text("1")
    # Correct a figure during the game.
    await anna.page.get_by_role("link", name="Is a figure another one on your board?").tap()
    await anna.page.get_by_role("link", name="Letter A").tap()
    await anna.page.get_by_label("Letter A 4").select_option("mountain")
    await anna.button("Letter B").tap()  # change this one, too
    await expect(anna.page.get_by_label("Letter A 4")).to_have_value("mountain")
    await anna.page.get_by_label("Letter B 1").select_option("lake")
    await anna.page.get_by_label("How do you know?").fill("We looked again.")
    await anna.button("Play with this from now on").tap()
    await anna.sees(re.compile("Letters on the backs, Letter A.*We looked again."))
    await anna.open("/boards/raubritter/")
    await anna.page.get_by_role("link", name="Our box").tap()
    await anna.sees("Other than shipped")
    await expect(anna.text("Letters on the backs, Letter A")).to_have_count(0)


@pytest.mark.long
async def test_concurrent_change_of_a_figure_is_reported(new_phone: NewPhone) -> None:
    anna, bert = await new_phone("Anna"), await new_phone("Bert")
    bert.ignore_faults("status of 409")
    await compare(anna, "Two phones")
    await bert.open(anna.page.url.removeprefix(anna.site))
    await anna.button("Lake: more").tap()
    await anna.button("Lake is right like this").tap()
    await anna.sees("As shipped: 1")
    await bert.button("Lake: more").tap()
    await bert.button("Lake: more").tap()
    await bert.button("Mountain is right like this").tap()
    await bert.sees("Somebody else has changed this meanwhile.")
    await bert.sees("Somebody else has set this to: 2")
    await expect(bert.page.get_by_label("Lake", exact=True)).to_have_value("3")


async def test_figures_can_be_compared_without_scripts(new_phone: NewPhone) -> None:
    anna = await new_phone("Anna", scripts=False)
    await compare(anna, "No scripts")
    await anna.page.get_by_label("Lake", exact=True).fill("2")
    await anna.button("Lake is right like this").tap()
    await anna.sees("A set has 24 tiles; this one adds up to 25.")


@pytest.mark.long
async def test_revolution_figures_are_compared_screen_by_screen(new_phone: NewPhone, site: str) -> None:
    anna = await new_phone("Anna")
    await anna.open("/boards/revolution/")
    await anna.page.get_by_label("What your group calls it").fill("Attic")
    await anna.button("Make our own copy").tap()
    await anna.page.get_by_role("link", name="Compare: Holland").tap()
    await anna.sees("1 of 60")
    # Change a limit, and remove a neighbour that still lists this province.
    await anna.button("Limit: fewer").tap()
    neighbours = anna.page.locator("#provinces-holland-neighbours")
    await neighbours.locator("label", has_text="Utrecht").tap()
    await anna.button("All of these are right").tap()
    await expect(anna.page).to_have_url(re.compile("at=provinces.utrecht"))
    await anna.sees("Utrecht names Holland as a neighbour, but not the other way round.")
    await anna.page.get_by_role("link", name="The one before").tap()
    await anna.sees("As shipped: 12")
    await anna.sees("Utrecht names Holland as a neighbour, but not the other way round.")
    await neighbours.locator("summary").tap()
    await neighbours.locator("label", has_text="Utrecht").tap()
    await anna.button("Save, go on").tap()
    await anna.page.get_by_role("link", name="The one before").tap()
    await anna.sees("As shipped: 12")
    await expect(anna.text("not the other way round")).to_have_count(0)
    await anna.page.get_by_role("link", name="Attic").tap()
    await anna.sees("Provinces, Holland, Limit")
    # At a table, the sheet of a province links to its figures.
    evening = Evening.open(site, ("catholics", "nobility", "reformers"), game="revolution")
    await anna.hold_seats(evening.tokens["host"])
    await anna.open(f"/t/{evening.code}/?tab=board")
    await anna.page.locator("svg a[aria-label=Brabant]").tap()
    await anna.page.locator("dialog").get_by_role("link", name="Check the figures").tap()
    await anna.sees("This table began with the figures as shipped.")
    await expect(anna.page.get_by_role("heading", name="Brabant")).to_be_visible()
    await expect(anna.page.get_by_label("Limit", exact=True)).to_have_value("6")
