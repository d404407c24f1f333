"""Tables in the middle of a game, and at its end: played at random, handed in as documents through the API.

They are played in a process of their own, ``python -m bench.midgame``, which prints the documents.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.client import Client
from bench.web import expect
from games.registry import GAMES
from tests.servers import ROOT, environment

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A table that was taken in, who is asked there, and the tokens of its seats."""

    code: str
    host: str
    seats: Mapping[str, str]
    asked: str | None
    waiting: str | None  # a faction that is asked neither now nor before the newest entry

    @property
    def page(self) -> str:
        return f"/t/{self.code}/"

    @property
    def own(self) -> str:
        """The seat of the phone whose turn it is."""
        return self.seats[self.asked or next(iter(self.seats))]

    @property
    def other(self) -> str:
        """The seat of a phone that waits, as most do; else of another one."""
        if self.waiting:
            return self.seats[self.waiting]
        return next(token for token in self.seats.values() if token != self.own)


@cache
def documents() -> Mapping[str, Document]:
    """A whole game of each title, with as many people as it takes."""
    with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
        command = [sys.executable, "-m", "bench.midgame"]
        done = subprocess.run(
            command, cwd=ROOT, env=environment(Path(folder)), capture_output=True, check=True
        )
    found: dict[str, Document] = json.loads(done.stdout)
    return found


def until(whole: Document, part: float) -> Document:
    """The game when so much of it was played."""
    entries = whole["entries"][: int(len(whole["entries"]) * part)]
    version = entries[-1]["version"]
    return {**whole, "status": "playing", "ended_at": None, "entries": entries, "version": version}


async def take_in(port: int, document: Document) -> Table:
    client = Client(port)
    opened = expect(201, await client.post_json("/api/tables/import/", document)).json()
    seats = {seat["faction"]: seat["token"] for seat in opened["seats"]}
    api, host = f"/api/tables/{opened['code']}/", f"Seat {opened['host_token']}"
    asked = [prompt["faction"] for prompt in (await client.get(f"{api}prompts/")).json()]
    before: list[str] = []
    if document["entries"] and document["status"] == "playing":
        expect(200, await client.post_json(f"{api}undo/", {}, authorization=host))
        before = [prompt["faction"] for prompt in (await client.get(f"{api}prompts/")).json()]
        expect(200, await client.post_json(f"{api}redo/", {}, authorization=host))
    await client.close()
    waiting = next((faction for faction in seats if faction not in (*asked, *before)), None)
    return Table(opened["code"], opened["host_token"], seats, next(iter(asked), None), waiting)


# In the other process


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    import django  # noqa: PLC0415

    django.setup()
    from tests.statistics.journals import document  # noqa: PLC0415

    print(json.dumps({slug: document(slug, game.max_players) for slug, game in GAMES.items()}))


if __name__ == "__main__":
    main()
