"""A minimal HTTP client on asyncio, to keep the CPU time of the benchmark itself low."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

TIMEOUT = 60.0  # seconds; long, so that an overloaded server can be measured
LOCALHOST = "127.0.0.1"


class Event(NamedTuple):
    """One server-sent event."""

    name: str
    data: str

    @property
    def version(self) -> int:
        """Return the version that a ``changed`` event names."""
        version: int = json.loads(self.data)["version"]
        return version


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: headers by lower-case name, cookies set, and the body as sent."""

    status: int
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def page(self) -> str:
        """Return the body, decompressed."""
        is_compressed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if is_compressed else self.body).decode()


class Client:
    """A keep-alive connection with its cookies.

    `address` is the local address to connect from. Rate limits are per address, so clients of different
    tables need different addresses.
    """

    def __init__(self, port: int, *, address: str = LOCALHOST, language: str = "en") -> None:
        self.port = port
        self.address = address
        self.cookies: dict[str, str] = {}
        self._headers = {"accept-encoding": "gzip, deflate", "accept-language": language}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._ask("GET", path, b"", headers)

    async def post(self, path: str, form: Mapping[str, Any], **headers: str) -> Answer:
        headers["content-type"] = "application/x-www-form-urlencoded"
        return await self._ask("POST", path, urlencode(form, doseq=True).encode(), headers)

    async def post_json(self, path: str, data: Any, **headers: str) -> Answer:
        headers |= {"content-type": "application/json", "accept-encoding": "identity"}
        return await self._ask("POST", path, json.dumps(data).encode(), headers)

    async def close(self) -> None:
        if self._writer:
            self._writer.close()
            with suppress(ConnectionError):
                await self._writer.wait_closed()
            self._reader = self._writer = None

    async def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        try:
            async with asyncio.timeout(TIMEOUT):
                answer = await self._ask_with_retry(method, path, body, headers)
        except BaseException:
            await self.close()  # else the next request would read the response to this one
            raise
        self.cookies.update(answer.cookies)
        if answer.headers.get("connection") == "close":
            await self.close()
        return answer

    async def _ask_with_retry(
        self, method: str, path: str, body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        """Retry once if the server has just closed an idle connection, as browsers do."""
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
            self._reader, self._writer = await asyncio.open_connection(
                LOCALHOST, self.port, local_addr=(self.address, 0)
            )
        lines = [f"{method} {path} HTTP/1.1", f"host: {LOCALHOST}:{self.port}"]
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        lines += [f"{name}: {value}" for name, value in (self._headers | named).items()]
        if self.cookies:
            lines.append("cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if method == "POST":
            lines.append(f"content-length: {len(body)}")
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        return self._reader

    @asynccontextmanager
    async def events(self, path: str) -> AsyncIterator[AsyncIterator[Event]]:
        """Open an event stream on a separate connection."""
        stream = Client(self.port, address=self.address)
        stream.cookies = self.cookies
        try:
            async with asyncio.timeout(TIMEOUT):
                reader = await stream._send("GET", path, b"", {"accept": "text/event-stream"})
                status, _headers, _cookies = await _read_head(reader)
            if status != 200:  # noqa: PLR2004
                raise RuntimeError(f"{path} answers {status}")
            yield _events(reader)
        finally:
            await stream.close()


class UnexpectedStatusError(RuntimeError):
    """A response with another status than expected."""

    def __init__(self, answer: Answer, expected: int) -> None:
        super().__init__(f"{answer.status} instead of {expected}: {_message(answer.page())}")
        self.status = answer.status


def expect(status: int, answer: Answer) -> Answer:
    if answer.status != status:
        raise UnexpectedStatusError(answer, status)
    return answer


def _message(page: str) -> str:
    """Return the error that a page shows, or else its beginning."""
    return page[max(page.find('id="error"'), 0) :][:300]


async def _events(reader: asyncio.StreamReader) -> AsyncIterator[Event]:
    name = ""
    async for raw in reader:
        line = raw.decode().strip()
        if line.startswith("event:"):
            name = line.removeprefix("event:").strip()
        elif line.startswith("data:"):
            yield Event(name, line.removeprefix("data:").strip())


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
            key, _equals, cookie = value.strip().partition("=")
            cookies[key] = cookie.partition(";")[0]
    return int(head[0].split()[1]), headers, cookies


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int(await reader.readline(), 16):
        yield await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
