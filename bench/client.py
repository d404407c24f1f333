"""A small HTTP client on asyncio: as little as possible between the clock and the server."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

PATIENCE = 10.0
# What a phone's browser accepts over plain http; the client itself unpacks only gzip, as pages are packed.
ACCEPTED = "gzip, deflate"

_KNOWN = re.compile(rb'<\w+ data-known="([^"]+)"[^>]*? id="([^"]+)"')
_SAME = re.compile(rb'<\w+ id="([^"]+)" data-same="([^"]+)">')


class Event(NamedTuple):
    """One event of a stream: what it is, and what it says."""

    name: str
    data: str

    @property
    def version(self) -> int:
        """Of a ``changed``."""
        found: int = json.loads(self.data)["version"]
        return found


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers (names in lower case; the last of a name), cookies set, and the body as it was sent."""

    status: int
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def page(self) -> bytes:
        """The body as a browser shows it."""
        return gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body


class Shown:
    """What a phone has shown and is not sent again (`static/js/known.js`): marks, by the ids of elements."""

    def __init__(self) -> None:
        self._marks: dict[bytes, bytes] = {}

    @property
    def as_htmx(self) -> dict[str, str]:
        """The headers with which a phone asks for the page anew."""
        known = {"known": b" ".join(self._marks.values()).decode()} if self._marks else {}
        return {"hx_request": "true", "accept_encoding": ACCEPTED, **known}

    def take_in(self, answer: Answer) -> None:
        """Remember what is there now. Raises ``RuntimeError`` where something was not sent that was never there."""
        page = answer.page()
        if missing := set(_SAME.findall(page)) - set(self._marks.items()):
            raise RuntimeError(f"not sent, and not there: {sorted(missing)}")
        self._marks |= {one: mark for mark, one in _KNOWN.findall(page)}


class Client:
    """One kept-alive connection, as a phone has it, with its cookies."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self.port = port
        self.patience = patience
        self.cookies: dict[str, str] = {}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._ask("GET", path, b"", headers)

    async def post(self, path: str, form: Mapping[str, str], **headers: str) -> Answer:
        headers["content-type"] = "application/x-www-form-urlencoded"
        return await self._ask("POST", path, urlencode(form).encode(), headers)

    async def post_json(self, path: str, data: Any, **headers: str) -> Answer:
        headers["content-type"] = "application/json"
        return await self._ask("POST", path, json.dumps(data).encode(), headers)

    async def close(self) -> None:
        if self._writer:
            self._writer.close()
            self._reader = self._writer = None

    async def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        try:
            async with asyncio.timeout(self.patience):
                answer = await self._ask_again_if_closed(method, path, body, headers)
        except BaseException:
            await self.close()  # or the next request would get the answer to this one
            raise
        self.cookies.update(answer.cookies)
        if answer.headers.get("connection") == "close":
            await self.close()
        return answer

    async def _ask_again_if_closed(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        """The server may have closed a connection that was not used for a while, just now. A browser tries once more."""
        is_kept = self._reader is not None
        try:
            return await _read(await self._send(method, path, body, headers))
        except (ConnectionError, asyncio.IncompleteReadError):
            if not is_kept:
                raise
            await self.close()
            return await _read(await self._send(method, path, body, headers))

    async def _send(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> asyncio.StreamReader:
        if self._reader is None or self._writer is None or self._reader.at_eof():
            await self.close()
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self.port}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if self.cookies:
            lines.append("cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if method == "POST":
            lines.append(f"content-length: {len(body)}")
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        return self._reader

    @asynccontextmanager
    async def events(self, path: str) -> AsyncIterator[AsyncIterator[Event]]:
        """A stream of events on a connection of its own."""
        own = Client(self.port, self.patience)
        own.cookies = self.cookies
        try:
            async with asyncio.timeout(self.patience):
                reader = await own._send("GET", path, b"", {"accept": "text/event-stream"})
                status, _headers, _cookies = await _read_head(reader)
            if status != 200:  # noqa: PLR2004
                raise RuntimeError(f"{path} answers {status}")
            yield _events(reader)
        finally:
            await own.close()


async def _events(reader: asyncio.StreamReader) -> AsyncIterator[Event]:
    name = ""
    async for raw in reader:
        line = raw.decode().strip()
        if line.startswith("event:"):
            name = line.removeprefix("event:").strip()
        elif line.startswith("data:"):
            yield Event(name, line.removeprefix("data:").strip())


async def next_change(events: AsyncIterator[Event]) -> Event:
    """The next ``changed``; beats are passed over."""
    while (event := await anext(events)).name != "changed":
        pass
    return event


async def _read(reader: asyncio.StreamReader) -> Answer:
    status, headers, cookies = await _read_head(reader)
    if headers.get("transfer-encoding") == "chunked":
        body = b"".join([chunk async for chunk in _chunks(reader)])
    else:
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Answer(status, headers, cookies, body)


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers: dict[str, str] = {}
    cookies: dict[str, str] = {}
    for line in head[1:-2]:
        name, _colon, value = line.partition(":")
        headers[name.lower()] = value.strip()
        if name.lower() == "set-cookie":
            key, _equals, rest = value.strip().partition("=")
            cookies[key] = rest.partition(";")[0]
    return int(head[0].split()[1]), headers, cookies


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int(await reader.readline(), 16):
        yield await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
