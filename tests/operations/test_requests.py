"""Requests that are too long, too slow, truncated or misleading, sent to a real server."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.asgi import THREADS
from companion.operations.protocol import LARGEST_HEADER
from companion.operations.requests import LARGEST_BODY
from tests.faults.clients import FIRST, Table, ask, next_event, stream
from tests.operations.wire import (
    PATIENCE,
    connected,
    exchange,
    get,
    livez_seconds,
    post,
    read_to_end,
    read_until,
    resident_bytes,
    status_of,
    threads_of,
)
from tests.servers import ROOT, Server, running_server

KB, MB = 2**10, 2**20
SHORT = {"HEADER_TIMEOUT": "1", "BODY_TIMEOUT": "1"}
CLOSE = "Connection: close"
OPENING = b'{"game":"raubritter"}'

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux has /proc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with deadlines of 1 s and a log file."""
    folder = tmp_path_factory.mktemp("data")
    with running_server(folder, log=folder / "log", **SHORT) as running:
        yield running


def tables(server: Server) -> int:
    with contextlib.closing(sqlite3.connect(server.database)) as database:
        count: int = database.execute("SELECT count(*) FROM companion_table").fetchone()[0]
        return count


@contextlib.contextmanager
def busy_threads(server: Server, number: int) -> Iterator[None]:
    """Make this many server threads wait for a database lock."""
    with (
        contextlib.closing(sqlite3.connect(server.database, isolation_level=None)) as lock,
        ThreadPoolExecutor(number) as clients,
    ):
        lock.execute("BEGIN IMMEDIATE")
        opening = [
            clients.submit(ask, server, "POST", "/api/tables/", {"game": "raubritter"}) for _ in range(number)
        ]
        time.sleep(0.5)
        try:
            yield
            assert not any(future.done() for future in opening)
        finally:
            lock.execute("ROLLBACK")
        assert [future.result(PATIENCE)[0] for future in opening] == [201] * number


# Headers


