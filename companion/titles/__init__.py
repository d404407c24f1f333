"""Titles: everything of a game that is not rules. One package per game, each with its `TITLE`."""

from __future__ import annotations

from companion.models import Table
from companion.registry import titles
from companion.titles.base import Screen


def screen_of(table: Table) -> Screen:
    """Return the screen for the game and mode (full game or score pad) of a table."""
    return titles()[table.game].screen_of(table)
