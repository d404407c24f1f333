"""The screens of each game: template data for boards and entry forms. One package per game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.models import Table
from companion.titles.base import PerTable, Screen
from companion.titles.pad import SCREENS as PADS
from companion.titles.raubritter import SCREEN as RAUBRITTER
from companion.titles.revolution import SCREEN as REVOLUTION
from companion.titles.signoria import SCREEN as SIGNORIA
from companion.titles.wallenstein import SCREEN as WALLENSTEIN

SCREENS: Mapping[str, Mapping[str, Screen]] = {
    "full": {
        "raubritter": RAUBRITTER,
        "revolution": REVOLUTION,
        "signoria": SIGNORIA,
        "wallenstein": WALLENSTEIN,
    },
    "pad": PADS,
}


def screen_of(table: Table) -> Screen:
    """Return the screen for the game and mode (full game or score pad) of a table."""
    screen = SCREENS[table.options["mode"]][table.game]
    return screen.for_table(table) if isinstance(screen, PerTable) else screen