@pytest.mark.parametrize(
    "request_",
    [
        get("/", "X-Long: " + "a" * LARGEST_HEADER),
        get("/?" + "a" * LARGEST_HEADER),
        get("/", *["X: y"] * (LARGEST_HEADER // 5)),
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Endless: " + b"a" * 200 * KB,
        b"GET /" + b"a" * 200 * KB,
        post("/api/tables/", "Transfer-Encoding: chunked") + b"0\r\nX-Trailer: " + b"a" * 200 * KB,
        post("/api/tables/", "Transfer-Encoding: chunked") + b"0\r\n" + b"X: y\r\n" * (LARGEST_HEADER // 5),
        post("/api/tables/", "Transfer-Encoding: chunked") + b"1;ext=" + b"a" * 200 * KB,
        post("/", "Content-Length: 1") + b"x" + get("/", "X-Long: " + "a" * LARGEST_HEADER),
    ],
    ids=[
        "one long header",
        "a long address",
        "many small headers",
        "an unfinished header",
        "an unfinished address",
        "an unfinished trailer",
        "many small trailers",
        "an unfinished chunk extension",
        "a long header after another request",
    ],
)
def test_headers_over_64_kb_are_rejected(server: Server, request_: bytes) -> None:
    answer = exchange(server, request_)
    # The kernel may discard the response, because the rest of the request was not read.
    assert not answer or b" 431 " in answer
    assert b" 200 " not in answer
    assert livez_seconds(server) < 5


def test_headers_of_almost_64_kb_are_read(server: Server) -> None:
    long_header = "X-Long: " + "a" * (LARGEST_HEADER - KB)
    assert status_of(exchange(server, get("/api/games/", long_header, CLOSE))) == 200


def test_long_body_in_the_first_packet_is_not_taken_for_a_header(server: Server) -> None:
    body = b" " * 500 * KB + OPENING
    answer = exchange(server, post("/api/tables/", f"Content-Length: {len(body)}", CLOSE) + body)
    assert status_of(answer) == 201


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(get("/livez") * 3 + get("/api/games/") + get("/livez", CLOSE))
        assert read_to_end(connection).count(b"HTTP/1.1 200 OK") == 5


def test_excessive_pipelining_is_rejected(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(get("/api/games/") * 100)
        assert b"HTTP/1.1 400" in read_to_end(connection)


def test_padded_headers_count_in_full(server: Server) -> None:
    padded = get("/livez", *(f"X-Padding: {' ' * 10_000}b" for _ in range(12)))
    assert status_of(exchange(server, padded)) == 431


def test_trailers_are_ignored(server: Server) -> None:
    chunks = b"%x\r\n%b\r\n0\r\nAccept-Language: hu\r\n\r\n" % (len(OPENING), OPENING)
    request = post("/api/tables/", "Transfer-Encoding: chunked", CLOSE) + chunks
    answer = exchange(server, request)
    assert status_of(answer) == 201
    assert b"content-language: hu" not in answer


def test_sender_of_a_large_body_receives_the_error(server: Server) -> None:
    length = 9 * 1024 * KB
    with connected(server) as connection:
        connection.sendall(post("/api/tables/", f"Content-Length: {length}", CLOSE))
        connection.sendall(b" " * length)
        assert status_of(read_to_end(connection)) == 413


def test_connection_is_kept_alive_between_requests(server: Server) -> None:
    with connected(server) as connection:
        for _ in range(3):
            connection.sendall(get("/livez"))
            read_until(connection, b'{"status": "ok"}')
            time.sleep(0.5)


def test_names_with_underscores_are_ignored(server: Server) -> None:
    hungarian = b"content-language: hu"
    assert hungarian in exchange(server, get("/", "Accept-Language: hu", CLOSE))
    assert hungarian not in exchange(server, get("/", "Accept_Language: hu", CLOSE))
    request = post("/api/tables/", f"Content-Length: {len(OPENING)}", "Content_Length: 1", CLOSE) + OPENING
    assert status_of(exchange(server, request)) == 201


def test_non_ascii_query_is_no_server_error(server: Server) -> None:
    assert status_of(exchange(server, get("/?a=é", CLOSE))) < 500


@pytest.mark.parametrize(
    "drip", [b"", b"GET / HTTP/1.1\r\nX-Slow: ", b"\r\n"], ids=["silent", "drip", "blank"]
)
def test_connection_without_complete_headers_is_closed(server: Server, drip: bytes) -> None:
    assert_cut_off(server, drip, before=b"")


@pytest.mark.parametrize("drip", [b"G", b"\r\n"])
def test_kept_connection_without_complete_headers_is_closed(server: Server, drip: bytes) -> None:
    assert_cut_off(server, drip, before=get("/livez"))


def assert_cut_off(server: Server, drip: bytes, before: bytes, seconds: float = 5.0) -> None:
    began = time.monotonic()
    with connected(server) as connection:
        if before:
            connection.sendall(before)
            read_until(connection, b'{"status": "ok"}')
        connection.settimeout(0.2)
        while True:
            assert time.monotonic() - began < seconds, "it is still open"
            try:
                connection.sendall(drip[:1] if b"Slow" not in drip else drip)
                drip = b"a" if b"Slow" in drip else drip
                if not connection.recv(65536):
                    return
            except TimeoutError:
                continue
            except ConnectionError:
                return


# Bodies


def test_chunked_body_arrives_whole(server: Server) -> None:
    pieces = [OPENING[:7], OPENING[7:]]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    answer = exchange(server, post("/api/tables/", "Transfer-Encoding: chunked", CLOSE) + chunks)
    assert status_of(answer) == 201


@pytest.mark.parametrize("is_chunked", [True, False])
def test_truncated_body_executes_nothing(server: Server, is_chunked: bool) -> None:  # noqa: FBT001
    """The part that arrived is complete JSON, but not the complete body."""
    before = tables(server)
    with connected(server) as connection:
        if is_chunked:
            body = b"%x\r\n%s\r\n" % (len(OPENING), OPENING)
            connection.sendall(post("/api/tables/", "Transfer-Encoding: chunked") + body)
        else:
            connection.sendall(post("/api/tables/", f"Content-Length: {len(OPENING) + 1}") + OPENING)
        time.sleep(0.3)
    time.sleep(0.5)
    assert tables(server) == before


def test_stalled_body_is_answered_with_408(server: Server) -> None:
    before = tables(server)
    answer = exchange(server, post("/api/tables/", "Content-Length: 100") + OPENING)
    assert status_of(answer) == 408
    assert json.loads(body_of(answer))["rule"] is None
    assert tables(server) == before


def test_slow_body_is_accepted_while_it_makes_progress(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(post("/api/tables/", f"Content-Length: {len(OPENING)}", CLOSE))
        for byte in OPENING:
            time.sleep(0.1)
            connection.sendall(bytes([byte]))
        assert status_of(read_to_end(connection)) == 201


def test_total_size_of_large_bodies_is_limited(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        announced = post("/api/tables/import/", f"Content-Length: {LARGEST_BODY}")
        answers = []
        for _ in range(9):
            connection = stack.enter_context(connected(server))
            with contextlib.suppress(ConnectionError):
                connection.sendall(announced + b" " * (LARGEST_BODY - 1))
            answers.append(connection)
        request = post("/api/tables/", f"Content-Length: {len(OPENING)}", CLOSE) + OPENING
        assert status_of(exchange(server, request)) == 201
        statuses = [status_of(answer) for connection in answers if (answer := read_to_end(connection))]
    assert set(statuses) <= {408, 503}
    assert 503 in statuses


# Threads


def test_livez_answers_while_all_threads_are_busy(server: Server) -> None:
    with busy_threads(server, THREADS + 2):
        assert livez_seconds(server) < 5
        assert status_of(exchange(server, get("/healthz", CLOSE))) == 200


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("HEAD", 200), ("POST", 405)])
def test_livez_is_read_only_and_ignores_the_host(server: Server, method: str, status: int) -> None:
    request = f"{method} /livez HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    head, _, body = exchange(server, request.encode()).partition(b"\r\n\r\n")
    assert status_of(head) == status
    assert (body == b'{"status": "ok"}') == (method == "GET")


def test_slow_request_does_not_stop_others(server: Server) -> None:
    with busy_threads(server, 1):
        began = time.monotonic()
        assert status_of(exchange(server, get("/api/games/", CLOSE))) == 200
        assert time.monotonic() - began < 5


@needs_proc
def test_slow_reader_holds_no_thread(server: Server) -> None:
    path = "/api/schema/"  # larger than the kernel's buffers
    with contextlib.ExitStack() as stack:
        for _ in range(THREADS + 2):
            connection = stack.enter_context(connected(server))
            connection.sendall(get(path) * 15)
        time.sleep(1)
        assert status_of(exchange(server, get("/api/games/", CLOSE))) == 200


@needs_proc
def test_streams_need_no_threads(server: Server) -> None:
    table = Table.opened(server, 2)
    with contextlib.ExitStack() as stack:
        phones = []
        for _ in range(60):
            connection, answer = stream(server, table)
            stack.callback(connection.close)
            phones.append(answer)
        version = table.send(server, {**table.offered(server, FIRST), "key": "k"})[1]["version"]
        for phone in phones:
            while f"id: {version}\n" not in next_event(phone):
                pass
        assert threads_of(server) < THREADS + 10


def test_stream_honours_last_event_id(server: Server) -> None:
    table = Table.opened(server, 2)
    seen = ask(server, "GET", f"{table.path}/")[1]["version"]
    connection, answer = stream(server, table, last=seen)
    with contextlib.closing(connection):
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        version = table.send(server, {**table.offered(server, FIRST), "key": "k"})[1]["version"]
        assert f"id: {version}\n" in next_event(answer)


# Proxies


def counted_addresses(server: Server) -> set[str]:
    with contextlib.closing(sqlite3.connect(server.database)) as database:
        rows = database.execute("SELECT name FROM companion_bucket WHERE name LIKE 'code:%'").fetchall()
    return {name.removeprefix("code:") for (name,) in rows}


def test_forwarded_headers_are_ignored_by_default(server: Server) -> None:
    forged = ("X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https")
    exchange(server, get("/api/tables/CCCCCC/", *forged, CLOSE))
    assert counted_addresses(server) == {"127.0.0.1"}


def test_forwarded_headers_are_trusted_only_from_proxies(tmp_path: Path) -> None:
    forwarded = ("X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", CLOSE)
    with running_server(tmp_path, HTTPS="on", TRUSTED_PROXIES="127.0.0.7, 10.0.0.0/8") as server:
        page = get("/api/tables/CCCCCC/", *forwarded)
        assert status_of(exchange(server, page, source="127.0.0.8")) == 301
        assert counted_addresses(server) == set()
        assert status_of(exchange(server, page, source="127.0.0.7")) == 404
        assert counted_addresses(server) == {"203.0.113.9"}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"HTTPS": "on"}, "TRUSTED_PROXIES must name"),
        ({"TRUSTED_PROXIES": "proxy.example"}, "TRUSTED_PROXIES must hold addresses"),
    ],
)
def test_server_does_not_start_with_invalid_proxies(
    server: Server, settings: dict[str, str], sentence: str
) -> None:
    command = [sys.executable, "-m", "companion.operations.serve", "--port", str(server.port)]
    ended = subprocess.run(
        command, cwd=ROOT, env={**server.environment, **settings}, capture_output=True, text=True, check=False
    )
    assert ended.returncode
    assert sentence in ended.stderr


