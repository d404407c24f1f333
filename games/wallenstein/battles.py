"""Phases of a battle or revolt: committing defenders, the throw, and its aftermath (5.7, 5.8).

The result itself is computed in `battle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games.core.actions import Action
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import Frame, call, check_turn, done, goto, not_now
from games.core.ledger import Move
from games.core.messages import faction_name, say
from games.core.prompts import Allocation, Number, Prompt
from games.core.rulings import Verdict, judge
from games.core.steps import Account, Act, Outcome, Step
from games.wallenstein import battle as fighting
from games.wallenstein import tower
from games.wallenstein.actions import Defend, Throw
from games.wallenstein.battle import (
    ATTACKER,
    CONQUERED,
    DEFENDER,
    DESTROYED,
    HELD,
    NEUTRAL,
    NOBODY,
    RULES,
    Battle,
    Kind,
    Sides,
    battle_steps,
)
from games.wallenstein.cards import PALACE_GUARDS
from games.wallenstein.options import reading_of
from games.wallenstein.pieces import (
    ARMY,
    BANK,
    BUILDINGS,
    PALACE,
    PEASANTS,
    SUPPLY,
    TILE,
    TOWER,
    UNREST,
    place_of,
)
from games.wallenstein.state import (
    Fell,
    State,
    armies_in,
    buildings_in,
    in_cup,
    in_tower,
    province_name,
    supply_of,
    unrest_in,
)
from games.wallenstein.throws import (
    colour_name,
    cup_moves,
    fallen_moves,
    likely,
    refuse_fallen,
)


@dataclass(frozen=True, slots=True)
class Clash:
    """A battle or revolt under way; stored in the frame as data."""

    kind: Kind
    province: str
    attacker: str = PEASANTS
    defender: str = PEASANTS
    origin: str | None = None
    armies: int = 0  # attacking armies
    rebels: int = 0  # peasant armies to be thrown in, if the supply has them
    marker: bool = False  # add an unrest marker if the province is held (5.4)

    @property
    def rule(self) -> str:
        return RULES[self.kind]

    @property
    def thrower(self) -> str:
        """The player who enters the fallen cubes."""
        return self.defender if self.kind == "revolt" else self.attacker

    @property
    def key(self) -> str:
        return f"{'revolt' if self.kind == 'revolt' else 'battle'}:{self.province}"

    def frame(self) -> Frame:
        data: dict[str, Json] = {name: getattr(self, name) for name in self.__slots__}
        return Frame("battle", data)


def clash_of(state: State) -> Clash:
    """Return the battle under way."""
    data = dict(state.frames[-1].data)
    data.pop("thrown", None)
    return Clash(**data)


def begin(state: State, clash: Clash) -> Outcome[State]:
    """Announce a battle and call its phase; the current phase continues afterwards (5.7, 5.8)."""
    account = Account(state)
    name = province_name(clash.province)
    if clash.kind == "player":
        sides = {"attacker": faction_name(clash.attacker), "defender": faction_name(clash.defender)}
        account.step(clash.rule, say("attacks", province=name, count=clash.armies, **sides))
    elif clash.kind == "neutral":
        attacker = faction_name(clash.attacker)
        account.step(clash.rule, say("attacks-empty", province=name, count=clash.armies, attacker=attacker))
    else:
        defender = faction_name(clash.defender)
        account.step(clash.rule, say("revolts-against", province=name, count=clash.rebels, defender=defender))
    account.set(frames=call(account.state, clash.frame()))
    return account.outcome()


# Committing defenders


@dataclass(frozen=True, slots=True)
class Battles:
    """The defender commits armies. The frame holds the battle."""

    name = "battle"
    rule = "5.7"

    def prompts(self, state: State) -> Sequence[Prompt]:
        clash = clash_of(state)
        least, most = _defenders(state, clash)
        example = Defend(faction=clash.defender, armies=most)
        title = say("prompt-defend", province=province_name(clash.province))
        fields = (Number("armies", least, most),)
        return [Prompt(faction=clash.defender, title=title, rule=clash.rule, example=example, fields=fields)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        clash = clash_of(state)
        if not isinstance(action, Defend):
            raise not_now(action, rule=clash.rule)
        check_turn(action, clash.defender, rule=clash.rule)
        least, most = _defenders(state, clash)
        if action.armies > most:
            named = {"colour": colour_name(clash.defender), "province": province_name(clash.province)}
            raise Illegal(say("few-armies-there", count=most, **named), rule=clash.rule)
        if action.armies < least:
            raise Illegal(say("defend-with-one"), rule=clash.rule)
        return throw_in(state, clash, action.armies)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Call off an attack without enough armies, and skip the prompt if there is no choice."""
        clash = clash_of(state)
        if clash.origin is not None and armies_in(state, clash.origin, clash.attacker) <= clash.armies:
            return _called_off(state, clash)
        least, most = _defenders(state, clash)
        return throw_in(state, clash, most) if least == most else None


