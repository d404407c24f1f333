"""Rule guides: a summary of each rule, and this app's reading where the rulebook is silent.

A game's ``guide`` module has a ``Guide`` for every rule named in its steps, prompts and errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.core.messages import text


@dataclass(frozen=True, slots=True)
class Reading:
    """An open question of the rulebook and the app's answer."""

    question: str
    ruling: str  # the app's default
    alternatives: str = ""  # other possible readings
    option: str = ""  # name of the table option that selects the reading, if any
    held_by: tuple[str, ...] = ()  # tests that verify it: "tests/<game>/test_x.py::test_y"


@dataclass(frozen=True, slots=True)
class Guide:
    """Summary of a rule."""

    text: str
    rulebook: str  # section, heading or page of the rulebook
    readings: tuple[Reading, ...] = ()
    held_by: tuple[str, ...] = ()


Guides = Mapping[str, Guide]

# Rules common to all games.
GUIDE: Guides = {
    "correction": Guide(
        text(
            "The real table is right. Whoever sees that a count differs sets it under Board, with a reason; "
            "the correction is an entry like any other and can be taken back."
        ),
        text("No rulebook: the way this app works"),
        held_by=("tests/core/test_corrections.py",),
    ),
    "option": Guide(
        text(
            "Where a rulebook leaves something open, the table chooses how it plays. A choice that changes "
            "during the game is an entry, and counts from there on."
        ),
        text("No rulebook: the way this app works"),
        held_by=("tests/core/test_options.py",),
    ),
    "figure": Guide(
        text(
            "Editions differ, and some figures here were never compared with a real board. What is printed "
            "on your copy counts; setting a figure during the game is an entry."
        ),
        text("No rulebook: the way this app works"),
        held_by=("tests/core/test_boards.py",),
    ),
    "position": Guide(
        text(
            "A game can be taken up in mid-course: what lies on the real table is tapped and sent as one entry. "
            "Pieces that cannot exist are refused; the game goes on from there, by the same rules."
        ),
        text("No rulebook: the way this app works"),
        held_by=("tests/core/test_positions.py",),
    ),
}
