"""Through HTTP: a real server on this machine, and phones that speak to it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from bench.client import Answer, Client
from bench.figures import Figure, typical

FIRST_LOAD_BUDGET = 60_000
CHANGE_BUDGET = 10_000
TAPS = 60
EARLY, LATE, AROUND = 10, 300, 10  # entries whose cost is compared
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
        return _expect(
            201, await self.host.post_json(f"{self.api}actions/", body, authorization=f"Seat {self.token}")
        )

    async def submit_example(self) -> None:
        prompt = (await self.prompts())[0]
        await self.submit(prompt["faction"], prompt["example"])

    async def tap(self, faction: str, action: Any) -> Answer:
        """What a phone sends when its owner taps."""
        form = {"csrfmiddlewaretoken": self.csrf[faction], "faction": faction, "key": next(_keys)}
        form |= _fields(action)
        return _expect(200, await self.phones[faction].post(f"{self.page}act/", form, hx_request="true"))


def _fields(action: Any) -> dict[str, str]:
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


def _expect(status: int, answer: Answer) -> Answer:
    if answer.status != status:
        raise RuntimeError(f"{answer.status} instead of {status}: {answer.body[:300]!r}")
    return answer


async def open_game(port: int, players: int) -> Game:
    """A table at which a game has begun, with a phone for each seat."""
    host = Client(port)
    seats = [{"name": colour.title(), "faction": colour} for colour in COLOURS[:players]]
    opened = _expect(201, await host.post_json("/api/tables/", {"game": "raubritter", "seats": seats})).json()
    game = Game(opened["code"], host, opened["host_token"])
    _expect(200, await host.post_json(f"{game.api}start/", {}, authorization=f"Seat {game.token}"))
    for seat in opened["seats"]:
        phone = Client(port)
        phone.cookies["seats"] = seat["token"]
        page = _expect(200, await phone.get(game.page))
        found = _CSRF.search(page.body)
        if not found:
            raise RuntimeError("the page has no form")
        game.phones[seat["faction"]], game.csrf[seat["faction"]] = phone, found[1].decode()
    return game


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
    """Entries late in a long journal beside entries early in a short one, taken in turns."""
    long, short = await open_game(port, players=2), await open_game(port, players=2)
    for game, last in ((long, LATE - AROUND), (short, EARLY - AROUND)):
        for _seat in game.phones:  # the starting tiles, on which knights can stand
            await game.submit_example()
        for number in range(last):
            await _correct(game, number)
    late, early = [], []
    for number in range(2 * AROUND):
        late.append(await timed(lambda n=number: _correct(long, n)))  # type: ignore[misc]
        early.append(await timed(lambda n=number: _correct(short, n)))  # type: ignore[misc]
    return Figure(
        f"http.submit.entry-{LATE}",
        typical(late, 1e3),
        "ms",
        typical(early, 1e3),
        f"entry {EARLY} of a short game",
    )


async def _correct(game: Game, number: int) -> None:
    """An entry that costs the same at any time: a count goes up and down."""
    fields = {"owner": "blue", "piece": "knight", "place": "cell:0,0", "reason": "bench"}
    await game.submit("blue", {"type": "correct", **fields, "count": 1 - number % 2})


async def _tap_to_screen(port: int) -> Figure:
    """From a tap on one phone until another has its new screen."""
    game, bare = await open_game(port, players=4), Client(port)
    watcher, fetcher = Client(port), Client(port)
    taps, echoes = [], []
    async with (
        watcher.events(f"{game.api}events/") as changes,
        fetcher.events("/bare/events/") as echoed,
    ):
        await anext(changes)
        await anext(echoed)
        for _ in range(TAPS):
            prompt = (await game.prompts())[0]
            shown = asyncio.create_task(_fetch_on(changes, watcher, game.page, hx_request="true"))
            taps.append(await _elapsed(game.tap(prompt["faction"], prompt["example"]), shown))
            shown = asyncio.create_task(_fetch_on(echoed, fetcher, "/bare/empty/"))
            echoes.append(await _elapsed(bare.post_json("/bare/echo/", {}), shown))
    against = "a bare echo through SSE, then a fetch of an empty page"
    return Figure("http.tap-to-other-screen", typical(taps, 1e3), "ms", typical(echoes, 1e3), against)


async def _elapsed(tap: Awaitable[object], shown: asyncio.Task[float]) -> float:
    await asyncio.sleep(0)  # the other phone listens
    start = time.perf_counter()
    done, _answer = await asyncio.gather(shown, tap)
    return done - start


async def _fetch_on(changes: AsyncIterator[str], phone: Client, path: str, **headers: str) -> float:
    """Wait for the next event, fetch a page; the moment when it was there."""
    await anext(changes)
    _expect(200, await phone.get(path, **headers))
    return time.perf_counter()


async def _bytes(port: int) -> list[Figure]:
    """What travels, compressed as it is sent, in the middle and at the end of a game for four."""
    game = await open_game(port, players=4)
    first, change = [], []
    while prompts := await game.prompts():
        phone = game.phones[prompts[0]["faction"]]
        page = await phone.get(game.page, accept_encoding="gzip, br")
        first.append(len(page.body))
        change.append(len((await phone.get(game.page, accept_encoding="gzip, br", hx_request="true")).body))
        await game.submit(prompts[0]["faction"], prompts[0]["example"])
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
        len(_expect(200, await game.host.get(address.decode(), accept_encoding="gzip, br")).body)
        for address in sorted(set(_STATIC.findall(page.body)))
    ]
    return sum(sizes)