# Connections


def refused_at_once(server: Server, source: str) -> bool:
    """Open a connection and return whether it is closed before anything is sent."""
    with connected(server, source) as connection:
        connection.settimeout(0.3)
        try:
            answer = connection.recv(1000)
        except TimeoutError:
            return False
        assert not answer or status_of(answer) == 503
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux routes all of 127/8 to the machine")
def test_one_address_cannot_take_all_connections(tmp_path: Path) -> None:
    """With 128 descriptors there are 64 connections, 48 of them for one address; refusals are logged once."""
    log = tmp_path / "log"
    with running_server(tmp_path, log=log, descriptors=128) as server, contextlib.ExitStack() as stack:
        for _ in range(48):
            stack.enter_context(connected(server, "127.0.0.7"))
        assert [refused_at_once(server, "127.0.0.7") for _ in range(5)] == [True] * 5
        assert not refused_at_once(server, "127.0.0.8")
        assert status_of(exchange(server, get("/api/games/", CLOSE), "127.0.0.8")) == 200
    assert log.read_text(encoding="utf-8").count("Refused a connection") == 1


def test_invalid_requests_are_logged_once_a_minute(server: Server) -> None:
    assert [status_of(exchange(server, b"nonsense\r\n\r\n")) for _ in range(20)] == [400] * 20
    assert server.log
    assert 1 <= server.log.read_text(encoding="utf-8").count("Invalid HTTP request") < 10


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
def test_server_raises_its_descriptor_limit(server: Server) -> None:
    assert server.process
    command = ["prlimit", "--pid", str(server.process.pid), "--nofile", "--noheadings", "--output=SOFT,HARD"]
    soft, hard = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert soft == hard or int(soft) >= 10_240


