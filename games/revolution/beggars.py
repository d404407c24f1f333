"""The Water Beggars: hired for a round, used in five ways (rulebook 6.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.core.actions import Action
from games.core.errors import BadInput, Illegal
from games.core.flow import goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, Param, faction_name, say
from games.core.prompts import Allocation, Joint, Prompt
from games.core.steps import Account, Outcome
from games.revolution.actions import Beggars, Hire
from games.revolution.board import settlement_name
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NEUTRAL, NOBILITY, REFORMERS, Counts
from games.revolution.maintenance import town_pillaged
from games.revolution.pieces import ARMY, BEGGAR, SUPPLY
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
BOX = "beggars"
PRICE = 2  # coins each
SIEGE = 2  # so many besiege a city
HIRERS = (BURGHERS, REFORMERS)
HOSTILE = (CATHOLICS, HABSBURGS, NOBILITY)  # the most Catholic first
DESTROY, RELIEVE, PILLAGE, BESIEGE, STAY = USES = ("destroy", "relieve", "pillage", "besiege", "stay")
RULES = {DESTROY: "6.7.1", RELIEVE: "6.7.2", PILLAGE: "6.7.3", BESIEGE: "6.7.3", STAY: "6.7.4"}

RELIEF_SCOPE = "beggar_relief_scope"
TARGET_SCOPE = "beggar_target_scope"
COMMITMENT = "beggar_commitment"

Use: TypeAlias = tuple[str, str, int, str | None]  # region, what is done, by how many, to what


def is_hostile(faction: str) -> bool:
    """6.7.1, 6.7.4: Catholics, Habsburgs and Nobility are in the beggars' way, and they in theirs."""
    return faction in HOSTILE


def out(region: str) -> str:
    """Where the beggars of a region lie that do not besiege."""
    return f"region:{region}"


def beggars_in(state: State, region: str) -> int:
    return state.ledger.count(NEUTRAL, BEGGAR, out(region))


def sent_home(region: str, count: int) -> tuple[Move, ...]:
    """Beggars go back to their box; no move for none."""
    return (Move(NEUTRAL, BEGGAR, out(region), BOX, count),) if count else ()


def field(state: State) -> tuple[str, ...]:
    """6.7: the regions with one of the provinces where beggars act."""
    land = atlas(state)
    return tuple(slug for slug, region in land.regions.items() if set(region.provinces) & set(land.beggars))


def within(state: State, region: str) -> list[str]:
    """6.7: the provinces of a region where beggars attack towns and cities (Q-15)."""
    land = atlas(state)
    inside = land.regions[region].provinces
    whole = option(state, TARGET_SCOPE) == "whole_region"
    return [province for province in inside if whole or province in land.beggars]


# Hiring


