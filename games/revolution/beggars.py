"""Water Beggars: hired for a round and used in five ways (rulebook 6.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.core.actions import Action
from games.core.checks import check_one_of
from games.core.errors import Illegal
from games.core.flow import goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, Param, faction_name, say
from games.core.prompts import Allocation, Joint, Prompt
from games.core.steps import Account, Outcome
from games.revolution.actions import Beggars, Hire
from games.revolution.board import settlement_name
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NEUTRAL, NOBILITY, REFORMERS, Counts
from games.revolution.maintenance import town_pillaged
from games.revolution.pieces import ARMY, BEGGAR, BEGGARS_BOX, SUPPLY
from games.revolution.regions import region_name
from games.revolution.rounds import advance, end_turn, refuse_unless, refuse_unless_turn, turn_of
from games.revolution.state import (
    State,
    active_armies,
    armies_at,
    atlas,
    is_besieged,
    option,
    siege_places,
    supply,
    treasury,
)
from games.revolution.turns import by_region, paid, refuse_price

RULE = "6.7"
PRICE = 2  # coins per beggar
SIEGE = 2  # beggars needed to besiege a city
HIRERS = (BURGHERS, REFORMERS)
HOSTILE = (CATHOLICS, HABSBURGS, NOBILITY)  # the most Catholic first
DESTROY, RELIEVE, PILLAGE, BESIEGE, STAY = USES = ("destroy", "relieve", "pillage", "besiege", "stay")
RULES = {DESTROY: "6.7.1", RELIEVE: "6.7.2", PILLAGE: "6.7.3", BESIEGE: "6.7.3", STAY: "6.7.4"}

RELIEF_SCOPE = "beggar_relief_scope"
TARGET_SCOPE = "beggar_target_scope"
COMMITMENT = "beggar_commitment"

Use: TypeAlias = tuple[str, str, int, str | None]  # region, use, number of beggars, target


def is_hostile(faction: str) -> bool:
    """Return whether the faction is hostile to beggars: Catholics, Habsburgs or Nobility (6.7.1, 6.7.4)."""
    return faction in HOSTILE


def out(region: str) -> str:
    """Return the place of the beggars of a region that do not besiege."""
    return f"region:{region}"


def beggars_in(state: State, region: str) -> int:
    return state.ledger.count(NEUTRAL, BEGGAR, out(region))


def sent_home(region: str, count: int) -> tuple[Move, ...]:
    """Return the moves of beggars back to their box; empty if `count` is 0."""
    return (Move(NEUTRAL, BEGGAR, out(region), BEGGARS_BOX, count),) if count else ()


def field(state: State) -> tuple[str, ...]:
    """Return the regions that contain a province where beggars act (6.7)."""
    land = atlas(state)
    return tuple(slug for slug, region in land.regions.items() if set(region.provinces) & set(land.beggars))


def within(state: State, region: str) -> list[str]:
    """Return the provinces of a region where beggars attack towns and cities (6.7, Q-15)."""
    land = atlas(state)
    inside = land.regions[region].provinces
    whole = option(state, TARGET_SCOPE) == "whole_region"
    return [province for province in inside if whole or province in land.beggars]


# Hiring


def can_hire(state: State, faction: str) -> int:
    """Return how many beggars a faction can pay for; 0 for all but Burghers and Reformers (6.7)."""
    if faction not in HIRERS or not field(state):
        return 0
    return min(state.ledger.count(NEUTRAL, BEGGAR, BEGGARS_BOX), treasury(state, faction) // PRICE)


def hire_prompt(state: State, faction: str) -> Prompt | None:
    most = can_hire(state, faction)
    if not most:
        return None
    return Prompt(
        faction=faction,
        title=say("prompt-hire", count=most, price=PRICE),
        rule=RULE,
        example=Hire(faction=faction, regions={}),
        fields=(Allocation("regions", dict.fromkeys(field(state), most), 0, most),),
    )


def hire(state: State, action: Hire) -> Outcome[State]:
    """Hire beggars; the first of Burghers and Reformers to pay uses them for the round (6.7)."""
    faction = action.faction
    _refuse_hirer(state, action)
    wanted = by_region(state, action.regions, RULE)
    count = sum(wanted.values())
    _refuse_hire(state, faction, wanted, count)
    account = Account(state)
    end_turn(account, faction)
    if not count:
        account.step(RULE, say("hires-none", faction=faction_name(faction)))
        return account.outcome()
    cost = PRICE * count
    account.step(
        RULE, say("hires", faction=faction_name(faction), count=count, cost=cost), moves=paid(faction, cost)
    )
    for region, coming in wanted.items():
        account.step(
            RULE,
            say("beggars-come", region=region_name(region), count=coming),
            moves=[Move(NEUTRAL, BEGGAR, BEGGARS_BOX, out(region), coming)],
        )
    account.set(hirer=faction)
    return account.outcome()


def _refuse_hirer(state: State, action: Hire) -> None:
    if action.faction not in HIRERS:
        raise Illegal(say("hirers"), rule=RULE)
    if state.hirer is not None:
        raise Illegal(say("hired-already", faction=faction_name(state.hirer)), rule=RULE)
    refuse_unless_turn(state, action)


def _refuse_hire(state: State, faction: str, wanted: Counts, count: int) -> None:
    if set(wanted) - set(field(state)):
        raise Illegal(where(state), rule=RULE)
    if count > state.ledger.count(NEUTRAL, BEGGAR, BEGGARS_BOX):
        raise Illegal(say("beggars-few"), rule=RULE)
    refuse_price(state, faction, PRICE * count, RULE)


def where(state: State) -> Message:
    """Return the message that names the provinces where beggars act (6.7)."""
    return say("beggars-where", provinces=tuple(Name("province", p) for p in atlas(state).beggars))


# Using


def uses(state: State, region: str) -> list[Use]:
    """Return all uses that the beggars of a region have now, except staying (6.7.1 to 6.7.3)."""
    return [
        *_destroying(state, region),
        *_relieving(state, region),
        *_pillaging(state, region),
        *_besieging(state, region),
    ]


def armies_there(state: State, region: str) -> int:
    """Return the number of armies in the strip or besieging; released ones do not count (6.7, Q-51)."""
    return sum(active_armies(state, region).values())


def _participants(state: State, region: str, least: int) -> Sequence[int]:
    """Return the possible numbers of participants, at least `least`: any, or only all of them (Q-16)."""
    here = beggars_in(state, region)
    if option(state, COMMITMENT) == "declared":
        return range(least, here + 1)
    return [here] if here >= least else []


def victim(state: State, region: str) -> str | None:
    """Return the faction whose army is destroyed: the most Catholic, never Burghers or Reformers (6.7.1)."""
    armies = active_armies(state, region)
    return next((faction for faction in HOSTILE if faction in armies), None)


def _where_armies(state: State, region: str, faction: str) -> list[str]:
    places = (atlas(state).regions[region].strip, *siege_places(state, region))
    return [place for place in places if faction in armies_at(state, place)]


def besieged(state: State, region: str) -> list[str]:
    """Return the cities of a region that armies besiege, as places."""
    return [_city(place) for place in siege_places(state, region) if armies_at(state, place)]


def _city(siege: str) -> str:
    return siege.replace("siege:", "city:", 1)


def _siege(city: str) -> str:
    return city.replace("city:", "siege:", 1)


def _destroying(state: State, region: str) -> list[Use]:
    """Return the ways to destroy an army, which takes more beggars than armies (6.7.1)."""
    faction = victim(state, region)
    if faction is None:
        return []
    counts = _participants(state, region, armies_there(state, region) + 1)
    return [(region, DESTROY, n, place) for n in counts for place in _where_armies(state, region, faction)]


def _relieving(state: State, region: str) -> list[Use]:
    """Return the ways to relieve a city, which takes at least as many beggars as armies (6.7.2).

    By option, all cities of the region are relieved at once (Q-14).
    """
    cities = besieged(state, region)
    if not cities:
        return []
    relieved = [None] if option(state, RELIEF_SCOPE) == "all_in_region" else cities
    counts = _participants(state, region, armies_there(state, region))
    return [(region, RELIEVE, n, city) for n in counts for city in relieved]


def _pillaging(state: State, region: str) -> list[Use]:
    """Return the ways to pillage a town: one beggar, no army in the region, neutrals in supply (6.7.3)."""
    if armies_there(state, region) or not beggars_in(state, region) or not supply(state, NEUTRAL):
        return []
    return [
        (region, PILLAGE, 1, town) for p in within(state, region) for town in atlas(state).provinces[p].towns
    ]


def _besieging(state: State, region: str) -> list[Use]:
    """Return the ways to besiege a city: two beggars, no army in the region, any holder (6.7.3)."""
    if armies_there(state, region) or beggars_in(state, region) < SIEGE:
        return []
    cities = [city for p in within(state, region) for city in atlas(state).provinces[p].cities]
    return [(region, BESIEGE, SIEGE, city) for city in cities if not is_besieged(state, city)]


def undecided(state: State) -> list[str]:
    """Return the regions whose beggars have a use other than staying and have not been settled."""
    settled = state.frames[-1].data.get("settled", ())
    return [region for region in atlas(state).regions if region not in settled and uses(state, region)]


def use_prompt(state: State, hirer: str) -> Prompt | None:
    regions = undecided(state)
    if not regions:
        return None
    options = tuple(use for r in regions for use in (*uses(state, r), (r, STAY, beggars_in(state, r), None)))
    region, _, count, _ = options[-1]
    return Prompt(
        faction=hirer,
        title=say("prompt-beggars"),
        rule=RULE,
        example=Beggars(faction=hirer, region=region, do=STAY, count=count),
        fields=(Joint(("region", "do", "count", "target"), options),),
    )


def use(state: State, action: Beggars) -> Outcome[State]:
    """Apply a use of beggars; all but besiegers return to their box (6.7.1 to 6.7.4)."""
    if state.hirer is None:
        raise not_now(action, rule=RULE)
    refuse_unless(state.hirer, action)
    _refuse_use(state, action)
    account = Account(state)
    _HANDLERS[action.do](account, action)
    return account.outcome()


def _destroy(account: Account[State], action: Beggars) -> None:
    """Remove an army; if it besieged alone, the siege is lifted (6.7.1, Q-52)."""
    state, place = account.state, str(action.target)
    faction = str(victim(state, action.region))
    params: dict[str, Param] = {
        "faction": faction_name(faction),
        "count": action.count,
        "region": region_name(action.region),
    }
    alone = sum(armies_at(state, place).values()) == 1
    lifted = place.startswith("siege:") and alone
    account.step(
        RULES[DESTROY],
        say("beggars-destroy-besieger", **params, city=settlement_name(_city(place)))
        if lifted
        else say("beggars-destroy", **params),
        moves=[Move(faction, ARMY, place, SUPPLY), *sent_home(action.region, action.count)],
        options=[COMMITMENT],
    )
    left = armies_at(account.state, atlas(state).regions[action.region].strip).get(faction, 0)
    back = state.driven_back.get(action.region, {}).get(faction, 0)
    if back > left:
        account.set(driven_back=_driven_back(state, action.region, {faction: left - back}))


def _relieve(account: Account[State], action: Beggars) -> None:
    """Move besieging armies back to the strip, barred from military influence this round (6.7.2, 6.9)."""
    state, region = account.state, atlas(account.state).regions[action.region]
    cities = besieged(state, region.slug) if action.target is None else [action.target]
    back: dict[str, int] = {}
    moves = []
    for city in cities:
        for faction, count in armies_at(state, _siege(city)).items():
            moves.append(Move(faction, ARMY, _siege(city), region.strip, count))
            back[faction] = back.get(faction, 0) + count
    params: dict[str, Param] = {
        "cities": tuple(settlement_name(city) for city in cities),
        "count": action.count,
    }
    account.step(
        RULES[RELIEVE],
        say("beggars-relieve", **params),
        moves=[*moves, *sent_home(region.slug, action.count)],
        options=[RELIEF_SCOPE, COMMITMENT],
    )
    account.set(driven_back=_driven_back(state, region.slug, back))


def _driven_back(state: State, region: str, back: Counts) -> dict[str, Counts]:
    """Return the armies driven back, with those of a region changed by `back`."""
    before = state.driven_back.get(region, {})
    after = {f: n for f in state.order if (n := before.get(f, 0) + back.get(f, 0)) > 0}
    others = {r: armies for r, armies in state.driven_back.items() if r != region}
    return {**others, region: after} if after else others


def _pillage(account: Account[State], action: Beggars) -> None:
    """Put a neutral into the town's province (6.7.3)."""
    town = str(action.target)
    account.step(
        RULES[PILLAGE],
        say("beggars-pillage", town=settlement_name(town)),
        moves=[*town_pillaged(account.state, town), *sent_home(action.region, action.count)],
        options=[TARGET_SCOPE],
    )


