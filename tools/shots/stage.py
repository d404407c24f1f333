"""The server for the screenshots: its clock, its tables, and recorded games to play."""

from __future__ import annotations

import html
import os
import re
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from tests.servers import ROOT, environment, manage, running_server
from tools.evening import EXAMPLE, Evening, ask

STEADY = Path(__file__).parent / "steady"
RECORDS = ROOT / "tests" / "games"
NOT_CITED = "not-cited.toml"
FIRST_DAY = datetime(2026, 1, 1, 18, 40, tzinfo=UTC)
DAYS_PER_SCENE = 100
SECONDS = (20, 45, 30, 75, 15, 120)  # between one entry and the next
ABOUT_AN_ENTRY = {"faction", "refused", "says"}


@dataclass
class ServerClock:
    """The server's clock, stored in a file. It advances only when it is set."""

    file: Path
    now: datetime = FIRST_DAY
    _gaps: Iterator[int] = field(default_factory=lambda: cycle(SECONDS), repr=False)

    def set(self, now: datetime) -> None:
        """Set the time. The file is replaced atomically, as the server may read it at any moment."""
        self.now = now
        new = self.file.with_suffix(".new")
        new.write_text(now.isoformat())
        new.replace(self.file)

    def settings(self) -> dict[str, str]:
        """Return the environment in which a server reads this clock."""
        path = os.pathsep.join(filter(None, (str(STEADY), os.environ.get("PYTHONPATH"))))
        return {"PYTHONPATH": path, "SHOTS_CLOCK": str(self.file)}

    def set_to_scene(self, number: int) -> None:
        """Set the first day of a scene, which does not depend on the scenes before it."""
        self._gaps = cycle(SECONDS)
        self.set(FIRST_DAY + timedelta(days=DAYS_PER_SCENE * number))

    def next_day(self) -> None:
        days = (self.now - FIRST_DAY).days + 1
        self.set(FIRST_DAY + timedelta(days=days))

    def next_entry(self) -> None:
        """Advance by the thinking time of one entry."""
        self.set(self.now + timedelta(seconds=next(self._gaps)))


@dataclass
class TimedEvening(Evening):
    """A table where time passes with each entry."""

    clock: ServerClock = field(kw_only=True)

    def post(self, part: str, data: Any, faction: str = "host") -> Any:
        self.clock.next_entry()
        return super().post(part, data, faction)

    @property
    def host(self) -> str:
        return self.tokens["host"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A recorded game of `tests/games`, without refused entries."""

    game: str
    name: str
    factions: tuple[str, ...]
    options: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...]


def read_records(game: str) -> list[Record]:
    """Return the recorded games of a title, longest first."""
    paths = sorted(path for path in (RECORDS / game).glob("*.toml") if path.name != NOT_CITED)
    return sorted((_read_record(path) for path in paths), key=lambda record: -len(record.entries))


def _read_record(path: Path) -> Record:
    read = tomllib.loads(path.read_text())
    options = dict(read["options"])
    if "players" in read:
        options["players"] = read["players"]
    if "first" in read:
        options["first_player"] = read["first"]
    entries = (entry for chapter in read["chapter"] for entry in chapter["entries"])
    return Record(
        game=read["game"],
        name=path.stem,
        factions=tuple(read["factions"]),
        options=options,
        entries=tuple(entry for entry in entries if "refused" not in entry),
    )


def action_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in ABOUT_AN_ENTRY}


@dataclass
class Stage:
    """A running server, with the tables, boards and circle created on it."""

    site: str
    clock: ServerClock
    codes: list[str] = field(default_factory=list)  # of tables and boards; replaced in the pictures
    circle: str = ""  # key of the circle of the recorded games

    def open(
        self,
        factions: Sequence[str] = (),
        *,
        game: str = EXAMPLE,
        options: Mapping[str, Any] | None = None,
        seed: int = 7,
        start: bool = True,
    ) -> TimedEvening:
        """Open a table on the next day, with these seats taken."""
        self.clock.next_day()
        opened = Evening.open(self.site, factions, game=game, options=options, seed=seed, start=start)
        evening = TimedEvening(opened.site, opened.code, opened.tokens, seed, clock=self.clock)
        self.codes.append(evening.code)
        return evening

    def open_record(self, record: Record) -> TimedEvening:
        """Open the table of a recorded game in the circle of all recorded games."""
        evening = self.open(record.factions, game=record.game, options=record.options, start=False)
        if not self.circle:
            self.circle = ask(f"{self.site}/api/circles/", {"name": "Thursdays"})["key"]
        evening.post("circle", {"circle": self.circle})
        evening.post("start", {})
        return evening

    def links(self, address: str, pattern: str, tokens: Sequence[str] = ()) -> list[str]:
        """Return the distinct links of a page that match a pattern, as absolute addresses."""
        request = urllib.request.Request(address, headers={"Cookie": f"seats={'.'.join(tokens)}"})  # noqa: S310
        with urllib.request.urlopen(request) as response:  # noqa: S310 - http to a local server
            paths = re.findall(r'href="([^"]+)', response.read().decode())
        matches = dict.fromkeys(path for path in map(html.unescape, paths) if re.fullmatch(pattern, path))
        return [urljoin(address, path) for path in matches]


@contextmanager
def running_stage() -> Iterator[Stage]:
    """Start a server with compressed static files, an empty database and a stopped clock."""
    with tempfile.TemporaryDirectory(prefix="seneschal-shots-") as folder:
        data, clock = Path(folder) / "data", ServerClock(Path(folder) / "clock")
        clock.set(FIRST_DAY)
        settings = {
            "STATIC_MANIFEST": "on",
            "STATIC_ROOT": str(Path(folder) / "static"),
            **clock.settings(),
        }
        manage(environment(data, **settings), "collectstatic", "--no-input", "--verbosity=0")
        with running_server(data, **settings) as server:
            yield Stage(server.url, clock)
