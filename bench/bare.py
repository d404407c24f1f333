"""A server without Django that only counts entries: the baseline of comparisons over HTTP.

It has the URLs that the benchmarks use: import a table, open its page, send a form, follow its event stream.
The page shows only its version. `python -m bench.bare` prints port and process id, and stops when standard
input is closed.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import uvicorn

BEAT_SECONDS = 15.0

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PAGE = """<!doctype html><title>Bare</title><body>
<main id="table" data-version="{version}" data-htmx-powered>
<form action="/t/{code}/act/" method="post" data-filled="{{}}"></form></main>
<script>
new EventSource("/api/tables/{code}/events/").addEventListener("changed", async (event) => {{
  document.body.dataset.live = "on";
  const page = await (await fetch(location.href)).text();
  const main = new DOMParser().parseFromString(page, "text/html").getElementById("table");
  document.getElementById("table").replaceWith(main);
}});
</script>
"""


@dataclass(slots=True)
class Table:
    version: int = 1
    streams: set[asyncio.Queue[int]] = field(default_factory=set)


_tables: list[Table] = []


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        return
    match scope["path"].strip("/").split("/"):
        case ["api", "tables", "import"]:
            await _answer(send, 201, json.dumps(_import(json.loads(await _body(receive)))))
        case ["api", "tables", code, "events"]:
            await _stream(_tables[int(code)], receive, send)
        case ["t", code, *action]:
            table = _tables[int(code)]
            await _body(receive)
            if action == ["act"]:
                _enter(table)
            await _answer(send, 200, PAGE.format(code=code, version=table.version))
        case _:
            await _answer(send, 404, "")


def _import(document: dict[str, Any]) -> dict[str, Any]:
    _tables.append(Table())
    seats = [{"faction": seat["faction"], "token": "seat"} for seat in document["seats"]]
    return {"code": str(len(_tables) - 1), "host_token": "host", "seats": seats}


def _enter(table: Table) -> None:
    table.version += 1
    for stream in table.streams:
        stream.put_nowait(table.version)


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


async def _answer(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/html"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


async def _stream(table: Table, receive: Receive, send: Send) -> None:
    queue = asyncio.Queue[int]()
    table.streams.add(queue)
    sender = asyncio.create_task(_send_events(table, queue, send))
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        table.streams.discard(queue)
        sender.cancel()


async def _send_events(table: Table, queue: asyncio.Queue[int], send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    text = _changed(table.version)
    while True:
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
        try:
            text = _changed(await asyncio.wait_for(queue.get(), BEAT_SECONDS))
        except TimeoutError:
            text = "event: beat\ndata: {}\n\n"


def _changed(version: int) -> str:
    return f'event: changed\ndata: {{"version":{version}}}\n\n'


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(listener.getsockname()[1], os.getpid(), flush=True)
    config = uvicorn.Config(application, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    threading.Thread(target=_stop_when_input_closes, args=(server,), daemon=True).start()
    server.run(sockets=[listener])


def _stop_when_input_closes(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.should_exit = True


if __name__ == "__main__":
    main()
