"""The screens of each game: template data for boards and entry forms. One package per game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.models import Table
from companion.titles import raubritter, revolution, signoria, wallenstein
from companion.titles.base import Screen
from companion.titles.pad import Pad
from games.raubritter import pad as raubritter_pad
from games.revolution import pad as revolution_pad
from games.signoria import pad as signoria_pad
from games.wallenstein import pad as wallenstein_pad

PADS: Mapping[str, Screen] = {
    pad.PAD.slug: Pad(pad.PAD, pad.SHEET).screen
    for pad in (revolution_pad, wallenstein_pad, signoria_pad, raubritter_pad)
}
SCREENS: Mapping[str, Mapping[str, Screen]] = {
    "full": {
        "raubritter": raubritter.SCREEN,
        "revolution": revolution.SCREEN,
        "signoria": signoria.SCREEN,
        "wallenstein": wallenstein.SCREEN,
    },
    "pad": PADS,
}
PER_TABLE: Mapping[str, Callable[[Table], Screen]] = {"wallenstein": wallenstein.screen_for}


def screen_of(table: Table) -> Screen:
    """Return the screen for the game and mode (full game or score pad) of a table."""
    if table.options["mode"] == "full" and table.game in PER_TABLE:
        return PER_TABLE[table.game](table)
    return SCREENS[table.options["mode"]][table.game]
