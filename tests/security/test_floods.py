"""Rate limits and capacity limits: floods are refused while others are served."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.utils import timezone

from companion.access import rate_limits, table_access
from companion.access.rate_limits import Limit
from companion.api.bodies import LARGEST_DOCUMENT
from companion.asgi import application
from companion.live import hub
from companion.models import Bucket
from companion.operations.capacity import Capacity
from companion.operations.requests import LARGEST_BODY
from companion.registry import titles
from companion.tables import documents
from companion.tables.board_copies import make_copy, write_board
from companion.tables.seats import ticket_for
from companion.web.phone import MOST_TOKENS, SEATS_COOKIE
from tests.api.test_events import listening, new_table
from tests.hostile import sitting_at
from tests.tables.crowd import ROOT, database_url
from tests.tables.sitting import Sitting, rows

FAIR = 100  # phones behind one address
HERE = "127.0.0.1"


def use_up(limit: Limit, address: str = HERE) -> None:
    """Use up a limit until 5 minutes from now, so that it does not refill during a slow test."""
    later = timezone.now() + timedelta(minutes=5)
    Bucket.objects.create(name=f"{limit.name}:{address}", level=0.0, filled_at=later)


@pytest.fixture
def sitting(db: None) -> Sitting:
    return sitting_at("raubritter", entries=3)


@pytest.mark.parametrize(
    "limit", [rate_limits.OPEN_TABLE, rate_limits.JOIN, rate_limits.WRONG_CODE, rate_limits.WRONG_TOKEN]
)
def test_limits_allow_100_phones_behind_one_address(limit: Limit) -> None:
    """All phones at once, some more than once, and again a few minutes later."""
    assert limit.most >= 5 * FAIR
    assert limit.seconds * FAIR < 300


TAKING = """
import django; django.setup()
from companion.errors import Refusal
from companion.access.rate_limits import Limit
limit, taken = Limit("test", most=20, seconds=3600), 0
for _ in range(15):
    try:
        limit.take("1.2.3.4")
        taken += 1
    except Refusal:
        pass
print(taken)
"""


@pytest.mark.django_db(transaction=True)
def test_processes_share_the_limits() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "companion.settings", "DATABASE_POOL": "0"}
    environment["DATABASE_URL"] = database_url()
    command = [sys.executable, "-c", TAKING]
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert sum(int(process.communicate(timeout=120)[0]) for process in processes) == 20


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", ""),
        ("a:socket", "a:socket"),
    ],
)
def test_ipv6_network_counts_as_one_client(db: None, address: str, counted: str) -> None:
    """A client with one IPv6 address has its whole network, which must not be a bucket per address."""
    Client(REMOTE_ADDR=address).get("/t/CCCCCC/")
    assert Bucket.objects.get().name == f"code:{counted}"


def test_creating_tables_circles_and_boards_is_limited(sitting: Sitting) -> None:
    """Every way to create a table, circle or custom board is limited, including a rematch."""
    client, home = Client(), f"/t/{sitting.table.code}/"
    client.cookies[SEATS_COOKIE] = sitting.host_token
    document = client.get(f"/api/tables/{sitting.table.code}/export/").json()
    board = write_board(make_copy(game=titles()["raubritter"].game, name="Ours"))
    forms = [
        ("/open/", {"game": "raubritter"}),
        (f"{home}host/", {"do": "rematch"}),
        ("/stats/", {"name": "Monday"}),
        ("/boards/raubritter/", {"do": "copy", "name": "Ours"}),
        ("/boards/raubritter/", {"do": "import"}),
    ]
    requests = [
        ("/api/tables/", {"game": "raubritter"}),
        ("/api/tables/import/", document),
        ("/api/circles/", {"name": "Monday"}),
        ("/api/boards/raubritter/", board),
    ]

    def statuses() -> list[int]:
        return [
            *(client.post(address, fields).status_code for address, fields in forms),
            *(
                client.post(address, body, content_type="application/json").status_code
                for address, body in requests
            ),
        ]

    use_up(rate_limits.OPEN_TABLE)
    before = rows()
    assert statuses() == [429] * 9
    assert {**rows(), "Table": None} == {**before, "Table": None}  # the host's presence was recorded
    assert [row["code"] for row in rows()["Table"]] == [sitting.table.code]
    Bucket.objects.all().delete()
    assert statuses() == [302, 302, 302, 302, 400, *[201] * 4]


# Joining


def test_joining_is_limited(db: None) -> None:
    client = Client()
    code = client.post("/open/", {"game": "raubritter"})["Location"].split("/")[2]
    use_up(rate_limits.JOIN)
    assert client.post(f"/t/{code}/sit/", {"name": "Ada", "faction": "red"}).status_code == 429
    seat = {"name": "Ada", "faction": "red"}
    assert client.post(f"/api/tables/{code}/seats/", seat, content_type="application/json").status_code == 429
    assert client.get(f"/t/{code}/").status_code == 200
    elsewhere = Client(REMOTE_ADDR="10.0.0.7")
    assert elsewhere.post(f"/t/{code}/sit/", seat).status_code == 302


def test_guessing_tickets_is_limited(sitting: Sitting) -> None:
    ticket = ticket_for(access=sitting.host, seat=sitting.table.seats.get(number=1))
    address = f"/t/{sitting.table.code}/claim/"
    assert Client().post(address, {"ticket": "forged"}).status_code == 409
    assert Bucket.objects.filter(name=f"join:{HERE}").exists()
    Bucket.objects.all().delete()
    use_up(rate_limits.JOIN)
    assert Client().post(address, {"ticket": ticket}).status_code == 429
    Bucket.objects.all().delete()
    assert Client().post(address, {"ticket": ticket}).status_code == 302


# Importing


def test_importing_is_limited_by_length(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long documents cost more: ten whole evenings at once, a hundred games, but never thousands."""
    address = "/api/tables/import/"
    document = Client().get(f"/api/tables/{sitting.table.code}/export/").json()
    monkeypatch.setattr(rate_limits, "IMPORT", Limit("import", most=4, seconds=3600))

    def statuses(*lengths: int) -> list[int]:
        bodies = [{**document, "entries": (document["entries"] * length)[:length]} for length in lengths]
        return [Client().post(address, body, content_type="application/json").status_code for body in bodies]

    assert statuses(3, 600, 3) == [201, 400, 429]
    assert (
        Client(REMOTE_ADDR="10.0.0.7").post(address, document, content_type="application/json").status_code
        == 201
    )


