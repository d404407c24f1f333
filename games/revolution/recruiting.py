"""Recruiting new armies (rulebook 6.4)."""

from __future__ import annotations

from dataclasses import replace

from games.core.errors import Illegal
from games.core.messages import faction_name, say
from games.core.prompts import Allocation, Prompt
from games.core.steps import Account
from games.revolution import armies
from games.revolution.actions import Recruit
from games.revolution.factions import Counts
from games.revolution.pieces import ARMY, placed
from games.revolution.regions import region_name
from games.revolution.state import (
    State,
    active_armies,
    army_supply,
    atlas,
    counters,
    free_boxes,
    treasury,
)
from games.revolution.turns import InTurn, by_region, paid, refuse_price

RULE = armies.RULE


def is_present(state: State, faction: str, region: str) -> bool:
    """Return whether the faction has a counter or an army in the region (6.4).

    Counters in cities count (Q-54), released armies do not (Q-51).
    """
    land = atlas(state)
    places = [place for p in land.regions[region].provinces for place in land.provinces[p].places]
    return bool(active_armies(state, region).get(faction)) or any(
        counters(state, faction, place) for place in places
    )


def room(state: State, faction: str) -> dict[str, int]:
    """Return the free boxes of the regions where the faction is present (6.4)."""
    return {
        region: boxes
        for region in atlas(state).regions
        if is_present(state, faction, region) and (boxes := free_boxes(state, region))
    }


def affordable(state: State, faction: str) -> int:
    """Return the number of armies, at most three, that supply and coins allow (6.4)."""
    prices = armies.PRICES[faction]
    return max(
        count
        for count in range(armies.MOST + 1)
        if prices[count] <= treasury(state, faction) and count <= army_supply(state, faction)
    )


def prompt(state: State, faction: str) -> Prompt | None:
    here = room(state, faction)
    most = min(affordable(state, faction), sum(here.values()))
    if not most:
        return None
    return Prompt(
        faction=faction,
        title=say("prompt-recruit", count=most),
        rule=RULE,
        example=Recruit(faction=faction, regions={}),
        fields=(Allocation("regions", {r: min(n, most) for r, n in here.items()}, 0, most),),
    )


def recruit(account: Account[State], action: Recruit) -> None:
    """Put new armies into the leftmost free boxes and return the coins to supply (6.4)."""
    state, faction = account.state, action.faction
    wanted = by_region(state, action.regions, RULE)
    _refuse(state, faction, wanted)
    count = sum(wanted.values())
    if not count:
        account.step(RULE, say("recruits-none", faction=faction_name(faction)))
        return
    bill = armies.step(faction, count)
    account.add(replace(bill, moves=paid(faction, armies.recruit_cost(faction, count))))
    for region, coming in wanted.items():
        account.step(
            RULE,
            say("recruited", faction=faction_name(faction), region=region_name(region), count=coming),
            moves=placed(faction, coming, place=atlas(state).regions[region].strip, piece=ARMY),
        )


def _refuse(state: State, faction: str, wanted: Counts) -> None:
    count, left = sum(wanted.values()), army_supply(state, faction)
    cost = armies.recruit_cost(faction, count)
    if count > left:
        raise Illegal(say("armies-left", count=left) if left else say("no-army-left"), rule="3.5")
    for region, coming in wanted.items():
        if not is_present(state, faction, region):
            raise Illegal(say("not-present"), rule=RULE)
        if coming > free_boxes(state, region):
            raise Illegal(say("no-free-box"), rule=RULE)
    refuse_price(state, faction, cost, RULE)


RECRUITING = InTurn("recruiting", RULE, Recruit, prompt, recruit)
