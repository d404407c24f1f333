"""A title: everything the application knows about one game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.charts.sections import SectionBuilder
from companion.models import Table
from companion.registry import PAD
from companion.titles.base import Screen
from companion.titles.demo import Demo
from companion.titles.pad import Pad
from companion.web.tokens import Token
from games.core.calculators import Calculators
from games.core.game import AnyGame
from games.core.guide import Guides
from players.automaton import Automaton


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """One game: its rules and everything that pages, statistics, demo and tools need to know about it."""

    game: AnyGame
    screen: Screen
    pad: Pad
    calculators: Calculators
    guide: Guides
    automaton: Automaton
    tokens: Mapping[str, Token]  # by faction, neutral ones included
    # The screen for one table, if it depends on the table.
    screen_for: Callable[[Table], Screen] | None = None
    sections: Sequence[SectionBuilder] = ()  # of the report, beside the common ones
    demo: Demo | None = None

    @property
    def slug(self) -> str:
        return self.game.slug

    def rules(self, mode: str) -> AnyGame:
        """Return the rules of the full game or of the score pad."""
        return self.pad.game if mode == PAD else self.game

    @property
    def screens(self) -> tuple[Screen, ...]:
        return self.screen, self.pad.screen

    def screen_of(self, table: Table) -> Screen:
        if table.options["mode"] == PAD:
            return self.pad.screen
        return self.screen_for(table) if self.screen_for else self.screen