def test_longest_game_can_be_imported() -> None:
    longest = documents.import_cost({"entries": [{}] * documents.MOST_ENTRIES})
    assert 5 * longest <= rate_limits.IMPORT.most


# Tokens


def undo(sitting: Sitting, token: str, **client: Any) -> int:
    headers = {"authorization": f"Seat {token}"}
    address = f"/api/tables/{sitting.table.code}/undo/"
    return Client(**client).post(address, {}, content_type="application/json", headers=headers).status_code


def test_guessing_tokens_is_limited(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_access, "WRONG_TOKEN", Limit("token", most=3, seconds=3600))
    assert [undo(sitting, "wrong") for _ in range(5)] == [403, 403, 403, 429, 429]
    headers = {"authorization": "Seat wrong"}
    assert Client().get(f"/api/tables/{sitting.table.code}/state/", headers=headers).status_code == 429
    assert Client().get(f"/api/tables/{sitting.table.code}/state/").status_code == 200  # without a token
    assert undo(sitting, sitting.host_token) == 200  # a valid token is not limited
    assert undo(sitting, "wrong", REMOTE_ADDR="10.0.0.7") == 403


def test_guessing_tokens_in_a_cookie_is_limited(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_access, "WRONG_TOKEN", Limit("token", most=2, seconds=3600))
    client, home = Client(), f"/t/{sitting.table.code}/"
    client.cookies[SEATS_COOKIE] = ".".join(f"guess{n}" for n in range(MOST_TOKENS))
    assert client.post(f"{home}undo/").status_code in (401, 429)
    assert client.post(f"{home}undo/").status_code == 429
    assert client.get(home).status_code == 200  # a spectator with tokens of other tables
    client.cookies[SEATS_COOKIE] = f"old.{sitting.host_token}"
    assert client.post(f"{home}undo/").status_code == 302


def test_used_up_limit_writes_nothing(sitting: Sitting) -> None:
    use_up(table_access.WRONG_TOKEN)
    before = list(Bucket.objects.values())
    assert undo(sitting, "wrong") == 429
    assert list(Bucket.objects.values()) == before


def test_seated_player_is_served_while_a_neighbour_guesses(sitting: Sitting) -> None:
    use_up(rate_limits.WRONG_CODE)
    home, stranger, player = f"/t/{sitting.table.code}/", Client(), Client()
    player.cookies[SEATS_COOKIE] = next(iter(sitting.tokens.values()))
    assert stranger.get(home).status_code == 429
    assert stranger.get("/t/CCCCCC/").status_code == 429
    assert player.get(home).status_code == 200
    assert player.get("/t/CCCCCC/").status_code == 429
    assert player.post(f"{home}undo/").status_code == 302
    assert undo(sitting, sitting.host_token) == 200
    assert undo(sitting, "wrong") == 429


