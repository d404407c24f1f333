"""Finished games as statistics count them: plain data, independent of the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from companion.results.pauses import PAUSE, Break, time_between

PER_POINT = 1000  # points are counted in thousandths: Revolution has tenths, which no float holds


@dataclass(frozen=True, slots=True)
class Line:
    """The result of one faction in a finished game."""

    faction: str
    seat: int  # in the play order at the start, from 1
    points: int  # in thousandths
    place: int
    won: bool
    half_points: int | None = None  # at half-time
    half_parts: Mapping[str, int] | None = None
    name: str = ""  # normalised name of the player in a circle; empty if unknown or ambiguous


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game."""

    table: int
    circle: int | None
    game: str
    mode: str
    players: int
    options: tuple[str, ...]  # those that differ from the default
    clean: bool
    early: bool
    started_at: datetime | None
    ended_at: datetime
    seconds: int | None
    margin: int | None  # in thousandths; None if nobody lost
    lines: tuple[Line, ...]

    def anonymous(self) -> Played:
        return replace(self, lines=tuple(replace(line, name="") for line in self.lines))

    @property
    def people(self) -> dict[str, list[Line]]:
        """Return the lines of each named player; with two players, each may have two factions."""
        lines_by_name: dict[str, list[Line]] = {}
        for line in self.lines:
            if line.name:
                lines_by_name.setdefault(line.name, []).append(line)
        return lines_by_name


def seconds_played(started_at: datetime, entered: Iterable[datetime], breaks: Sequence[Break] = ()) -> int:
    """Return the seconds from the start to the last entry, without breaks and pauses."""
    total, last = timedelta(), started_at
    for at in entered:
        gap, last = time_between(last, at, breaks), at
        total += gap if gap <= PAUSE else timedelta()
    return int(total.total_seconds())


def margin_of(lines: Sequence[Line], *, together: bool) -> int | None:
    """Return the difference in points between first and second place; None if all share the first place.

    ``together`` sums the points of those who share a place, for games where one player has two factions.
    """
    by_place: dict[int, list[int]] = {}
    for line in lines:
        by_place.setdefault(line.place, []).append(line.points)
    if len(by_place) < 2:  # noqa: PLR2004 - fewer than two places means that nobody lost
        return None
    first, second = (by_place[place] for place in sorted(by_place)[:2])
    return sum(first) - sum(second) if together else max(first) - max(second)
