"""Through HTTP: a real server on this machine, and phones that speak to it."""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from bench.client import ACCEPTED, Answer, Client, Event, Shown, next_change
from bench.figures import Figure, typical

FIRST_LOAD_BUDGET = 64_000
CHANGE_BUDGET = 10_000
EARLY, LATE = 10, 1_000  # entries whose cost is compared
SHORT_GAMES = 3  # each gives the entries around its EARLY one
WATCHED_GAMES = 2
WATCHER = "red"
COLOURS = ("blue", "yellow", "green", "red")

_keys = map(str, count())
_STATIC = re.compile(rb"/static/[^\"'#?]+")
_CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass(slots=True)
class Game:
    """A table that is played at, its host, and the phones of its seats."""

    code: str
    host: Client
    token: str
    phones: dict[str, Client] = field(default_factory=dict)
    csrf: dict[str, str] = field(default_factory=dict)

    @property
    def api(self) -> str:
        return f"/api/tables/{self.code}/"

    @property
    def page(self) -> str:
        return f"/t/{self.code}/"

    async def prompts(self) -> list[Any]:
        found: list[Any] = (await self.host.get(f"{self.api}prompts/")).json()
        return found

    async def submit(self, faction: str, action: Any) -> Answer:
        body = {"faction": faction, "action": action, "key": next(_keys)}
        return expect(
            201, await self.host.post_json(f"{self.api}actions/", body, authorization=f"Seat {self.token}")
        )

    async def submit_example(self) -> None:
        prompt = (await self.prompts())[0]
        await self.submit(prompt["faction"], prompt["example"])

    def form(self, faction: str, action: Any) -> dict[str, str]:
        """What a phone sends when its owner taps."""
        form = {"csrfmiddlewaretoken": self.csrf[faction], "faction": faction, "key": next(_keys)}
        return form | fields_of(action)


def fields_of(action: Any) -> dict[str, str]:
    """An action as the form of a phone's page holds it."""
    fields = {"type": action["type"]}
    match action["type"]:
        case "lay":
            for i, (tile, at) in enumerate(zip(action["tiles"], action["at"], strict=True), start=1):
                fields |= {f"tile{i}": tile, f"at{i}": _cell(at)}
        case "place":
            fields |= {"tile": action["tile"], "at": _cell(action["at"])}
        case "march":
            left = ".".join(map(str, action["left"]))
            fields["march"] = f"{action['knights']}/{action['direction'] or ''}/{left}"
    return fields


def _cell(at: list[int]) -> str:
    return f"{at[0]},{at[1]}"


def expect(status: int, answer: Answer) -> Answer:
    if answer.status != status:
        raise RuntimeError(f"{answer.status} instead of {status}: {answer.body[:300]!r}")
    return answer


async def open_game(port: int, players: int) -> Game:
    """A table at which a game has begun, with a phone for each seat."""
    host = Client(port)
    seats = [{"name": colour.title(), "faction": colour} for colour in COLOURS[:players]]
    opened = expect(201, await host.post_json("/api/tables/", {"game": "raubritter", "seats": seats})).json()
    game = Game(opened["code"], host, opened["host_token"])
    expect(200, await host.post_json(f"{game.api}start/", {}, authorization=f"Seat {game.token}"))
    for seat in opened["seats"]:
        phone = Client(port)
        phone.cookies["seats"] = seat["token"]
        page = expect(200, await phone.get(game.page))
        game.phones[seat["faction"]], game.csrf[seat["faction"]] = phone, csrf_of(page)
    return game


def csrf_of(answer: Answer) -> str:
    """What the forms of a page have to bring back."""
    found = _CSRF.search(answer.page())
    if not found:
        raise RuntimeError("the page has no form")
    return found[1].decode()


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await work()
    return time.perf_counter() - start


# --- The figures ---


async def figures(port: int) -> AsyncIterator[Figure]:
    yield await _submitting(port)
    yield await _flatness(port)
    yield await _tap_to_screen(port)
    for figure in await _bytes(port):
        yield figure


async def _submitting(port: int) -> Figure:
    """A whole game through the API, a bare insert between any two entries."""
    game, bare = await open_game(port, players=4), Client(port)
    entries, inserts = [], []
    while prompts := await game.prompts():
        prompt = prompts[0]
        entries.append(await timed(lambda p=prompt: game.submit(p["faction"], p["example"])))  # type: ignore[misc]
        inserts.append(await timed(lambda: bare.post_json("/bare/insert/", {"number": 1})))
    against = "a bare view that inserts one row"
    return Figure("http.submit", typical(entries, 1e3), "ms", typical(inserts, 1e3), against)


