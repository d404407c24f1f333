"""Rules at hand: what each rule says in a few sentences, and how this app reads it where it is silent.

A game's ``guide`` module has a ``Guide`` for every rule it names in its steps, prompts and refusals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.core.messages import text


@dataclass(frozen=True, slots=True)
class Reading:
    """An open question of the rules, as it is played here."""

    question: str  # what the rulebook leaves open
    ruling: str  # how this app plays it unless the table chooses otherwise
    alternatives: str = ""  # how else it can be read
    option: str = ""  # the name of the table option that chooses, if there is one
    held_by: tuple[str, ...] = ()  # tests: "tests/revolution/test_taxes.py::test_one_rate"


@dataclass(frozen=True, slots=True)
class Guide:
    """A rule in a few sentences."""

    text: str
    rulebook: str  # where the rulebook says it: its section, heading or page
    readings: tuple[Reading, ...] = ()
    held_by: tuple[str, ...] = ()


Guides = Mapping[str, Guide]

# Rules that every game has.
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
