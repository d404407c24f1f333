"""Introductory hints, one per screen, shown on a phone until they are dismissed there.

A template names the hint of its screen (`{% hint "score" %}`). Phones store the names of dismissed hints in a
cookie, so the names must not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.registry import titles

# Translated when rendered.
HINTS: dict[str, str] = {
    "now": gettext_noop(
        "The line at the top says whose turn it is. When it is yours, choose here, then tap the button at the bottom."
    ),
    "now-watching": gettext_noop(
        "This page follows the game by itself; the tabs below show the rest. When a seat becomes free, it says so here."
    ),
    "hands": gettext_noop(
        "These are the moves on the real table. Tap a line when it is done; everybody sees the tick."
    ),
    "score": gettext_noop(
        "How it would stand if the game ended now, and where each point comes from. It changes with every entry."
    ),
    "journal": gettext_noop(
        "Everything that was entered, the newest first. Tap a line to see why it came out so, or to change it."
    ),
    "mend": gettext_noop(
        "You change an earlier entry; everything after it is worked out again. You see what would change before it does."
    ),
    "position": gettext_noop(
        "Tap together what lies on the real table now. The game goes on from there, with what came before in the journal."
    ),
    "display": gettext_noop(
        "This screen is for everybody, a TV for example. It follows the table by itself; nothing is tapped here."
    ),
    "replay": gettext_noop(
        "The game once more, entry by entry. Drag the slider, or tap Back and Next; nothing is changed by it."
    ),
    "report": gettext_noop(
        "How the game went, in sentences and charts. It stays at this address and can be saved as a file."
    ),
    "calculators": gettext_noop("Each settles one question of a game, without a table. Nothing is kept."),
    "calculator": gettext_noop("Change the figures; the answer below follows at once and says why."),
    "boards": gettext_noop(
        "These figures are printed on the board and the cards. If your copy differs, make one of your own here."
    ),
    "circle": gettext_noop(
        "The page of your group: its games, ratings and records. Whoever has the link sees it, and nobody else."
    ),
}


@cache
def all_hints() -> Mapping[str, str]:
    """Return the hints of all pages and of the boards of all games, by name."""
    screens = [screen for title in titles().values() for screen in title.screens]
    return HINTS | {f"board-{screen.folder}": screen.hint for screen in screens}


def text_of(name: str) -> str:
    return _(all_hints()[name])
