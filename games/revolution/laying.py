"""Laying sieges to cities (rulebook 6.6)."""

from __future__ import annotations

from games.core.errors import Illegal
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Allocation, Group, Prompt
from games.core.steps import Account
from games.revolution.actions import Besiege
from games.revolution.battles import STANDOFF, ending_of
from games.revolution.checks import refuse_unknown
from games.revolution.factions import Counts, allies_of
from games.revolution.pieces import ARMY
from games.revolution.regions import region_name
from games.revolution.state import State, active_armies, alliances, armies_at, atlas, counts_at
from games.revolution.turns import InTurn

RULE = "6.6"


def is_standoff(state: State, region: str) -> bool:
    """Return whether two armies of two factions hold the region after the battles (6.5).

    A besieging army still counts.
    """
    return ending_of(active_armies(state, region), alliances(state)) == STANDOFF


def ready(state: State, faction: str, region: str) -> int:
    """Return the armies that can lay a siege: those in the strip, unless in a stand-off (6.6)."""
    return 0 if is_standoff(state, region) else _in_strip(state, faction, region)


def _in_strip(state: State, faction: str, region: str) -> int:
    return armies_at(state, atlas(state).regions[region].strip).get(faction, 0)


def why_not_besiege(state: State, faction: str, city: str) -> Message | None:
    """Return why the city cannot be besieged, whatever the armies, or None (6.6).

    A faction cannot besiege its own city, an ally's, or one that only its own counters occupy.
    """
    held_by = state.cities[city]
    if held_by == faction:
        return say("siege-own")
    if held_by in allies_of(faction, alliances(state)):
        return say("siege-ally")
    inside = {owner for owner, count in counts_at(state, [f"city:{city}"]).items() if count}
    return say("siege-alone", city=Name("city", city)) if inside == {faction} else None


def open_cities(state: State, faction: str) -> dict[str, tuple[str, ...]]:
    """Return the cities that the faction can besiege now, by region."""
    land = atlas(state)
    by_region = {}
    for slug, region in land.regions.items():
        if not ready(state, faction, slug):
            continue
        cities = [place.removeprefix("city:") for p in region.provinces for place in land.provinces[p].cities]
        here = tuple(city for city in cities if why_not_besiege(state, faction, city) is None)
        if here:
            by_region[slug] = here
    return by_region


def prompt(state: State, faction: str) -> Prompt | None:
    cities = open_cities(state, faction)
    if not cities:
        return None
    armies = {region: ready(state, faction, region) for region in cities}
    return Prompt(
        faction=faction,
        title=say("prompt-besiege", count=sum(armies.values())),
        rule=RULE,
        example=Besiege(faction=faction, cities={}),
        fields=(
            Allocation(
                "cities",
                {city: armies[region] for region, here in cities.items() for city in here},
                0,
                sum(armies.values()),
                tuple(Group(here, armies[region]) for region, here in cities.items()),
            ),
        ),
    )


def besiege(account: Account[State], action: Besiege) -> None:
    """Move armies onto cities; they keep their boxes (6.6)."""
    state, faction = account.state, action.faction
    sieges = {city: count for city, count in action.cities.items() if count}
    _refuse(state, faction, sieges)
    if not sieges:
        account.step(RULE, say("besieges-none", faction=faction_name(faction)))
    for city in sorted(sieges):
        strip = atlas(state).region_of(f"city:{city}").strip
        account.step(
            RULE,
            say("besieges", faction=faction_name(faction), city=Name("city", city), count=sieges[city]),
            moves=[Move(faction, ARMY, strip, f"siege:{city}", sieges[city])],
        )


def _refuse(state: State, faction: str, sieges: Counts) -> None:
    for city in sorted(sieges):
        _refuse_city(state, faction, city)
    land = atlas(state)
    for slug in land.regions:
        armies = ready(state, faction, slug)
        if sum(n for city, n in sieges.items() if land.region_of(f"city:{city}").slug == slug) > armies:
            raise Illegal(say("armies-there", region=region_name(slug), count=armies), rule=RULE)


def _refuse_city(state: State, faction: str, city: str) -> None:
    land = atlas(state)
    if f"town:{city.removeprefix('town:')}" in land.home and city not in land.cities:
        raise Illegal(say("siege-town"), rule=RULE)
    refuse_unknown([city], land.cities, RULE)
    region = land.region_of(f"city:{city}").slug
    if not _in_strip(state, faction, region):
        raise Illegal(say("siege-elsewhere"), rule=RULE)
    if is_standoff(state, region):
        raise Illegal(say("siege-standoff"), rule=RULE)
    message = why_not_besiege(state, faction, city)
    if message:
        raise Illegal(message, rule=RULE)


LAYING = InTurn("sieges", RULE, Besiege, prompt, besiege)
