"""uvicorn's HTTP protocol with limits on headers, connections, pipelining and slow readers."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from companion.operations.capacity import ConnectionSlots

LARGEST_HEADER = 64 * 1024  # bytes of request line and header lines, trailers included
MAX_PIPELINED = 16  # pipelined requests; uvicorn's queue is unlimited
SLICE = 16 * 1024  # bytes parsed at a time, so that an endless line is refused before it is buffered

slots = ConnectionSlots()


class SlowReaderTimer:
    """Aborts a connection if its write buffer does not shrink for a number of seconds."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._transport = transport
        self._loop = loop
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self.stop()
        size = self._transport.get_write_buffer_size()
        self._timer = self._loop.call_later(self._seconds, self._check, size)

    def stop(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _check(self, size_before: int) -> None:
        if self._transport.get_write_buffer_size() < size_before:
            self.start()
        else:
            self._transport.abort()


class BoundedProtocol(HttpToolsProtocol):
    """HTTP protocol that refuses long or slow headers and drops clients that do not read."""

    header_size = raw_size = 0  # bytes of complete header lines; bytes since the last progress
    deadline: asyncio.TimerHandle  # runs while the headers of a request are awaited
    cycles: tuple[RequestResponseCycle, ...] = ()  # requests without a complete response

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.reader = SlowReaderTimer(transport, self.loop, settings.BODY_TIMEOUT)
        self.deadline = self.loop.call_later(settings.HEADER_TIMEOUT, transport.abort)
        if not slots.acquire(self, self.client[0] if self.client else ""):
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.deadline.cancel()
        self.reader.stop()
        slots.release(self)
        for cycle in self.cycles:  # uvicorn notifies only the latest
            cycle.disconnected = True
            cycle.message_event.set()

    def data_received(self, data: bytes) -> None:
        while data and not self.transport.is_closing():
            part, data = data[:SLICE], data[SLICE:]
            self.raw_size += len(part)
            super().data_received(part)
            if self.raw_size > LARGEST_HEADER:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if self.deadline.cancelled() and getattr(self.cycle, "response_complete", True):
            self.deadline = self.loop.call_later(settings.HEADER_TIMEOUT, self.transport.abort)

    def on_message_begin(self) -> None:
        self.header_size = self.raw_size = 0
        if len(self.pipeline) >= MAX_PIPELINED:
            raise ValueError  # ends the parsing; uvicorn calls `send_400_response`
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.header_size += len(name) + len(value) + len(": \r\n")
        if len(self.url) + self.header_size > LARGEST_HEADER:
            self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            raise ValueError  # ends the parsing as well
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.raw_size = 0
        self.deadline.cancel()
        super().on_headers_complete()
        self.headers = []  # trailers are ignored
        self.cycles = (*(cycle for cycle in self.cycles if not cycle.response_complete), self.cycle)

    def on_body(self, body: bytes) -> None:
        self.raw_size = 0
        super().on_body(body)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.reader.start()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.reader.stop()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's signature
        if not self.transport.is_closing():
            self.refuse(HTTPStatus.BAD_REQUEST)

    def refuse(self, status: HTTPStatus) -> None:
        self.transport.write(_empty_response(status))
        self.transport.close()


def _empty_response(status: HTTPStatus) -> bytes:
    head = f"HTTP/1.1 {status} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    return head.encode()
