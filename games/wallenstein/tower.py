"""The cube tower: what falls out of it, and how a battle ends with which chance (digest 5.7 and 5.8).

Nobody knows what a real tower does. The model here is the rule of thumb of players: each
cube stays inside or falls out by itself, those just thrown in with another chance than
those that were stuck before. What falls out of one colour is then the sum of two binomial
counts, and the chances of a battle follow exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum
from typing import TypeAlias

from games.core.messages import Message, faction_name, say
from games.core.steps import Step
from games.wallenstein.battle import RULES, Kind, Sides, own_loss, role_message, role_of_peasants
from games.wallenstein.pieces import PEASANTS

# The chance of 0, 1, 2, … cubes.
Chances: TypeAlias = Sequence[float]

NONE: Chances = (1.0,)  # surely no cube


@dataclass(frozen=True, slots=True)
class Retention:
    """The chance of a cube to stay inside: just thrown in, or stuck since an earlier throw."""

    fresh: float
    stuck: float


# A fresh cube falls out two times in three, a stuck one once in three.
RULE_OF_THUMB = Retention(fresh=1 / 3, stuck=2 / 3)


@dataclass(frozen=True, slots=True)
class Throw:
    """A battle before its cubes are thrown. The content of the cup is thrown in with the rest."""

    kind: Kind
    sides: Sides  # the peasants, where they are one
    unrest: int
    in_tower: Mapping[str, int]
    cup: Mapping[str, int]
    thrown: Mapping[str, int]
    retention: Retention = RULE_OF_THUMB

    def fresh(self, colour: str) -> int:
        return self.thrown.get(colour, 0) + self.cup.get(colour, 0)

    def stuck(self, colour: str) -> int:
        return self.in_tower.get(colour, 0)

    def helpers(self) -> bool:
        """5.7: whether the peasants fight for the defender."""
        return role_of_peasants(self.kind, self.unrest) == "help"


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of either side and of a level battle, and how many cubes are left on average."""

    attacker: float
    defender: float
    none: float
    attacker_left: float  # 0 where they lose, as for the defender
    defender_left: float


# Chances of counts


def binomial(cubes: int, chance: float) -> Chances:
    """How many of so many cubes fall, each with this chance."""
    return [comb(cubes, k) * chance**k * (1 - chance) ** (cubes - k) for k in range(cubes + 1)]


def total(one: Chances, other: Chances) -> Chances:
    """The sum of two independent counts."""
    sums = [0.0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        for j, q in enumerate(other):
            sums[i + j] += p * q
    return sums


def falling(throw: Throw, colour: str) -> Chances:
    """How many cubes of a colour fall out: some of those thrown in, some of those inside."""
    fresh = binomial(throw.fresh(colour), 1 - throw.retention.fresh)
    stuck = binomial(throw.stuck(colour), 1 - throw.retention.stuck)
    return total(fresh, stuck)


# Chances of a battle


def odds(throw: Throw) -> Odds:
    """5.7 and 5.8: the chances of a battle before its throw."""
    sides = throw.sides
    attackers, defenders = falling(throw, sides.attacker), falling(throw, sides.defender)
    helpers = falling(throw, PEASANTS) if throw.helpers() else NONE
    defence = total(defenders, helpers)
    losses = _own_losses(attackers, helpers)
    # Peasants go back to their supply even when they win, so none of them is left.
    return Odds(
        attacker=_more(attackers, defence),
        defender=_more(defence, attackers),
        none=fsum(p * q for p, q in zip(attackers, defence, strict=False)),
        attacker_left=0.0 if sides.attacker == PEASANTS else _left(attackers, defence),
        defender_left=0.0 if sides.defender == PEASANTS else _left(defenders, losses),
    )


def _more(ones: Chances, others: Chances) -> float:
    """The chance that one count is larger than another."""
    return fsum(p * q for i, p in enumerate(ones) for q in others[:i])


def _left(cubes: Chances, lost: Chances) -> float:
    """How many cubes are left on average when so many are lost; 0 where that is all or more."""
    return fsum(p * q * (i - j) for i, p in enumerate(cubes) for j, q in enumerate(lost[:i]))


def _own_losses(attackers: Chances, helpers: Chances) -> Chances:
    """5.7: what the defender has to lose of their own, after the peasants at their side."""
    losses = [0.0] * len(attackers)
    for attack, p in enumerate(attackers):
        for peasants, q in enumerate(helpers):
            losses[own_loss(attack, peasants)] += p * q
    return losses


# Saying it


def tower_steps(throw: Throw, result: Odds) -> tuple[Step, ...]:
    """5.7 and 5.8: who fights, what may fall, and how often each side wins."""
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
        fresh_falls=_of_hundred(1 - throw.retention.fresh),
        stuck=throw.stuck(colour),
        stuck_falls=_of_hundred(1 - throw.retention.stuck),
    )


def _odds_message(sides: Sides, result: Odds) -> Message:
    return say(
        "odds",
        attacker=faction_name(sides.attacker),
        attack=_of_hundred(result.attacker),
        defender=faction_name(sides.defender),
        defence=_of_hundred(result.defender),
        none=_of_hundred(result.none),
    )


def _left_message(sides: Sides, result: Odds) -> Message:
    return say(
        "left-over",
        attacker=faction_name(sides.attacker),
        attack=_of_hundred(result.attacker_left),
        defender=faction_name(sides.defender),
        defence=_of_hundred(result.defender_left),
    )


def _of_hundred(number: float) -> int:
    return round(100 * number)
