"""Tours through every page of the site, each opened as a person who would see it."""

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
from companion.registry import rules_of, titles
from tests.browser.accessibility import OPEN_DETAILS
from tests.browser.phones import Phone
from tests.calculators.filling import ALL
from tests.servers import ROOT, Server
from tests.statistics.journals import document
from tools.evening import Evening, ask

PAIR = ("blue", "yellow")
PEOPLE = {"revolution": 5, "wallenstein": 4, "signoria": 4, "raubritter": 4}
# A typical prompt of each game, and the minimum number of entries before it.
TYPICAL = {
    "revolution": ("place", 60),
    "wallenstein": ("move", 30),
    "signoria": ("take", 40),
    "raubritter": ("place", 60),
}
TABS = ("now", "board", "score", "journal", "help", "menu", "correct")
# A place of each game.
PLACES = {
    "revolution": "countryside:flanders",
    "wallenstein": "province:boehmen",
    "signoria": "track:church:4",
    "raubritter": "cell:0,0",
}
# A rule section of each game.
RULES = {"revolution": "6.11", "wallenstein": "5.7", "signoria": "5.1", "raubritter": "5.3"}
# Parts of the page on which a position is entered.
POSITION = {
    "revolution": ("course", "land", "armies", "support", "charts"),
    "wallenstein": ("course", "land", "players", "tower"),
    "signoria": ("course", "players", "tracks", "cities", "dice"),
    "raubritter": ("",),
}
# Parts of the tour; each creates its tables on first use.
PARTS = ("site", *sorted(titles()), "pads", "calculators", "statistics")
# The game whose tables stand for pages that look the same in all games.
EXAMPLE = "raubritter"


@dataclass(frozen=True, slots=True)
class Stop:
    """A page: its URL name, its address, and the seat tokens of the phone that opens it."""

    name: str
    address: str
    seats: tuple[str, ...] = ()


