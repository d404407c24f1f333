"""The event stream that announces changes of a table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connection, transaction
from django.test import Client

from companion.access import table_access
from companion.access.table_access import TableAccess
from companion.api.events import PRESENT_EVERY
from companion.asgi import application
from companion.journal import submit
from companion.live import hub
from companion.models import Table
from companion.tables import hosting
from tests.api.conftest import Api, AtTable, open_table, refused
from tests.live.phones import in_thread

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 5.0
A_MOMENT = 0.3
HOST = TableAccess(is_host=True)


def started_table() -> AtTable:
    table = open_table(Api())
    table.start()
    return table


async def new_table() -> AtTable:
    return await in_thread(started_table)


def row(table: AtTable) -> Table:
    return Table.objects.get(code=table.code)


def parsed(block: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in block.strip().splitlines())


class Stream:
    """An SSE client over ASGI."""

    def __init__(self, table: AtTable, *, query: str = "", **headers: str) -> None:
        named = {"Host": "localhost", **{name.replace("_", "-"): value for name, value in headers.items()}}
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/api/tables/{table.code}/events/",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
        }
        self.client = ApplicationCommunicator(application, scope)
        self.headers: dict[str, str] = {}

    async def open(self) -> None:
        await self.client.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await self.client.receive_output(PATIENCE)
        assert start["status"] == 200
        self.headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}

    async def next(self) -> dict[str, str]:
        block = (await self.client.receive_output(PATIENCE))["body"].decode()
        assert block.endswith("\n\n")
        return parsed(block)

    async def is_silent(self) -> bool:
        return await self.client.receive_nothing(A_MOMENT, 0.02)

    async def hang_up(self) -> None:
        await self.client.send_input({"type": "http.disconnect"})
        await self.client.wait(PATIENCE)


@asynccontextmanager
async def listening(table: AtTable, **options: str) -> AsyncIterator[Stream]:
    stream = Stream(table, **options)
    await stream.open()
    try:
        yield stream
    finally:
        await stream.hang_up()


def changed(version: int) -> dict[str, str]:
    return {"event": "changed", "id": str(version), "data": f'{{"version":{version}}}'}


async def test_stream_sends_version_at_once_and_on_each_change() -> None:
    table = await new_table()
    async with listening(table) as stream:
        first = await stream.next()
        assert first.pop("retry") == "2000"
        assert first == changed(2)
        for version, do in (
            (3, lambda: table.play(1)),
            (4, lambda: table.post("undo")),
            (5, lambda: table.post("redo")),
        ):
            assert await stream.is_silent()
            await in_thread(do)
            assert await stream.next() == changed(version)
        assert json.loads(changed(5)["data"]) == {"version": 5}


async def test_stream_headers_disable_caching_and_buffering() -> None:
    table = await new_table()
    async with listening(table) as stream:
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["cache-control"] == "no-cache, no-transform"
        assert stream.headers["x-accel-buffering"] == "no"
        assert "content-length" not in stream.headers


async def test_stream_is_not_compressed() -> None:
    table = await new_table()
    async with listening(table, Accept_Encoding="gzip, br") as stream:
        assert "content-encoding" not in stream.headers
        assert (await stream.next())["id"] == "2"


@pytest.mark.parametrize("options", [{"Last_Event_ID": "2"}, {"query": "last_event_id=2"}])
async def test_current_last_event_id_waits_for_next_change(options: dict[str, str]) -> None:
    table = await new_table()
    async with listening(table, **options) as stream:
        assert await stream.is_silent()
        await in_thread(lambda: table.play(1))
        event = await stream.next()
        assert (event["event"], event["id"]) == ("changed", "3")


@pytest.mark.parametrize("seen", ["1", "3", "0", "-2", "two", "2.0", "9" * 30, "٢"])
async def test_other_last_event_id_gets_version_at_once(seen: str) -> None:
    table = await new_table()
    async with listening(table, query=f"last_event_id={seen}") as stream:
        assert (await stream.next())["id"] == "2"


async def test_reconnecting_client_gets_missed_version() -> None:
    table = await new_table()
    async with listening(table) as stream:
        seen = (await stream.next())["id"]
    await in_thread(lambda: table.play(3))
    async with listening(table, Last_Event_ID=seen) as stream:
        assert (await stream.next())["id"] == "5"


async def test_heartbeats_are_sent_between_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "HEARTBEAT_SECONDS", 0.05)
    table = await new_table()
    async with listening(table, Last_Event_ID="2") as stream:
        for _ in range(3):
            beat = await stream.next()
            assert (beat["event"], "id" in beat) == ("beat", False)
        await in_thread(lambda: table.play(1))
        events = [await stream.next() for _ in range(3)]
        assert changed(3) in events


async def test_change_is_announced_only_after_commit() -> None:
    table = await new_table()

    async with listening(table) as stream:
        await stream.next()
        entered, committed = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def enter() -> None:
            with transaction.atomic():
                example = table.example()
                submit.submit(table=row(table), access=HOST, **example)
                loop.call_soon_threadsafe(entered.set)
                asyncio.run_coroutine_threadsafe(committed.wait(), loop).result(PATIENCE)
            connection.close()

        entering = asyncio.create_task(asyncio.to_thread(enter))
        await entered.wait()
        assert await stream.is_silent()
        committed.set()
        await entering
        assert await stream.next() == changed(3)
        assert (await in_thread(lambda: row(table))).version == 3


async def test_rolled_back_change_is_not_announced() -> None:
    table = await new_table()

    def enter_and_roll_back() -> None:
        with transaction.atomic():
            submit.submit(table=row(table), access=HOST, **table.example())
            transaction.set_rollback(True)

    async with listening(table) as stream:
        await stream.next()
        await in_thread(enter_and_roll_back)
        assert await stream.is_silent()


async def test_commit_of_another_process_is_announced() -> None:
    """The row is changed directly, as by another process."""
    table = await new_table()

    def update_directly() -> None:
        Table.objects.filter(code=table.code).update(version=9)

    async with listening(table) as stream:
        await stream.next()
        await in_thread(update_directly)
        assert (await stream.next())["id"] == "9"


async def test_disconnect_frees_the_stream() -> None:
    table = await new_table()
    before = hub.hub.count()
    async with listening(table) as first, listening(table) as second:
        await first.next()
        await second.next()
        assert hub.hub.count() == before + 2
    assert hub.hub.count() == before
    assert (await in_thread(lambda: row(table))).pk not in hub.hub.tables()


async def test_stream_announces_only_its_own_table() -> None:
    table, other = await new_table(), await new_table()
    async with listening(table) as stream:
        await stream.next()
        await in_thread(lambda: other.play(1))
        assert await stream.is_silent()


async def test_deleting_a_table_ends_its_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "HEARTBEAT_SECONDS", 0.2)
    table = await new_table()
    async with listening(table) as stream:
        await stream.next()
        await in_thread(lambda: hosting.delete(table=row(table), access=HOST))
        heard = []
        while (part := await stream.client.receive_output(PATIENCE)).get("more_body"):
            heard.append(parsed(part["body"].decode())["event"])
        assert "changed" in heard
    assert hub.hub.count() == 0


@pytest.mark.parametrize("beats", [0, 2 * PRESENT_EVERY])
async def test_open_stream_records_presence(monkeypatch: pytest.MonkeyPatch, beats: int) -> None:
    """Presence is recorded at the start of a stream and during it."""
    monkeypatch.setattr(hub, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(table_access, "SEEN_EVERY", timedelta(0))
    table = await new_table()

    def age_presence() -> None:
        current = row(table)
        Table.objects.filter(pk=current.pk).update(host_seen_at=current.created_at.replace(year=2020))
        current.seats.update(seen_at=current.created_at.replace(year=2020))

    def presence() -> tuple[bool, list[int]]:
        current = row(table)
        return hosting.is_host_gone(current), [seat.seen_at.year for seat in current.seats.all()]

    await in_thread(age_presence)
    cookie = f"seats={table.host}.{table.tokens['blue']}"
    async with listening(table, Last_Event_ID="2", Cookie=cookie) as stream:
        await stream.next()
        if beats:
            await in_thread(age_presence)
        for _beat in range(beats):
            await stream.next()
    gone, years = await in_thread(presence)
    assert not gone
    assert years[0] > 2020
    assert years[1] == 2020


async def test_unannounced_change_is_found_on_a_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    async def watch(_hub: hub.Hub) -> None: ...

    monkeypatch.setattr(hub.Hub, "_watch_others", watch)
    monkeypatch.setattr(hub, "HEARTBEAT_SECONDS", 0.02)
    table = await new_table()
    async with listening(table) as stream:
        await stream.next()
        await in_thread(lambda: Table.objects.filter(code=table.code).update(version=77))
        heard = [await stream.next() for _ in range(2 * PRESENT_EVERY)]
    assert [event["data"] for event in heard if event["event"] == "changed"] == ['{"version":77}']


# With Django's test client


def test_without_asgi_server_only_headers_are_sent(client: Client) -> None:
    table = started_table()
    answer = client.get(f"/api/tables/{table.code.lower()}/events/")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert "Content-Length" not in answer.headers
    assert answer.getvalue() == b""


def test_head_opens_no_stream(client: Client) -> None:
    table = started_table()
    answer = client.head(f"/api/tables/{table.code}/events/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    assert hub.hub.count() == 0


@pytest.mark.parametrize("method", ["post", "put", "delete", "options"])
def test_other_methods_are_rejected(method: str) -> None:
    table = started_table()
    answer = getattr(Client(enforce_csrf_checks=True), method)(f"/api/tables/{table.code}/events/")
    refused(answer, 405, "bad-input")
    assert answer.headers["Allow"] == "GET, HEAD"


def test_stream_of_unknown_table_is_not_found(client: Client) -> None:
    refused(client.get("/api/tables/AAAAAA/events/"), 404, "unknown")


async def test_idle_stream_holds_no_database_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise as many phones as the pool has connections would use it up."""
    closed: list[str] = []
    monkeypatch.setattr("companion.api.events.close_old_connections", lambda: closed.append("closed"))
    table = await new_table()
    async with listening(table) as stream:
        await stream.next()
        assert len(closed) == 1  # after the query for its version
