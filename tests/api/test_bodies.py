"""Request bodies: size limits, media type, and JSON that cannot be stored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from companion.asgi import application
from companion.models import Table
from companion.tables import documents
from tests.api.conftest import Api, AtTable, refused

NOT_WELL_FORMED = {
    "cut off": b'{"game": "raub',
    "no JSON": b"game=raubritter",
    "two values": b"{} {}",
    "not UTF-8": b'{"game": "\xff\xfe"}',
    "another encoding": '{"game": "raubritter"}'.encode("utf-16"),
    "NaN": b'{"game": NaN}',
    "Infinity": b'{"game": -Infinity}',
    "a number without end": b'{"game": ' + b"9" * 5000 + b"}",
    "nested without end": b'{"game": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a control character": b'{"game": "a\nb"}',
}
NOT_STORABLE = {
    "a null character": b'{"game": "raub\\u0000ritter"}',
    "a null character in a name": b'{"ga\\u0000me": 1}',
    "half a character": b'{"game": "\\ud800"}',
    "half a character in a name": b'{"\\udfff": 1}',
    "a number that is too large": b'{"game": 9007199254740993}',
    "a fraction that is too large": b'{"game": -1e300}',
    "a fraction that is endless": b'{"game": 1e999}',
    "nested deeply": b'{"options": ' + b'{"a":' * 40 + b"1" + b"}" * 40 + b"}",
}
NO_OBJECT = {"a list": b"[]", "a text": b'"raubritter"', "a number": b"1", "null": b"null", "yes": b"true"}
ALL = {**NOT_WELL_FORMED, **NOT_STORABLE, **NO_OBJECT}


@pytest.mark.parametrize("body", ALL.values(), ids=list(ALL))
@pytest.mark.parametrize(
    "part", ["tables/", "tables/import/", "tables/{code}/actions/", "tables/{code}/undo/"]
)
def test_malformed_or_unstorable_json_is_bad_input(table: AtTable, part: str, body: bytes) -> None:
    before = table.json(), Table.objects.count()
    refused(table.api.raw(part.format(code=table.code), body, token=table.host), 400, "bad-input")
    assert (table.json(), Table.objects.count()) == before


@pytest.mark.parametrize("part", ["seats", "start", "preview", "redo"])
def test_every_view_of_a_table_validates_its_body(lobby: AtTable, part: str) -> None:
    refused(lobby.api.raw(f"tables/{lobby.code}/{part}/", b"{", token=lobby.host), 400, "bad-input")
    refused(lobby.post(part, []), 400, "bad-input")
    refused(lobby.post(part, {"colour": "blue"}), 400, "bad-input")


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/jsonp",
    ],
)
def test_other_content_types_are_rejected(api: Api, kind: str) -> None:
    refused(api.raw("tables/", b'{"game": "raubritter"}', kind=kind), 400, "bad-input")


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_variants_of_the_json_content_type_are_accepted(api: Api, kind: str) -> None:
    assert api.raw("tables/", b'\xef\xbb\xbf{"game": "raubritter"}', kind=kind).status_code == 201


@pytest.mark.parametrize("kind", ["", "text/plain", "application/json", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("body", [b"", b" \n"])
def test_empty_body_is_an_empty_object(table: AtTable, kind: str, body: bytes) -> None:
    answer = table.api.raw(f"tables/{table.code}/undo/", body, token=table.host, kind=kind)
    refused(answer, 409, "nothing")


def test_body_over_the_size_limit_is_too_large(table: AtTable) -> None:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = json.dumps({"game": "raubritter"}).encode()
    assert table.api.raw("tables/", body.ljust(most)).status_code == 201
    for part in ("tables/", f"tables/{table.code}/actions/", f"tables/{table.code}/undo/"):
        refused(table.api.raw(part, body.ljust(most + 1), token=table.host), 413, "too-large")


def test_import_accepts_larger_bodies(api: Api) -> None:
    body = b"{}".ljust(2 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    refused(api.raw("tables/import/", body), 400, "bad-input")
    refused(api.raw("tables/import/", b"{}".ljust(9 * 1024 * 1024)), 413, "too-large")


# Limits, checked before any work

SEAT = {"name": "Ada", "faction": "blue"}
TOO_LONG = {
    "a list": {"game": [0] * 501},
    "a list in a list": {"options": {"a": [1, [0] * 501]}},
    "seats": {"seats": [SEAT] * 9},
    "moves": {"moves": [0] * 201},
    "moves further in": {"options": [{"moves": [0] * 201}]},
    "an object": {"options": {str(n): n for n in range(501)}},
    "values in all": {"options": [[0] * 500] * 21},
    "values in small lists": {"options": [[[0]] * 500] * 11},
    "a text": {"game": "x" * 2001},
    "a name": {"x" * 2001: 1},
}
LONG_ENOUGH = {
    "a list": {"game": [0] * 500},
    "moves": {"moves": [0] * 200},
    "an object": {"options": {str(n): n for n in range(500)}},
    "values in all": {"options": [[0] * 500] * 19},
    "a text": {"game": "x" * 2000},
}


@pytest.mark.parametrize("body", TOO_LONG.values(), ids=list(TOO_LONG))
@pytest.mark.parametrize(
    "part",
    [
        "tables/",
        "tables/{code}/actions/",
        "calculators/revolution/conflict/",
        "boards/raubritter/",
        "circles/",
    ],
)
def test_bodies_beyond_the_limits_are_too_large(table: AtTable, part: str, body: Any) -> None:
    before = table.json(), Table.objects.count()
    refused(table.api.post(part.format(code=table.code), body, token=table.host), 413, "too-large")
    assert (table.json(), Table.objects.count()) == before


@pytest.mark.parametrize("body", LONG_ENOUGH.values(), ids=list(LONG_ENOUGH))
def test_bodies_within_the_limits_are_parsed(table: AtTable, body: Any) -> None:
    refused(table.api.post("tables/", body), 400, "bad-input")


def test_message_names_the_limit(api: Api) -> None:
    message = refused(api.post("tables/", {"seats": [SEAT] * 60_000}), 413, "too-large")["message"]
    assert message == "That is too large."
    message = refused(api.post("tables/", {"seats": [SEAT] * 9}), 413, "too-large")["message"]
    assert message == "A list or object in what is sent is too long; at most 8 items are allowed."


TOO_LONG_IN_DOCUMENT = {
    "entries": {"entries": [0] * 10_001},
    "millions of entries": {"entries": [[]] * 2_000_000},
    "seats": {"seats": [0] * 21},
    "a list in an entry": {"entries": [{"steps": [0] * 2_001}]},
    "an object in an entry": {"entries": [{"action": {str(n): 0 for n in range(2_001)}}]},
    "values in all": {"entries": [{"steps": [[0] * 2_000] * 260}]},
    "values in small lists": {"entries": [{"steps": [[[0]] * 2_000] * 130}]},
    "a text": {"game": "x" * 60_001},
}


@pytest.mark.parametrize("body", TOO_LONG_IN_DOCUMENT.values(), ids=list(TOO_LONG_IN_DOCUMENT))
def test_documents_beyond_their_limits_are_too_large(
    api: Api, body: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits are checked before anything else reads the document."""
    monkeypatch.setattr(documents, "read_document", lambda _document: pytest.fail("It was read."))
    refused(api.post("tables/import/", body), 413, "too-large")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "game"),
        ({"game": None}, "game"),
        ({"game": 1}, "game"),
        ({"game": ["raubritter"]}, "game"),
        ({"game": ""}, "game"),
        ({"game": "raubritter", "seats": {}}, "seats"),
        ({"game": "raubritter", "seats": None}, "seats"),
        ({"game": "raubritter", "seats": ["Alice"]}, "seats[0]"),
        ({"game": "raubritter", "seats": [{"name": "Alice"}]}, "seats[0].faction"),
        ({"game": "raubritter", "seats": [{"name": 7, "faction": "blue"}]}, "seats[0].name"),
        ({"game": "raubritter", "seats": [{"name": "Alice", "faction": True}]}, "seats[0].faction"),
        ({"game": "raubritter", "seats": [{"name": "A", "faction": "blue", "age": 9}]}, "seats[0].age"),
        ({"game": "raubritter", "options": []}, "options"),
        ({"game": "raubritter", "colour": "blue"}, "colour"),
    ],
)
def test_error_names_the_invalid_field(api: Api, body: Any, field: str) -> None:
    assert f"“{field}”" in refused(api.post("tables/", body), 400, "bad-input")["message"]


@pytest.mark.django_db(transaction=True)
async def test_chunked_body_is_read() -> None:
    headers = [
        (b"host", b"localhost"),
        (b"content-type", b"application/json"),
        (b"transfer-encoding", b"chunked"),
    ]
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/tables/",
        "query_string": b"",
        "headers": headers,
    }
    client = ApplicationCommunicator(application, scope)
    await client.send_input({"type": "http.request", "body": b'{"game": "raub', "more_body": True})
    await client.send_input({"type": "http.request", "body": b'ritter"}', "more_body": False})
    assert (await client.receive_output(5))["status"] == 201
    await client.wait()
