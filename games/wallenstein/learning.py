"""What a table's own tower teaches: how often cubes fall out of it, those just thrown in and those inside.

**What is seen.** Of each colour a throw tells how many cubes went in, how many were inside, and how many
fell. Which of them fell nobody can see: with k fallen of n fresh and m stuck cubes the likelihood of the two
chances p and q is a convolution, the sum over j of B(n, j, p) · B(m, k - j, q).

**How it is estimated.** By expectation and maximisation. Given p and q, the fallen cubes of a colour are
shared out between fresh and stuck as is to be expected; given the shares, p and q are counted off. Each round
makes the data likelier, and it ends where the posterior is highest. What is known beforehand counts as cubes
that somebody has seen fall: ``WEIGHT`` of each sort, in the shares of the rule of thumb (2/3 and 1/3). That is
a Beta prior for each chance, with its mode at the rule of thumb, so without a throw that is the answer; 40
cubes are about five throws, so the first few move little. A grid over both chances would give the same and
the spread as well, but costs a thousand times the work for every throw.

**What is left out.** The filling of the tower before the game: forty cubes at once jam it as no battle does.

**What it is for.** Odds and the report. No rule looks at it: what falls is what people enter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, fsum

from games.core.codec import Count
from games.wallenstein.tower import RULE_OF_THUMB, Retention, Throw

WEIGHT = 40  # cubes of each sort: about five throws
# A group may have got another tower since, so its past counts for no more than about twenty throws.
MOST_WEIGHT = 160

CLOSE = 1e-7
MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Mixed:
    """Cubes of one colour in one throw of which nobody knows which ones fell."""

    fresh: Count
    stuck: Count
    fell: Count


@dataclass(frozen=True, slots=True)
class Falls:
    """All that throws have to say about a tower.

    Where all cubes of a colour were of one sort, or all fell or none, it is known which ones did: they
    are just counted. Only the rest is kept one by one.
    """

    throws: Count = 0
    fresh: Count = 0
    fresh_fell: Count = 0
    stuck: Count = 0
    stuck_fell: Count = 0
    mixed: tuple[Mixed, ...] = ()

    def after(self, throw: Throw, fallen: Mapping[str, int]) -> Falls:
        """With one more throw. A throw of nothing teaches nothing."""
        colours = sorted({*throw.thrown, *throw.cup, *throw.in_tower})
        seen = [Mixed(throw.fresh(c), throw.stuck(c), fallen.get(c, 0)) for c in colours]
        if not any(one.fresh or one.stuck for one in seen):
            return self
        return self + sum((_known(one) for one in seen), Falls(throws=1))

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
        return self.fresh + sum(one.fresh for one in self.mixed)

    def all_stuck(self) -> int:
        return self.stuck + sum(one.stuck for one in self.mixed)


def _known(one: Mixed) -> Falls:
    """One colour of one throw."""
    if one.fell == 0:
        return Falls(fresh=one.fresh, stuck=one.stuck)
    if one.fell == one.fresh + one.stuck:
        return Falls(fresh=one.fresh, fresh_fell=one.fresh, stuck=one.stuck, stuck_fell=one.stuck)
    if not one.stuck:
        return Falls(fresh=one.fresh, fresh_fell=one.fell)
    if not one.fresh:
        return Falls(stuck=one.stuck, stuck_fell=one.fell)
    return Falls(mixed=(one,))


# What is known beforehand


@dataclass(frozen=True, slots=True)
class Prior:
    """Where the two chances are believed to lie, and as how many cubes of each sort that belief counts."""

    retention: Retention = RULE_OF_THUMB
    fresh: int = WEIGHT
    stuck: int = WEIGHT
    throws: int = 0  # of earlier games, from which it comes


THUMB = Prior()


def prior_of(earlier: Sequence[Falls]) -> Prior:
    """What a group's earlier games have taught."""
    past = sum(earlier, Falls())
    return Prior(
        retention=learned(past),
        fresh=min(WEIGHT + past.all_fresh(), MOST_WEIGHT),
        stuck=min(WEIGHT + past.all_stuck(), MOST_WEIGHT),
        throws=past.throws,
    )


# What is learned


@lru_cache(maxsize=256)
def learned(falls: Falls, prior: Prior = THUMB) -> Retention:
    """The likeliest chances of a tower, after what is known beforehand and the throws so far."""
    fresh, stuck = prior.fresh + falls.all_fresh(), prior.stuck + falls.all_stuck()
    fresh_fell = prior.fresh * (1 - prior.retention.fresh) + falls.fresh_fell
    stuck_fell = prior.stuck * (1 - prior.retention.stuck) + falls.stuck_fell
    mixed = Counter(falls.mixed)
    unknown = sum(one.fell for one in falls.mixed)
    p, q = 1 - prior.retention.fresh, 1 - prior.retention.stuck
    for _ in range(MOST_ROUNDS):
        of_fresh = fsum(times * share(one, p, q) for one, times in mixed.items())
        before = p, q
        p = (fresh_fell + of_fresh) / fresh
        q = (stuck_fell + unknown - of_fresh) / stuck
        if max(abs(p - before[0]), abs(q - before[1])) < CLOSE:
            break
    return Retention(1 - p, 1 - q)


def share(one: Mixed, p: float, q: float) -> float:
    """How many of the fallen cubes are fresh ones on average, if a fresh one falls with p, a stuck one with q."""
    odds = p * (1 - q) / (q * (1 - p))
    least, ways = _ways(one)
    chance, whole, fresh = 1.0, 0.0, 0.0
    for more, way in enumerate(ways):
        whole += way * chance
        fresh += way * chance * more
        chance *= odds
    return least + fresh / whole


@lru_cache(maxsize=4096)
def _ways(one: Mixed) -> tuple[int, tuple[int, ...]]:
    """The least number of fresh cubes among the fallen; the ways to have that many, one more, and so on."""
    least, most = max(0, one.fell - one.stuck), min(one.fresh, one.fell)
    return least, tuple(comb(one.fresh, j) * comb(one.stuck, one.fell - j) for j in range(least, most + 1))
