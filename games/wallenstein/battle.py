"""Battles and revolts: from the cubes in the cup to the result (5.7, 5.8).

The throw itself is in `tower`. Here only the cubes in the cup count, wherever they came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.steps import Act, Step
from games.wallenstein.options import ATTACK_FAILS, DESTROY, DIGEST, PLACE_ONE, Reading
from games.wallenstein.pieces import ARMY, CUP, HERE, PEASANTS, SUPPLY

Kind: TypeAlias = Literal["player", "neutral", "revolt"]
Role: TypeAlias = Literal["attack", "defend", "help", "watch"]

ATTACKER = "attacker"
DEFENDER = "defender"
NOBODY = "none"

HELD = "held"
CONQUERED = "conquered"
DESTROYED = "destroyed"
NEUTRAL = "neutral"

RULES: Mapping[Kind, str] = {"player": "5.7", "neutral": "5.7", "revolt": "5.8"}

# Largest number of unrest markers with which the peasants help the defender (5.7).
HELPFUL = 1


class Verdicts(NamedTuple):
    """Fates of a province if the attack has more cubes, as many as, or fewer than the defence."""

    attack: str
    level: str
    defence: str


# An empty province has nothing to destroy, so a level attack on it merely fails (5.7, 5.8).
VERDICTS: Mapping[Kind, Verdicts] = {
    "player": Verdicts(attack=CONQUERED, level=DESTROYED, defence=HELD),
    "neutral": Verdicts(attack=CONQUERED, level=NEUTRAL, defence=NEUTRAL),
    "revolt": Verdicts(attack=DESTROYED, level=DESTROYED, defence=HELD),
}


@dataclass(frozen=True, slots=True)
class Battle:
    """Cubes in the cup that may fight, and the armies that the defender kept out of the battle."""

    kind: Kind
    attacker: int = 0
    defender: int = 0
    peasants: int = 0
    unrest: int = 0
    uncommitted: int = 0
    guards: int = 0  # peasants that fight for the defender despite unrest


class Strengths(NamedTuple):
    """Number of cubes that count on each side."""

    attack: int
    defence: int


@dataclass(frozen=True, slots=True)
class Result:
    """Winner, fate of the province and destinations of the cubes."""

    winner: str  # attacker, defender, peasants or none
    province: str
    survivors: int  # moved from the cup to the province
    from_cup: Mapping[str, int]  # returned to the supply, by attacker, defender, peasants
    from_province: int  # uncommitted defenders returned to the supply
    stay_in_cup: int  # peasants
    placed: int = 0  # moved from the defender's supply to the province

    def back_to_supply(self) -> dict[str, int]:
        """Return all cubes that return to the supplies, including uncommitted defenders."""
        return {**self.from_cup, DEFENDER: self.from_cup[DEFENDER] + self.from_province}


# Strengths


def role_of_peasants(kind: Kind, unrest: int) -> Role:
    """Return the role of the fallen peasants in a battle (5.7)."""
    if kind == "revolt":
        return "attack"
    if kind == "neutral":
        return "defend"
    return "help" if unrest <= HELPFUL else "watch"


def strengths(battle: Battle) -> Strengths:
    """Return the number of cubes that count for attack and defence (5.7, 5.8)."""
    match role_of_peasants(battle.kind, battle.unrest):
        case "attack":
            return Strengths(battle.peasants, battle.defender)
        case "defend":
            return Strengths(battle.attacker, battle.peasants)
        case "help":
            return Strengths(battle.attacker, battle.defender + battle.peasants)
        case "watch":
            return Strengths(battle.attacker, battle.defender + battle.guards)


def own_loss(attack: int, helpers: int) -> int:
    """Return the own losses of a defender who holds; helping peasants are lost first (5.7)."""
    return max(0, attack - helpers)


# Result


def resolve(battle: Battle, reading: Reading = DIGEST) -> Result:
    """Resolve a battle or revolt completely (5.7, 5.8)."""
    province = _fate(battle, reading)
    survivors = _survivors(battle, province)
    watching = _watching(battle)
    kept = {
        ATTACKER: survivors if province == CONQUERED else 0,
        DEFENDER: survivors if province == HELD else 0,
    }
    return Result(
        winner=_winner(battle),
        province=province,
        survivors=survivors,
        from_cup={
            ATTACKER: battle.attacker - kept[ATTACKER],
            DEFENDER: battle.defender - kept[DEFENDER],
            PEASANTS: battle.peasants - watching,
        },
        from_province=battle.uncommitted if province in (CONQUERED, DESTROYED) else 0,
        stay_in_cup=watching,
        placed=int(province == HELD and saved_alone(battle) and reading.saved_by_peasants == PLACE_ONE),
    )


def saved_alone(battle: Battle) -> bool:
    """Return True if the peasants won for a defender without cubes in the cup or on the province (A-14)."""
    attack, defence = strengths(battle)
    return battle.kind == "player" and attack < defence and not battle.defender and not battle.uncommitted


def nothing_fell(battle: Battle) -> bool:
    """Return True if no cube fell on either side (A-15)."""
    return not any(strengths(battle))


def _winner(battle: Battle) -> str:
    attack, defence = strengths(battle)
    if attack == defence:
        return NOBODY
    if attack > defence:
        return PEASANTS if battle.kind == "revolt" else ATTACKER
    return PEASANTS if battle.kind == "neutral" else DEFENDER


def _fate(battle: Battle, reading: Reading) -> str:
    attack, defence = strengths(battle)
    verdicts = VERDICTS[battle.kind]
    if attack > defence:
        return verdicts.attack
    if attack == defence:
        spared = nothing_fell(battle) and reading.nothing_fell == ATTACK_FAILS
        return verdicts.defence if spared else verdicts.level
    lost = saved_alone(battle) and reading.saved_by_peasants == DESTROY
    return DESTROYED if lost else verdicts.defence


def _survivors(battle: Battle, province: str) -> int:
    attack, defence = strengths(battle)
    if province == CONQUERED:
        return attack - defence
    if province == HELD:
        return battle.defender - own_loss(attack, _helpers(battle))
    return 0


def _helpers(battle: Battle) -> int:
    """Return the number of peasants that fight for the defender."""
    match role_of_peasants(battle.kind, battle.unrest):
        case "help":
            return battle.peasants
        case "watch":
            return battle.guards
    return 0


def _watching(battle: Battle) -> int:
    """Return the number of peasants that fight for nobody."""
    watch = role_of_peasants(battle.kind, battle.unrest) == "watch"
    return battle.peasants - battle.guards if watch else 0


# Explanation


@dataclass(frozen=True, slots=True)
class Sides:
    """Factions of both sides and the place they fight for; the defaults are role names for calculators."""

    attacker: str = ATTACKER
    defender: str = DEFENDER
    place: str = HERE


ROLES = Sides()


def battle_steps(battle: Battle, result: Result, sides: Sides = ROLES) -> tuple[Step, ...]:
    """Explain a battle: strengths, result, and the moves and manual acts that follow (5.7, 5.8)."""
    rule = RULES[battle.kind]
    return (
        Step(rule, role_message(battle.kind, battle.unrest, sides)),
        Step(rule, _strengths_message(battle, sides)),
        Step(
            rule,
            _verdict_message(battle, result, sides),
            moves=tuple(_moves(result, sides)),
            acts=tuple(_acts(battle, result, sides)),
            steps=tuple(_loss_steps(battle, result, sides)),
            options=_options(battle, result),
        ),
        *_leftover_steps(battle, result, sides),
    )


def role_message(kind: Kind, unrest: int, sides: Sides) -> Message:
    """Return the message that explains the role of the peasants (5.7)."""
    defender = faction_name(sides.defender)
    match role_of_peasants(kind, unrest):
        case "attack":
            return say("peasants-attack", defender=defender)
        case "defend":
            return say("peasants-defend")
        case "help":
            return say("peasants-help", count=unrest, defender=defender)
        case "watch":
            return say("peasants-watch", count=unrest)


def _fighters(kind: Kind, sides: Sides) -> Sides:
    """Return the sides with the peasants in place of the missing player."""
    return Sides(
        attacker=PEASANTS if kind == "revolt" else sides.attacker,
        defender=PEASANTS if kind == "neutral" else sides.defender,
    )


def _strengths_message(battle: Battle, sides: Sides) -> Message:
    attack, defence = strengths(battle)
    names = _fighters(battle.kind, sides)
    attacker, defender = faction_name(names.attacker), faction_name(names.defender)
    helpers = _helpers(battle)
    if not helpers:
        return say("strengths", attacker=attacker, attack=attack, defender=defender, defence=defence)
    parts = {"own": battle.defender, "helpers": helpers, "defence": defence}
    return say("strengths-helped", attacker=attacker, attack=attack, defender=defender, **parts)


def _verdict_message(battle: Battle, result: Result, sides: Sides) -> Message:
    attack, defence = strengths(battle)
    match result.province:
        case "conquered":
            attacker = faction_name(sides.attacker)
            return say("conquered", attacker=attacker, attack=attack, defence=defence, count=result.survivors)
        case "held":
            return _held_message(battle, result, sides)
        case "neutral":
            return say("still-level" if attack == defence else "still-empty", attack=attack, defence=defence)
    return say(_why_destroyed(attack, defence), attack=attack, defence=defence)


def _held_message(battle: Battle, result: Result, sides: Sides) -> Message:
    attack, defence = strengths(battle)
    defender = faction_name(sides.defender)
    if attack == defence:
        return say("nothing-fell", defender=defender)
    if saved_alone(battle):
        code = "saved-with-one" if result.placed else "saved"
        return say(code, attack=attack, defence=defence, defender=defender)
    return say("held", defender=defender, attack=attack, defence=defence, count=result.survivors)


def _why_destroyed(attack: int, defence: int) -> str:
    if attack == defence:
        return "level"
    return "revolt-won" if attack > defence else "saved-in-vain"


def _moves(result: Result, sides: Sides) -> Iterator[Move]:
    """Yield the moves out of the cup, and out of the supply if A-14 says so."""
    owners = {ATTACKER: sides.attacker, DEFENDER: sides.defender, PEASANTS: PEASANTS}
    for role, owner in owners.items():
        if result.from_cup[role]:
            yield Move(owner, ARMY, CUP, SUPPLY, result.from_cup[role])
    if result.survivors:
        yield Move(owners[result.winner], ARMY, CUP, sides.place, result.survivors)
    if result.placed:
        yield Move(sides.defender, ARMY, SUPPLY, sides.place, result.placed)


def _acts(battle: Battle, result: Result, sides: Sides) -> Iterator[Act]:
    """Yield manual acts for cards, markers and buildings; a calculator does not know their number (5.7)."""
    if result.province == CONQUERED:
        yield Act(sides.attacker, say("take-card"))
        if battle.kind == "neutral":
            yield Act(sides.attacker, say("add-marker"))
    if result.province == DESTROYED:
        yield Act(None, say("destroy"))


def _loss_steps(battle: Battle, result: Result, sides: Sides) -> Iterator[Step]:
    """Yield the step that shares the losses of a holding defender with the peasants (5.7)."""
    helpers = _helpers(battle)
    if helpers and result.province == HELD:
        loss = own_loss(battle.attacker, helpers)
        first = battle.attacker - loss
        defender = faction_name(sides.defender)
        yield Step("5.7", say("losses", defender=defender, count=battle.attacker, helpers=first, own=loss))


def _leftover_steps(battle: Battle, result: Result, sides: Sides) -> Iterator[Step]:
    """Yield the steps for uncommitted armies and for peasants that stay in the cup (5.7)."""
    rule = RULES[battle.kind]
    if result.from_province:
        move = Move(sides.defender, ARMY, sides.place, SUPPLY, result.from_province)
        message = say("uncommitted", count=result.from_province, defender=faction_name(sides.defender))
        yield Step(rule, message, moves=(move,))
    if result.stay_in_cup:
        yield Step(rule, say("stay-in-cup", count=result.stay_in_cup))


def _options(battle: Battle, result: Result) -> tuple[str, ...]:
    """Return the table options on which the result depended."""
    if result.province == NEUTRAL:
        return ()
    names = {
        "saved_by_peasants": saved_alone(battle),
        "nothing_fell": nothing_fell(battle),
        "guards_fight": bool(battle.guards),
    }
    return tuple(name for name, mattered in names.items() if mattered)
