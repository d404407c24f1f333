"""The cube tower: distribution of the fallen cubes and odds of a battle (5.7, 5.8).

The behaviour of a real tower is unknown. The model is the players' rule of thumb: each cube falls out
independently, and cubes just thrown in have another chance than cubes stuck from earlier throws. The
number of fallen cubes of a colour is then the sum of two binomial counts, and the odds of a battle are
computed exactly. `learning` estimates the two chances for a table's own tower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, fsum, sqrt
from typing import NamedTuple, TypeAlias

from games.core.messages import Message, faction_name, say
from games.core.steps import Step
from games.wallenstein.battle import (
    CONQUERED,
    DESTROYED,
    HELD,
    NEUTRAL,
    RULES,
    VERDICTS,
    Battle,
    Kind,
    Sides,
    own_loss,
    role_message,
    role_of_peasants,
)
from games.wallenstein.options import ATTACK_FAILS, DESTROY, DIGEST, Reading
from games.wallenstein.pieces import PEASANTS

# Probabilities of 0, 1, 2, … cubes.
Chances: TypeAlias = Sequence[float]

NONE: Chances = (1.0,)  # no cube for certain

FATES = (CONQUERED, HELD, DESTROYED, NEUTRAL)  # possible fates of a province


@dataclass(frozen=True, slots=True)
class Retention:
    """Probability that a cube stays inside: just thrown in, or stuck since an earlier throw."""

    fresh: float
    stuck: float


# A fresh cube falls out with probability 2/3, a stuck one with 1/3.
RULE_OF_THUMB = Retention(fresh=1 / 3, stuck=2 / 3)


@dataclass(frozen=True, slots=True)
class Throw:
    """A battle before its cubes are thrown. The content of the cup is thrown in too."""

    kind: Kind
    sides: Sides  # `PEASANTS` where they are one of the sides
    unrest: int
    in_tower: Mapping[str, int]
    cup: Mapping[str, int]
    thrown: Mapping[str, int]
    retention: Retention = RULE_OF_THUMB
    # Cubes that a correction put into the cup after the throw; they count as fallen.
    lying: Mapping[str, int] = field(default_factory=dict)
    uncommitted: int = 0  # armies that the defender keeps out of the battle
    guards: bool = False  # a palace guard fights for the defender despite unrest
    reading: Reading = DIGEST

    def fresh(self, colour: str) -> int:
        return self.thrown.get(colour, 0) + self.cup.get(colour, 0)

    def stuck(self, colour: str) -> int:
        return self.in_tower.get(colour, 0)

    def helpers(self) -> bool:
        """Return True if peasants fight for the defender: all of them, or the palace guard alone (5.7)."""
        role = role_of_peasants(self.kind, self.unrest)
        return role == "help" or (role == "watch" and self.guards)

    def battle(self, out: Mapping[str, int]) -> Battle:
        """Return the battle that follows if `out` are the cubes in the cup (5.7)."""
        peasants = out.get(PEASANTS, 0)
        watching = role_of_peasants(self.kind, self.unrest) == "watch"
        return Battle(
            kind=self.kind,
            attacker=0 if self.kind == "revolt" else out.get(self.sides.attacker, 0),
            defender=0 if self.kind == "neutral" else out.get(self.sides.defender, 0),
            peasants=peasants,
            unrest=self.unrest,
            uncommitted=0 if self.kind == "neutral" else self.uncommitted,
            guards=min(1, peasants) if self.guards and watching else 0,
        )


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds of a battle.

    Probabilities of each winner, of a level battle and of each fate of the province, with mean and standard
    deviation of the cubes left on each side.
    """

    attacker: float
    defender: float
    none: float
    attacker_left: float  # mean; a lost battle counts as 0, likewise for the defender
    defender_left: float
    attacker_strays: float  # standard deviation
    defender_strays: float
    province: Mapping[str, float]  # by fate; impossible fates are left out


# Distributions of counts


def binomial(cubes: int, chance: float) -> Chances:
    """Return the distribution of the number of fallen cubes if each falls with this chance."""
    return [comb(cubes, k) * chance**k * (1 - chance) ** (cubes - k) for k in range(cubes + 1)]


def total(first: Chances, second: Chances) -> Chances:
    """Return the distribution of the sum of two independent counts."""
    sums = [0.0] * (len(first) + len(second) - 1)
    for i, p in enumerate(first):
        for j, q in enumerate(second):
            sums[i + j] += p * q
    return sums


def falling(throw: Throw, colour: str) -> Chances:
    """Return the distribution of the fallen cubes of a colour, both fresh and stuck."""
    fresh = binomial(throw.fresh(colour), 1 - throw.retention.fresh)
    stuck = binomial(throw.stuck(colour), 1 - throw.retention.stuck)
    return [0.0] * throw.lying.get(colour, 0) + list(total(fresh, stuck))


def helping(throw: Throw) -> Chances:
    """Return the distribution of the peasants that fight for the defender (5.7).

    Despite unrest at most one palace guard fights (A-19).
    """
    if not throw.helpers():
        return NONE
    peasants = falling(throw, PEASANTS)
    if role_of_peasants(throw.kind, throw.unrest) == "help":
        return peasants
    return [peasants[0], fsum(peasants[1:])]


