"""Score pads by touch: Raubritter to the end, one round of each other game."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

SEATED = {
    "revolution": ("Catholics", "Habsburgs", "Burghers", "Reformers"),
    "wallenstein": ("Red", "Blue", "Yellow"),
    "signoria": ("Yellow", "Red"),
    "raubritter": ("Blue", "Yellow"),
}


async def open_pad(new_phone: NewPhone, slug: str) -> tuple[Phone, list[Phone]]:
    """Open a score pad with a phone for each faction; return the host's phone and all phones."""
    phones = [await new_phone(faction) for faction in SEATED[slug]]
    host = phones[0]
    await host.open("/")
    await host.page.locator(f'button[value="pad:{slug}"]').tap()
    await host.sees("Take your seats")
    for phone, faction in zip(phones, SEATED[slug], strict=True):
        await phone.open(f"/t/{host.code}/")
        await phone.sit(faction, faction)
    await host.sees(SEATED[slug][-1])
    await host.hold(host.button("Hold to start the game"))
    return host, phones


async def count(phone: Phone, label: str, taps: int) -> None:
    """Select a cell, then tap plus."""
    await phone.page.get_by_label(label, exact=True).tap()
    for _ in range(taps):
        await phone.page.locator('[data-pad="1"]').tap()


async def test_raubritter_pad_to_the_end(new_phone: NewPhone) -> None:
    blue, (_, yellow) = await open_pad(new_phone, "raubritter")
    await yellow.sees("Count what each colour controls at the end, or its points")
    await count(yellow, "Blue, Towns", 2)
    await count(yellow, "Yellow, Villages", 3)
    await count(yellow, "Yellow, Knights left", 4)
    await expect(yellow.page.locator("#gains")).to_contain_text("+6")
    await yellow.page.get_by_role("button", name="Enter", exact=True).tap()
    for phone in (blue, yellow):
        await phone.sees("Level at 6 points")
    await blue.open(f"/t/{blue.code}/?tab=board")
    await expect(blue.page.locator(".sheet")).to_contain_text("Villages")
    await blue.open(f"/t/{blue.code}/display/")
    await expect(blue.page.locator(".sheet .line")).to_contain_text("6")


@pytest.mark.long
async def test_revolution_pad_round_with_its_draft(new_phone: NewPhone) -> None:
    catholics, phones = await open_pad(new_phone, "revolution")
    await catholics.sees("Enter the results of round 0")
    await count(catholics, "Reformers, Cities", 2)
    await count(catholics, "Catholics, Province points", 3)
    await expect(catholics.page.locator("#gains")).to_contain_text("1.5")
    await catholics.page.get_by_role("button", name="Enter", exact=True).tap()
    # Reformers 2, Catholics 1.5, then Habsburgs and Burghers tied at 0, in the fixed order.
    for phone in (catholics, phones[1], phones[2]):
        await phone.page.get_by_role("button", name="Lay it here, first").tap()
    await catholics.sees("Enter the results of round 1")
    await expect(catholics.page.get_by_label("Reformers, Cities", exact=True)).to_have_value("2")


@pytest.mark.long
async def test_wallenstein_pad_region(new_phone: NewPhone) -> None:
    red, _ = await open_pad(new_phone, "wallenstein")
    await red.sees("Brandenburg, winter 1")
    await count(red, "Red, Palaces", 1)
    await red.page.get_by_role("button", name="Enter", exact=True).tap()
    await red.sees("Kurpfalz, winter 1")
    await expect(red.page.get_by_label("Red, Palaces", exact=True)).to_have_value("0")


@pytest.mark.long
async def test_signoria_pad_round(new_phone: NewPhone) -> None:
    yellow, _ = await open_pad(new_phone, "signoria")
    await yellow.sees("Enter the points of round 1")
    await yellow.page.get_by_label("Red, Bought", exact=True).wait_for(state="detached")
    await yellow.page.locator('input[name="missions.red"]').tap()
    await yellow.page.locator('[data-pad="5"]').tap()
    await yellow.page.get_by_role("button", name="Enter", exact=True).tap()
    await yellow.sees("Enter the points of round 2")
