"""Army movement along the arrows, and Water Beggars that stop it (rulebook 6.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from games.core.codec import Json
from games.core.errors import Illegal
from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.prompts import Prompt
from games.core.steps import Account
from games.revolution.actions import March
from games.revolution.beggars import beggars_in, is_hostile
from games.revolution.checks import refuse_unknown
from games.revolution.factions import Counts
from games.revolution.maintenance import armies_of
from games.revolution.pieces import ARMY
from games.revolution.regions import region_name
from games.revolution.state import State, armies_at, atlas, free_boxes, siege_places
from games.revolution.turns import InTurn
from games.revolution.unfolding import Path, field_of

RULE = "6.8"

Way: TypeAlias = tuple[str, str]  # (source region, target region)


@dataclass(frozen=True, slots=True)
class Ground:
    """Facts that a faction's army movement depends on, updated after each move."""

    armies: Counts  # region -> armies yet to try to move
    free: Counts  # region -> free boxes
    stops: Counts  # region -> armies that Water Beggars can still stop
    arrows: Mapping[str, Sequence[str]]
    spent: Counts = field(default_factory=dict)  # region -> armies that moved there or were stopped there

    def ways(self) -> list[Way]:
        """Return the moves that an army can attempt, in board order."""
        return [
            (source, target)
            for source, count in self.armies.items()
            for target in self.arrows[source]
            if count and self.free[target]
        ]

    def is_stopped(self, way: Way) -> bool:
        """Return whether Water Beggars stop the move: each stops one of the first attempts (6.8, Q-42)."""
        return bool(self.stops.get(way[0]))

    def after(self, way: Way) -> Ground:
        source, target = way
        tried = replace(self, armies=_changed(self.armies, source, -1))
        if self.is_stopped(way):
            return replace(
                tried, stops=_changed(self.stops, source, -1), spent=_changed(self.spent, source, 1)
            )
        free = _changed(_changed(self.free, source, 1), target, -1)
        return replace(tried, free=free, spent=_changed(self.spent, target, 1))


def _changed(counts: Counts, key: str, by: int) -> Counts:
    return {**counts, key: counts.get(key, 0) + by}


@dataclass(frozen=True, slots=True)
class Marches:
    """All sequences of a faction's army moves; the empty one comes first."""

    ground: Ground

    names = ("moves",)

    def branches(self, path: Path) -> Sequence[Way | None]:
        """Return the next moves; None ends the sequence."""
        if path and path[-1] is None:
            return ()
        ground = self.ground
        for way in path:
            ground = ground.after(way)
        return [None, *ground.ways()]

    def entry(self, path: Path) -> tuple[Json, ...]:
        return ([list(way) for way in path[:-1]],)

    def bounds(self) -> dict[str, Json]:
        ground = self.ground
        return {
            "armies": dict(ground.armies),
            "free": dict(ground.free),
            "arrows": {region: list(ground.arrows[region]) for region in ground.armies},
            "stops": {region: count for region, count in ground.stops.items() if count},
        }


def ground_of(state: State, faction: str) -> Ground:
    regions = atlas(state).regions
    stops = {r: max(0, beggars_in(state, r) - state.stopped.get(r, 0)) for r in regions}
    return Ground(
        armies=armies_of(state, faction),
        free={region: free_boxes(state, region) for region in regions},
        stops=stops if is_hostile(faction) else {},
        arrows={slug: region.arrows for slug, region in regions.items()},
    )


def prompt(state: State, faction: str) -> Prompt | None:
    ground = ground_of(state, faction)
    if not ground.ways():
        return None
    return Prompt(
        faction=faction,
        title=say("prompt-march", count=sum(ground.armies.values())),
        rule=RULE,
        example=March(faction=faction, moves=()),
        fields=(field_of(Marches(ground)),),
    )


def march(account: Account[State], action: March) -> None:
    """Move armies one by one; Water Beggars stop the first attempts for good (6.8, Q-53)."""
    before, faction = account.state, action.faction
    ground = ground_of(before, faction)
    refuse_ways(before, faction, ground, action.moves)
    if not action.moves:
        account.step(RULE, say("marches-none", faction=faction_name(faction)))
    completed: list[Way] = []
    for way in action.moves:
        if ground.is_stopped(way):
            _stop(account, faction, way[0])
        else:
            _go(account, faction, way)
            completed.append(way)
        ground = ground.after(way)
    account.set(driven_back=_driven_after(before, faction, completed))


def _go(account: Account[State], faction: str, way: Way) -> None:
    source, target = (atlas(account.state).regions[region] for region in way)
    params = {"source": region_name(source.slug), "target": region_name(target.slug)}
    account.step(
        RULE,
        say("marches", faction=faction_name(faction), **params),
        moves=[Move(faction, ARMY, source.strip, target.strip)],
    )


def _stop(account: Account[State], faction: str, region: str) -> None:
    params = {"faction": faction_name(faction), "region": region_name(region)}
    account.step("6.7.4", say("march-stopped", **params))
    account.set(stopped=_changed(account.state.stopped, region, 1))


def _driven_after(before: State, faction: str, moves: Sequence[Way]) -> dict[str, Counts]:
    """Return the armies driven back, by region, after the moves; fresh armies leave a strip first (6.9)."""
    driven = {region: dict(armies) for region, armies in before.driven_back.items()}
    armies = armies_of(before, faction)
    fresh = {region: count - driven.get(region, {}).get(faction, 0) for region, count in armies.items()}
    for source, target in moves:
        fresh[source] -= 1
        if fresh[source] < 0:
            driven[source][faction] -= 1
            there = driven.setdefault(target, {})
            there[faction] = there.get(faction, 0) + 1
    return {
        region: {f: n for f, n in here.items() if n > 0}
        for region, here in driven.items()
        if any(n > 0 for n in here.values())
    }


# Validation


def refuse_ways(state: State, faction: str, ground: Ground, ways: Sequence[Way]) -> None:
    """Raise unless each army moves once, along an arrow, into a box that is free by then (6.8)."""
    known = tuple(ground.arrows)
    for way in ways:
        for region in way:
            refuse_unknown([region], known, RULE)  # one by one: the message names the first, unsorted
        message = _why_not(state, faction, ground, way)
        if message:
            raise Illegal(message, rule=RULE)
        ground = ground.after(way)


def _why_not(state: State, faction: str, ground: Ground, way: Way) -> Message | None:
    source, target = way
    if not ground.armies.get(source):
        return _why_no_army(state, faction, ground, source)
    if target not in ground.arrows[source]:
        return say("no-arrow")
    return None if ground.free[target] else say("no-free-box")


def _why_no_army(state: State, faction: str, ground: Ground, region: str) -> Message:
    if ground.spent.get(region) or ground.armies.get(region) == 0:
        return say("army-moved")
    if any(armies_at(state, siege).get(faction) for siege in siege_places(state, region)):
        return say("army-besieging")
    if armies_at(state, atlas(state).regions[region].released).get(faction):
        return say("army-released")
    return say("no-army-there", region=region_name(region))


MARCHING = InTurn("army-movement", RULE, March, prompt, march)
