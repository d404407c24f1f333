"""Confidence intervals of shares (Wilson), and the number of games below which a share is not shown."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

LEVEL = 0.9
# No share is shown for fewer games: the interval would span most of the possible values.
FEWEST_GAMES = 5


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def wilson(wins: float, games: int, level: float = LEVEL) -> Interval:
    """Return Wilson's score interval of a share at a confidence level; 0 to 1 without games.

    Wins may be fractional, since a shared win counts in part.
    """
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins of {games} games")
    if not games:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = wins / games
    scale = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / scale
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / scale
    # With no wins, or only wins, one end is exact; rounding must not move it.
    return Interval(
        low=max(0.0, middle - half) if wins else 0.0,
        high=min(1.0, middle + half) if wins < games else 1.0,
    )
