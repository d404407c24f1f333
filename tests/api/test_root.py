"""API root, list of games, and unknown URLs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Api, AtTable, refused


def test_root_lists_working_urls(table: AtTable) -> None:
    listed = table.api.get("").json()
    reading = (
        "games",
        "boards",
        "table",
        "state",
        "prompts",
        "journal",
        "standings",
        "export",
        "schema",
        "docs",
        "stats",
    )
    for name in reading:
        path = listed[name].replace("{code}", table.code).replace("{game}", "raubritter")
        assert table.api.client.get(path).status_code == 200, name
    writing = ("tables", "import", "seats", "start", "actions", "preview", "undo", "redo", "mend", "circles")
    for name in writing:
        path = listed[name].replace("{code}", table.code)
        assert table.api.client.get(path).status_code == 405, name
    assert set(listed) == {*reading, *writing, "events", "circle"}


def test_games_are_listed_without_queries(api: Api, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        games = api.get("games/").json()
    game = next(game for game in games if game["slug"] == "raubritter")
    options = game.pop("options")
    assert game == {
        "slug": "raubritter",
        "name": "Raubritter",
        "min_players": 2,
        "max_players": 4,
        "factions": ["blue", "yellow", "green", "red"],
    }
    assert {"name": "must_move", "default": False, "values": [False, True], "fixed": False} in options
    assert [option["values"] for option in options if option["name"] == "tile_set"] == [None]


@pytest.mark.parametrize(
    "path", ["nothing/", "nothing", "games/more/", "tables/ABCDEF/nothing/", "%00/", "a b/"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "patch", "options"])
def test_unknown_url_is_not_found_with_any_method(api: Api, path: str, method: str) -> None:
    refused(getattr(api.client, method)(f"/api/{path}"), 404, "unknown")


def test_missing_slash_redirects_and_preserves_the_body(api: Api) -> None:
    answer = api.get("games?a=b")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/api/games/?a=b")
    answer = api.client.post(
        "/api/tables", data={"game": "raubritter"}, content_type="application/json", follow=True
    )
    assert answer.status_code == 201


@pytest.mark.parametrize(("path", "allowed"), [("games/", "GET, HEAD"), ("tables/", "POST")])
@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_unsupported_method_is_rejected(api: Api, path: str, allowed: str, method: str) -> None:
    answer = getattr(api.client, method)(f"/api/{path}")
    refused(answer, 405, "bad-input")
    assert answer.headers["Allow"] == allowed


def test_head_has_no_body(table: AtTable) -> None:
    answer = table.api.client.head(f"/api/tables/{table.code}/")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("accepted", ["text/html", "application/xml", "image/*;q=0.1", "nonsense"])
def test_accept_header_is_ignored(api: Api, accepted: str) -> None:
    answer = api.get("games/", Accept=accepted)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")


def test_responses_are_not_cached(table: AtTable) -> None:
    assert table.get().headers["Cache-Control"] == "no-store"
    assert table.get("nothing/").headers["Cache-Control"] == "no-store"


def test_foreign_host_name_is_rejected(api: Api) -> None:
    refused(api.get("games/", Host="elsewhere.example"), 400, "bad-input")


def test_unexpected_exception_is_reported_as_json(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_game: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.api.payloads.game", fail)
    api.client.raise_request_exception = False
    refused(api.get("games/"), 500, "failed")
