"""Printed figures of Revolution: names, order of screens, and links from the board."""

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


def test_screens_start_with_provinces_in_the_order_of_parts() -> None:
    assert [title for title, _screens in parts_of(REVOLUTION)] == PARTS
    assert screenfuls(REVOLUTION)[0].key == "provinces.holland"


def test_every_figure_and_every_choice_has_a_name() -> None:
    called = Called(REVOLUTION.texts.names)
    for path, figure in REVOLUTION.board.leaves.items():
        names = [(name, path[place - 1] if place else "") for place, name in enumerate(path)]
        for name, part in [*names, *((choice, figure.part) for choice in figure.choices)]:
            assert name.isdigit() or isinstance(called.name(name, part), Name), (path, name)


def test_names_depend_on_the_part_of_the_board() -> None:
    assert figure_name(REVOLUTION, "holland", "provinces") == "Holland"
    assert figure_name(REVOLUTION, "holland", "regions") == "Holland region"
    assert figure_name(REVOLUTION, "both", "cells") == "Half coloured"


def test_unconfirmed_figures_are_mentioned_once_per_page(db: None) -> None:
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
    # The sheet of a province links to its figures.
    link = re.search(r'href="/t/\w+/(figures/\?path=provinces.brabant)"', board)
    assert link
    figures = phone.get(link[1]).content.decode()
    assert 'name="f.provinces.brabant.limit"' in figures
    assert 'name="f.provinces.holland.limit"' not in figures
