"""A screenshot of a page, with preparations before it is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from playwright.sync_api import Page

Prepare = Callable[[Page], None]

PHONE, LARGE = "phone", "large"
SIZES = {PHONE: (390, 844), LARGE: (1920, 1080)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Settings of the device that shows a page."""

    theme: str = "dark"
    language: str = "en"
    hints: bool = False  # the device has not dismissed any hint yet


@dataclass(frozen=True, slots=True)
class Shot:
    """A page: its address, the seat tokens of the device, and a preparation before the picture is taken."""

    name: str
    address: str
    tokens: tuple[str, ...] = ()
    prepare: Prepare | None = None
    look: Look = Look()
    sizes: tuple[str, ...] = (PHONE,)
    status: int = 200
    cookies: Mapping[str, str] = field(default_factory=dict)  # besides those for the seats and the look


def tap(*selectors: str) -> Prepare:
    """Return a preparation that taps the first match of each selector."""

    def prepare(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click(force=True)

    return prepare


def open_details(page: Page) -> None:
    """Open the first three closed sections."""
    for _ in range(3):
        closed = page.locator("details:not([open]) > summary")
        if closed.count():
            closed.first.click()
