"""Programs that play over the network, and remember what they sent and what they were told."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.servers import Server

FACTIONS = ("blue", "yellow", "green", "red")


class Unanswered(Exception):  # noqa: N818
    """The server went away before it answered."""


def ask(
    server: Server, method: str, path: str, body: Any = None, token: str | None = None
) -> tuple[int, Any]:
    """Status and JSON of an answer. Raises ``Unanswered``."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Seat {token}"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    with contextlib.closing(connection):
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
            raise Unanswered(path) from error


@dataclass(frozen=True)
class Table:
    """A table that was opened over the network."""

    code: str
    token: str

    @property
    def path(self) -> str:
        return f"/api/tables/{self.code}"

    @classmethod
    def opened(cls, server: Server, players: int) -> Table:
        seats = [{"name": faction.title(), "faction": faction} for faction in FACTIONS[:players]]
        status, answer = ask(server, "POST", "/api/tables/", {"game": "raubritter", "seats": seats})
        assert status == 201, answer
        table = cls(answer["code"], answer["host_token"])
        status, answer = ask(server, "POST", f"{table.path}/start/", {}, table.token)
        assert status == 200, answer
        return table

    def send(self, server: Server, body: Any) -> tuple[int, Any]:
        return ask(server, "POST", f"{self.path}/actions/", body, self.token)

    def journal(self, server: Server) -> list[Any]:
        status, answer = ask(server, "GET", f"{self.path}/journal/")
        assert status == 200
        assert isinstance(answer, list)
        return answer

    def offered(self, server: Server, generator: random.Random) -> Any:
        """Something that may be entered now; a correction where nobody is asked, or now and then."""
        _status, prompts = ask(server, "GET", f"{self.path}/prompts/")
        if not prompts or generator.random() < 0.3:
            count = generator.randrange(4)
            action = {
                "type": "correct",
                "owner": "blue",
                "piece": "knight",
                "place": "cell:0,0",
                "count": count,
            }
            return {"faction": "blue", "action": {**action, "reason": "counted"}}
        prompt = generator.choice(prompts)
        return {"faction": prompt["faction"], "action": prompt["example"]}


class _First(random.Random):
    """Takes the first of everything, and never corrects."""

    def random(self) -> float:
        return 1.0

    def choice(self, seq: Any) -> Any:
        return seq[0]


FIRST = _First()


def stream(
    server: Server, table: Table, last: int | None = None
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """The events of a table, for somebody who has seen its last version."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    headers = {"Last-Event-ID": str(last)} if last is not None else {}
    connection.request("GET", f"{table.path}/events/", headers=headers)
    return connection, connection.getresponse()


def next_event(answer: http.client.HTTPResponse) -> str:
    """The next event of a stream, up to the empty line that ends it."""
    lines = []
    while (line := answer.readline().decode()) != "\n":
        assert line
        lines.append(line)
    return "".join(lines)


@dataclass(frozen=True)
class Sent:
    """An entry that was sent, and the answer, if there was one."""

    table: Table
    body: Any
    status: int | None = None
    answer: Any = None


@dataclass
class Load:
    """Several clients at several tables at once."""

    server: Server
    tables: list[Table]
    sent: list[Sent] = field(default_factory=list)
    _keys: Iterator[int] = field(default_factory=itertools.count)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def running(self, clients: int) -> Iterator[None]:
        """Clients that send until the block is left, or until the server is gone."""
        self._ended.clear()
        threads = [threading.Thread(target=self._run, args=(seed,)) for seed in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in threads:
                thread.join(60)

    def _run(self, seed: int) -> None:
        generator = random.Random(f"{seed} {len(self.sent)}")
        with contextlib.suppress(Unanswered):
            while not self._ended.is_set():
                table = generator.choice(self.tables)
                body = {**table.offered(self.server, generator), "key": f"key {next(self._keys)}"}
                self._remember(table, body)

    def _remember(self, table: Table, body: Any) -> None:
        sent = Sent(table, body)
        try:
            sent = Sent(table, body, *table.send(self.server, body))
        finally:
            with self._lock:
                self.sent.append(sent)

    def accepted(self) -> list[Sent]:
        return [sent for sent in self.sent if sent.status == 201]

    def unanswered(self) -> list[Sent]:
        return [sent for sent in self.sent if sent.status is None]
