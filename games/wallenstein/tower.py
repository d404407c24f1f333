"""The cube tower: what falls out of it, and how a battle ends with which chance (digest 5.7 and 5.8).

Nobody knows what a real tower does. The model here is the rule of thumb of players: each
cube stays inside or falls out by itself, those just thrown in with another chance than
those that were stuck before. What falls out of one colour is then the sum of two binomial
counts, and the chances of a battle follow exactly. ``learning`` says how the two chances of
a table's own tower are found.
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

# The chance of 0, 1, 2, … cubes.
Chances: TypeAlias = Sequence[float]

NONE: Chances = (1.0,)  # surely no cube

FATES = (CONQUERED, HELD, DESTROYED, NEUTRAL)  # of a province


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
    lying: Mapping[str, int] = field(
        default_factory=dict
    )  # in the cup and not thrown in: they count as they lie
    uncommitted: int = 0  # armies that the defender keeps out of it
    guards: bool = False  # a palace guard fights for the defender whatever the unrest
    reading: Reading = DIGEST

    def fresh(self, colour: str) -> int:
        return self.thrown.get(colour, 0) + self.cup.get(colour, 0)

    def stuck(self, colour: str) -> int:
        return self.in_tower.get(colour, 0)

    def helpers(self) -> bool:
        """5.7: whether peasants fight for the defender: all of them, or the palace guard alone."""
        role = role_of_peasants(self.kind, self.unrest)
        return role == "help" or (role == "watch" and self.guards)

    def battle(self, out: Mapping[str, int]) -> Battle:
        """5.7: the battle when these cubes lie in the cup, wherever they came from."""
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
    """The chances of either side, of a level battle, and of what becomes of the province.

    With them, how many cubes are left on average, and how far that number strays.
    """

    attacker: float
    defender: float
    none: float
    attacker_left: float  # 0 where they lose, as for the defender
    defender_left: float
    attacker_strays: float  # the standard deviation of what is left
    defender_strays: float
    province: Mapping[str, float]  # conquered, held, destroyed, neutral: those that can be


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
    return [0.0] * throw.lying.get(colour, 0) + list(total(fresh, stuck))


def helping(throw: Throw) -> Chances:
    """5.7: how many peasants fight for the defender; in spite of unrest one palace guard at most (A-19)."""
    if not throw.helpers():
        return NONE
    peasants = falling(throw, PEASANTS)
    if role_of_peasants(throw.kind, throw.unrest) == "help":
        return peasants
    return [peasants[0], fsum(peasants[1:])]


# Chances of a battle


def odds(throw: Throw) -> Odds:
    """5.7 and 5.8: the chances of a battle before its throw."""
    sides = throw.sides
    attackers, defenders = falling(throw, sides.attacker), falling(throw, sides.defender)
    helpers = helping(throw)
    defence = total(defenders, helpers)
    losses = _own_losses(attackers, helpers)
    # Peasants go back to their supply even when they win, so none of them is left.
    attack_left = NONE if sides.attacker == PEASANTS else _left(attackers, defence)
    defence_left = NONE if sides.defender == PEASANTS else _left(defenders, losses)
    ends = Ends(
        won=_more(attackers, defence),
        held=_more(defence, attackers),
        level=fsum(p * q for p, q in zip(attackers, defence, strict=False)),
        nothing=attackers[0] * defence[0],
        saved=defenders[0] * _more(helpers, attackers) if may_be_saved(throw) else 0.0,
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
    """How a battle ends with which chance; the last two are cases of ``level`` and of ``held``."""

    won: float
    held: float
    level: float
    nothing: float  # no cube fell on either side
    saved: float  # the peasants alone won for the defender


def may_be_saved(throw: Throw) -> bool:
    """A-14: whether no army of the defender would be left if none of their cubes fell."""
    return throw.kind == "player" and not throw.uncommitted


def _fates(throw: Throw, ends: Ends) -> dict[str, float]:
    """5.7 and 5.8: what becomes of the province; A-14 and A-15 as the table reads them."""
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
    """The standard deviation."""
    middle = mean(count)
    return sqrt(fsum(p * (n - middle) ** 2 for n, p in enumerate(count)))


def _more(ones: Chances, others: Chances) -> float:
    """The chance that one count is larger than another."""
    return fsum(p * q for i, p in enumerate(ones) for q in others[:i])


def _left(cubes: Chances, lost: Chances) -> Chances:
    """How many cubes are left when so many are lost; none where that is all or more."""
    left = [0.0] * len(cubes)
    for i, p in enumerate(cubes):
        for j, q in enumerate(lost):
            left[max(0, i - j)] += p * q
    return left


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
