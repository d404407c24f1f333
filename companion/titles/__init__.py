"""What each game shows on phones and TV: the data its templates draw. One module for each game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.models import Table
from companion.titles.base import Learns, Screen
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
    """The screen of a table: its game's, or that of score pads."""
    screen = SCREENS[table.options["mode"]][table.game]
    return screen.knowing(table) if isinstance(screen, Learns) else screen
