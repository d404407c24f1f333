"""A game that has ended, as statistics count it: plain data, whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from companion.results.pauses import PAUSE, Break, time_between

PER_POINT = 1000  # points are counted in thousandths: Revolution has tenths, which no float holds


@dataclass(frozen=True, slots=True)
class Line:
    """How a faction came off."""

    faction: str
    seat: int  # in the play order at the start, from 1
    points: int  # in thousandths
    place: int
    won: bool
    half_points: int | None = None  # at half-time
    half_parts: Mapping[str, int] | None = None
    name: str = ""  # of the person, as a circle remembers it; empty: nobody, or not to be told apart


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has ended."""

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
    margin: int | None  # in thousandths; None: nobody lost
    lines: tuple[Line, ...]

    def nameless(self) -> Played:
        return replace(self, lines=tuple(replace(line, name="") for line in self.lines))

    @property
    def people(self) -> dict[str, list[Line]]:
        """The lines of each person that is known by name; with two players somebody has two."""
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            if line.name:
                found.setdefault(line.name, []).append(line)
        return found


def seconds_played(started_at: datetime, entered: Iterable[datetime], breaks: Sequence[Break] = ()) -> int:
    """From the start to the last entry, without breaks and pauses."""
    total, last = timedelta(), started_at
    for at in entered:
        gap, last = time_between(last, at, breaks), at
        total += gap if gap <= PAUSE else timedelta()
    return int(total.total_seconds())


def margin_of(lines: Sequence[Line], *, together: bool) -> int | None:
    """By how much those who won are ahead of the best of those who did not; ``together`` adds up who shares
    a place, as where one person plays two factions.
    """
    by_place: dict[int, list[int]] = {}
    for line in lines:
        by_place.setdefault(line.place, []).append(line.points)
    if len(by_place) < 2:  # noqa: PLR2004 - all share the first place
        return None
    first, second = (by_place[place] for place in sorted(by_place)[:2])
    return sum(first) - sum(second) if together else max(first) - max(second)
