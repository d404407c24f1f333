"""Compressed bytes of each screen, on first load and on refresh.

A first load is the page with every file that it references and an empty cache. A change is the part of the
page that htmx fetches after an entry, or the response to a form. Screens of a game are loaded at several
moments of all games; the largest counts.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.client import Answer, Client, expect
from bench.entries import CHANGE_LIMIT
from bench.figures import Figure
from bench.phones import hidden_fields
from bench.recordings import Document, documents, until
from bench.servers import product, running
from companion.registry import titles

FIRST_LOAD_LIMIT = 64_000  # bytes
PLOTLY_LIMIT = 600_000  # bytes
# Fractions of a game
MOMENTS = (1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4)
TABS = ("now", "board", "score", "journal", "help", "menu")

_FILES = re.compile(r"""/static/[^"'#?\s]+|/manifest\.webmanifest""")
_WHEN_INSTALLED = re.compile(r'<link rel="apple-touch-icon"[^>]*>')


@dataclass(frozen=True, slots=True)
class Screen:
    """A page, the seat token of the phone that opens it, and how it changes: by a refresh or by its form."""

    address: str
    seat: str = ""
    changes: Literal["never", "part", "form"] = "never"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of screen in all games and moments."""

    name: str
    screens: Sequence[Screen]
    limit: int = FIRST_LOAD_LIMIT


@dataclass(frozen=True, slots=True)
class Imported:
    """A table: its page, and the tokens of the host, of a seat with a prompt, and of another seat."""

    page: str
    host: str
    asked: str
    waiting: str


async def figures(moments: Sequence[float] = MOMENTS) -> AsyncIterator[Figure]:
    with running(product()) as server:
        client = Client(server.port)
        browser = Browser(client)
        for kind in await _kinds(server.port, moments):
            first = [await browser.first_load(screen) for screen in kind.screens]
            change = [await browser.change(screen) for screen in kind.screens if screen.changes != "never"]
            yield _figure(f"bytes.{kind.name}.first-load", first, kind.limit)
            if change:
                yield _figure(f"bytes.{kind.name}.change", change, CHANGE_LIMIT)
        await client.close()


def _figure(name: str, sizes: Sequence[int], limit: int) -> Figure:
    return Figure(name, max(sizes), "B", limit, "the limit", limit)


# --- Loading ---


class Browser:
    """Load pages with all their files; the size of each file is cached."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._files: dict[str, int] = {}

    async def first_load(self, screen: Screen) -> int:
        page = await self._open(screen)
        named = _WHEN_INSTALLED.sub("", page.page())
        files = [await self._size(file) for file in sorted(set(_FILES.findall(named)))]
        return len(page.body) + sum(files)

    async def change(self, screen: Screen) -> int:
        if screen.changes == "part":
            return len((await self._open(screen, hx_request="true")).body)
        form = hidden_fields((await self._open(screen)).page(), screen.address)
        return len(expect(200, await self._client.post(screen.address, form, hx_request="true")).body)

    async def _open(self, screen: Screen, **headers: str) -> Answer:
        self._client.cookies["seats"] = screen.seat
        return expect(200, await self._client.get(screen.address, **headers))

    async def _size(self, file: str) -> int:
        if file not in self._files:
            self._files[file] = len(expect(200, await self._client.get(file)).body)
        return self._files[file]


# --- The screens ---


async def _kinds(port: int, moments: Sequence[float]) -> list[Kind]:
    alone = {"home": "/", "calculators": "/calculators/", "rules": "/rules/", "statistics": "/stats/"}
    kinds = [Kind(name, [Screen(address)]) for name, address in alone.items()]
    of_games = [await _of_a_game(port, slug, moments) for slug in titles()]
    return kinds + [_together(same) for same in zip(*of_games, strict=True)]


def _together(kinds: Sequence[Kind]) -> Kind:
    """Merge the same kind of screen of all games."""
    return Kind(kinds[0].name, [screen for kind in kinds for screen in kind.screens], kinds[0].limit)


async def _of_a_game(port: int, slug: str, moments: Sequence[float]) -> list[Kind]:
    whole = documents()[slug]
    entries = len(whole["entries"])
    tables = [await _import(port, until(whole, int(entries * moment))) for moment in moments]
    lobby, over = await _import(port, _before(whole)), await _import(port, whole)
    names = [calculator.name for calculator in titles()[slug].calculators.calculators]
    return [
        Kind("lobby", _live((lobby.page, token) for token in (lobby.host, lobby.asked, ""))),
        *(Kind(tab, _live((f"{table.page}?tab={tab}", table.asked) for table in tables)) for tab in TABS),
        Kind("waiting", _live((table.page, table.waiting) for table in tables)),
        Kind("display", _live((f"{table.page}display/", "") for table in tables)),
        Kind("replay", _live((f"{table.page}replay/", "") for table in tables)),
        Kind("report", [Screen(f"{table.page}report/") for table in (*tables, over)], PLOTLY_LIMIT),
        Kind("game-statistics", [Screen(f"/stats/{slug}/")], PLOTLY_LIMIT),
        Kind("boards", [Screen(f"/boards/{slug}/")]),
        Kind("game-rules", [Screen(f"/rules/{slug}/")]),
        Kind("rule", _live((f"/rules/{slug}/{rule}/", "") for rule in titles()[slug].guide)),
        Kind("calculator", [Screen(f"/calculators/{slug}/{name}/", changes="form") for name in names]),
    ]


async def _import(port: int, document: Document) -> Imported:
    client = Client(port)
    opened = expect(201, await client.post_json("/api/tables/import/", document)).json()
    prompts = await client.get(f"/api/tables/{opened['code']}/prompts/", accept_encoding="identity")
    asked = {prompt["faction"] for prompt in prompts.json()}
    seats = sorted(opened["seats"], key=lambda seat: seat["faction"] not in asked)
    await client.close()
    return Imported(f"/t/{opened['code']}/", opened["host_token"], seats[0]["token"], seats[-1]["token"])


def _live(pages: Iterable[tuple[str, str]]) -> list[Screen]:
    return [Screen(address, seat, "part") for address, seat in pages]


def _before(whole: Document) -> Document:
    """Return the table before the start of its game."""
    never = {"setup": None, "started_at": None, "ended_at": None}
    return {**whole, **never, "status": "open", "entries": [], "version": 1}