async def _flatness(port: int) -> Figure:
    """Entries late in a long journal beside entries early in short ones, taken in turns."""
    samples = 2 * EARLY * SHORT_GAMES
    long = await _begun(port)
    for number in range(LATE - samples // 2 - len(long.phones)):
        await _correct(long, number)
    late, early = [], []
    for _game in range(SHORT_GAMES):
        short = await _begun(port)
        for number in range(2 * EARLY):
            late.append(await timed(lambda n=number: _correct(long, n)))  # type: ignore[misc]
            early.append(await timed(lambda g=short, n=number: _correct(g, n)))  # type: ignore[misc]
    against = f"entry {EARLY} of a short game"
    return Figure(f"http.submit.entry-{LATE}", typical(late, 1e3), "ms", typical(early, 1e3), against)


async def _begun(port: int) -> Game:
    """A game for two with its starting tiles, on which knights can stand."""
    game = await open_game(port, players=2)
    for _seat in game.phones:
        await game.submit_example()
    return game


async def _correct(game: Game, number: int) -> None:
    """An entry that costs the same at any time: a count goes up and down."""
    fields = {"owner": "blue", "piece": "knight", "place": "cell:0,0", "reason": "bench"}
    await game.submit("blue", {"type": "correct", **fields, "count": 1 - number % 2})


async def _tap_to_screen(port: int) -> Figure:
    """From a tap on one phone until another, which sits at the same table, has its new screen.

    The product: a phone sends its form, the entry is made, the other hears of it through its stream and fetches
    its page, while the first gets its own new page as the answer. The bare thing: the same phone sends the same
    form to `/bare/echo/`, the other hears of that and fetches an empty page. Both have the same two connections,
    cookies and headers, one request of each phone in flight, and take turns, also in who comes first.
    """
    taps: list[float] = []
    echoes: list[float] = []
    for _ in range(WATCHED_GAMES):
        game = await open_game(port, players=4)
        watcher = game.phones[WATCHER]
        async with AsyncExitStack() as listening:
            others = [phone for phone in game.phones.values() if phone is not watcher]
            for phone in others:
                await listening.enter_async_context(phone.events(f"{game.api}events/"))
            changes = await listening.enter_async_context(watcher.events(f"{game.api}events/"))
            echoed = await listening.enter_async_context(watcher.events("/bare/events/"))
            await next_change(changes)
            await next_change(echoed)
            sides = [
                (Side(f"{game.page}act/", changes, game.page), taps),
                (Side("/bare/echo/", echoed, "/bare/empty/"), echoes),
            ]
            while prompts := await game.prompts():
                faction, action = prompts[0]["faction"], prompts[0]["example"]
                if faction == WATCHER:
                    await game.submit(faction, action)
                    await next_change(changes)
                    continue
                form = game.form(faction, action)
                sides.reverse()
                for side, samples in sides:
                    samples.append(await side.takes(game.phones[faction], form, watcher))
    against = "a bare echo through SSE, then a fetch of an empty page"
    return Figure("http.tap-to-other-screen", typical(taps, 1e3), "ms", typical(echoes, 1e3), against)


@dataclass(frozen=True, slots=True)
class Side:
    """A way from one phone to another: where a tap is sent, where the other hears of it, and what it fetches."""

    act: str
    events: AsyncIterator[Event]
    page: str
    shown: defaultdict[Client, Shown] = field(default_factory=lambda: defaultdict(Shown))

    async def takes(self, phone: Client, form: Mapping[str, str], other: Client) -> float:
        """The seconds from the tap until the other phone has its page. Both are done when this returns."""
        shown = asyncio.create_task(self._fetch_on_change(other))
        await asyncio.sleep(0)  # the other phone listens
        start = time.perf_counter()
        (done, fetched), answer = await asyncio.gather(
            shown, phone.post(self.act, form, **self.shown[phone].as_htmx)
        )
        self.shown[phone].take_in(expect(200, answer))
        self.shown[other].take_in(expect(200, fetched))
        return done - start

    async def _fetch_on_change(self, phone: Client) -> tuple[float, Answer]:
        """The moment when the page was there, and the page."""
        await next_change(self.events)
        fetched = await phone.get(self.page, **self.shown[phone].as_htmx)
        return time.perf_counter(), fetched


async def _bytes(port: int) -> list[Figure]:
    """What travels, compressed as it is sent, in the middle and at the end of a game for four."""
    game = await open_game(port, players=4)
    first, change, shown = [], [], defaultdict[str, Shown](Shown)
    while prompts := await game.prompts():
        faction = prompts[0]["faction"]
        phone = game.phones[faction]
        first.append(len((await phone.get(game.page, accept_encoding=ACCEPTED)).body))
        part = await phone.get(game.page, **shown[faction].as_htmx)
        change.append(len(part.body))
        shown[faction].take_in(part)
        await game.submit(faction, prompts[0]["example"])
    loaded = await _loaded(game)
    return [
        Figure("bytes.first-load", loaded + max(first), "B", FIRST_LOAD_BUDGET, "the most it may be"),
        Figure("bytes.change", typical(change), "B", CHANGE_BUDGET, "the most it may be"),
        Figure("bytes.largest-change", max(change), "B", CHANGE_BUDGET, "the most it may be"),
    ]


async def _loaded(game: Game) -> int:
    """Everything the page loads besides itself."""
    page = await game.host.get(game.page)
    sizes = [
        len(expect(200, await game.host.get(address.decode(), accept_encoding=ACCEPTED)).body)
        for address in sorted(set(_STATIC.findall(page.body)))
    ]
    return sum(sizes)