def test_guessing_board_codes_is_limited(db: None) -> None:
    board = make_copy(game=titles()["raubritter"].game, name="Ours")
    assert Client().get(f"/boards/raubritter/{board.code}/").status_code == 200
    assert Client().get("/boards/raubritter/CCCCCCCC/").status_code == 404
    assert Bucket.objects.filter(name=f"code:{HERE}").exists()
    Bucket.objects.all().delete()
    use_up(rate_limits.WRONG_CODE)
    for code in (board.code, "CCCCCCCC"):
        assert Client().get(f"/boards/raubritter/{code}/").status_code == 429
        assert Client().get(f"/api/boards/raubritter/{code}/").status_code == 429


# Passwords


@override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])  # fast
def test_guessing_the_admin_password_is_limited(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create_superuser("operator", password="correct horse")
    monkeypatch.setattr(rate_limits, "WRONG_PASSWORD", Limit("password", most=3, seconds=3600))

    def log_in(password: str, **client: Any) -> bool:
        fields = {"username": "operator", "password": password}
        return Client(**client).post("/admin/login/?next=/admin/", fields).status_code == 302

    assert log_in("correct horse")
    assert not [n for n in range(3) if log_in(f"wrong {n}")]
    assert not log_in("correct horse")
    assert log_in("correct horse", REMOTE_ADDR="10.0.0.7")


# Streams


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limit", ["at a table", "from an address", "half of all", "in total"])
async def test_number_of_streams_is_limited(
    limit: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await new_table()
    monkeypatch.setattr(hub, "hub", hub.Hub())  # without ending streams of other tests
    if limit == "at a table":
        monkeypatch.setattr(hub, "MOST_AT_TABLE", 2)
    elif limit == "from an address":
        monkeypatch.setattr(hub, "MOST_FROM_ADDRESS", 2)
    else:
        numbers = {"half of all": (9, 2), "in total": (2, 9)}[limit]
        for name, number in zip(("streams", "streams_per_address"), numbers, strict=True):
            monkeypatch.setattr(Capacity, name, number)

    async def status() -> int:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/api/tables/{table.code}/events/",
            "query_string": b"",
        }
        communicator = ApplicationCommunicator(application, {**scope, "headers": [(b"host", b"localhost")]})
        await communicator.send_input({"type": "http.request", "body": b"", "more_body": False})
        number: int = (await communicator.receive_output(5))["status"]
        await communicator.send_input({"type": "http.disconnect"})
        await communicator.wait(5)
        return number

    async with listening(table) as first, listening(table) as second:
        await first.next()
        await second.next()
        assert [await status() for _ in range(3)] == [429] * 3
    assert await status() == 200
    refusals = [record for record in caplog.records if record.message.startswith("Refused a stream")]
    assert len(refusals) <= 1  # none if another test has caused one within the last minute


def test_stream_limits_allow_100_phones_behind_one_address() -> None:
    assert hub.MOST_FROM_ADDRESS >= 2_000
    assert hub.MOST_AT_TABLE >= 2 * FAIR
    assert Capacity(1_024).streams_per_address >= 3 * FAIR


# Bodies


async def send_body(path: str, pieces: list[bytes], length: int | None = None) -> list[dict[str, Any]]:
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    if length is not None:
        headers.append((b"content-length", str(length).encode()))
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": headers,
    }
    communicator = ApplicationCommunicator(application, scope)
    for piece in pieces:
        await communicator.send_input({"type": "http.request", "body": piece, "more_body": True})
    start = await communicator.receive_output(5)
    body = await communicator.receive_output(5)
    await communicator.wait(5)
    return [start, body]


@pytest.mark.parametrize("path", ["/api/tables/import/", "/open/", "/no/such/page/"])
async def test_endless_body_is_rejected(path: str) -> None:
    """The body never ends, so a server that waited for its end would wait forever."""
    piece = b" " * (1024 * 1024)
    declared = await send_body(path, [], length=LARGEST_BODY + 1)
    chunked = await send_body(path, [piece] * (LARGEST_BODY // len(piece) + 1))
    for start, body in (declared, chunked):
        assert start["status"] == 413
        assert b"too large" in body["body"]
        assert (b"connection", b"close") in start["headers"]
        assert b"content-security-policy" in dict(start["headers"])


def test_body_limit_allows_a_whole_game() -> None:
    assert LARGEST_DOCUMENT <= LARGEST_BODY <= 1.1 * LARGEST_DOCUMENT
