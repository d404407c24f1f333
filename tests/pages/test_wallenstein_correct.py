"""Wallenstein corrected on a phone: accidents with the tower, and what can lie in a province."""

from __future__ import annotations

import re

import pytest

from companion.journal.states import state_at
from games.wallenstein.state import State, in_cup, in_tower, supply_of
from tests.pages.test_secrets import page, phone
from tests.tables.planning import planning
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    return planning(3)


def state_of(sitting: Sitting) -> State:
    table = sitting.fresh()
    found: State = state_at(table, table.head)
    return found


def offered(text: str) -> list[tuple[str, str]]:
    """Whose pieces, and which, can be counted up and down."""
    lines = re.findall(r'name="owner" value="(\w+)"><input type="hidden" name="piece" value="([\w-]+)"', text)
    return [(str(owner), str(piece)) for owner, piece in lines]


def test_a_cube_that_fell_out_by_accident_waits_in_the_cup(sitting: Sitting) -> None:
    """5.10: it comes out of the tower, not out of the supply, though the cup was empty."""
    before = state_of(sitting)
    assert not any(in_cup(before).values())
    blue = phone(sitting, "blue")
    link = "?tab=correct&amp;place=cup"
    assert link in page(blue, "?tab=board")
    form = page(blue, "?tab=correct&place=cup")
    inside = [(colour, "army") for colour, count in sorted(in_tower(before).items()) if count]
    assert offered(form) == inside
    fields = dict(re.findall(r'<input type="hidden" name="(against|reason)" value="(\w+)">', form))
    assert fields == {"against": "tower", "reason": "accident"}
    blue.post("correct/", owner="peasants", piece="army", place="cup", count="2", **fields)
    after = state_of(sitting)
    assert in_cup(after)["peasants"] == 2
    assert in_tower(after)["peasants"] == in_tower(before)["peasants"] - 2
    assert supply_of(after, "peasants") == supply_of(before, "peasants")
    assert "It was an accident." in page(blue, "?tab=journal")


def test_no_more_fall_out_than_were_inside(sitting: Sitting) -> None:
    inside = in_tower(state_of(sitting))["blue"]
    fields = {"against": "tower", "reason": "accident", "count": str(inside + 1)}
    answer = phone(sitting, "blue").post("correct/", owner="blue", piece="army", place="cup", **fields)
    assert answer.status_code == 400
    assert not any(in_cup(state_of(sitting)).values())


def test_who_only_watches_is_not_asked_for_accidents(sitting: Sitting) -> None:
    assert "place=cup" not in page(phone(sitting), "?tab=board")


def test_an_empty_province_can_be_corrected(sitting: Sitting) -> None:
    """What can lie there is offered, and nothing else: no gold, and no church of a player's."""
    blue = phone(sitting, "blue")
    assert 'value="province:altmark"' in page(blue, "?tab=correct"), "nobody's with three players"
    found = offered(page(blue, "?tab=correct&place=province:altmark"))
    assert {("blue", "army"), ("red", "army"), ("peasants", "church"), ("peasants", "unrest")} <= set(found)
    assert {piece for _, piece in found} == {"army", "church", "palace", "trading-house", "unrest"}
    assert {owner for owner, piece in found if piece != "army"} == {"peasants"}
