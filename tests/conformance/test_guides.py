"""Every rule has a guide, and every ruling a test that is there."""

from __future__ import annotations

import pytest

from games.core import guide as core
from games.core import wording as core_wording
from games.core.guide import Guide, Reading
from games.registry import CALCULATORS, GAMES, GUIDES, PADS
from tests.named import is_there
from tools import rulings

every_game = pytest.mark.parametrize("slug", sorted(GAMES))


def readings(slug: str) -> list[Reading]:
    return [reading for guide in GUIDES[slug].values() for reading in guide.readings]


def held(guide: Guide) -> list[str]:
    return [*guide.held_by, *(test for reading in guide.readings for test in reading.held_by)]


@every_game
def test_every_rule_has_a_guide(slug: str) -> None:
    named = set(GAMES[slug].texts.rules) | set(PADS[slug].texts.rules) | set(CALCULATORS[slug].texts.rules)
    assert set(GUIDES[slug]) == named
    assert all(guide.text and guide.rulebook and held(guide) for guide in GUIDES[slug].values())


def test_the_rules_of_every_game_have_a_guide() -> None:
    assert set(core.GUIDE) == set(core_wording.RULES)


@every_game
def test_every_table_option_belongs_to_one_reading_or_more(slug: str) -> None:
    chosen = {reading.option for reading in readings(slug)} - {""}
    assert chosen == {option.name for option in GAMES[slug].options}


@every_game
def test_every_reading_is_held_by_a_test(slug: str) -> None:
    assert [reading.question for reading in readings(slug) if not reading.held_by] == []


def test_the_tests_that_are_named_are_there() -> None:
    guides = [*core.GUIDE.values(), *(guide for of_game in GUIDES.values() for guide in of_game.values())]
    named = {test for guide in guides for test in held(guide)}
    assert sorted(test for test in named if not is_there(test)) == []


def test_the_register_in_the_documents_says_the_same() -> None:
    """If not: python -m tools.rulings"""
    assert rulings.TARGET.read_text(encoding="utf-8") == rulings.register()
