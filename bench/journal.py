"""Duration of an entry late in a long journal through the API, compared with one in a short journal."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from itertools import count

from bench.client import Client, expect
from bench.figures import Figure, typical
from bench.servers import product, running

EARLY, LATE = 10, 1_000  # numbers of the entries that are compared
SHORT_GAMES = 3  # each contributes 2 * EARLY entries
LIMIT = 1.25  # times the early entry
COLOURS = ("blue", "yellow")

_keys = map(str, count())


class Game:
    """A game of Raubritter through the API."""

    def __init__(self, port: int) -> None:
        self._client = Client(port)
        self._number = 0

    async def begin(self) -> None:
        """Open a table for two, start, and lay the starting tiles, on which knights can be placed."""
        seats = [{"name": colour.title(), "faction": colour} for colour in COLOURS]
        opened = await self._client.post_json("/api/tables/", {"game": "raubritter", "seats": seats})
        table = expect(201, opened).json()
        self._url = f"/api/tables/{table['code']}/"
        self._token = f"Seat {table['host_token']}"
        expect(200, await self._client.post_json(f"{self._url}start/", {}, authorization=self._token))
        for _seat in seats:
            answer = await self._client.get(f"{self._url}prompts/", accept_encoding="identity")
            prompt = answer.json()[0]
            await self._submit(prompt["faction"], prompt["example"])

    async def close(self) -> None:
        await self._client.close()

    async def correct(self) -> float:
        """Correct a count, which costs the same at any time; return the duration in seconds."""
        self._number += 1
        fields = {"owner": "blue", "piece": "knight", "place": "cell:0,0", "reason": "bench"}
        start = time.perf_counter()
        await self._submit("blue", {"type": "correct", **fields, "count": self._number % 2})
        return time.perf_counter() - start

    async def _submit(self, faction: str, action: object) -> None:
        body = {"faction": faction, "action": action, "key": next(_keys)}
        url = f"{self._url}actions/"
        expect(201, await self._client.post_json(url, body, authorization=self._token))


async def figures() -> AsyncIterator[Figure]:
    with running(product()) as server:
        late, early = await _measure(server.port)
    baseline = typical(early, 1e3)
    against = f"entry {EARLY} of a short game"
    yield Figure(f"journal.entry-{LATE}", typical(late, 1e3), "ms", baseline, against, LIMIT * baseline)


async def _measure(port: int) -> tuple[list[float], list[float]]:
    """Return the durations of late and of early entries, made alternately."""
    long, late, early = Game(port), [], []
    await long.begin()
    for _ in range(LATE - EARLY * SHORT_GAMES - len(COLOURS)):
        await long.correct()
    for _ in range(SHORT_GAMES):
        short = Game(port)
        await short.begin()
        for _ in range(2 * EARLY):
            late.append(await long.correct())
            early.append(await short.correct())
        await short.close()
    await long.close()
    return late, early
