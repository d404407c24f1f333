"""Statistics over the API: of the server without names, of a circle with its key."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion.models import Circle, Member, Table
from tests.api.conftest import Api, AtTable, refused
from tests.api.test_schema import check, schema  # noqa: F401 - used as a fixture
from tests.statistics.evenings import BEGIN, Evening, import_evening

GAME = "raubritter"


@pytest.fixture
def key(api: Api) -> str:
    answer = api.post("circles/", {"name": "Thursdays"})
    assert answer.status_code == 201
    return str(answer.json()["key"])


@pytest.fixture
def played(key: str) -> None:
    play(6)


def play(games: int, first: int = 0) -> None:
    circle = Circle.objects.get()
    for day in range(first, first + games):
        begins = BEGIN + timedelta(days=40 * day)
        import_evening(Evening("raubritter-pad", 3, day, begins, ("Ada", "Béla", "Carla")), circle)


@pytest.mark.usefixtures("played")
def test_server_statistics_have_no_names_or_codes(api: Api) -> None:
    answer = api.get(f"stats/{GAME}/")
    body = answer.json()
    assert (body["games"], body["players"][0]["players"]) == (6, 3)
    assert sum(faction["wins"] for faction in body["factions"]) >= 6
    text = json.dumps(body)
    assert not any(name in text for name in ("Ada", "Béla", "Carla"))
    assert not any(code in text for code in Table.objects.values_list("code", flat=True))


@pytest.mark.usefixtures("played")
def test_server_statistics_can_be_disabled(api: Api, key: str, settings: Any) -> None:
    settings.PUBLIC_STATISTICS = False
    refused(api.get(f"stats/{GAME}/"), 404, "unknown")
    assert api.get(f"circles/{key}/stats/{GAME}/").json()["games"] == 6


@pytest.mark.usefixtures("played")
def test_statistics_can_be_filtered(api: Api, key: str) -> None:
    for path in (f"stats/{GAME}/", f"circles/{key}/stats/{GAME}/"):
        assert api.get(f"{path}?players=3&mode=pad").json()["games"] == 6
        assert api.get(f"{path}?players=2").json()["games"] == 0
        assert api.get(f"{path}?until=2024-09").json()["games"] == 1
        body = api.get(f"{path}?since=2024-10&clean=1").json()
        assert (body["games"], body["query"]) == (5, "since=2024-10&clean=1")
        refused(api.get(f"{path}?players=many"), 400, "bad-input")
        refused(api.get(f"{path}?since=2026"), 400, "bad-input")
        refused(api.get(path.replace(GAME, "chess")), 404, "unknown")


@pytest.mark.usefixtures("played")
def test_circle_shows_members_and_records(api: Api, key: str) -> None:
    body = api.get(f"circles/{key}/").json()
    assert body == {"name": "Thursdays", "names": ["Ada", "Béla", "Carla"], "games": {GAME: 6}}
    members = api.get(f"circles/{key}/members/{GAME}/").json()
    assert {line["name"] for line in members} == {"Ada", "Béla", "Carla"}
    member = api.get(f"circles/{key}/members/{GAME}/{members[0]['member']}/").json()
    assert member["line"] == members[0]
    assert len(member["course"]) == 6
    assert {line["games"] for line in member["against"]} == {6}
    records = api.get(f"circles/{key}/records/{GAME}/").json()
    listed = api.get(f"circles/{key}/games/{GAME}/").json()
    points = [score["points"] for game in listed["games"] for score in game["scores"]]
    assert [best["score"]["points"] for best in records["points"]] == sorted(points, reverse=True)[:3]
    refused(api.get(f"circles/{key}/members/signoria/{members[0]['member']}/"), 404, "unknown")


@pytest.mark.usefixtures("played")
def test_games_are_paginated(api: Api, key: str) -> None:
    play(16, first=6)
    first = api.get(f"circles/{key}/games/{GAME}/").json()
    second = api.get(f"circles/{key}/games/{GAME}/?after={first['following']}").json()
    codes = [game["code"] for page in (first, second) for game in page["games"]]
    assert (len(first["games"]), len(second["games"]), second["following"]) == (20, 2, "")
    assert codes == list(Table.objects.order_by("-ended_at").values_list("code", flat=True))
    for bad in ("nowhere", "2026.1", "2026-01-01T00:00:00.x", "%00", "."):
        refused(api.get(f"circles/{key}/games/{GAME}/?after={bad}"), 400, "bad-input")


@pytest.mark.parametrize("part", ["", "stats/raubritter/", "games/raubritter/", "records/raubritter/"])
@pytest.mark.parametrize("wrong", ["nothing", "%00", "x" * 70])
def test_wrong_key_is_not_found(api: Api, part: str, wrong: str) -> None:
    refused(api.get(f"circles/{wrong}/{part}"), 404, "unknown")


@pytest.mark.parametrize("member", ["0", "x", "9" * 40, "-1", "%00", "²"])
def test_unknown_member_is_not_found(api: Api, key: str, member: str) -> None:
    refused(api.get(f"circles/{key}/members/{GAME}/{member}/"), 404, "unknown")


def test_member_of_another_circle_is_not_found(api: Api, key: str) -> None:
    play(1)
    other = api.post("circles/", {"name": "Sundays"}).json()["key"]
    member = Member.objects.first()
    assert member
    refused(api.get(f"circles/{other}/members/{GAME}/{member.pk}/"), 404, "unknown")


def test_renewed_key_replaces_the_old_one(api: Api, key: str) -> None:
    renewed = api.post(f"circles/{key}/renew/").json()["key"]
    refused(api.get(f"circles/{key}/"), 404, "unknown")
    assert api.get(f"circles/{renewed}/").json()["name"] == "Thursdays"


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": 7}, {"name": "x", "more": 1}, {"name": "x" * 41}]
)
def test_invalid_circle_is_rejected(api: Api, body: Any) -> None:
    refused(api.post("circles/", body), 400, "bad-input")
    assert not Circle.objects.exists()


def test_table_can_be_opened_in_a_circle(api: Api, key: str) -> None:
    opened = api.post("tables/", {"game": GAME, "circle": key})
    assert opened.status_code == 201
    assert Table.objects.get().circle == Circle.objects.get()
    refused(api.post("tables/", {"game": GAME, "circle": "nothing"}), 404, "unknown")
    assert Table.objects.count() == 1


def test_host_assigns_a_table_to_a_circle_and_removes_it(table: AtTable, key: str, bob: str) -> None:
    refused(table.post("circle", {"circle": key}, token=bob), 403, "foreign-token")
    refused(table.post("circle", {"circle": key}, token=""), 401, "no-token")
    refused(table.post("circle", {"circle": "nothing"}), 404, "unknown")
    refused(table.post("circle", {}), 400, "bad-input")
    assert table.post("circle", {"circle": key}).json() == {"version": table.json()["version"]}
    assert Table.objects.get().circle == Circle.objects.get()
    refused(table.post("circle", {"circle": key}), 409, "nothing")
    assert table.post("circle", {"circle": None}).status_code == 200
    assert Table.objects.get().circle is None


@pytest.mark.usefixtures("played")
def test_responses_match_the_schema(api: Api, key: str, schema: Any) -> None:  # noqa: F811
    check(schema, "/api/stats/{game}/", "get", api.get(f"stats/{GAME}/"))
    check(schema, "/api/stats/{game}/", "get", api.get("stats/signoria/"))
    below = "/api/circles/{key}/"
    member = api.get(f"circles/{key}/members/{GAME}/").json()[0]["member"]
    check(schema, below, "get", api.get(f"circles/{key}/"))
    for part in ("stats", "games", "records", "members"):
        check(schema, f"{below}{part}/{{game}}/", "get", api.get(f"circles/{key}/{part}/{GAME}/"))
        check(schema, f"{below}{part}/{{game}}/", "get", api.get(f"circles/wrong/{part}/{GAME}/"))
    answer = api.get(f"circles/{key}/members/{GAME}/{member}/")
    check(schema, f"{below}members/{{game}}/{{member}}/", "get", answer)
    check(schema, "/api/circles/", "post", api.post("circles/", {"name": "Sundays"}))
    check(schema, f"{below}renew/", "post", api.post(f"circles/{key}/renew/"))


@pytest.mark.usefixtures("played")
def test_query_count_does_not_grow_with_games(api: Api, key: str) -> None:
    member = api.get(f"circles/{key}/members/{GAME}/").json()[0]["member"]
    paths = [
        f"stats/{GAME}/",
        f"circles/{key}/stats/{GAME}/",
        f"circles/{key}/games/{GAME}/",
        f"circles/{key}/records/{GAME}/",
        f"circles/{key}/members/{GAME}/",
        f"circles/{key}/members/{GAME}/{member}/",
    ]

    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert api.get(path).status_code == 200
        return len(queries)

    few = [cost(path) for path in paths]
    play(4, first=6)
    assert [cost(path) for path in paths] == few
    assert max(few) <= 16
