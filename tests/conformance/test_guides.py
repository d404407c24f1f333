"""Every rule has a guide, and every reading names an existing test."""

from __future__ import annotations

import pytest

from companion.registry import titles
from games.core import guide as core
from games.core import wording as core_wording
from games.core.guide import Guide, Reading
from tests.named import is_there
from tools import rulings

every_game = pytest.mark.parametrize("slug", sorted(titles()))


def readings(slug: str) -> list[Reading]:
    return [reading for guide in titles()[slug].guide.values() for reading in guide.readings]


def named_tests(guide: Guide) -> list[str]:
    return [*guide.held_by, *(test for reading in guide.readings for test in reading.held_by)]


@every_game
def test_every_rule_has_a_guide(slug: str) -> None:
    title = titles()[slug]
    parts = (title.game, title.pad.game, title.calculators)
    named = {rule for part in parts for rule in part.texts.rules}
    assert set(titles()[slug].guide) == named
    assert all(
        guide.text and guide.rulebook and named_tests(guide) for guide in titles()[slug].guide.values()
    )


def test_every_core_rule_has_a_guide() -> None:
    assert set(core.GUIDE) == set(core_wording.RULES)


@every_game
def test_every_table_option_belongs_to_a_reading(slug: str) -> None:
    chosen = {reading.option for reading in readings(slug)} - {""}
    assert chosen == {option.name for option in titles()[slug].game.options}


@every_game
def test_every_reading_names_a_test(slug: str) -> None:
    assert [reading.question for reading in readings(slug) if not reading.held_by] == []


def test_tests_named_in_guides_exist() -> None:
    guides = [*core.GUIDE.values(), *(guide for title in titles().values() for guide in title.guide.values())]
    named = {test for guide in guides for test in named_tests(guide)}
    assert sorted(test for test in named if not is_there(test)) == []


def test_rulings_document_is_up_to_date() -> None:
    """To update it, run ``python -m tools.rulings``."""
    assert rulings.TARGET.read_text(encoding="utf-8") == rulings.register()