def _besiege(account: Account[State], action: Beggars) -> None:
    """Put two beggars on a city until sieges are completed (6.7.3)."""
    city = str(action.target)
    account.step(
        RULES[BESIEGE],
        say("beggars-besiege", city=settlement_name(city)),
        moves=[Move(NEUTRAL, BEGGAR, out(action.region), _siege(city), SIEGE)],
        options=[TARGET_SCOPE],
    )


def _stay(account: Account[State], action: Beggars) -> None:
    """Keep the beggars of the region in the way of hostile armies (6.7.4)."""
    _record_stay(account, action.region)
    top = account.state.frames[-1]
    settled = [*top.data.get("settled", ()), action.region]
    account.set(frames=goto(account.state, top.with_data(settled=settled)))


def _record_stay(account: Account[State], region: str) -> None:
    count = beggars_in(account.state, region)
    account.step(RULES[STAY], say("beggars-stay", region=region_name(region), count=count))


_HANDLERS = {DESTROY: _destroy, RELIEVE: _relieve, PILLAGE: _pillage, BESIEGE: _besiege, STAY: _stay}


# Validation


def _refuse_use(state: State, action: Beggars) -> None:
    check_one_of(action.do, USES, "do", rule=RULE)
    if action.region not in field(state):
        raise Illegal(where(state), rule=RULE)
    message = _why_not(state, action)
    if message:
        raise Illegal(message, rule=RULES[action.do])


