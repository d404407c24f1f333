"""Estimation of a tower's chances from its throws: how often fresh and stuck cubes fall out.

**Observations.** For each colour a throw gives the number of cubes thrown in, stuck inside and fallen, but
not which of them fell: with k fallen of n fresh and m stuck cubes the likelihood of the two chances p and q
is a convolution, the sum over j of B(n, j, p) · B(m, k - j, q).

**Method.** Expectation maximisation. Given p and q, the fallen cubes of a colour are divided between fresh
and stuck by their expectation; given the division, p and q are relative frequencies. Each iteration increases
the posterior, and it converges to its mode. The prior counts as cubes already seen: `WEIGHT` of each sort, in
the proportions of the rule of thumb (2/3 and 1/3). That is a Beta prior for each chance with its mode at the
rule of thumb, which is therefore the estimate without throws; 40 cubes are about five throws, so the first
few change little. A grid over both chances would give the same estimate and its spread, but costs a thousand
times as much per throw.

**Left out.** Filling the tower before the game: forty cubes at once jam it as no battle does.

**Use.** Odds and the report only. No rule depends on it: the fallen cubes are entered by the players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, fsum

from games.core.codec import Count
from games.wallenstein.tower import RULE_OF_THUMB, Retention, Throw

WEIGHT = 40  # prior weight in cubes of each sort: about five throws
# A group may use another tower by now, so its history counts as at most about twenty throws.
MOST_WEIGHT = 160

CLOSE = 1e-7
MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Mixed:
    """Cubes of one colour in one throw for which it is unknown which of them fell."""

    fresh: Count
    stuck: Count
    fell: Count


@dataclass(frozen=True, slots=True)
class Falls:
    """Sufficient statistics of all throws of a tower.

    If all cubes of a colour were of one sort, or all or none fell, it is known which of them did and they are
    only counted. All other observations are stored one by one in `mixed`.
    """

    throws: Count = 0
    fresh: Count = 0
    fresh_fell: Count = 0
    stuck: Count = 0
    stuck_fell: Count = 0
    mixed: tuple[Mixed, ...] = ()

    def after(self, throw: Throw, fallen: Mapping[str, int]) -> Falls:
        """Return the statistics with one more throw; a throw without cubes changes nothing."""
        colours = sorted({*throw.thrown, *throw.cup, *throw.in_tower})
        observed = [Mixed(throw.fresh(c), throw.stuck(c), fallen.get(c, 0)) for c in colours]
        if not any(cubes.fresh or cubes.stuck for cubes in observed):
            return self
        return self + sum((_statistics_of(cubes) for cubes in observed), Falls(throws=1))

    def __add__(self, other: Falls) -> Falls:
        return Falls(
            throws=self.throws + other.throws,
            fresh=self.fresh + other.fresh,
            fresh_fell=self.fresh_fell + other.fresh_fell,
            stuck=self.stuck + other.stuck,
            stuck_fell=self.stuck_fell + other.stuck_fell,
            mixed=self.mixed + other.mixed,
        )

    def all_fresh(self) -> int:
        return self.fresh + sum(cubes.fresh for cubes in self.mixed)

    def all_stuck(self) -> int:
        return self.stuck + sum(cubes.stuck for cubes in self.mixed)


def _statistics_of(cubes: Mixed) -> Falls:
    """Return the statistics of one colour of one throw."""
    if cubes.fell == 0:
        return Falls(fresh=cubes.fresh, stuck=cubes.stuck)
    if cubes.fell == cubes.fresh + cubes.stuck:
        return Falls(fresh=cubes.fresh, fresh_fell=cubes.fresh, stuck=cubes.stuck, stuck_fell=cubes.stuck)
    if not cubes.stuck:
        return Falls(fresh=cubes.fresh, fresh_fell=cubes.fell)
    if not cubes.fresh:
        return Falls(stuck=cubes.stuck, stuck_fell=cubes.fell)
    return Falls(mixed=(cubes,))


# Prior


@dataclass(frozen=True, slots=True)
class Prior:
    """Prior belief about the two chances, with its weight in cubes of each sort."""

    retention: Retention = RULE_OF_THUMB
    fresh: int = WEIGHT
    stuck: int = WEIGHT
    throws: int = 0  # number of throws of earlier games it is based on


THUMB = Prior()


def prior_of(earlier: Sequence[Falls]) -> Prior:
    """Return the prior learned from a group's earlier games."""
    past = sum(earlier, Falls())
    return Prior(
        retention=learned(past),
        fresh=min(WEIGHT + past.all_fresh(), MOST_WEIGHT),
        stuck=min(WEIGHT + past.all_stuck(), MOST_WEIGHT),
        throws=past.throws,
    )


# Estimate


@lru_cache(maxsize=256)
def learned(falls: Falls, prior: Prior = THUMB) -> Retention:
    """Return the most likely chances of a tower, given the prior and the throws so far."""
    fresh, stuck = prior.fresh + falls.all_fresh(), prior.stuck + falls.all_stuck()
    fresh_fell = prior.fresh * (1 - prior.retention.fresh) + falls.fresh_fell
    stuck_fell = prior.stuck * (1 - prior.retention.stuck) + falls.stuck_fell
    mixed = Counter(falls.mixed)
    unknown = sum(cubes.fell for cubes in falls.mixed)
    p, q = 1 - prior.retention.fresh, 1 - prior.retention.stuck
    for _ in range(MOST_ROUNDS):
        of_fresh = fsum(times * share(cubes, p, q) for cubes, times in mixed.items())
        before = p, q
        p = (fresh_fell + of_fresh) / fresh
        q = (stuck_fell + unknown - of_fresh) / stuck
        if max(abs(p - before[0]), abs(q - before[1])) < CLOSE:
            break
    return Retention(1 - p, 1 - q)


def share(cubes: Mixed, p: float, q: float) -> float:
    """Return the expected number of fresh cubes among the fallen, with chances p (fresh) and q (stuck)."""
    odds = p * (1 - q) / (q * (1 - p))
    least, ways = _ways(cubes)
    chance, whole, fresh = 1.0, 0.0, 0.0
    for more, way in enumerate(ways):
        whole += way * chance
        fresh += way * chance * more
        chance *= odds
    return least + fresh / whole


@lru_cache(maxsize=4096)
def _ways(cubes: Mixed) -> tuple[int, tuple[int, ...]]:
    """Return the least number of fresh cubes among the fallen, and the ways to have each count from it on."""
    least, most = max(0, cubes.fell - cubes.stuck), min(cubes.fresh, cubes.fell)
    return least, tuple(
        comb(cubes.fresh, j) * comb(cubes.stuck, cubes.fell - j) for j in range(least, most + 1)
    )
