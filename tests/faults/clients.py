"""Programs that play over the network, and remember what they sent and what they were told."""

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
        if not line:
            raise Unanswered("The stream has ended.")
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

    def enter(self, table: Table, server: Server | None = None) -> int:
        """Make the first entry that is offered, which must be accepted; the version after it."""
        asked = server or self.server
        body = {**table.offered(asked, FIRST), "key": f"key {next(self._keys)}"}
        sent = Sent(table, body, *table.send(asked, body))
        self.sent.append(sent)
        assert sent.status == 201, sent.answer
        version: int = sent.answer["version"]
        return version

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


@dataclass
class PatientLoad(Load):
    """Clients as good programs are: what was not answered they send again, with its key, until it is.

    They ask one server of several after the other, and take an answer of the kind "not now" for none.
    """

    others: list[Server] = field(default_factory=list)
    not_now: Counter[int | None] = field(default_factory=Counter)  # None: there was no answer at all
    patience: float = 60.0

    def _run(self, seed: int) -> None:
        generator = random.Random(f"{seed} {len(self.sent)}")
        while not self._ended.is_set():
            table = generator.choice(self.tables)
            try:
                offered = table.offered(self._any(generator), generator)
            except Unanswered:
                time.sleep(0.02)
                continue
            self._insist(table, {**offered, "key": f"key {next(self._keys)}"}, generator)

    def _any(self, generator: random.Random) -> Server:
        return generator.choice([self.server, *self.others])

    def _insist(self, table: Table, body: Any, generator: random.Random) -> None:
        deadline = time.monotonic() + self.patience
        sent = Sent(table, body)
        while sent.status is None and time.monotonic() < deadline:
            status, answer = None, None
            with contextlib.suppress(Unanswered):
                status, answer = table.send(self._any(generator), body)
            if status is None or status >= 500:
                with self._lock:
                    self.not_now[status] += 1
                time.sleep(0.02)
            else:
                sent = Sent(table, body, status, answer)
        with self._lock:
            self.sent.append(sent)


@dataclass
class Phone:
    """Listens to a table until it is stopped; whenever the line breaks it comes back by itself."""

    server: Server
    table: Table
    heard: list[int] = field(default_factory=list)
    comebacks: int = 0
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
        with contextlib.suppress(OSError, AttributeError):  # it may be between two lines
            self._connection.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
        if self._thread:
            self._thread.join(30)

    @property
    def version(self) -> int:
        return self.heard[-1] if self.heard else 0

    def hears(self, version: int, seconds: float = 20) -> None:
        """Wait until it has heard of a version."""
        self.until(lambda: self.version >= version, seconds)

    def until(self, condition: Callable[[], bool], seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"it has heard of {self.version} only"
            time.sleep(0.01)

    def _run(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException, Unanswered):
                self._listen()
            self.comebacks += 1
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