class Tour:
    """Pages of games in every state. `whole` includes pages that are much like another one."""

    def __init__(self, server: Server, *, whole: bool = True) -> None:
        self.server = server
        self.site = server.url
        self.whole = whole
        self._stops: dict[str, list[Stop]] = {}

    def stops(self, part: str) -> list[Stop]:
        if part not in self._stops:
            makers = {
                "site": self._site,
                "pads": self._pads,
                "calculators": self._calculators,
                "statistics": self._statistics,
            }
            self._stops[part] = list(makers[part]() if part in makers else self._game(part))
        return self._stops[part]

    async def take(self, phone: Phone, part: str) -> AsyncIterator[Stop]:
        """Open each page of a part, with all `<details>` open."""
        phone.ignore_faults("status of 404")
        for stop in self.stops(part):
            await phone.context.clear_cookies(name="seats")
            if stop.seats:
                await phone.hold_seats(*stop.seats)
            await phone.open(stop.address)
            await phone.page.evaluate(OPEN_DETAILS)
            yield stop

    # Pages of no game

    def _site(self) -> Iterator[Stop]:
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
        yield Stop("table", page)  # choosing a seat
        yield Stop("table", f"{page}?tab=menu", host)
        yield Stop("claim", f"{page}claim/?ticket=none")
        yield Stop("claim", f"{page}claim/?host=none")
        yield Stop("all-seats", f"{page}seats/", host)
        yield Stop("display", f"{page}display/")
        yield Stop("position", f"{page}position/", host)
        yield Stop("calculators", "/calculators/")
        yield Stop("rules", "/rules/")
        for slug in sorted(titles()) if self.whole else [EXAMPLE]:
            copy = self._board_copy(slug)
            yield Stop("boards", f"/boards/{slug}/")
            yield Stop("board", f"/boards/{slug}/{copy}/")
            yield Stop("board", f"/boards/{slug}/{copy}/?at={_figure_key(slug)}")
            yield Stop("rules-of", f"/rules/{slug}/")
            yield Stop("rule-sheet", f"/rules/{slug}/{RULES[slug]}/")

    def _board_copy(self, slug: str) -> str:
        """Create a copy of a board; return its code."""
        figures = {"figures": titles()[slug].game.board.figures, "confirmed": []}
        whole = {"format": "seneschal-board-1", "game": slug, "name": "Our box", **figures}
        return str(ask(f"{self.site}/api/boards/{slug}/", whole)["code"])

    # Tables

    def _game(self, slug: str) -> Iterator[Stop]:
        table, faction = self.at(slug, *TYPICAL[slug])
        page, own = f"/t/{table.code}/", (table.tokens["host"], table.tokens[faction])
        yield Stop("table", page, own)
        yield Stop("table", f"{page}?tab=board", own)
        yield Stop("table", page)  # a spectator
        yield Stop("display", f"{page}display/")
        yield Stop("compare", f"{page}compare/", own)
        for part in POSITION[slug]:
            yield Stop("position", f"{page}position/?part={part}", own)
        yield Stop("position", f"{page}position/?part=land&place={PLACES[slug]}", own)
        if slug == "wallenstein":  # has secrets, which are covered on a shared phone
            shared, _faction = self.at(slug, "plan")
            yield Stop("table", f"/t/{shared.code}/", tuple(shared.tokens.values()))
        if self.whole or slug == EXAMPLE:
            yield from self._common_pages(slug, page, own)
        if self.whole:
            yield from self._moments(slug)

    def _common_pages(self, slug: str, page: str, own: tuple[str, ...]) -> Iterator[Stop]:
        """Pages that consist of the same parts in every game."""
        for tab in ("score", "journal", "help", "menu", "correct", f"correct&place={PLACES[slug]}"):
            yield Stop("table", f"{page}?tab={tab}", own)
        yield Stop("compare", f"{page}compare/", own)
        yield Stop("replay", f"{page}replay/?at=20")
        yield Stop("table-figures", f"{page}figures/?path={_figure_key(slug)}", own)
        yield Stop("mend", f"{page}mend/20/", own)
        yield Stop("leave-out", f"{page}mend/20/leave-out/", own)
        over = self._import(document(slug, PEOPLE[slug]))
        seats = tuple(over.tokens.values())
        for tab in ("now", "score", "journal"):
            yield Stop("table", f"/t/{over.code}/?tab={tab}", seats)
        yield Stop("rule", self._rule_address(over, seats), seats)
        yield Stop("report", f"/t/{over.code}/report/")

    def _rule_address(self, table: Evening, seats: tuple[str, ...]) -> str:
        """Return the address of a page that rules a result differently."""
        address, headers = f"{table.page}?tab=journal", {"Cookie": f"seats={'.'.join(seats)}"}
        request = urllib.request.Request(address, headers=headers)  # noqa: S310 - http to the test server
        with urllib.request.urlopen(request, timeout=20) as journal:  # noqa: S310
            [link, *_more] = re.findall(r'href="(/t/[^"]*/rule/[^"]*)"', journal.read().decode())
        return html.unescape(link)

    def _moments(self, slug: str) -> Iterator[Stop]:
        """Every kind of prompt, on the phone of the faction asked."""
        seen = set()
        for action, [(number, _faction), *_later] in moments(slug).items():
            if number in seen:
                continue  # both actions are prompted on one page
            seen.add(number)
            table, faction = self.at(slug, action)
            yield Stop("table", f"/t/{table.code}/", (table.tokens[faction],))

    def _pads(self) -> Iterator[Stop]:
        for slug in sorted(titles()) if self.whole else [EXAMPLE]:
            people = titles()[slug].game.factions[: PEOPLE[slug]]
            table = Evening.open(self.site, people, game=slug, options={"mode": "pad"})
            for tab in ("now", "board", "score"):
                yield Stop("table", f"/t/{table.code}/?tab={tab}", tuple(table.tokens.values()))

    def at(self, slug: str, action: str, least: int = 0) -> tuple[Evening, str]:
        """Return a table whose next prompt is this action, and the faction asked."""
        number, faction = next(moment for moment in moments(slug)[action] if moment[0] >= least)
        return self._import(document(slug, PEOPLE[slug], entries=number)), faction

    def _import(self, game: Any) -> Evening:
        opened = ask(f"{self.site}/api/tables/import/", game)
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
        command = [sys.executable, "-m", "tests.statistics.many"]
        done = subprocess.run(command, cwd=ROOT, env=self.server.environment, capture_output=True, check=True)
        circle = json.loads(done.stdout)
        page = f"/stats/circle/{circle['key']}/"
        yield Stop("stats", "/stats/")
        yield Stop("circle", page)
        for slug in sorted(titles()) if self.whole else [EXAMPLE]:
            yield Stop("stats-game", f"/stats/{slug}/")
            yield Stop("circle-game", f"{page}{slug}/?clean=1")
            yield Stop("circle-member", f"{page}{slug}/{circle['member']}/")


def _figure_key(slug: str) -> str:
    """Return the key of an element of the board that has printed figures."""
    return str(screenfuls(titles()[slug].game)[0].key)


@cache
def moments(slug: str) -> dict[str, list[tuple[int, str]]]:
    """Return the prompts of a random game by action: (number of entries before it, faction asked)."""
    game, whole = rules_of(slug, "full"), document(slug, PEOPLE[slug])
    state = game.start(game.prepare(game.factions[: PEOPLE[slug]])).state
    prompted: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate([None, *whole["entries"]]):
        if line:
            state = game.apply(state, game.read_action(line["action"], line["faction"])).state
        for prompt in game.prompts(state):
            prompted.setdefault(prompt.action, []).append((number, prompt.faction))
    return prompted
