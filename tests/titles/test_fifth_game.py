"""A fifth game, Harvest (`tests/harvest`), is registered by one line; every page and endpoint opens for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver

from companion.journal.states import state_at
from companion.models import Circle, Table
from companion.registry import titles
from companion.statistics.simulation import Simulation
from companion.statistics.simulation import play as simulate
from companion.tables.circles import open_circle
from companion.web.hints import all_hints
from companion.web.tokens import shapes
from tests.harvest.rules import sheaves_of
from tests.harvest.title import TITLE
from tests.pages.conftest import Phone
from tests.pages.test_mend import hidden

GAME = "harvest"
TEMPLATES = Path(__file__).parents[1] / "harvest" / "templates"
# Pages without a game or table, and documents of the site; other tests open them.
SITE = {
    *("home", "open", "join", "look", "hints", "help", "forget", "calculators", "rules", "stats"),
    *("manifest", "worker", "offline", "trust", "trust-authority", "healthz", "readyz", "set_language"),
    *("api-root", "api-docs", "api-nothing", "api-events"),
}
POST_ONLY = {
    *("act", "agree", "back", "break", "correct", "host", "preview", "redo", "seat", "sit", "tick", "undo"),
    *("api-actions", "api-calculator", "api-circle-renew", "api-circles", "api-import", "api-mend"),
    *("api-preview", "api-preview-mend", "api-redo", "api-seats", "api-start", "api-table-circle"),
    *("api-tables", "api-undo"),
}
TABS = ("now", "board", "score", "journal", "help", "menu", "correct")


@pytest.fixture
def harvest(db: None) -> Iterator[None]:
    """Register the game: one line in the settings, and its folder of templates."""
    (engine,) = settings.TEMPLATES
    engines = [{**engine, "DIRS": [*engine["DIRS"], TEMPLATES]}]
    with override_settings(TITLES=[*settings.TITLES, "tests.harvest.title"], TEMPLATES=engines):
        _forget_titles()
        yield
    _forget_titles()


def _forget_titles() -> None:
    for cached in (titles, all_hints, shapes):
        cached.cache_clear()


@pytest.fixture
def host(harvest: None) -> Phone:
    """Return the phone of the host, who has two seats of a game in the circle "Reapers"."""
    phone = Phone()
    phone.open(GAME)
    for faction in ("red", "ochre"):
        phone.sit(phone.code, faction.title(), faction)
    opened = open_circle(name="Reapers")
    Table.objects.filter(code=phone.code).update(circle=opened.circle)
    phone.circle = opened.key
    phone.post("host/", do="start")
    return phone


def bring(phone: Phone, faction: str, sheaves: int) -> None:
    fields = {"faction": faction, "key": phone.field("key", f"?as={faction}"), "type": "bring"}
    assert phone.post("act/", **fields, sheaves=sheaves).status_code == 302


def play(phone: Phone, rounds: int = 3) -> None:
    for _ in range(rounds):
        for faction, sheaves in (("red", 1), ("ochre", 3)):
            bring(phone, faction, sheaves)


def pattern_names(resolver: Any = None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield name and route of every URL pattern of the site, without the admin's."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver) and pattern.app_name != "admin":
            yield from pattern_names(pattern, route)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name, route


class Visitor:
    """Opens every URL of the site with the arguments of one table, and checks its status."""

    def __init__(self, phone: Phone, member: str) -> None:
        self.phone = phone
        self.arguments = {
            "<str:code>": phone.code,
            "<slug:slug>": GAME,
            "<str:game>": GAME,
            "<slug:name>": "worth",
            "<str:name>": "worth",
            "<str:rule>": "1",
            "<int:number>": "1",
            "<str:key>": phone.circle,
            "<str:number>": member,
            "<str:member>": member,
        }

    def url(self, route: str) -> str:
        for argument, value in self.arguments.items():
            route = route.replace(argument, value)
        assert "<" not in route, route
        return f"/{route}"

    def get(self, route: str) -> int:
        return int(self.phone.client.get(self.url(route)).status_code)


def test_every_url_of_a_finished_game_answers(host: Phone) -> None:
    play(host)
    assert host.table().status == "finished"
    member = str(Circle.objects.get(name="Reapers").members.first().pk)
    visitor = Visitor(host, member)
    boards = {"board", "board-export", "api-board"}  # their code is that of a copy, not of a table
    visited = {name: visitor.get(route) for name, route in pattern_names() if name not in SITE | boards}
    others = {name: status for name, status in visited.items() if status != 200}
    assert {name for name, status in others.items() if status == 405} == POST_ONLY
    # Entry 1 has no result that a ruling could change.
    assert {name: status for name, status in others.items() if status != 405} == {"rule": 404}


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_during_the_game(host: Phone, tab: str) -> None:
    bring(host, "red", 2)
    for phone in (host, spectator(host)):
        page = phone.get(f"?tab={tab}")
        assert page.status_code == 200


def spectator(host: Phone) -> Phone:
    phone = Phone()
    phone.code = host.code
    return phone


def test_board_form_and_hint_come_from_the_title(host: Phone) -> None:
    now = host.get().content.decode()
    assert 'name="sheaves"' in now
    assert "Bring them in" in now
    bring(host, "red", 2)
    board = host.get("?tab=board").content.decode()
    assert 'data-place="barn"' in board
    assert TITLE.screen.hint in board
    assert "#star" in board, "the token of ochre, a faction that no other game has"


def test_entry_is_mended_with_its_form_filled_in(host: Phone) -> None:
    bring(host, "red", 2)
    page = host.get("mend/1/").content.decode()
    assert "&quot;sheaves&quot;: &quot;2&quot;" in page
    preview = host.post("mend/1/", type="bring", sheaves=3, reason="miscounted").content.decode()
    assert host.post("mend/1/agree/", **hidden(preview)).status_code == 302
    assert sheaves_of(state_at(host.table(), host.table().head), "red") == 3


def test_walk_position_and_display_open_during_the_game(host: Phone) -> None:
    bring(host, "red", 2)
    for part in ("compare/", "position/", "display/", "replay/", "replay/?at=1", "seats/", "report/"):
        assert host.get(part).status_code == 200, part


def test_refused_entry_changes_nothing(host: Phone) -> None:
    version = host.table().version
    fields = {"faction": "red", "key": host.field("key"), "type": "bring", "sheaves": 9}
    answer = host.post("act/", htmx=True, **fields)
    assert "One to 3 sheaves." in answer.content.decode()
    assert host.table().version == version


def test_score_pad_is_filled_in(harvest: None) -> None:
    client = Client()
    seats = [{"name": "Ada", "faction": "red"}, {"name": "Béla", "faction": "ochre"}]
    body = {"game": GAME, "seats": seats, "options": {"mode": "pad"}}
    opened = client.post("/api/tables/", body, "application/json").json()
    phone = Phone()
    phone.client.cookies["seats"] = opened["host_token"]
    phone.code = opened["code"]
    phone.post("host/", do="start")
    fields = {"faction": "red", "type": "final", "kind": "final"}
    phone.client.cookies["seats"] = ".".join([opened["host_token"], opened["seats"][0]["token"]])
    answer = phone.post("act/", **fields, **{"sheaves.red": 4, "sheaves.ochre": 2}, key=phone.field("key"))
    assert answer.status_code == 302
    assert phone.table().winners == ["red"]
    for part in ("", "?tab=board", "?tab=score", "report/", "display/", "replay/"):
        assert phone.get(part).status_code == 200, part


def test_calculator_rules_boards_and_statistics_know_the_game(host: Phone) -> None:
    client = host.client
    answer = client.post(f"/api/calculators/{GAME}/worth/", {"sheaves": 4}, "application/json")
    assert answer.json()["points"] == 4
    for url in ("/", "/calculators/", "/rules/", "/stats/"):
        assert "Harvest" in client.get(url).content.decode(), url
    assert GAME in {game["slug"] for game in client.get("/api/games/").json()}


def test_game_is_played_through_the_api(harvest: None) -> None:
    client = Client()
    seats = [{"name": "Ada", "faction": "red"}, {"name": "Béla", "faction": "ochre"}]
    opened = client.post("/api/tables/", {"game": GAME, "seats": seats}, "application/json").json()
    table, headers = f"/api/tables/{opened['code']}/", {"Authorization": f"Seat {opened['host_token']}"}

    def post(part: str, body: Any) -> int:
        answer = client.post(f"{table}{part}/", body, "application/json", headers=headers)
        return int(answer.status_code)

    entry = {"faction": "red", "action": {"type": "bring", "sheaves": 2}, "key": "one"}
    assert post("start", {}) == 200
    (prompt,) = client.get(f"{table}prompts/").json()
    assert prompt["example"] == {"type": "bring", "sheaves": 1}
    assert post("preview", entry) == 200
    assert post("actions", entry) == 201
    assert post("undo", {}) == 200
    assert post("redo", {}) == 200
    mended = {"number": 1, "action": {"type": "bring", "sheaves": 3}, "faction": "red"}
    assert post("mend/preview", mended) == 200
    version = client.get(table).json()["version"]
    assert post("mend", {**mended, "reason": "miscounted", "version": version}) == 200
    assert sheaves_of(state_at(Table.objects.get(code=opened["code"]), 2), "red") == 3
    assert client.get(f"{table}standings/").status_code == 200


def test_game_is_exported_and_imported(host: Phone) -> None:
    play(host)
    document = host.client.get(f"/api/tables/{host.code}/export/").json()
    imported = Client().post("/api/tables/import/", json.dumps(document), "application/json")
    assert imported.status_code == 201
    assert Table.objects.get(code=imported.json()["code"]).winners == ["ochre"]


def test_automatic_players_play_the_game(harvest: None) -> None:
    game = simulate(Simulation(game=GAME, players=2, games=1, seed=1), 0)
    assert game.entries == 6
    assert set(game.points.values()) == {9.0}, "the heuristic always brings in three"