# Odds of a battle


def odds(throw: Throw) -> Odds:
    """Return the odds of a battle before its throw (5.7, 5.8)."""
    sides = throw.sides
    attackers, defenders = falling(throw, sides.attacker), falling(throw, sides.defender)
    helpers = helping(throw)
    defence = total(defenders, helpers)
    losses = _own_losses(attackers, helpers)
    # Winning peasants return to their supply, so none of them is left on the province.
    attack_left = NONE if sides.attacker == PEASANTS else _remaining(attackers, defence)
    defence_left = NONE if sides.defender == PEASANTS else _remaining(defenders, losses)
    ends = Ends(
        won=_probability_greater(attackers, defence),
        held=_probability_greater(defence, attackers),
        level=fsum(p * q for p, q in zip(attackers, defence, strict=False)),
        nothing=attackers[0] * defence[0],
        saved=defenders[0] * _probability_greater(helpers, attackers) if may_be_saved(throw) else 0.0,
    )
    return Odds(
        attacker=ends.won,
        defender=ends.held,
        none=ends.level,
        attacker_left=mean(attack_left),
        defender_left=mean(defence_left),
        attacker_strays=deviation(attack_left),
        defender_strays=deviation(defence_left),
        province=_fates(throw, ends),
    )


class Ends(NamedTuple):
    """Probabilities of the results of a battle; `nothing` is part of `level`, `saved` is part of `held`."""

    won: float
    held: float
    level: float
    nothing: float  # no cube fell on either side
    saved: float  # the peasants alone won for the defender


def may_be_saved(throw: Throw) -> bool:
    """Return True if the peasants alone can save the province, with no defending army left (A-14)."""
    return throw.kind == "player" and not throw.uncommitted


def _fates(throw: Throw, ends: Ends) -> dict[str, float]:
    """Return the probability of each fate of the province, by the table's reading (5.7, 5.8, A-14, A-15)."""
    verdicts = VERDICTS[throw.kind]
    spared = ends.nothing if throw.reading.nothing_fell == ATTACK_FAILS else 0.0
    in_vain = ends.saved if throw.reading.saved_by_peasants == DESTROY else 0.0
    chances = (
        (verdicts.attack, ends.won),
        (verdicts.defence, ends.held - in_vain + spared),
        (verdicts.level, ends.level - spared),
        (DESTROYED, in_vain),
    )
    return {
        fate: max(0.0, fsum(chance for name, chance in chances if name == fate))
        for fate in FATES
        if fate in verdicts
    }


def mean(count: Chances) -> float:
    return fsum(n * p for n, p in enumerate(count))


def deviation(count: Chances) -> float:
    """Return the standard deviation."""
    middle = mean(count)
    return sqrt(fsum(p * (n - middle) ** 2 for n, p in enumerate(count)))


def _probability_greater(first: Chances, second: Chances) -> float:
    """Return the probability that the first count is larger than the second."""
    return fsum(p * q for i, p in enumerate(first) for q in second[:i])


def _remaining(cubes: Chances, lost: Chances) -> Chances:
    """Return the distribution of the cubes left after the losses, never below 0."""
    left = [0.0] * len(cubes)
    for i, p in enumerate(cubes):
        for j, q in enumerate(lost):
            left[max(0, i - j)] += p * q
    return left


def _own_losses(attackers: Chances, helpers: Chances) -> Chances:
    """Return the distribution of the defender's own losses, after those of the helping peasants (5.7)."""
    losses = [0.0] * len(attackers)
    for attack, p in enumerate(attackers):
        for peasants, q in enumerate(helpers):
            losses[own_loss(attack, peasants)] += p * q
    return losses


# Explanation


def tower_steps(throw: Throw, result: Odds) -> tuple[Step, ...]:
    """Explain the odds: the fighters, the cubes that may fall, and how often each side wins (5.7, 5.8)."""
    rule = RULES[throw.kind]
    sides = throw.sides
    colours = [sides.attacker, sides.defender] + [PEASANTS] * throw.helpers()
    return (
        Step(rule, role_message(throw.kind, throw.unrest, throw.sides)),
        *(Step("5.7", _falling_message(throw, colour)) for colour in colours),
        Step(rule, _odds_message(sides, result)),
        Step(rule, _left_message(sides, result)),
    )


def _falling_message(throw: Throw, colour: str) -> Message:
    return say(
        "may-fall",
        faction=faction_name(colour),
        fresh=throw.fresh(colour),
        fresh_falls=_percent(1 - throw.retention.fresh),
        stuck=throw.stuck(colour),
        stuck_falls=_percent(1 - throw.retention.stuck),
    )


def _odds_message(sides: Sides, result: Odds) -> Message:
    return say(
        "odds",
        attacker=faction_name(sides.attacker),
        attack=_percent(result.attacker),
        defender=faction_name(sides.defender),
        defence=_percent(result.defender),
        none=_percent(result.none),
    )


def _left_message(sides: Sides, result: Odds) -> Message:
    return say(
        "left-over",
        attacker=faction_name(sides.attacker),
        attack=_percent(result.attacker_left),
        defender=faction_name(sides.defender),
        defence=_percent(result.defender_left),
    )


def _percent(number: float) -> int:
    return round(100 * number)
