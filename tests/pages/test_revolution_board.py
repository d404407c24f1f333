"""The printed figures of Revolution: what they are called, in which order they are compared, who says so."""

from __future__ import annotations

import re

from companion.boards.forms import parts_of, screenfuls
from companion.wording import figure_name
from games.core.boards import Called
from games.core.messages import Name
from games.revolution import REVOLUTION
from tests.pages.conftest import Phone

PARTS = [
    "Provinces",
    "Regions and command strips",
    "Rivers",
    "Support boxes",
    "Cities",
    "Bishoprics",
    "Universities",
    "Commercial towns",
    "Where the Water Beggars act",
]


def test_the_walk_goes_province_by_province_and_ends_with_the_lists() -> None:
    assert [title for title, _screens in parts_of(REVOLUTION)] == PARTS
    assert screenfuls(REVOLUTION)[0].key == "provinces.holland"


def test_every_figure_and_every_choice_has_a_name() -> None:
    called = Called(REVOLUTION.texts.names)
    for path, figure in REVOLUTION.board.leaves.items():
        names = [(name, path[place - 1] if place else "") for place, name in enumerate(path)]
        for name, part in [*names, *((choice, figure.part) for choice in figure.choices)]:
            assert name.isdigit() or isinstance(called.name(name, part), Name), (path, name)


def test_a_place_with_the_name_of_its_province_is_called_the_same() -> None:
    assert figure_name(REVOLUTION, "holland", "provinces") == "Holland"
    assert figure_name(REVOLUTION, "holland", "regions") == "Holland region"
    assert figure_name(REVOLUTION, "both", "cells") == "Half coloured"


def test_a_table_says_once_that_nobody_has_compared_its_figures(db: None) -> None:
    phone = Phone()
    phone.open("revolution")
    for faction in ("catholics", "nobility", "reformers"):
        phone.sit(phone.code, faction.title(), faction)
    assert phone.get().content.decode().count("have not been compared with a real board") == 1
    phone.post("host/", do="start")
    assert "not been compared" not in phone.get().content.decode()
    board = phone.get("?tab=board").content.decode()
    assert "not been compared" not in board
    assert "have not been compared" in phone.get("?tab=help").content.decode()
    # The sheet of a province leads to its figures.
    link = re.search(r'href="/t/\w+/(figures/\?path=provinces.brabant)"', board)
    assert link
    figures = phone.get(link[1]).content.decode()
    assert 'name="f.provinces.brabant.limit"' in figures
    assert 'name="f.provinces.holland.limit"' not in figures
