"""Players with a prompt, as different phones see them."""

from __future__ import annotations

import pytest

from companion.access.table_access import SPECTATOR, TableAccess
from companion.pages.table.page import TablePage
from tests.tables.planning import plan, planning
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    """Return a table where Blue and Yellow have yet to plan."""
    sitting = planning(3)
    plan(sitting, "red")
    return sitting


def factions(sitting: Sitting, access: TableAccess, *, scribe: bool = False) -> tuple[list[str], list[str]]:
    """Return the prompted factions of a phone, and those it waits for."""
    turn = TablePage(sitting.fresh(), access, scribe=scribe).turn
    return [player.faction for player in turn.prompted_players], [p.faction for p, _title in turn.waiting()]


def test_player_with_a_prompt_waits_for_the_others(sitting: Sitting) -> None:
    assert factions(sitting, sitting.access("blue")) == (["blue"], ["yellow"])


def test_player_without_a_prompt_and_spectators_wait_for_all(sitting: Sitting) -> None:
    assert factions(sitting, sitting.access("red")) == ([], ["blue", "yellow"])
    assert factions(sitting, SPECTATOR) == ([], ["blue", "yellow"])


def test_scribe_has_all_prompts(sitting: Sitting) -> None:
    assert factions(sitting, sitting.host, scribe=True) == (["blue", "yellow"], [])
