"""Through every page there is, one after the other, as the person who would see it."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.boards.forms import screenfuls
from games.registry import GAMES, MODES
from tests.browser.accessibility import UNFOLD
from tests.browser.phones import Phone
from tests.calculators.filling import ALL
from tests.servers import ROOT, Server
from tests.statistics.journals import document
from tools.evening import Evening, ask

PAIR = ("blue", "yellow")
PEOPLE = {"revolution": 5, "wallenstein": 4, "signoria": 4, "raubritter": 4}
# What somebody is asked at a typical moment, and after how many entries at the least.
TYPICAL = {
    "revolution": ("place", 60),
    "wallenstein": ("move", 30),
    "signoria": ("take", 40),
    "raubritter": ("place", 60),
}
TABS = ("now", "board", "score", "journal", "help", "menu", "correct")
# A place of each game, and the parts of the page on which a game is taken up.
PLACES = {
    "revolution": "countryside:flanders",
    "wallenstein": "province:boehmen",
    "signoria": "track:church:4",
    "raubritter": "cell:0,0",
}
# A rule of each.
RULES = {"revolution": "6.11", "wallenstein": "5.7", "signoria": "5.1", "raubritter": "5.3"}
POSITION = {
    "revolution": ("course", "land", "armies", "support", "charts"),
    "wallenstein": ("course", "land", "players", "tower"),
    "signoria": ("course", "players", "tracks", "cities", "dice"),
    "raubritter": ("",),
}
# Parts of the tour; each makes its own tables when it is first taken.
PARTS = ("house", *sorted(GAMES), "pads", "calculators", "statistics")
# The game whose tables show what looks the same in all of them.
EXAMPLE = "raubritter"


@dataclass(frozen=True, slots=True)
class Stop:
    """A page: the name of its address, and the seats that the phone holds there."""

    name: str
    address: str
    seats: tuple[str, ...] = ()


class Tour:
    """Games in every state that a page can show. ``whole``: also pages that are much like another one."""

    def __init__(self, server: Server, *, whole: bool = True) -> None:
        self.server = server
        self.site = server.url
        self.whole = whole
        self._stops: dict[str, list[Stop]] = {}

    def stops(self, part: str) -> list[Stop]:
        if part not in self._stops:
            makers = {
                "house": self._house,
                "pads": self._pads,
                "calculators": self._calculators,
                "statistics": self._statistics,
            }
            self._stops[part] = list(makers[part]() if part in makers else self._game(part))
        return self._stops[part]

    async def take(self, phone: Phone, part: str) -> AsyncIterator[Stop]:
        """Open page after page, with everything unfolded."""
        phone.forgive("status of 404")
        for stop in self.stops(part):
            await phone.context.clear_cookies(name="seats")
            if stop.seats:
                await phone.hold_seats(*stop.seats)
            await phone.open(stop.address)
            await phone.page.evaluate(UNFOLD)
            yield stop

    # What belongs to no game

    def _house(self) -> Iterator[Stop]:
        lobby = Evening.open(self.site, PAIR, start=False)
        page, host = f"/t/{lobby.code}/", (lobby.tokens["host"],)
        yield Stop("home", "/", host)
        yield Stop("join", "/join/?code=WRONG7")
        yield Stop("", "/nothing/here/")
        yield Stop("help", "/help/")
        yield Stop("offline", "/offline/")
        yield Stop("trust", "/trust/")
        yield Stop("help", "/help/")
        yield Stop("table", page, (*host, lobby.tokens["blue"]))
        yield Stop("table", page, (lobby.tokens["yellow"],))
        yield Stop("table", page)  # where a seat is chosen
        yield Stop("table", f"{page}?tab=menu", host)
        yield Stop("claim", f"{page}claim/?ticket=none")
        yield Stop("claim", f"{page}claim/?host=none")
        yield Stop("all-seats", f"{page}seats/", host)
        yield Stop("display", f"{page}display/")
        yield Stop("position", f"{page}position/", host)
        yield Stop("calculators", "/calculators/")
        yield Stop("rules", "/rules/")
        for slug in sorted(GAMES) if self.whole else [EXAMPLE]:
            copy = self._copy(slug)
            yield Stop("boards", f"/boards/{slug}/")
            yield Stop("board", f"/boards/{slug}/{copy}/")
            yield Stop("board", f"/boards/{slug}/{copy}/?at={_thing(slug)}")
            yield Stop("rules-of", f"/rules/{slug}/")
            yield Stop("rule-sheet", f"/rules/{slug}/{RULES[slug]}/")

    def _copy(self, slug: str) -> str:
        """A copy of a board."""
        figures = {"figures": GAMES[slug].board.figures, "confirmed": []}
        whole = {"format": "seneschal-board-1", "game": slug, "name": "Our box", **figures}
        return str(ask(f"{self.site}/api/boards/{slug}/", whole)["code"])

    # Tables

    def _game(self, slug: str) -> Iterator[Stop]:
        table, asked = self.at(slug, *TYPICAL[slug])
        page, own = f"/t/{table.code}/", (table.tokens["host"], table.tokens[asked])
        yield Stop("table", page, own)
        yield Stop("table", f"{page}?tab=board", own)
        yield Stop("table", page)  # somebody who watches
        yield Stop("display", f"{page}display/")
        yield Stop("compare", f"{page}compare/", own)
        for part in POSITION[slug]:
            yield Stop("position", f"{page}position/?part={part}", own)
        yield Stop("position", f"{page}position/?part=land&place={PLACES[slug]}", own)
        if slug == "wallenstein":  # which has secrets: on a shared phone they are covered
            shared, _asked = self.at(slug, "plan")
            yield Stop("table", f"/t/{shared.code}/", tuple(shared.tokens.values()))
        if self.whole or slug == EXAMPLE:
            yield from self._rest(slug, page, own)
        if self.whole:
            yield from self._moments(slug)

    def _rest(self, slug: str, page: str, own: tuple[str, ...]) -> Iterator[Stop]:
        """What is made of the same parts in every game."""
        for tab in ("score", "journal", "help", "menu", "correct", f"correct&place={PLACES[slug]}"):
            yield Stop("table", f"{page}?tab={tab}", own)
        yield Stop("compare", f"{page}compare/", own)
        yield Stop("replay", f"{page}replay/?at=20")
        yield Stop("table-figures", f"{page}figures/?path={_thing(slug)}", own)
        yield Stop("mend", f"{page}mend/20/", own)
        yield Stop("leave-out", f"{page}mend/20/leave-out/", own)
        over = self._taken_in(document(slug, PEOPLE[slug]))
        seats = tuple(over.tokens.values())
        for tab in ("now", "score", "journal"):
            yield Stop("table", f"/t/{over.code}/?tab={tab}", seats)
        yield Stop("rule", self._ruled(over, seats), seats)
        yield Stop("report", f"/t/{over.code}/report/")

    def _ruled(self, table: Evening, seats: tuple[str, ...]) -> str:
        """Where a result of the app is ruled differently."""
        address, headers = f"{table.page}?tab=journal", {"Cookie": f"seats={'.'.join(seats)}"}
        request = urllib.request.Request(address, headers=headers)  # noqa: S310 - to ourselves
        with urllib.request.urlopen(request, timeout=20) as journal:  # noqa: S310
            [link, *_more] = re.findall(r'href="(/t/[^"]*/rule/[^"]*)"', journal.read().decode())
        return html.unescape(link)

    def _moments(self, slug: str) -> Iterator[Stop]:
        """Whatever somebody can be asked, as they see it."""
        seen = set()
        for action, [(number, _asked), *_later] in moments(slug).items():
            if number in seen:
                continue  # one page asks for both
            seen.add(number)
            table, asked = self.at(slug, action)
            yield Stop("table", f"/t/{table.code}/", (table.tokens[asked],))

    def _pads(self) -> Iterator[Stop]:
        for slug in sorted(GAMES) if self.whole else [EXAMPLE]:
            people = GAMES[slug].factions[: PEOPLE[slug]]
            table = Evening.open(self.site, people, game=slug, options={"mode": "pad"})
            for tab in ("now", "board", "score"):
                yield Stop("table", f"/t/{table.code}/?tab={tab}", tuple(table.tokens.values()))

    def at(self, slug: str, action: str, least: int = 0) -> tuple[Evening, str]:
        """A table where this is asked next, and of whom."""
        number, faction = next(found for found in moments(slug)[action] if found[0] >= least)
        return self._taken_in(document(slug, PEOPLE[slug], entries=number)), faction

    def _taken_in(self, whole: Any) -> Evening:
        opened = ask(f"{self.site}/api/tables/import/", whole)
        tokens = {seat["faction"]: seat["token"] for seat in opened["seats"]}
        return Evening(self.site, opened["code"], {**tokens, "host": opened["host_token"]})

    # Lists

    def _calculators(self) -> Iterator[Stop]:
        seen = set()
        for game, calculator in ALL:
            if self.whole or game.slug not in seen:
                yield Stop("calculator", f"/calculators/{game.slug}/{calculator.name}/")
            seen.add(game.slug)

    def _statistics(self) -> Iterator[Stop]:
        many = [sys.executable, "-m", "tests.statistics.many"]
        done = subprocess.run(many, cwd=ROOT, env=self.server.environment, capture_output=True, check=True)
        circle = json.loads(done.stdout)
        own = f"/stats/circle/{circle['key']}/"
        yield Stop("stats", "/stats/")
        yield Stop("circle", own)
        for slug in sorted(GAMES) if self.whole else [EXAMPLE]:
            yield Stop("stats-game", f"/stats/{slug}/")
            yield Stop("circle-game", f"{own}{slug}/?clean=1")
            yield Stop("circle-member", f"{own}{slug}/{circle['member']}/")


def _thing(slug: str) -> str:
    """A thing on the board with printed figures."""
    return str(screenfuls(GAMES[slug])[0].key)


@cache
def moments(slug: str) -> dict[str, list[tuple[int, str]]]:
    """What is asked in a game played at random: for each action after how many entries, and who."""
    game, whole = MODES["full"][slug], document(slug, PEOPLE[slug])
    state = game.start(game.prepare(game.factions[: PEOPLE[slug]])).state
    found: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate([None, *whole["entries"]]):
        if line:
            state = game.apply(state, game.read_action(line["action"], line["faction"])).state
        for prompt in game.prompts(state):
            found.setdefault(prompt.action, []).append((number, prompt.faction))
    return found
