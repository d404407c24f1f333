"""Several phones at one table, played by touch, with the taps counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from playwright.async_api import Locator, expect

from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tools.evening import Evening


class Sitting:
    """A game says who sits there, and how what is asked is filled in."""

    seats: ClassVar[tuple[str, ...]]
    opened_with: ClassVar[Mapping[str, Any]]  # the game, and a seed if the evening needs one
    most_entries: ClassVar[int]

    def __init__(self, evening: Evening, phones: dict[str, Phone]) -> None:
        self.evening = evening
        self.phones = phones
        self.taps = 0
        self.entered: list[str] = []

    @classmethod
    async def open(cls, phone: NewPhone, site: str, factions: tuple[str, ...] | None = None) -> Self:
        """A table of all, with phones for these factions; for all, if none are named."""
        evening = Evening.open(site, cls.seats, **cls.opened_with)
        phones = {}
        for faction in factions or cls.seats:
            phones[faction] = await phone(faction)
            await phones[faction].hold_seats(evening.tokens[faction])
            await phones[faction].open(f"/t/{evening.code}/")
            await phones[faction].live()
        return cls(evening, phones)

    async def tap(self, what: Locator) -> None:
        await what.tap()
        self.taps += 1

    async def enter(self) -> str:
        """Whoever is asked first enters something, by touch; what it was."""
        asked = self.evening.get("prompts/")[0]
        one = self.phones[asked["faction"]]
        version = self.evening.get()["version"]
        await one.shows(version)
        self.entered.append(await self.send(one, asked))
        await one.newer_than(version)
        return self.entered[-1]

    async def send(self, one: Phone, asked: Mapping[str, Any]) -> str:
        await self.fill(one, asked)
        await expect(one.main).to_be_enabled()
        await one.main.scroll_into_view_if_needed()
        await one.press(one.main)
        self.taps += 1
        return str(asked["action"])

    async def fill(self, one: Phone, _asked: Mapping[str, Any]) -> None:
        """Choose what is asked; the main button sends it."""
        raise NotImplementedError

    async def play_until(self, reached: Callable[[], bool]) -> None:
        for _ in range(self.most_entries):
            if reached():
                return
            await self.enter()
        raise AssertionError("it was not reached")

    async def play_until_round(self, number: int) -> None:
        await self.play_until(lambda: bool(self.evening.get()["round"] >= number))

    async def play_until_asked(self, action: str) -> Phone:
        """The phone of whoever is asked for this."""
        await self.play_until(lambda: bool(self.evening.get("prompts/")[0]["action"] == action))
        return self.phones[self.evening.get("prompts/")[0]["faction"]]
