"""Military influence: armies replace counters outside cities by their own (rulebook 6.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.core.codec import Json
from games.core.errors import Illegal
from games.core.messages import Message, Name, Param, faction_name, say
from games.core.prompts import Prompt
from games.core.steps import Account
from games.revolution.actions import Convert, Target
from games.revolution.beggars import beggars_in, is_hostile, sent_home
from games.revolution.factions import Counts
from games.revolution.maintenance import open_country
from games.revolution.pieces import placed, taken
from games.revolution.regions import region_name
from games.revolution.state import State, armies_at, atlas, counters, everybody, option, supply
from games.revolution.turns import InTurn
from games.revolution.unfolding import Path, field_of, first_of

RULE = "6.9"
DOUBLE_BLOCK = "beggar_double_block"


def trying(state: State, faction: str, region: str) -> int:
    """Return the armies that can exert influence before Water Beggars are considered (6.9).

    They must be alone in the strip and not driven back.
    """
    strip = armies_at(state, atlas(state).regions[region].strip)
    if set(strip) != {faction}:
        return 0
    return max(0, strip[faction] - state.driven_back.get(region, {}).get(faction, 0))


def in_the_way(state: State, faction: str, region: str) -> int:
    """Return the Water Beggars that each block one hostile army, besiegers excluded (6.7.4, 6.9, Q-56)."""
    if not is_hostile(faction):
        return 0
    beggars = beggars_in(state, region)
    return beggars if option(state, DOUBLE_BLOCK) else max(0, beggars - state.stopped.get(region, 0))


def exerting(state: State, faction: str) -> dict[str, int]:
    """Return region -> counters that a faction's armies can replace there (6.9)."""
    by_region = {
        region: trying(state, faction, region) - in_the_way(state, faction, region)
        for region in atlas(state).regions
    }
    return {region: armies for region, armies in by_region.items() if armies > 0}


def targets(state: State, faction: str, region: str) -> dict[tuple[str, str], int]:
    """Return (place, owner) -> counters of others in countryside and towns, neutrals included (6.9)."""
    return {
        (place, owner): count
        for place in open_country(state, region)
        for owner in everybody(state)
        if owner != faction and (count := counters(state, owner, place))
    }


@dataclass(frozen=True, slots=True)
class Conversions:
    """All choices of counters that a faction's armies can replace; the largest come first."""

    armies: Counts  # region -> counters that can be replaced there
    there: tuple[tuple[str, str, str, int], ...]  # region, place, owner, counters
    supply: int

    names = ("targets",)

    def branches(self, path: Path) -> Sequence[int]:
        """Return how many of the next kind of counter can be replaced, most first."""
        if len(path) == len(self.there):
            return ()
        region, _, _, count = self.there[len(path)]
        used = sum(n for n, line in zip(path, self.there, strict=False) if line[0] == region)
        most = min(count, self.armies[region] - used, self.supply - sum(path))
        return range(most, -1, -1)

    def entry(self, path: Path) -> tuple[Json, ...]:
        chosen = [
            {"region": region, "place": place, "owner": owner}
            for n, (region, place, owner, _) in zip(path, self.there, strict=True)
            for _ in range(n)
        ]
        return (chosen,)

    def bounds(self) -> dict[str, Json]:
        return {
            "armies": dict(self.armies),
            "counters": [list(line) for line in self.there],
            "supply": self.supply,
        }


def conversions(state: State, faction: str) -> Conversions:
    armies = exerting(state, faction)
    there = tuple(
        (region, place, owner, count)
        for region in armies
        for (place, owner), count in targets(state, faction, region).items()
    )
    return Conversions(armies, there, supply(state, faction))


def prompt(state: State, faction: str) -> Prompt | None:
    ways = conversions(state, faction)
    if not ways.there or not ways.supply:
        return None
    (chosen,) = first_of(ways)
    return Prompt(
        faction=faction,
        title=say("prompt-convert", count=min(ways.supply, sum(ways.armies.values()))),
        rule=RULE,
        example=Convert(faction=faction, targets=tuple(Target(**target) for target in chosen)),
        fields=(field_of(ways),),
    )


def convert(account: Account[State], action: Convert) -> None:
    """Replace each target by a counter of the army's faction (6.9)."""
    state, faction = account.state, action.faction
    _refuse(state, faction, action.targets)
    _blocked(account, faction)
    name = faction_name(faction)
    if not action.targets:
        account.step(RULE, say("converts-none", faction=name))
    for target in action.targets:
        params = {"owner": faction_name(target.owner), "place": Name("place", target.place)}
        account.step(
            RULE,
            say("converts", faction=name, **params),
            moves=[*taken(target.owner, place=target.place), *placed(faction, place=target.place)],
            options=_double_block_option(state, faction, target.region),
        )


def idle(account: Account[State], faction: str) -> None:
    """Record why a faction whose armies could exert influence does not."""
    could = exerting(account.state, faction)
    _blocked(account, faction)
    if could and not supply(account.state, faction):
        account.step(RULE, say("converts-without-supply", faction=faction_name(faction)))


def _blocked(account: Account[State], faction: str) -> None:
    """Let Water Beggars block the first armies that try, and return to their box (6.9)."""
    for region in atlas(account.state).regions:
        here = min(trying(account.state, faction, region), in_the_way(account.state, faction, region))
        if here:
            params = {"faction": faction_name(faction), "region": region_name(region)}
            account.step(
                RULE,
                say("influence-blocked", **params, count=here),
                moves=sent_home(region, here),
                options=_double_block_option(account.state, faction, region),
            )


def _double_block_option(state: State, faction: str, region: str) -> tuple[str, ...]:
    """Return the option Q-17 if Water Beggars of the region have stopped a move."""
    guarded = is_hostile(faction) and beggars_in(state, region) and state.stopped.get(region)
    return (DOUBLE_BLOCK,) if guarded else ()


# Validation


def _refuse(state: State, faction: str, chosen: Sequence[Target]) -> None:
    for target in chosen:
        message = _why_not(state, faction, target)
        if message:
            raise Illegal(message, rule=RULE)
    for (place, owner), count in Counter((target.place, target.owner) for target in chosen).items():
        if count > counters(state, owner, place):
            raise Illegal(say("no-counter-there", place=Name("place", place)), rule=RULE)
    armies = exerting(state, faction)
    for region, count in Counter(target.region for target in chosen).items():
        if count > armies.get(region, 0):
            raise Illegal(_too_many(state, faction, region), rule=RULE)
    left = supply(state, faction)
    if len(chosen) > left:
        raise Illegal(say("supply-short", count=left) if left else say("supply-empty"), rule=RULE)


def _why_not(state: State, faction: str, target: Target) -> Message | None:
    region = atlas(state).regions.get(target.region)
    if region is None or target.place not in open_country(state, target.region):
        return say("convert-where")
    strip = armies_at(state, region.strip)
    if faction not in strip:
        return say("no-army-there", region=region_name(region.slug))
    if set(strip) != {faction}:
        return say("foreign-army")
    if target.owner == faction:
        return say("convert-own")
    return None


def _too_many(state: State, faction: str, region: str) -> Message:
    """Return why no more counters can be replaced in a region where the faction is alone in the strip."""
    here: dict[str, Param] = {
        "region": region_name(region),
        "count": exerting(state, faction).get(region, 0),
    }
    if in_the_way(state, faction, region):
        return say("convert-blocked", **here)
    if state.driven_back.get(region, {}).get(faction):
        return say("convert-driven-back", **here)
    return say("convert-armies", **here)


EXERTING = InTurn("military-influence", RULE, Convert, prompt, convert, skip=idle)
