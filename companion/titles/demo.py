"""The part of a title in the demo: its evenings, and the habits of its players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.registry import FULL
from games.core.codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """A game of a circle on a Thursday; with `stop`, a game in progress today, after that many entries."""

    game: str
    circle: int
    players: int
    weeks_ago: int
    mode: str = FULL
    stop: int | None = None
    incidents: tuple[str, ...] = ()  # correction, ruling, mend


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """The evenings of a title, and how people play it."""

    evenings: Sequence[Evening]
    seconds: float  # median thinking time per entry
    counted_places: frozenset[str]  # kinds of places where people count pieces during a game
    # The actions that fill in a score pad for the states of a whole game.
    score_sheet: Callable[[Sequence[Any]], Iterator[Json]] | None = None