def can_hire(state: State, faction: str) -> int:
    """6.7: how many beggars a faction can pay for; nobody but the Burghers and Reformers hires them."""
    if faction not in HIRERS or not field(state):
        return 0
    return min(state.ledger.count(NEUTRAL, BEGGAR, BOX), treasury(state, faction) // PRICE)


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
    """6.7: the first of the Burghers and Reformers that pays uses them this round."""
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
            moves=[Move(NEUTRAL, BEGGAR, BOX, out(region), coming)],
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
    if count > state.ledger.count(NEUTRAL, BEGGAR, BOX):
        raise Illegal(say("beggars-few"), rule=RULE)
    refuse_price(state, faction, PRICE * count, RULE)


def where(state: State) -> Message:
    """6.7: where beggars act."""
    return say("beggars-where", provinces=tuple(Name("province", p) for p in atlas(state).beggars))


# Using


def uses(state: State, region: str) -> list[Use]:
    """6.7.1 to 6.7.3: what the beggars of a region can do now, but for staying."""
    return [
        *_destroying(state, region),
        *_relieving(state, region),
        *_pillaging(state, region),
        *_besieging(state, region),
    ]


def armies_there(state: State, region: str) -> int:
    """6.7: all armies of a region, in the strip or besieging; released ones do not count (Q-51)."""
    return sum(active_armies(state, region).values())


def _enough(state: State, region: str, least: int) -> Sequence[int]:
    """How many can take part where so many are needed: as many as the hirer says, or all (Q-16)."""
    here = beggars_in(state, region)
    if option(state, COMMITMENT) == "declared":
        return range(least, here + 1)
    return [here] if here >= least else []


def victim(state: State, region: str) -> str | None:
    """6.7.1: whose army beggars destroy: the most Catholic; never the Burghers' or Reformers'."""
    armies = active_armies(state, region)
    return next((faction for faction in HOSTILE if faction in armies), None)


def _where_armies(state: State, region: str, faction: str) -> list[str]:
    places = (atlas(state).regions[region].strip, *siege_places(state, region))
    return [place for place in places if faction in armies_at(state, place)]


def besieged(state: State, region: str) -> list[str]:
    """The cities of a region on which armies lie, as places."""
    return [_city(place) for place in siege_places(state, region) if armies_at(state, place)]


def _city(siege: str) -> str:
    return siege.replace("siege:", "city:", 1)


def _siege(city: str) -> str:
    return city.replace("city:", "siege:", 1)


def _destroying(state: State, region: str) -> list[Use]:
    """6.7.1: more beggars than armies destroy one."""
    faction = victim(state, region)
    if faction is None:
        return []
    counts = _enough(state, region, armies_there(state, region) + 1)
    return [(region, DESTROY, n, place) for n in counts for place in _where_armies(state, region, faction)]


def _relieving(state: State, region: str) -> list[Use]:
    """6.7.2: at least as many beggars as armies relieve a city, or all of the region (Q-14)."""
    cities = besieged(state, region)
    if not cities:
        return []
    relieved = [None] if option(state, RELIEF_SCOPE) == "all_in_region" else cities
    counts = _enough(state, region, armies_there(state, region))
    return [(region, RELIEVE, n, city) for n in counts for city in relieved]


def _pillaging(state: State, region: str) -> list[Use]:
    """6.7.3: without an army in the region each beggar pillages a town, while there are neutrals."""
    if armies_there(state, region) or not beggars_in(state, region) or not supply(state, NEUTRAL):
        return []
    return [
        (region, PILLAGE, 1, town) for p in within(state, region) for town in atlas(state).provinces[p].towns
    ]


def _besieging(state: State, region: str) -> list[Use]:
    """6.7.3: without an army in the region two beggars besiege a city, whoever holds it."""
    if armies_there(state, region) or beggars_in(state, region) < SIEGE:
        return []
    cities = [city for p in within(state, region) for city in atlas(state).provinces[p].cities]
    return [(region, BESIEGE, SIEGE, city) for city in cities if not is_besieged(state, city)]


def undecided(state: State) -> list[str]:
    """The regions whose beggars can do something other than stay, and have not been told to."""
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
    """6.7.1 to 6.7.4: what some beggars of a region do; those that act go home, but for besiegers."""
    if state.hirer is None:
        raise not_now(action, rule=RULE)
    refuse_unless(state.hirer, action)
    _refuse_use(state, action)
    account = Account(state)
    _DOING[action.do](account, action)
    return account.outcome()


def _destroy(account: Account[State], action: Beggars) -> None:
    """6.7.1: an army goes; if it was besieging alone, the siege is over (Q-52)."""
    state, place = account.state, str(action.target)
    faction = str(victim(state, action.region))
    told: dict[str, Param] = {
        "faction": faction_name(faction),
        "count": action.count,
        "region": region_name(action.region),
    }
    alone = sum(armies_at(state, place).values()) == 1
    lifted = place.startswith("siege:") and alone
    account.step(
        RULES[DESTROY],
        say("beggars-destroy-besieger", **told, city=settlement_name(_city(place)))
        if lifted
        else say("beggars-destroy", **told),
        moves=[Move(faction, ARMY, place, SUPPLY), *sent_home(action.region, action.count)],
        options=[COMMITMENT],
    )
    left = armies_at(account.state, atlas(state).regions[action.region].strip).get(faction, 0)
    back = state.driven_back.get(action.region, {}).get(faction, 0)
    if back > left:
        account.set(driven_back=_driving(state, action.region, {faction: left - back}))


def _relieve(account: Account[State], action: Beggars) -> None:
    """6.7.2: besieging armies go back to the strip; they will exert no influence this round (6.9)."""
    state, region = account.state, atlas(account.state).regions[action.region]
    cities = besieged(state, region.slug) if action.target is None else [action.target]
    back: dict[str, int] = {}
    moves = []
    for city in cities:
        for faction, count in armies_at(state, _siege(city)).items():
            moves.append(Move(faction, ARMY, _siege(city), region.strip, count))
            back[faction] = back.get(faction, 0) + count
    told: dict[str, Param] = {
        "cities": tuple(settlement_name(city) for city in cities),
        "count": action.count,
    }
    account.step(
        RULES[RELIEVE],
        say("beggars-relieve", **told),
        moves=[*moves, *sent_home(region.slug, action.count)],
        options=[RELIEF_SCOPE, COMMITMENT],
    )
    account.set(driven_back=_driving(state, region.slug, back))


def _driving(state: State, region: str, back: Counts) -> dict[str, Counts]:
    """The armies driven back, with more of them in a region, or fewer."""
    before = state.driven_back.get(region, {})
    after = {f: n for f in state.order if (n := before.get(f, 0) + back.get(f, 0)) > 0}
    others = {r: armies for r, armies in state.driven_back.items() if r != region}
    return {**others, region: after} if after else others


def _pillage(account: Account[State], action: Beggars) -> None:
    """6.7.3: a neutral comes into the town's province."""
    town = str(action.target)
    account.step(
        RULES[PILLAGE],
        say("beggars-pillage", town=settlement_name(town)),
        moves=[*town_pillaged(account.state, town), *sent_home(action.region, action.count)],
        options=[TARGET_SCOPE],
    )


def _besiege(account: Account[State], action: Beggars) -> None:
    """6.7.3: two beggars lie down on a city until sieges are completed."""
    city = str(action.target)
    account.step(
        RULES[BESIEGE],
        say("beggars-besiege", city=settlement_name(city)),
        moves=[Move(NEUTRAL, BEGGAR, out(action.region), _siege(city), SIEGE)],
        options=[TARGET_SCOPE],
    )


def _stay(account: Account[State], action: Beggars) -> None:
    """6.7.4: they are in the way of hostile armies."""
    _told_to_stay(account, action.region)
    top = account.state.frames[-1]
    settled = [*top.data.get("settled", ()), action.region]
    account.set(frames=goto(account.state, top.with_data(settled=settled)))


def _told_to_stay(account: Account[State], region: str) -> None:
    count = beggars_in(account.state, region)
    account.step(RULES[STAY], say("beggars-stay", region=region_name(region), count=count))


_DOING = {DESTROY: _destroy, RELIEVE: _relieve, PILLAGE: _pillage, BESIEGE: _besiege, STAY: _stay}


# Refusing


def _refuse_use(state: State, action: Beggars) -> None:
    if action.do not in USES:
        raise BadInput(say("core.not-one-of", field="do", allowed=USES), rule=RULE)
    if action.region not in field(state):
        raise Illegal(where(state), rule=RULE)
    message = _why_not(state, action)
    if message:
        raise Illegal(message, rule=RULES[action.do])


def _why_not(state: State, action: Beggars) -> Message | None:
    """Why the beggars of a region of their field cannot do this."""
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
    """Q-16: where all of a region take part, fewer cannot."""
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
    """Not a town or city, not of this region, or not in the beggars' field."""
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
    """First somebody may hire them; then the hirer says what they do, until all have acted or stay."""

    name = "beggars"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        asked = self._prompt(state)
        return [asked] if asked else []

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
    """6.7.4: who has nothing else to do stays."""
    settled = account.state.frames[-1].data.get("settled", ())
    for region in atlas(account.state).regions:
        if beggars_in(account.state, region) and region not in settled:
            _told_to_stay(account, region)
