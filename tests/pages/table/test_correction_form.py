"""Corrections in Wallenstein: accidents with the tower, and pieces of a province."""

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
    state: State = state_at(table, table.head)
    return state


def offered(text: str) -> list[tuple[str, str]]:
    """Return owner and piece of each line of the correction form."""
    lines = re.findall(
        r'name="owner" value="(\w+)">\s*<input type="hidden" name="piece" value="([\w-]+)"', text
    )
    return [(str(owner), str(piece)) for owner, piece in lines]


def test_accidental_cube_moves_from_the_tower_to_the_cup(sitting: Sitting) -> None:
    """The cube is booked against the tower, not the supply (5.10)."""
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


def test_more_cubes_than_the_tower_holds_are_rejected(sitting: Sitting) -> None:
    inside = in_tower(state_of(sitting))["blue"]
    fields = {"against": "tower", "reason": "accident", "count": str(inside + 1)}
    answer = phone(sitting, "blue").post("correct/", owner="blue", piece="army", place="cup", **fields)
    assert answer.status_code == 400
    assert not any(in_cup(state_of(sitting)).values())


def test_spectators_see_no_link_to_accidents(sitting: Sitting) -> None:
    assert "place=cup" not in page(phone(sitting), "?tab=board")


def test_empty_province_can_be_corrected(sitting: Sitting) -> None:
    """Only pieces that a province can hold are offered: no gold, and no church owned by a player."""
    blue = phone(sitting, "blue")
    assert 'value="province:altmark"' in page(blue, "?tab=correct"), "nobody owns it in a game of three"
    lines = offered(page(blue, "?tab=correct&place=province:altmark"))
    assert {("blue", "army"), ("red", "army"), ("peasants", "church"), ("peasants", "unrest")} <= set(lines)
    assert {piece for _, piece in lines} == {"army", "church", "palace", "trading-house", "unrest"}
    assert {owner for owner, piece in lines if piece != "army"} == {"peasants"}