def _why_not(state: State, action: Beggars) -> Message | None:
    """Return why the beggars of the region cannot do this, or None."""
    region, here = action.region, beggars_in(state, action.region)
    if region in state.frames[-1].data.get("settled", ()):
        return say("beggars-settled", region=region_name(region))
    offered = (*uses(state, region), (region, STAY, here, None))
    if here and uses(state, region) and (region, action.do, action.count, action.target) in offered:
        return None
    if action.count > here or not here:
        return say("beggars-there", region=region_name(region), count=here)
    return _WHY_NOT[action.do](state, action)


def _why_not_destroy(state: State, action: Beggars) -> Message:
    faction, armies = victim(state, action.region), armies_there(state, action.region)
    if faction is None:
        return say("beggars-no-enemy")
    if action.count <= armies:
        return say("beggars-more", needed=armies + 1)
    return _why_not_all(state, action) or say("beggars-victim", faction=faction_name(faction))


def _why_not_relieve(state: State, action: Beggars) -> Message:
    armies = armies_there(state, action.region)
    if not besieged(state, action.region):
        return say("beggars-no-siege", region=region_name(action.region))
    if action.count < armies:
        return say("beggars-as-many", needed=armies)
    return _why_not_all(state, action) or say("beggars-which-siege")


def _why_not_all(state: State, action: Beggars) -> Message | None:
    """Return why fewer than all beggars of the region cannot take part, or None (Q-16)."""
    here = beggars_in(state, action.region)
    if option(state, COMMITMENT) == "declared" or action.count == here:
        return None
    return say("beggars-all", count=here)


