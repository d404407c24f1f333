"""API clients for tests: Alice hosts, Bob sits at her table, Charlie at another one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from companion.cache import clear_all

FACTIONS = ("blue", "yellow", "green", "red")
NAMES = ("Alice", "Bob", "Dora", "Emil")


class Api:
    """API client on top of Django's test client."""

    def __init__(self) -> None:
        self.client = Client()

    def get(self, path: str, *, token: str = "", **headers: str) -> Any:
        return self.client.get(f"/api/{path}", headers=self._headers(token, headers))

    def post(self, path: str, body: Any = None, *, token: str = "", **headers: str) -> Any:
        raw = b"" if body is None else json.dumps(body).encode()
        return self.raw(path, raw, token=token, **headers)

    def raw(
        self, path: str, body: bytes, *, token: str = "", kind: str = "application/json", **headers: str
    ) -> Any:
        return self.client.post(
            f"/api/{path}", data=body, content_type=kind, headers=self._headers(token, headers)
        )

    def _headers(self, token: str, more: dict[str, str]) -> dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return {**({"Authorization": f"Seat {token}"} if token else {}), **named}


@dataclass
class AtTable:
    """A table with its tokens."""

    api: Api
    code: str
    host: str
    tokens: dict[str, str] = field(default_factory=dict)

    def get(self, part: str = "", *, token: str = "", **headers: str) -> Any:
        return self.api.get(f"tables/{self.code}/{part}", token=token, **headers)

    def post(self, part: str, body: Any = None, *, token: str | None = None, **headers: str) -> Any:
        """Post as the host, or with another token; an empty one sends none."""
        used = self.host if token is None else token
        return self.api.post(f"tables/{self.code}/{part}/", body, token=used, **headers)

    def json(self, part: str = "") -> Any:
        answer = self.get(part)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def start(self) -> None:
        assert self.post("start").status_code == 200

    def example(self) -> dict[str, Any]:
        """Return a body with an action that is valid now."""
        prompt = self.json("prompts/")[0]
        return {"action": prompt["example"], "faction": prompt["faction"]}

    def play(self, entries: int) -> None:
        for _ in range(entries):
            answer = self.post("actions", self.example())
            assert answer.status_code == 201, answer.content


def open_table(api: Api, players: int = 2, **more: Any) -> AtTable:
    seats = [{"name": name, "faction": faction} for name, faction in zip(NAMES, FACTIONS, strict=True)]
    answer = api.post("tables/", {"game": "raubritter", "seats": seats[:players], **more})
    assert answer.status_code == 201, answer.content
    opened = answer.json()
    tokens = {seat["faction"]: seat["token"] for seat in opened["seats"]}
    return AtTable(api, opened["code"], opened["host_token"], tokens)


@pytest.fixture
def api(db: None) -> Api:
    return Api()


@pytest.fixture
def lobby(api: Api) -> AtTable:
    """A table with Alice (blue) and Bob (yellow), before the start of the game."""
    return open_table(api)


@pytest.fixture
def table(lobby: AtTable) -> AtTable:
    """The same table after the start."""
    lobby.start()
    return lobby


@pytest.fixture
def alice(lobby: AtTable) -> str:
    return lobby.tokens["blue"]


@pytest.fixture
def bob(lobby: AtTable) -> str:
    return lobby.tokens["yellow"]


@pytest.fixture
def charlie(api: Api) -> str:
    """Return the token of a seat at another table."""
    return open_table(api).tokens["blue"]


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Assert that a response is this error; return its body."""
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/json"
    body: dict[str, Any] = answer.json()
    assert set(body) == {"code", "message", "rule"}
    assert body["code"] == code
    assert body["message"]
    return body


def cost(table: AtTable, part: str) -> int:
    """Return the number of queries for a part of a table, with empty caches."""
    clear_all()
    with CaptureQueriesContext(connection) as queries:
        table.json(part)
    return len(queries)
