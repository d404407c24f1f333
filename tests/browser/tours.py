"""Through every page there is, one after the other, as the person who would see it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tests.browser.phones import Phone
from tools.evening import Evening

PAIR = ("blue", "yellow")
FOUR = ("blue", "yellow", "green", "red")


class Tour:
    """Games in every state that a page can show."""

    def __init__(self, site: str) -> None:
        self.lobby = Evening.open(site, PAIR, start=False)
        self.beginning = Evening.open(site, PAIR)
        self.march = Evening.open(site, PAIR)
        self.marching = self.march.play_until("march")
        self.game = Evening.open(site, FOUR)
        self.game.play(40)
        self.asked = self.game.play_until("place")
        self.end = Evening.open(site, PAIR, seed=5)
        self.end.play(12)
        self.end.post("actions", {"faction": "blue", "action": self._correction(), "key": "tour"})

    @staticmethod
    def _correction() -> dict[str, str | int]:
        fields = {"owner": "blue", "piece": "knight", "place": "cell:0,0", "reason": "miscounted"}
        return {"type": "correct", **fields, "count": 2}

    def stops(self) -> list[tuple[str, tuple[str, ...]]]:
        """Addresses, and the seats that the phone holds there."""
        host, game = (self.game.tokens["host"], self.game.tokens[self.asked]), f"/t/{self.game.code}/"
        lobby = f"/t/{self.lobby.code}/"
        tabs = ["now", "board", "score", "journal", "help", "menu", "correct", "correct&place=cell:0,0"]
        return [
            ("/", host),
            ("/join/?code=WRONG7", ()),
            ("/nothing/here/", ()),
            (lobby, (self.lobby.tokens["host"], self.lobby.tokens["blue"])),
            (lobby, (self.lobby.tokens["yellow"],)),
            (lobby, ()),
            (f"{lobby}?tab=menu", (self.lobby.tokens["host"],)),
            (f"/t/{self.beginning.code}/", (self.beginning.tokens["blue"],)),
            (f"/t/{self.march.code}/", (self.march.tokens[self.marching],)),
            *((f"{game}?tab={tab}", host) for tab in tabs),
            (game, ()),
            (f"{game}mend/20/", host),
            (f"{game}mend/20/leave-out/", host),
            (f"{game}replay/?at=20", ()),
            (f"{game}report/", ()),
            (f"{game}position/", host),
            (f"{game}position/?place=cell:0,0", host),
            (f"{game}position/?place=cell:-4,0", host),
            (f"{lobby}position/", (self.lobby.tokens["host"],)),
            (f"/t/{self.end.code}/?tab=journal", (self.end.tokens["blue"],)),
            ("/calculators/", ()),
            ("/calculators/raubritter/marches/", ()),
        ]

    async def take(self, phone: Phone) -> AsyncIterator[str]:
        """Open page after page, with everything unfolded."""
        phone.forgive("status of 404")
        for address, tokens in self.stops():
            await phone.context.clear_cookies(name="seats")
            if tokens:
                await phone.hold_seats(*tokens)
            await phone.open(address)
            await phone.page.evaluate(
                "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
            )
            yield address