# Long attacks


@pytest.mark.long
@needs_proc
def test_endless_header_takes_neither_memory_nor_time(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        livez_seconds(server)
        before = resident_bytes(server)
        sender = threading.Thread(target=send_endless_headers, args=(server,))
        sender.start()
        times = []
        while sender.is_alive():
            times.append(livez_seconds(server))
            time.sleep(0.05)
        assert max(times) < 2
        assert resident_bytes(server) - before < 30 * MB


def send_endless_headers(server: Server) -> None:
    """100 MB in one header, and as much in small ones."""
    for piece in (b"a" * MB, b"X: y\r\n" * (MB // 6)):
        with connected(server) as connection, contextlib.suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Endless: ")
            for _ in range(100):
                connection.sendall(piece)


@pytest.mark.long
def test_unfinished_bodies_do_not_delay_a_page(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, contextlib.ExitStack() as stack:
        for _ in range(40):
            connection = stack.enter_context(connected(server))
            connection.sendall(post("/api/tables/", "Content-Length: 1000") + b"{")
        began = time.monotonic()
        assert status_of(exchange(server, get("/", CLOSE))) == 200
        assert time.monotonic() - began < 5
        Table.opened(server, 2)


@pytest.mark.long
def test_huge_requests_do_not_delay_a_page(tmp_path: Path) -> None:
    huge_calculation = {"men": [9] * 200_000, "fields": {}}
    huge_table = {"game": "raubritter", "seats": [{"name": "Anna", "faction": "red"}] * 60_000, "options": {}}
    requests = [("/api/calculators/signoria/end-score/", huge_calculation), ("/api/tables/", huge_table)] * 10
    with running_server(tmp_path) as server, ThreadPoolExecutor(len(requests)) as pool:
        table = Table.opened(server, 3)
        huge = [pool.submit(ask, server, "POST", path, body) for path, body in requests]
        began = time.monotonic()
        page = exchange(server, get(f"/t/{table.code}/", CLOSE))
        assert status_of(page) == 200
        assert time.monotonic() - began < 5  # 22 s without limits
        assert {future.result()[0] for future in huge} == {413}


@pytest.mark.long
def test_deadlines_are_ten_and_thirty_seconds(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, connected(server) as connection:
        began = time.monotonic()
        connection.sendall(post("/api/tables/", "Content-Length: 100") + b"{")
        assert_cut_off(server, b"GET / HTTP/1.1\r\nX-Slow: ", before=b"", seconds=15)
        assert time.monotonic() - began > 8
        connection.settimeout(40)
        assert status_of(read_to_end(connection)) == 408
        assert 28 < time.monotonic() - began < 40


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux routes all of 127/8 to the machine")
def test_players_are_served_during_a_flood_from_one_address(tmp_path: Path) -> None:
    """One address opens streams and then idle connections until both are refused."""
    log = tmp_path / "log"
    with running_server(tmp_path, log=log, descriptors=256) as server, contextlib.ExitStack() as stack:
        table = Table.opened(server, 3)
        phones = [stack.enter_context(connected(server, "127.0.0.8")) for _ in range(5)]
        for phone in phones:
            phone.sendall(get(f"{table.path}/events/"))
            read_until(phone, b"event: changed")
        for path in [f"{table.path}/events/"] * 300 + [""] * 300:
            connection = stack.enter_context(connected(server, "127.0.0.7"))
            with contextlib.suppress(ConnectionError):
                connection.sendall(get(path) if path else b"G")
        for number in range(3):
            version = entered_from(server, "127.0.0.8", table, f"key {number}")
            for phone in phones:
                read_until(phone, f"id: {version}\n".encode())
            page = exchange(server, get(f"/t/{table.code}/", CLOSE), "127.0.0.8")
            assert status_of(page) == 200
    output = log.read_text(encoding="utf-8")
    assert 1 <= output.count("Refused a connection") <= 2
    assert output.count("Refused a stream") <= 2
    assert "Traceback" not in output


def entered_from(server: Server, source: str, table: Table, key: str) -> int:
    prompts = json.loads(body_of(exchange(server, get(f"{table.path}/prompts/", CLOSE), source)))
    entry = {"faction": prompts[0]["faction"], "action": prompts[0]["example"], "key": key}
    body = json.dumps(entry).encode()
    headers = (f"Authorization: Seat {table.token}", f"Content-Length: {len(body)}", CLOSE)
    answer = exchange(server, post(f"{table.path}/actions/", *headers) + body, source)
    assert status_of(answer) == 201, answer
    return int(json.loads(body_of(answer))["version"])


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


@pytest.mark.long
def test_client_that_never_reads_is_disconnected(tmp_path: Path) -> None:
    """Its unread responses and its request body must not stay in memory."""
    with running_server(tmp_path, BODY_TIMEOUT="2") as server, connected(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(get("/api/schema/") * 15)
        time.sleep(6)
        with pytest.raises(ConnectionError):
            send_forever(connection)


@pytest.mark.long
def test_another_request_does_not_save_a_client_that_never_reads(tmp_path: Path) -> None:
    with running_server(tmp_path, BODY_TIMEOUT="2") as server, connected(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(get("/api/schema/") * 14)
        time.sleep(1)  # the write buffer is full by now
        connection.sendall(get("/api/schema/"))
        time.sleep(6)
        with pytest.raises(ConnectionError):
            send_forever(connection)


@pytest.mark.long
def test_client_that_reads_slowly_receives_everything(tmp_path: Path) -> None:
    last = get("/api/schema/", "Connection: close")
    with running_server(tmp_path, BODY_TIMEOUT="2") as server, connected(server) as connection:
        size = len(body_of(exchange(server, last)))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(get("/api/schema/") * 2 + last)
        received = 0
        while part := connection.recv(4096):
            received += len(part)
            time.sleep(0.1)  # one response takes longer than the timeout
        assert received > 3 * size


def send_forever(connection: socket.socket) -> None:
    """Send bytes until the connection turns out to be closed; give up after 5 s."""
    for _ in range(100):
        connection.send(b"G")
        time.sleep(0.05)