def _defenders(state: State, clash: Clash) -> tuple[int, int]:
    """Return the least and the largest number of defenders; a table may require one (5.7, A-13)."""
    most = 0 if clash.kind == "neutral" else armies_in(state, clash.province, clash.defender)
    return min(most, state.setup.options["least_defenders"]), most


def _called_off(state: State, clash: Clash) -> Outcome[State]:
    """Call the attack off: a correction left too few armies to attack with."""
    account = Account(state)
    account.step(clash.rule, say("called-off", province=province_name(clash.province)))
    account.set(frames=done(state))
    return account.outcome()


def throw_in(state: State, clash: Clash, defenders: int) -> Outcome[State]:
    """Move all fighting cubes and the content of the cup into the tower (5.7, 5.8)."""
    account = Account(state)
    rebels = min(clash.rebels, supply_of(state, PEASANTS))
    if rebels < clash.rebels:
        account.step(clash.rule, say("few-peasants", count=rebels, wanted=clash.rebels))
    moves = _armies_thrown(clash, defenders, rebels) + cup_moves(state)
    thrown = _by_colour(moves)
    account.step(
        clash.rule,
        say("thrown", count=sum(thrown.values()), province=province_name(clash.province)),
        moves=moves,
        options=["least_defenders"] if clash.kind != "neutral" else [],
    )
    if clash.kind != "neutral":
        account.set(kept={**state.kept, clash.province: clash.defender})
    frame = Frame("throw", {**clash.frame().data, "thrown": thrown})
    account.set(frames=goto(account.state, frame))
    return account.outcome()


def _armies_thrown(clash: Clash, defenders: int, rebels: int) -> list[Move]:
    moves = []
    if clash.origin is not None:
        moves.append(Move(clash.attacker, ARMY, place_of(clash.origin), TOWER, clash.armies))
    if defenders:
        moves.append(Move(clash.defender, ARMY, place_of(clash.province), TOWER, defenders))
    if rebels:
        moves.append(Move(PEASANTS, ARMY, SUPPLY, TOWER, rebels))
    return moves


def _by_colour(moves: Sequence[Move]) -> dict[str, int]:
    thrown: dict[str, int] = {}
    for move in moves:
        thrown[move.owner] = thrown.get(move.owner, 0) + move.count
    return thrown


# The throw


