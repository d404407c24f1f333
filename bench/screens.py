"""What travels for each screen: at its first load, and at a change.

A first load is the page with every file that it names, none of them kept from before; but for the picture that a
phone asks for only when it installs the site. A change is the part of the page that scripts fetch: at a table, after
its newest entry was taken back, by a phone that has been there for a while; for one that has nothing of it yet, the
whole part is counted, too. All of it is counted compressed, as it is sent to a browser over plain HTTP: that one asks
for gzip, never for brotli. What belongs to a game is looked at all over the middle of it, and the largest counts.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.client import ACCEPTED, Answer, Client, Shown
from bench.figures import Figure
from bench.midgame import Document, Table, documents, take_in, until
from bench.web import CHANGE_BUDGET, FIRST_LOAD_BUDGET, csrf_of, expect
from games.registry import CALCULATORS, GAMES, GUIDES

PLOTLY_BUDGET = 600_000
WHOLE_BUDGET = 15_000
MOMENTS = (1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4)
TABS = ("now", "board", "score", "journal", "help", "menu")

_FILES = re.compile(r"""/static/[^"'#?\s]+|/manifest\.webmanifest""")
_ONCE_INSTALLED = re.compile(r'<link rel="apple-touch-icon"[^>]*>')


@dataclass(frozen=True, slots=True)
class Screen:
    """A page, the seat of the phone that opens it, and how it changes: its part is fetched, or its form is sent.

    Of a table that is played at, the newest entry is taken back before.
    """

    address: str
    seat: str = ""
    changes: Literal["never", "part", "form"] = "never"
    played: Table | None = None


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
        whole = [await browser.whole(screen) for screen in kind.screens if screen.played]
        against = "the most it may be"
        yield Figure(f"bytes.{kind.name}.first-load", max(first), "B", kind.budget, against)
        if change:
            yield Figure(f"bytes.{kind.name}.change", max(change), "B", CHANGE_BUDGET, against)
        if whole:
            yield Figure(f"bytes.{kind.name}.whole", max(whole), "B", WHOLE_BUDGET, against)
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
        shown = Shown()
        shown.take_in(page := await self._open(screen))
        if screen.changes == "form":
            form = {"csrfmiddlewaretoken": csrf_of(page)}
            return len(expect(200, await self._client.post(screen.address, form, **shown.as_htmx)).body)
        for way in ("undo", "redo", "undo") if screen.played else ("",):
            await self._step(screen, way)
            shown.take_in(part := await self._open(screen, **shown.as_htmx))
        await self._step(screen, "redo")
        return len(part.body)

    async def whole(self, screen: Screen) -> int:
        """What is fetched by a phone that comes from another page of the table; the larger of before and after."""
        parts = []
        for way in ("undo", "redo"):
            await self._step(screen, way)
            parts.append(await self._open(screen, **Shown().as_htmx))
        return max(len(part.body) for part in parts)

    async def _step(self, screen: Screen, way: str) -> None:
        """Back, or forth again."""
        if screen.played:
            steps, host = f"/api/tables/{screen.played.code}/{way}/", f"Seat {screen.played.host}"
            expect(200, await self._client.post_json(steps, {}, authorization=host))

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
        yield Kind(f"{slug}.{tab}", [_played(one, f"?tab={tab}", one.own) for one in tables])
    yield Kind(f"{slug}.waiting", [_played(one, "", one.other) for one in tables])
    yield Kind(f"{slug}.display", [_played(one, "display/", "") for one in tables])
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


def _played(table: Table, page: str, seat: str) -> Screen:
    return Screen(f"{table.page}{page}", seat, "part", table)


def _before(whole: Document) -> Document:
    """The table before its game began."""
    never = {"setup": None, "started_at": None, "ended_at": None}
    return {**whole, **never, "status": "open", "entries": [], "version": 1}