def _why_not_pillage(state: State, action: Beggars) -> Message:
    if armies_there(state, action.region):
        return say("beggars-army")
    if action.count != 1:
        return say("beggars-one-town")
    if not supply(state, NEUTRAL):
        return say("beggars-no-neutrals")
    return _why_not_target(state, action)


def _why_not_besiege(state: State, action: Beggars) -> Message:
    if armies_there(state, action.region):
        return say("beggars-army")
    if action.count != SIEGE:
        return say("beggars-two")
    return _why_not_target(state, action)


def _why_not_target(state: State, action: Beggars) -> Message:
    """Return why beggars of the region cannot attack the target: its province or its kind."""
    land = atlas(state)
    home = land.home.get(str(action.target))
    if home is not None and home not in within(state, action.region):
        return where(state)
    return say("beggars-target")


def _why_not_stay(state: State, action: Beggars) -> Message:
    return say("beggars-stay-all", count=beggars_in(state, action.region))


_WHY_NOT = {
    DESTROY: _why_not_destroy,
    RELIEVE: _why_not_relieve,
    PILLAGE: _why_not_pillage,
    BESIEGE: _why_not_besiege,
    STAY: _why_not_stay,
}


# The phase


@dataclass(frozen=True, slots=True)
class WaterBeggars:
    """Phase 6.7: a faction may hire the beggars, then uses them until all have acted or stay."""

    name = "beggars"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        prompt = self._prompt(state)
        return [prompt] if prompt else []

    def _prompt(self, state: State) -> Prompt | None:
        if state.hirer is not None:
            return use_prompt(state, state.hirer)
        faction = turn_of(state)
        return hire_prompt(state, faction) if faction else None

    def act(self, state: State, action: Action) -> Outcome[State]:
        if isinstance(action, Hire):
            return hire(state, action)
        if isinstance(action, Beggars):
            return use(state, action)
        raise not_now(action, rule=self.rule)

    def resolve(self, state: State) -> Outcome[State] | None:
        if self._prompt(state):
            return None
        account = Account(state)
        faction = turn_of(state)
        if state.hirer is None and faction:
            end_turn(account, faction)
        else:
            _close(account)
            advance(account)
        return account.outcome()


def _close(account: Account[State]) -> None:
    """Record that all beggars without another use stay (6.7.4)."""
    settled = account.state.frames[-1].data.get("settled", ())
    for region in atlas(account.state).regions:
        if beggars_in(account.state, region) and region not in settled:
            _record_stay(account, region)
