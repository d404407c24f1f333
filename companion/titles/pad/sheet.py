"""Template data of the score sheet: a column per faction, a row per line and source of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from companion import wording
from games.core.game import AnyGame, Standing
from games.core.pads import Sheet, State

Cells = list[str]


@dataclass(frozen=True, slots=True)
class Faction:
    """A column of the sheet, a row of the form."""

    slug: str
    name: str
    hint: str = ""  # description of its special goal


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the sheet."""

    name: str
    cells: Cells
    parts: tuple[tuple[str, Cells], ...] = ()
    places: str = ""  # ledger places of its points, separated by spaces


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score sheet of a pad."""

    game: AnyGame
    sheet: Sheet

    def context(self, state: State) -> Mapping[str, Any]:
        """Return the data of ``board.html``."""
        standings = {standing.faction: standing for standing in self.game.standings(state)}
        in_order = [standings[faction] for faction in state.order]
        return {
            "factions": factions_of(self.game, state),
            "lines": [self._line(state, line) for line in self.sheet.lines if line in state.lines],
            "sums": self._sums(in_order) if self.sheet.adds_up and len(self.sheet.lines) > 1 else None,
            "sources": self._sources(in_order),
        }

    def _line(self, state: State, line: str) -> Row:
        by_faction = [self.sheet.parts(state, line, faction) for faction in state.order]
        parts = tuple(
            (self._name("part", source), [wording.number(parts[source]) for parts in by_faction])
            for source in self.sheet.sources
            if any(parts[source] for parts in by_faction)
        )
        return Row(
            self._name("line", line),
            [wording.number(sum(parts.values(), Fraction(0))) for parts in by_faction],
            parts,
            " ".join(f"score:{line}:{source}" for source in self.sheet.sources),
        )

    def _sums(self, standings: list[Standing]) -> Row:
        return Row(gettext("Sum"), [wording.number(standing.points) for standing in standings])

    def _sources(self, standings: list[Standing]) -> list[Row]:
        """Return the points by source over all lines, without sources that gave none."""
        return [
            Row(
                self._name("part", source), [wording.number(standing.parts[source]) for standing in standings]
            )
            for source in self.sheet.sources
            if any(standing.parts[source] for standing in standings)
        ]

    def _name(self, kind: str, slug: str) -> str:
        return wording.name(self.game, kind, slug)


def factions_of(game: AnyGame, state: State) -> list[Faction]:
    """Return the factions in play order, with their special goals."""
    goals = game.texts.names
    return [
        Faction(f, wording.name(game, "faction", f), wording.translate(goals[goal]) if goal in goals else "")
        for f in state.order
        for goal in (f"objective:{f}",)
    ]
