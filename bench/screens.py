"""What travels for each screen: at its first load, and at a change.

A first load is the page with every file that it names, none of them kept from before; but for the picture that a
phone asks for only when it installs the site. A change is the part of the page that scripts fetch. All of it is counted
compressed, as it is sent to a browser over plain HTTP: that one asks for gzip, never for brotli. What belongs to a game
is looked at all over the middle of it, and the largest counts.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.client import ACCEPTED, Answer, Client
from bench.figures import Figure
from bench.midgame import Document, documents, take_in, until
from bench.web import AS_HTMX, CHANGE_BUDGET, FIRST_LOAD_BUDGET, csrf_of, expect
from games.registry import CALCULATORS, GAMES, GUIDES

PLOTLY_BUDGET = 600_000
MOMENTS = (1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4)
TABS = ("now", "board", "score", "journal", "help", "menu")

_FILES = re.compile(r"""/static/[^"'#?\s]+|/manifest\.webmanifest""")
_ONCE_INSTALLED = re.compile(r'<link rel="apple-touch-icon"[^>]*>')


@dataclass(frozen=True, slots=True)
class Screen:
    """A page, the seat of the phone that opens it, and how it changes: its part is fetched, or its form is sent."""

    address: str
    seat: str = ""
    changes: Literal["never", "part", "form"] = "never"


@dataclass(frozen=True, slots=True)
class Kind:
    """A screen at all addresses and moments at which it is looked at."""

    name: str
    screens: Sequence[Screen]
    budget: int = FIRST_LOAD_BUDGET


async def figures(port: int, moments: Sequence[float] = MOMENTS) -> AsyncIterator[Figure]:
    client = Client(port)
    browser = Browser(client)
    async for kind in _kinds(port, moments):
        first = [await browser.first_load(screen) for screen in kind.screens]
        change = [await browser.change(screen) for screen in kind.screens if screen.changes != "never"]
        against = "the most it may be"
        yield Figure(f"bytes.{kind.name}.first-load", max(first), "B", kind.budget, against)
        if change:
            yield Figure(f"bytes.{kind.name}.change", max(change), "B", CHANGE_BUDGET, against)
    await client.close()


# --- As a browser asks ---


class Browser:
    """Remembers how large files are, but loads them again with every page."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._files: dict[str, int] = {}

    async def first_load(self, screen: Screen) -> int:
        page = await self._open(screen)
        named = _ONCE_INSTALLED.sub("", page.page().decode())
        files = [await self._size(file) for file in sorted(set(_FILES.findall(named)))]
        return len(page.body) + sum(files)

    async def change(self, screen: Screen) -> int:
        if screen.changes == "part":
            return len((await self._open(screen, **AS_HTMX)).body)
        form = {"csrfmiddlewaretoken": csrf_of(await self._open(screen))}
        return len(expect(200, await self._client.post(screen.address, form, **AS_HTMX)).body)

    async def _open(self, screen: Screen, **headers: str) -> Answer:
        self._client.cookies["seats"] = screen.seat
        return await self._get(screen.address, **headers)

    async def _get(self, address: str, **headers: str) -> Answer:
        asked = {"accept_encoding": ACCEPTED, **headers}
        return expect(200, await self._client.get(address, **asked))

    async def _size(self, file: str) -> int:
        if file not in self._files:
            self._files[file] = len((await self._get(file)).body)
        return self._files[file]


# --- The screens ---


async def _kinds(port: int, moments: Sequence[float]) -> AsyncIterator[Kind]:
    yield Kind("home", [Screen("/")])
    yield Kind("calculators", [Screen("/calculators/")])
    yield Kind("rules", [Screen("/rules/")])
    for slug in GAMES:
        async for kind in _of_a_game(port, slug, moments):
            yield kind
    yield Kind("statistics", [Screen("/stats/")])


async def _of_a_game(port: int, slug: str, moments: Sequence[float]) -> AsyncIterator[Kind]:
    whole = documents()[slug]
    tables = [await take_in(port, until(whole, moment)) for moment in moments]
    lobby, over = await take_in(port, _before(whole)), await take_in(port, whole)
    yield Kind(f"{slug}.lobby", _live([(lobby.page, lobby.host), (lobby.page, lobby.own), (lobby.page, "")]))
    for tab in TABS:
        yield Kind(f"{slug}.{tab}", _live((f"{one.page}?tab={tab}", one.own) for one in tables))
    yield Kind(f"{slug}.waiting", _live((one.page, one.other) for one in tables))
    yield Kind(f"{slug}.display", _live((f"{one.page}display/", "") for one in tables))
    yield Kind(f"{slug}.replay", _live((f"{one.page}replay/", "") for one in tables))
    yield Kind(f"{slug}.report", [Screen(f"{one.page}report/") for one in (*tables, over)], PLOTLY_BUDGET)
    yield Kind(f"{slug}.statistics", [Screen(f"/stats/{slug}/")], PLOTLY_BUDGET)
    yield Kind(f"{slug}.boards", [Screen(f"/boards/{slug}/")])
    yield Kind(f"{slug}.rules", [Screen(f"/rules/{slug}/")])
    yield Kind(f"{slug}.rule", _live((f"/rules/{slug}/{rule}/", "") for rule in GUIDES[slug]))
    names = [calculator.name for calculator in CALCULATORS[slug].calculators]
    yield Kind(f"{slug}.calculator", [Screen(f"/calculators/{slug}/{n}/", changes="form") for n in names])


def _live(pages: Iterable[tuple[str, str]]) -> list[Screen]:
    return [Screen(address, seat, "part") for address, seat in pages]


def _before(whole: Document) -> Document:
    """The table before its game began."""
    never = {"setup": None, "started_at": None, "ended_at": None}
    return {**whole, **never, "status": "open", "entries": [], "version": 1}
