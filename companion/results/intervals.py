"""How sure one can be of a share: Wilson's interval, and how few games say nothing yet."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

LEVEL = 0.9
# Below it a share is not told: the interval would span most of what is possible.
FEWEST_GAMES = 5


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def wilson(wins: float, games: int, level: float = LEVEL) -> Interval:
    """Where the true share lies, in ``level`` of all cases (Wilson's score interval).

    Wins need not be whole, where a shared one counts in part. Nothing played says nothing: 0 to 1.
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
    # The ends are exact where nothing, or everything, was won; rounding must not move them.
    return Interval(
        low=max(0.0, middle - half) if wins else 0.0,
        high=min(1.0, middle + half) if wins < games else 1.0,
    )
