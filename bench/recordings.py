"""Games in progress, and the form data of their next entries.

`python -m bench.recordings` plays a random game of each title. Its first half is imported through the API;
its remaining entries are the *new entries* of the benchmarks. The form fields of an entry are read from the
page for changing that entry, which shows the form filled in.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.client import Client, expect
from bench.servers import ROOT
from companion.registry import games
from tests.servers import environment
from tools.django_setup import set_up_django

Document = Mapping[str, Any]

ENTRIES = 48  # new entries of a game, starting at its middle

_FILLED = re.compile(r'<form[^>]* data-filled="([^"]*)"')
_BUTTON = re.compile(r'name="type" value="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Entry:
    """The fields of a form, and the faction that sends it."""

    faction: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole game, and the form data of the entries after its middle."""

    document: Document
    entries: Sequence[Entry]

    @property
    def middle(self) -> int:
        return len(self.document["entries"]) // 2

    def begun(self, later: int = 0) -> Document:
        """Return the game at its middle, or `later` entries after it."""
        return until(self.document, self.middle + later)


@cache
def documents() -> Mapping[str, Document]:
    """Return a finished game of each title with the maximum number of players."""
    with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
        command = [sys.executable, "-m", "bench.recordings"]
        done = subprocess.run(
            command, cwd=ROOT, env=environment(Path(folder)), stdout=subprocess.PIPE, check=True
        )
    games: dict[str, Document] = json.loads(done.stdout)
    return games


def until(whole: Document, number: int) -> Document:
    """Return the game after the given number of entries."""
    entries = whole["entries"][:number]
    version = entries[-1]["version"]
    return {**whole, "status": "playing", "ended_at": None, "entries": entries, "version": version}


async def recordings(port: int, entries: int = ENTRIES) -> Mapping[str, Recording]:
    """Return a recording of each game with the forms of this server."""
    return {slug: await _recording(port, whole, entries) for slug, whole in documents().items()}


async def _recording(port: int, whole: Document, entries: int) -> Recording:
    client = Client(port)
    opened = expect(201, await client.post_json("/api/tables/import/", whole)).json()
    client.cookies["seats"] = opened["host_token"]
    middle = len(whole["entries"]) // 2
    recorded = []
    for line in whole["entries"][middle : middle + entries]:
        page = expect(200, await client.get(f"/t/{opened['code']}/mend/{line['number']}/")).page()
        recorded.append(Entry(line["faction"], _fields(page, line["action"])))
    await client.close()
    return Recording(whole, recorded)


def _fields(page: str, action: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the form that a page shows for an action, and the value of its button."""
    filled = _FILLED.search(page)
    if not filled:
        raise RuntimeError(f"no form for {action}")
    return {"type": _button(page, action), **json.loads(html.unescape(filled[1]))}


def _button(page: str, action: Mapping[str, Any]) -> str:
    """Return the value of the button: the action's type, or for example `layout:holland` or `helper:yes`."""
    words = {{True: "yes", False: "no"}.get(value, value) for value in action.values() if _is_word(value)}
    kind: str = action["type"]
    names = {kind, *(f"{kind}:{word}" for word in words)}
    return next((value for value in _BUTTON.findall(page) if value in names), kind)


def _is_word(value: Any) -> bool:
    return isinstance(value, bool | str)


def main() -> None:
    """Print the documents. Needs Django, unlike the benchmarks themselves."""
    set_up_django()
    from tests.statistics.journals import document  # noqa: PLC0415

    print(json.dumps({slug: document(slug, game.max_players) for slug, game in games().items()}))


if __name__ == "__main__":
    main()
