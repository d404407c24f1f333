"""Table pages of Signoria: standings, points per round, entries since the own last one."""

from __future__ import annotations

import re

import pytest

from companion.journal.states import state_at
from companion.titles.signoria import SCREEN
from games.core.actions import action_json
from games.signoria.ending import end_points
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from tests.pages.conftest import Phone


@pytest.fixture
def ada(db: None) -> Phone:
    phone = Phone()
    phone.open("signoria")
    phone.sit(phone.code, "Ada", "red")
    return phone


@pytest.fixture
def bela(ada: Phone) -> Phone:
    phone = Phone()
    phone.sit(ada.code, "Béla", "blue")
    ada.post("host/", do="start")
    return phone


def state_of(phone: Phone) -> State:
    table = phone.table()
    return state_at(table, table.head)  # type: ignore[no-any-return]


def enter(phones: dict[str, Phone], *, passing: bool) -> None:
    """Submit the example of the first prompt, or pass if wanted and possible."""
    prompts = SIGNORIA.prompts(state_of(phones["red"]))
    chosen = next((p for p in prompts if passing and p.action == "pass"), prompts[0])
    action = action_json(chosen.example)
    kind = str(action["type"])
    if kind in ("helper", "buy"):
        kind = f"{kind}:no"
    answer = phones[chosen.faction].post("act/", faction=chosen.faction, type=kind, **SCREEN.fill(action))
    assert answer.status_code in (200, 302), answer.content.decode()[-300:]


def text(phone: Phone, query: str = "") -> str:
    page = re.sub(r"<[^>]+>", " ", phone.get(query).content.decode())
    return " ".join(page.split())


def test_score_shows_final_standings_and_points_per_round(ada: Phone, bela: Phone) -> None:
    phones = {"red": ada, "blue": bela}
    while ada.table().round < 2:
        enter(phones, passing=True)
    ada.post("position/", do="tap", tap="put red man track:church:9")
    ada.post("position/", do="send")
    state = state_of(ada)
    expected = {s.faction: int(s.points) for s in SIGNORIA.if_it_ended_now(state)}
    men = end_points(state, "red")["end-men"]
    score = text(ada, "?tab=score")
    assert f"Ada {expected['red']}" in score
    assert men >= 4, "half of nine, rounded down"
    assert f"Men on career tracks {men}" in score
    assert "Points after each round" in score
    assert re.search(r"Round 1 \d+ \d+", score)
    assert f"Ada {expected['red']}" in text(ada, "display/")


def test_entries_since_the_own_last_entry_are_listed(ada: Phone, bela: Phone) -> None:
    phones = {"red": ada, "blue": bela}
    while not any(p.action == "take" for p in SIGNORIA.prompts(state_of(ada))):
        enter(phones, passing=False)
    first = SIGNORIA.waiting_for(state_of(ada))[0]
    mine, other = phones[first], phones[{"red": "blue", "blue": "red"}[first]]
    enter(phones, passing=False)
    while SIGNORIA.waiting_for(state_of(ada))[0] == first:
        enter(phones, passing=False)
    page = text(other)
    assert "Since your last entry" in page
    assert page.count(f"{first.title()} takes the") >= 1
    assert "Since your last entry" not in text(mine), "there is no entry by another player"
    assert 'class="action c-' in other.get().content.decode()
    assert re.search(r'data-changed="[^"]*\baction:', other.get("?tab=board").content.decode())
