"""Counts that statistics keep of a game, and functions to read them. Pure functions, no database.

Counts are integers by name. Games can be added and subtracted exactly, in any order, and the counts of
several cells can be summed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from companion.results.filters import ANY, DEFAULT
from companion.results.played import PER_POINT, Line, Played

Counts = Counter[str]

# Bins of the histograms: points in steps of 1, lengths in steps of 10 minutes, clamped to these limits.
LEAST_POINTS, MOST_POINTS = -50, 400
MINUTES = 10
MOST_MINUTES = 24 * 60

SERVER = 0  # the scope of all games; the scope of a circle is its primary key


@dataclass(frozen=True, slots=True)
class Cell:
    """A group of games that are counted together."""

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
    """Return the cells of a scope in which a game is counted."""
    month = month_of(played.ended_at)
    return [
        Cell(scope, played.game, played.mode, played.players, played.clean, span, period, option)
        for span, period in (("all", ""), ("year", month[:4]), ("month", month))
        for option in (ANY, *(played.options or (DEFAULT,)))
    ]


def month_of(at: datetime) -> str:
    """Return the month as 2026-11, in UTC. Years have four digits, so that months sort as text."""
    in_utc = at.astimezone(UTC)
    return f"{in_utc.year:04}-{in_utc.month:02}"


def counts_of(played: Played) -> Counts:
    """Return the counts that a game adds to each of its cells."""
    counts = Counts({"games": 1})
    for line in played.lines:
        for prefix in (f"faction/{line.faction}", f"seat/{line.seat}"):
            counts[f"{prefix}/games"] += 1
            counts[f"{prefix}/wins"] += line.won
        counts[f"points/{line.faction}/{_points_bin(line.points)}"] += 1
        counts[f"sum/{line.faction}"] += line.points
    if played.seconds is not None:
        counts[f"length/{min(played.seconds // 60, MOST_MINUTES) // MINUTES * MINUTES}"] += 1
        counts["timed"] += 1
        counts["seconds"] += played.seconds
    counts.update(_at_half_time(played.lines))
    return counts


def _points_bin(points: int) -> int:
    return max(LEAST_POINTS, min(MOST_POINTS, points // PER_POINT))


def _at_half_time(lines: Iterable[Line]) -> Counts:
    """Return the half-time points of winners and others, and whether a half-time leader won."""
    scored = [line for line in lines if line.half_points is not None]
    counts = Counts()
    if not scored:
        return counts
    for line in scored:
        prefix = "half/won" if line.won else "half/lost"
        counts[f"{prefix}/scores"] += 1
        counts[f"{prefix}/points"] += line.half_points or 0
        for part, points in (line.half_parts or {}).items():
            counts[f"{prefix}/had/{part}"] += 1
            counts[f"{prefix}/part/{part}"] += points
    counts["half/games"] += 1
    most = max(line.half_points or 0 for line in scored)
    leaders = [line for line in scored if line.half_points == most]
    if len(leaders) < len(scored):
        counts["half/led"] += 1
        counts["half/held"] += any(line.won for line in leaders)
    return counts


def add_counts(old: Mapping[str, int], counts: Mapping[str, int], sign: int) -> dict[str, int]:
    """Return the old counts with others added, or subtracted (``sign`` -1), without those that become 0."""
    total = {name: old.get(name, 0) + sign * counts.get(name, 0) for name in {**old, **counts}}
    return {name: number for name, number in sorted(total.items()) if number}


# Reading


def counts_below(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    """Return the counts whose name starts with a prefix and a slash, by the remainder of the name."""
    start = f"{prefix}/"
    return {name[len(start) :]: number for name, number in counts.items() if name.startswith(start)}


def quantile(bins: Mapping[int, int], share: float) -> int:
    """Return the smallest value that at least this share of a non-empty histogram does not exceed."""
    threshold, cumulative = share * sum(bins.values()), 0
    for value in sorted(bins):
        cumulative += bins[value]
        if cumulative >= threshold:
            return value
    return max(bins)
