"""Score pads over the API: open_pad in mode `pad`, played by examples, corrected, undone, exported."""

from __future__ import annotations

from typing import Any

import pytest

from companion.registry import titles
from tests.api.conftest import Api, AtTable

pytestmark = pytest.mark.django_db

SEATED = {
    "revolution": ("catholics", "habsburgs", "burghers", "reformers"),
    "wallenstein": ("red", "blue", "yellow"),
    "signoria": ("yellow", "red"),
    "raubritter": ("blue", "yellow"),
}


def open_pad(slug: str, **options: Any) -> AtTable:
    api = Api()
    seats = [{"name": faction.title(), "faction": faction} for faction in SEATED[slug]]
    answer = api.post("tables/", {"game": slug, "seats": seats, "options": {"mode": "pad", **options}})
    assert answer.status_code == 201, answer.content
    data = answer.json()
    return AtTable(api, data["code"], data["host_token"])


def test_every_game_has_a_pad() -> None:
    assert set(titles()) == set(SEATED)


@pytest.mark.parametrize("slug", SEATED)
def test_examples_play_a_pad_to_the_end(slug: str) -> None:
    table = open_pad(slug)
    table.start()
    while table.json()["status"] == "playing":
        table.play(1)
    assert table.json()["status"] == "finished"
    assert table.json()["winners"]
    assert {row["faction"] for row in table.json("standings/")} == set(SEATED[slug])
    document = table.json("export/")
    again = table.api.post("tables/import/", document)
    assert again.status_code == 201, again.content


def test_with_two_people_winners_lists_both_factions() -> None:
    table = open_pad("revolution", players=2)
    table.start()
    while True:
        prompt = table.json("prompts/")[0]
        action = prompt["example"]
        if prompt["action"] == "results":
            action = {"type": "results", "cities": {"catholics": 5, "burghers": 4, "reformers": 3}}
        table.post("actions", {"action": action, "faction": prompt["faction"]})
        if table.json()["status"] == "finished":
            break
    assert sorted(table.json()["winners"]) == ["burghers", "reformers"]


def test_any_seat_enters_results_and_counts_can_be_corrected() -> None:
    table = open_pad("raubritter")
    table.start()
    assert table.json()["waiting_for"] == ["blue", "yellow"]
    body = {"action": {"type": "final", "towns": {"blue": 2}}, "faction": "yellow"}
    assert table.post("actions", body).status_code == 201
    correction = {
        "type": "correct",
        "owner": "yellow",
        "piece": "point",
        "place": "score:end:villages",
        "count": 8,
        "reason": "forgotten",
    }
    assert table.post("actions", {"action": correction, "faction": "blue"}).status_code == 201
    assert table.json()["winners"] == ["yellow"]
    assert table.post("undo").status_code == 200
    assert table.json()["winners"] == ["blue"]


def test_pad_accepts_and_ignores_options_of_its_game() -> None:
    table = open_pad("revolution", neutral_pool=40, tax_partial_extra=True)
    assert table.json()["options"] == {"mode": "pad"}
    table.start()
    assert table.json()["status"] == "playing"


BAD = [
    (
        "revolution",
        {"mode": "pad", "neutral_pool": True},
        "The table option “neutral_pool” must be one of 0, 1",
    ),
    ("signoria", {"mode": "pad", "luck": 1}, "There is no table option “luck”; there are light_entry, "),
    ("raubritter", {"mode": "fast"}, "A table is played in mode “full”, or “pad” for the score alone."),
    ("raubritter", {"mode": ["pad"]}, "A table is played in mode “full”, or “pad” for the score alone."),
    ("chess", {"mode": "pad"}, "There is no game “chess” here."),
]


@pytest.mark.parametrize(("game", "options", "message"), BAD)
def test_unknown_mode_or_option_is_rejected(game: str, options: Any, message: str) -> None:
    answer = Api().post("tables/", {"game": game, "seats": [], "options": options})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(message)
