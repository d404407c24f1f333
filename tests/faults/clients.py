"""API clients that play over the network and record requests and responses."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from tests.servers import Server

FACTIONS = ("blue", "yellow", "green", "red")


class Unanswered(Exception):  # noqa: N818
    """The server went away before it responded."""


def ask(
    server: Server, method: str, path: str, body: Any = None, token: str | None = None
) -> tuple[int, Any]:
    """Return status and JSON of a response. Raises `Unanswered`."""
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
        """Return a valid action; a correction if there are no prompts, and sometimes at random."""
        status, prompts = ask(server, "GET", f"{self.path}/prompts/")
        if status != 200:
            raise Unanswered(self.path)
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
    """Generator that always picks the first choice and never a correction."""

    def random(self) -> float:
        return 1.0

    def choice(self, seq: Any) -> Any:
        return seq[0]


FIRST = _First()


def stream(
    server: Server, table: Table, last: int | None = None
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """Open the event stream of a table, optionally with `Last-Event-ID`."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    headers = {"Last-Event-ID": str(last)} if last is not None else {}
    connection.request("GET", f"{table.path}/events/", headers=headers)
    return connection, connection.getresponse()


def next_event(answer: http.client.HTTPResponse) -> str:
    """Return the next event of a stream, up to the empty line that ends it."""
    lines = []
    while (line := answer.readline().decode()) != "\n":
        if not line:
            raise Unanswered("The stream has ended.")
        lines.append(line)
    return "".join(lines)


@dataclass(frozen=True)
class Sent:
    """An entry that was sent, with the response if there was one."""

    table: Table
    body: Any
    status: int | None = None
    answer: Any = None


@dataclass
class Load:
    """Concurrent clients at several tables."""

    server: Server
    tables: list[Table]
    sent: list[Sent] = field(default_factory=list)
    _keys: Iterator[int] = field(default_factory=itertools.count)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def running(self, clients: int) -> Iterator[None]:
        """Run clients that send entries until the block ends or the server goes away."""
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
                self._send(table, body)

    def enter(self, table: Table, server: Server | None = None) -> int:
        """Enter the first valid action, which must be accepted; return the new version."""
        target = server or self.server
        body = {**table.offered(target, FIRST), "key": f"key {next(self._keys)}"}
        sent = Sent(table, body, *table.send(target, body))
        self.sent.append(sent)
        assert sent.status == 201, sent.answer
        version: int = sent.answer["version"]
        return version

    def _send(self, table: Table, body: Any) -> None:
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


@dataclass
class PatientLoad(Load):
    """Clients that retry with the same key until they get a response.

    They use several servers at random, and retry after a 5xx response.
    """

    others: list[Server] = field(default_factory=list)
    retries: Counter[int | None] = field(default_factory=Counter)  # retries by status; None for no response
    patience: float = 60.0

    def _run(self, seed: int) -> None:
        generator = random.Random(f"{seed} {len(self.sent)}")
        while not self._ended.is_set():
            table = generator.choice(self.tables)
            try:
                offered = table.offered(self._random_server(generator), generator)
            except Unanswered:
                time.sleep(0.02)
                continue
            self._send_until_answered(table, {**offered, "key": f"key {next(self._keys)}"}, generator)

    def _random_server(self, generator: random.Random) -> Server:
        return generator.choice([self.server, *self.others])

    def _send_until_answered(self, table: Table, body: Any, generator: random.Random) -> None:
        deadline = time.monotonic() + self.patience
        sent = Sent(table, body)
        while sent.status is None and time.monotonic() < deadline:
            status, answer = None, None
            with contextlib.suppress(Unanswered):
                status, answer = table.send(self._random_server(generator), body)
            if status is None or status >= 500:
                with self._lock:
                    self.retries[status] += 1
                time.sleep(0.02)
            else:
                sent = Sent(table, body, status, answer)
        with self._lock:
            self.sent.append(sent)


@dataclass
class Phone:
    """A client that listens to a table until it is stopped, and reconnects whenever the connection breaks."""

    server: Server
    table: Table
    heard: list[int] = field(default_factory=list)
    reconnects: int = 0
    beats: int = 0
    _connection: http.client.HTTPConnection | None = None
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        with contextlib.suppress(OSError, AttributeError):  # it may be reconnecting
            self._connection.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
        if self._thread:
            self._thread.join(30)

    @property
    def version(self) -> int:
        return self.heard[-1] if self.heard else 0

    def hears(self, version: int, seconds: float = 20) -> None:
        """Wait until it has received a version."""
        self.until(lambda: self.version >= version, seconds)

    def until(self, condition: Callable[[], bool], seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"the last version received is {self.version}"
            time.sleep(0.01)

    def _run(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException, Unanswered):
                self._listen()
            self.reconnects += 1
            self._ended.wait(0.2)

    def _listen(self) -> None:
        self._connection, answer = stream(self.server, self.table, self.version or None)
        with contextlib.closing(self._connection):
            while answer.status == 200 and not self._ended.is_set():
                event = next_event(answer)
                self.beats += "event: beat" in event
                for line in event.splitlines():
                    if line.startswith("id: "):
                        self.heard.append(int(line.removeprefix("id: ")))