@dataclass(frozen=True, slots=True)
class Throws:
    """A player enters the fallen cubes. The frame holds the battle and the cubes thrown in."""

    name = "throw"
    rule = "5.7"

    def prompts(self, state: State) -> Sequence[Prompt]:
        clash = clash_of(state)
        most = {colour: count for colour, count in in_tower(state).items() if count}
        thrown = _thrown(state)
        fallen = {
            colour: likely(fresh, count - fresh)
            for colour, count in most.items()
            for fresh in [min(count, thrown.get(colour, 0))]
            if likely(fresh, count - fresh)
        }
        return [
            Prompt(
                faction=clash.thrower,
                title=say("prompt-throw", province=province_name(clash.province)),
                rule=clash.rule,
                example=Throw(faction=clash.thrower, fallen=fallen),
                fields=(Allocation("fallen", most, 0, sum(most.values())),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        clash = clash_of(state)
        if not isinstance(action, Throw):
            raise not_now(action, rule=clash.rule)
        check_turn(action, clash.thrower, rule=clash.rule)
        refuse_fallen(state, action.fallen, _thrown(state))
        return fight(state, clash, action.fallen)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Skip the prompt if the tower is empty, since nothing can fall."""
        return None if any(in_tower(state).values()) else fight(state, clash_of(state), {})


def _thrown(state: State) -> Mapping[str, int]:
    thrown: Mapping[str, int] = state.frames[-1].data["thrown"]
    return thrown


def pending(
    state: State, defenders: int | None = None, retention: tower.Retention = tower.RULE_OF_THUMB
) -> tower.Throw | None:
    """Return the throw that is about to be made, for its odds, or None.

    `defenders` assumes that so many armies are committed; the default is all of them.
    """
    phase = state.frames[-1].phase
    if phase == "throw":
        return replace(_throw_under_way(state), retention=retention)
    if phase != "battle":
        return None
    clash = clash_of(state)
    armies = _defenders(state, clash)[1]
    fight = armies if defenders is None else defenders
    rebels = min(clash.rebels, supply_of(state, PEASANTS))
    return replace(
        _throw_without_cubes(state, clash),
        in_tower=in_tower(state),
        cup=in_cup(state),
        thrown=_by_colour(_armies_thrown(clash, fight, rebels)),
        uncommitted=max(0, armies - fight),
        retention=retention,
    )


def _throw_under_way(state: State) -> tower.Throw:
    """Return the throw whose cubes are in the tower.

    Only a correction can have put cubes into the cup since, so they count as fallen.
    """
    thrown = _thrown(state)
    inside = in_tower(state)
    fresh = {colour: min(count, thrown.get(colour, 0)) for colour, count in inside.items()}
    return replace(
        _throw_without_cubes(state, clash_of(state)),
        in_tower={colour: count - fresh[colour] for colour, count in inside.items()},
        thrown=fresh,
        lying=in_cup(state),
    )


def _throw_without_cubes(state: State, clash: Clash) -> tower.Throw:
    """Return a throw with the sides and rules of a battle, still without cubes."""
    return tower.Throw(
        kind=clash.kind,
        sides=_sides(clash),
        unrest=unrest_in(state, clash.province),
        in_tower={},
        cup={},
        thrown={},
        uncommitted=0 if clash.kind == "neutral" else armies_in(state, clash.province, clash.defender),
        guards=state.setup.options["guards_fight"] and guarded(state, clash.province),
        reading=reading_of(state.setup.options),
    )


def _sides(clash: Clash) -> Sides:
    return Sides(clash.attacker, clash.defender, place_of(clash.province))


# Result


@dataclass(frozen=True, slots=True)
class Fate:
    """Fate of a province, and the number of cubes that move from the cup onto it."""

    province: Literal["held", "conquered", "destroyed", "neutral"]
    armies: Count


# Possible fates of a province in each kind of battle.
FATES: Mapping[Kind, tuple[str, ...]] = {
    "player": (HELD, CONQUERED, DESTROYED),
    "neutral": (CONQUERED, NEUTRAL),
    "revolt": (HELD, DESTROYED),
}


def fight(state: State, clash: Clash, fallen: Mapping[str, int]) -> Outcome[State]:
    """Resolve a battle from the fallen cubes: steps, ruling, aftermath and statistics (5.7, 5.8)."""
    account = Account(state)
    count = sum(fallen.values())
    account.step(clash.rule, say("fell-out", count=count), moves=fallen_moves(state, fallen))
    throw = _throw_under_way(state)
    battle = throw.battle(in_cup(account.state))
    verdict, result = _judged(account.state, clash, battle)
    for number, step in enumerate(battle_steps(battle, result, _sides(clash))):
        account.add(_verdict_step(step, clash, verdict) if number == VERDICT_STEP else step)
    _aftermath(account, clash, result.province)
    account.set(
        frames=done(account.state),
        falls=state.falls.after(throw, fallen),
        last=Fell(clash.province, _nonzero(fallen)),
    )
    return account.outcome()


def _nonzero(fallen: Mapping[str, int]) -> dict[str, int]:
    return {colour: count for colour, count in sorted(fallen.items()) if count}


def refuse_second_result(state: State, action: Action) -> None:
    """Raise `Illegal` if a second phone enters the throw of a battle that is already resolved.

    The message depends on whether both results agree.
    """
    if not isinstance(action, Throw) or state.last is None or state.frames[-1].phase == "throw":
        return
    same = _nonzero(action.fallen) == state.last.fallen
    code = "result-entered" if same else "two-results"
    raise Illegal(say(code, province=province_name(state.last.province)), rule="5.7")


VERDICT_STEP = 2  # index in the steps of a battle: roles, strengths, verdict


def guarded(state: State, province: str) -> bool:
    """Return True if palace guards are thrown in for a province this season (2.4)."""
    return state.current == PALACE_GUARDS and PALACE in buildings_in(state, province)


def _judged(state: State, clash: Clash, battle: Battle) -> tuple[Verdict[Fate], fighting.Result]:
    computed = fighting.resolve(battle, reading_of(state.setup.options))
    if computed.placed > supply_of(state, clash.defender):
        computed = replace(computed, placed=0)
    fate = Fate(computed.province, computed.survivors)  # type: ignore[arg-type] # one of the four
    verdict = judge(state, clash.key, fate, Fate, lambda ruled: _refuse_fate(clash, battle, ruled))
    return verdict, _ruled_result(battle, computed, verdict.result) if verdict.ruling else computed


def _refuse_fate(clash: Clash, battle: Battle, fate: Fate) -> None:
    """Raise `Illegal` if a ruling names an impossible fate or more cubes than fell."""
    if fate.province not in FATES[clash.kind]:
        raise Illegal(say("ruling-fate", province=province_name(clash.province)), rule=clash.rule)
    least, most = {
        CONQUERED: (1, battle.attacker),
        HELD: (0, battle.defender),
    }.get(fate.province, (0, 0))
    if not least <= fate.armies <= most:
        raise Illegal(say("ruling-armies", least=least, most=most), rule=clash.rule)


def _ruled_result(battle: Battle, computed: fighting.Result, fate: Fate) -> fighting.Result:
    """Return the destinations of the cubes for the fate that the table ruled."""
    kept = {
        ATTACKER: fate.armies if fate.province == CONQUERED else 0,
        DEFENDER: fate.armies if fate.province == HELD else 0,
    }
    winners = {CONQUERED: ATTACKER, HELD: DEFENDER, NEUTRAL: PEASANTS, DESTROYED: NOBODY}
    return replace(
        computed,
        winner=winners[fate.province],
        province=fate.province,
        survivors=fate.armies,
        from_cup={
            **computed.from_cup,
            ATTACKER: battle.attacker - kept[ATTACKER],
            DEFENDER: battle.defender - kept[DEFENDER],
        },
        from_province=battle.uncommitted if fate.province in (CONQUERED, DESTROYED) else 0,
        placed=0,
    )


def _verdict_step(step: Step, clash: Clash, verdict: Verdict[Fate]) -> Step:
    """Return the verdict step with its result or ruling, without the acts that follow as separate steps."""
    settled = replace(step, acts=()).settles(verdict)
    if not verdict.ruling:
        return settled
    province = province_name(clash.province)
    return replace(
        settled, message=say("ruled-battle", province=province, fate=_fate_message(verdict.result))
    )


def _fate_message(fate: Fate) -> Json:
    return say(f"fate-{fate.province}", count=fate.armies)


# Aftermath


def _aftermath(account: Account[State], clash: Clash, fate: str) -> None:
    """Update cards, markers and buildings of the province (5.7)."""
    if fate == CONQUERED:
        _conquered(account, clash)
    elif fate == DESTROYED:
        destroy(account, clash.province)
    elif fate == HELD:
        _held(account, clash)


def _conquered(account: Account[State], clash: Clash) -> None:
    """Give the card to the conqueror (5.7).

    A card on a planning board is lost too; a conquered empty province gets an unrest marker.
    """
    name = province_name(clash.province)
    account.set(kept=_without(account.state.kept, clash.province))
    card = [Act(clash.attacker, say("take-card-of", province=name))]
    if clash.kind == "neutral":
        account.step(
            clash.rule,
            say("unquiet", province=name),
            moves=[Move(PEASANTS, UNREST, BANK, place_of(clash.province))],
            acts=card,
        )
    else:
        params = {"attacker": faction_name(clash.attacker), "defender": faction_name(clash.defender)}
        account.step(clash.rule, say("card-lost", province=name, **params), acts=card)
        account.set(lost=(*account.state.lost, clash.province))


def _held(account: Account[State], clash: Clash) -> None:
    state = account.state
    empty = not armies_in(state, clash.province, clash.defender)
    kept = _without(state.kept, clash.province)
    account.set(kept={**kept, clash.province: clash.defender} if empty else kept)
    if clash.marker:
        add_unrest(account, clash.province)


def _without(kept: Mapping[str, str], province: str) -> dict[str, str]:
    return {name: owner for name, owner in kept.items() if name != province}


def destroy(account: Account[State], province: str) -> None:
    """Remove buildings and unrest markers and put the card on the unowned pile (5.7)."""
    state, place = account.state, place_of(province)
    tiles = [(TILE[b], state.ledger.count(PEASANTS, TILE[b], place)) for b in BUILDINGS]
    moves = [Move(PEASANTS, tile, place, SUPPLY, count) for tile, count in tiles if count]
    unrest = unrest_in(state, province)
    if unrest:
        moves.append(Move(PEASANTS, UNREST, place, BANK, unrest))
    name = province_name(province)
    params = {"buildings": sum(count for _, count in tiles), "unrest": unrest}
    account.step(
        "5.7",
        say("destroyed", province=name, **params),
        moves=moves,
        acts=[Act(None, say("card-unowned", province=name))],
    )
    account.set(kept=_without(state.kept, province), lost=(*state.lost, province))


def add_unrest(account: Account[State], province: str) -> None:
    """Add one unrest marker (5.4)."""
    now = unrest_in(account.state, province) + 1
    account.step(
        "5.4",
        say("more-unrest", province=province_name(province), count=now),
        moves=[Move(PEASANTS, UNREST, BANK, place_of(province))],
    )
