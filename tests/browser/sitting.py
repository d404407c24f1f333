"""A table played by touch on several phones, with the taps counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from playwright.async_api import Locator, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening


class Sitting:
    """Base class: a subclass per game names the seats and fills in the entry forms."""

    seats: ClassVar[tuple[str, ...]]
    opened_with: ClassVar[Mapping[str, Any]]  # arguments of `Evening.open`
    most_entries: ClassVar[int]

    def __init__(self, evening: Evening, phones: dict[str, Phone]) -> None:
        self.evening = evening
        self.phones = phones
        self.taps = 0
        self.entered: list[str] = []

    @classmethod
    async def open(cls, new_phone: NewPhone, site: str, factions: tuple[str, ...] | None = None) -> Self:
        """Open a table with all seats taken, and phones for some factions (default: all)."""
        evening = Evening.open(site, cls.seats, **cls.opened_with)
        phones = {}
        for faction in factions or cls.seats:
            phones[faction] = await new_phone(faction)
            await phones[faction].hold_seats(evening.tokens[faction])
            await phones[faction].open(f"/t/{evening.code}/")
            await phones[faction].live()
        return cls(evening, phones)

    async def tap(self, target: Locator) -> None:
        await target.tap()
        self.taps += 1

    async def enter(self) -> str:
        """Answer the first prompt by touch; return its action type."""
        prompt = self.evening.get("prompts/")[0]
        phone = self.phones[prompt["faction"]]
        version = self.evening.get()["version"]
        await phone.shows(version)
        self.entered.append(await self.send(phone, prompt))
        await phone.newer_than(version)
        return self.entered[-1]

    async def send(self, phone: Phone, prompt: Mapping[str, Any]) -> str:
        await self.fill(phone, prompt)
        await expect(phone.main).to_be_enabled()
        await phone.main.scroll_into_view_if_needed()
        await phone.press(phone.main)
        self.taps += 1
        return str(prompt["action"])

    async def fill(self, phone: Phone, _prompt: Mapping[str, Any]) -> None:
        """Fill in the form of a prompt; the main button sends it."""
        raise NotImplementedError

    async def play_until(self, reached: Callable[[], bool]) -> None:
        for _ in range(self.most_entries):
            if reached():
                return
            await self.enter()
        raise AssertionError(f"not reached after {self.most_entries} entries")

    async def play_until_round(self, number: int) -> None:
        await self.play_until(lambda: bool(self.evening.get()["round"] >= number))

    async def play_until_asked(self, action: str) -> Phone:
        """Play until the first prompt has this action type; return the phone of the faction asked."""
        await self.play_until(lambda: bool(self.evening.get("prompts/")[0]["action"] == action))
        return self.phones[self.evening.get("prompts/")[0]["faction"]]
