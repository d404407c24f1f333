"""What is counted of a game, and how what was counted is read. Plain functions: no database.

Counts are whole numbers by name. Games are added and taken away again without a trace, in any order,
and what is wanted together is added up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from companion.results.filters import ANY, DEFAULT
from companion.results.played import PER_POINT, Line, Played

Counts = Counter[str]

# Points are counted by whole ones, as far as these; lengths by so many minutes, as far as these.
LEAST_POINTS, MOST_POINTS = -50, 400
MINUTES = 10
MOST_MINUTES = 24 * 60

SERVER = 0  # the scope of all games; a circle's is its number


@dataclass(frozen=True, slots=True)
class Cell:
    """The games that are counted together."""

    scope: int
    game: str
    mode: str
    players: int
    clean: bool
    span: str  # all, year, month
    period: str  # which year or month
    option: str

    @property
    def key(self) -> str:
        kind = "clean" if self.clean else "corrected"
        parts = (self.scope, self.game, self.mode, self.players, kind, self.period, self.option)
        return "|".join(map(str, parts))


def cells_of(played: Played, scope: int) -> list[Cell]:
    """Where a game is counted within a scope: a few cells, however many games there are."""
    month = month_of(played.ended_at)
    return [
        Cell(scope, played.game, played.mode, played.players, played.clean, span, period, option)
        for span, period in (("all", ""), ("year", month[:4]), ("month", month))
        for option in (ANY, *(played.options or (DEFAULT,)))
    ]


def month_of(at: datetime) -> str:
    """As 2026-11, in UTC; early years in four digits too, so that months sort as they follow each other."""
    in_utc = at.astimezone(UTC)
    return f"{in_utc.year:04}-{in_utc.month:02}"


def counts_of(played: Played) -> Counts:
    """What one game adds to each of its cells."""
    counts = Counts({"games": 1})
    for line in played.lines:
        for what in (f"faction/{line.faction}", f"seat/{line.seat}"):
            counts[f"{what}/games"] += 1
            counts[f"{what}/wins"] += line.won
        counts[f"points/{line.faction}/{_whole(line.points)}"] += 1
        counts[f"sum/{line.faction}"] += line.points
    if played.seconds is not None:
        counts[f"length/{min(played.seconds // 60, MOST_MINUTES) // MINUTES * MINUTES}"] += 1
        counts["timed"] += 1
        counts["seconds"] += played.seconds
    counts.update(_at_half_time(played.lines))
    return counts


def _whole(points: int) -> int:
    return max(LEAST_POINTS, min(MOST_POINTS, points // PER_POINT))


def _at_half_time(lines: Iterable[Line]) -> Counts:
    """What winners and others had in the middle of the game, and whether who led then won."""
    had = [line for line in lines if line.half_points is not None]
    counts = Counts()
    if not had:
        return counts
    for line in had:
        who = "half/won" if line.won else "half/lost"
        counts[f"{who}/scores"] += 1
        counts[f"{who}/points"] += line.half_points or 0
        for part, points in (line.half_parts or {}).items():
            counts[f"{who}/had/{part}"] += 1
            counts[f"{who}/part/{part}"] += points
    counts["half/games"] += 1
    most = max(line.half_points or 0 for line in had)
    leaders = [line for line in had if line.half_points == most]
    if len(leaders) < len(had):
        counts["half/led"] += 1
        counts["half/held"] += any(line.won for line in leaders)
    return counts


def added(kept: Mapping[str, int], counts: Mapping[str, int], sign: int) -> dict[str, int]:
    """Counts with others added, or taken away (``sign`` -1); what comes to nothing is not kept."""
    total = {name: kept.get(name, 0) + sign * counts.get(name, 0) for name in {**kept, **counts}}
    return {name: number for name, number in sorted(total.items()) if number}


# Reading


def beneath(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    """The counts below a name, by what follows it."""
    start = f"{prefix}/"
    return {name[len(start) :]: number for name, number in counts.items() if name.startswith(start)}


def quantile(bins: Mapping[int, int], share: float) -> int:
    """The smallest value that at least this share of those counted (there are some) do not exceed."""
    wanted, so_far = share * sum(bins.values()), 0
    for value in sorted(bins):
        so_far += bins[value]
        if so_far >= wanted:
            return value
    return max(bins)
