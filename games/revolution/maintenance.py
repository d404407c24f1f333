"""Army maintenance: armies are maintained, disbanded, or released to pillage (rulebook 6.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, call, done, goto, not_now
from games.core.ledger import Move
from games.core.messages import Name, Param, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.steps import Account, Outcome
from games.revolution.actions import Maintain, Pillage
from games.revolution.board import settlement_name
from games.revolution.factions import CATHOLICS, NEUTRAL, Counts, in_fixed_order
from games.revolution.pieces import ARMY, placed, taken
from games.revolution.regions import region_name
from games.revolution.rounds import refuse_unless
from games.revolution.state import State, armies_at, atlas, counters, supply, treasury
from games.revolution.turns import InTurn, by_region, paid, refuse_price
from games.revolution.unfolding import Path, field_of, first_of

RULE = "6.3"
DISBANDING = 1  # coins per army
MAINTENANCE = 1
CATHOLIC_MAINTENANCE = 2  # the surcharge applies to maintaining only


def upkeep(faction: str) -> int:
    """Return the coins to maintain an army (6.3)."""
    return CATHOLIC_MAINTENANCE if faction == CATHOLICS else MAINTENANCE


def cost_of(faction: str, maintained: int, disbanded: int) -> int:
    """Return the coins for maintained and disbanded armies (6.3)."""
    return upkeep(faction) * maintained + DISBANDING * disbanded


def armies_of(state: State, faction: str) -> dict[str, int]:
    """Return a faction's armies in the strips by region, in board order."""
    regions = atlas(state).regions
    return {slug: n for slug, region in regions.items() if (n := armies_at(state, region.strip).get(faction))}


# Maintenance


@dataclass(frozen=True, slots=True)
class Upkeep:
    """All affordable splits of armies into maintained and disbanded, region by region."""

    faction: str
    armies: Counts
    coins: int

    names = ("maintain", "disband")

    def branches(self, path: Path) -> Sequence[tuple[int, int]]:
        """Return (maintained, disbanded) for the next region, most maintained first."""
        if len(path) == len(self.armies):
            return ()
        left = self.coins - sum(cost_of(self.faction, *decided) for decided in path)
        armies = [*self.armies.values()][len(path)]
        return [
            (stay, go)
            for stay in range(armies, -1, -1)
            for go in range(armies - stay, -1, -1)
            if cost_of(self.faction, stay, go) <= left
        ]

    def entry(self, path: Path) -> tuple[Json, ...]:
        decided = list(zip(self.armies, path, strict=True))
        return (
            {region: stay for region, (stay, _) in decided if stay},
            {region: go for region, (_, go) in decided if go},
        )

    def bounds(self) -> dict[str, Json]:
        return {
            "armies": dict(self.armies),
            "maintaining": upkeep(self.faction),
            "disbanding": DISBANDING,
            "coins": self.coins,
        }


def prompt(state: State, faction: str) -> Prompt | None:
    """Return the prompt, or None for a faction without armies or coins, whose armies are all released."""
    armies, coins = armies_of(state, faction), treasury(state, faction)
    if not armies or coins < min(DISBANDING, upkeep(faction)):
        return None
    ways = Upkeep(faction, armies, coins)
    maintained, disbanded = first_of(ways)
    return Prompt(
        faction=faction,
        title=say("prompt-maintain", count=sum(armies.values())),
        rule=RULE,
        example=Maintain(faction=faction, maintain=maintained, disband=disbanded),
        fields=(field_of(ways),),
    )


def maintain(account: Account[State], action: Maintain) -> None:
    """Pay, disband and release armies; released ones then pillage (6.3)."""
    state, faction = account.state, action.faction
    armies = armies_of(state, faction)
    stay, go = (by_region(state, given, RULE) for given in (action.maintain, action.disband))
    _refuse(action, armies, stay, go)
    cost = cost_of(faction, sum(stay.values()), sum(go.values()))
    refuse_price(state, faction, cost, RULE)
    name = faction_name(faction)
    if cost:
        numbers = {"count": sum(stay.values()), "disbanded": sum(go.values())}
        account.step(RULE, say("maintained", faction=name, cost=cost, **numbers), moves=paid(faction, cost))
    for region, count in go.items():
        moves = taken(faction, count, place=atlas(state).regions[region].strip, piece=ARMY)
        account.step(
            RULE, say("disbanded", faction=name, region=region_name(region), count=count), moves=moves
        )
    released = {region: n - stay.get(region, 0) - go.get(region, 0) for region, n in armies.items()}
    release(account, faction, {region: n for region, n in released.items() if n})


def _refuse(action: Maintain, armies: Counts, stay: Counts, go: Counts) -> None:
    for region in (*stay, *go):
        if stay.get(region, 0) + go.get(region, 0) > armies.get(region, 0):
            here: dict[str, Param] = {"region": region_name(region), "count": armies.get(region, 0)}
            raise Illegal(say("armies-there", **here), rule=RULE)
    if action.release is not None and any(
        stay.get(region, 0) + go.get(region, 0) + action.release.get(region, 0) != armies.get(region, 0)
        for region in (*armies, *action.release)
    ):
        raise Illegal(say("every-army"), rule=RULE)


def unpaid(account: Account[State], faction: str) -> None:
    """Release all armies of a faction that cannot pay (6.3)."""
    armies = armies_of(account.state, faction)
    if armies:
        account.step(RULE, say("cannot-pay", faction=faction_name(faction), count=sum(armies.values())))
        release(account, faction, armies)


def release(account: Account[State], faction: str, armies: Mapping[str, int]) -> None:
    """Turn unpaid armies face down in their boxes; each of them pillages (6.3)."""
    for region, count in armies.items():
        here = atlas(account.state).regions[region]
        account.step(
            RULE,
            say("released", faction=faction_name(faction), region=region_name(region), count=count),
            moves=[Move(faction, ARMY, here.strip, here.released, count)],
        )
    waiting = [region for region, count in armies.items() for _ in range(count)]
    if waiting:
        frame = Frame("pillage", {"faction": faction, "regions": waiting})
        account.set(frames=call(account.state, frame))


MAINTAINING = InTurn("maintenance", RULE, Maintain, prompt, maintain, skip=unpaid)


# Pillaging


def targets(state: State, region: str) -> list[tuple[str, str | None]]:
    """Return the targets of a released army: towns while there are neutrals, and counters (6.3).

    A neutral counter is a target only if there is no other and the neutral supply is empty (Q-49).
    """
    options: list[tuple[str, str | None]] = _counters(state, region, in_fixed_order(state.order))
    if supply(state, NEUTRAL):
        return [*options, *((town, None) for town in _towns(state, region))]
    return options or _counters(state, region, [NEUTRAL])


def _towns(state: State, region: str) -> list[str]:
    land = atlas(state)
    return [town for p in land.regions[region].provinces for town in land.provinces[p].towns]


def open_country(state: State, region: str) -> list[str]:
    """Return countryside and towns of a region, province by province."""
    land = atlas(state)
    provinces = [land.provinces[p] for p in land.regions[region].provinces]
    return [place for p in provinces for place in (p.countryside, *p.towns)]


def _counters(state: State, region: str, owners: Sequence[str]) -> list[tuple[str, str | None]]:
    return [(place, f) for place in open_country(state, region) for f in owners if counters(state, f, place)]


@dataclass(frozen=True, slots=True)
class Pillaging:
    """Released armies pillage one after the other; the frame holds their faction and regions (6.3)."""

    name = "pillage"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, region = _waiting(state)
        options = targets(state, region)
        place, owner = options[0]
        return [
            Prompt(
                faction=faction,
                title=say("prompt-pillage", region=region_name(region)),
                rule=RULE,
                example=Pillage(faction=faction, place=place, owner=owner),
                fields=(Joint(("place", "owner"), tuple(options)),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        faction, region = _waiting(state)
        if not isinstance(action, Pillage):
            raise not_now(action, rule=RULE)
        refuse_unless(faction, action)
        _refuse_target(state, region, action)
        account = Account(state)
        _pillage(account, action.place, action.owner)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Pillage without a prompt if there is at most one target."""
        if not state.frames[-1].data["regions"]:
            account = Account(state)
            account.set(frames=done(state))
            return account.outcome()
        faction, region = _waiting(state)
        options = targets(state, region)
        if len(options) > 1:
            return None
        account = Account(state)
        if options:
            _pillage(account, *options[0])
        else:
            params = {"faction": faction_name(faction), "region": region_name(region)}
            account.step(RULE, say("nothing-to-pillage", **params))
            _next_army(account)
        return account.outcome()


def _waiting(state: State) -> tuple[str, str]:
    data = state.frames[-1].data
    return data["faction"], data["regions"][0]


def _next_army(account: Account[State]) -> None:
    top = account.state.frames[-1]
    account.set(frames=goto(account.state, top.with_data(regions=top.data["regions"][1:])))


def _refuse_target(state: State, region: str, action: Pillage) -> None:
    allowed = targets(state, region)
    if (action.place, action.owner) in allowed:
        return
    if action.place not in open_country(state, region):
        raise Illegal(say("pillage-where"), rule=RULE)
    if action.owner is None and action.place in _towns(state, region):
        raise Illegal(say("pillage-no-neutrals"), rule=RULE)
    if action.owner == NEUTRAL and counters(state, NEUTRAL, action.place):
        raise Illegal(say("pillage-neutral"), rule=RULE)
    raise Illegal(say("pillage-nobody"), rule=RULE)


def _pillage(account: Account[State], place: str, owner: str | None) -> None:
    """Put a neutral into the town's province, or in place of a counter, if neutrals are left (6.3)."""
    faction, _ = _waiting(account.state)
    name = faction_name(faction)
    if owner is None:
        params = {"faction": name, "town": settlement_name(place)}
        account.step(RULE, say("pillages", **params), moves=town_pillaged(account.state, place))
    else:
        replaced = bool(supply(account.state, NEUTRAL))
        moves = (*taken(owner, place=place), *(placed(NEUTRAL, place=place) if replaced else ()))
        params = {"faction": name, "owner": faction_name(owner), "place": Name("place", place)}
        code = "pillages-counter" if replaced else "pillages-counter-bare"
        account.step(RULE, say(code, **params), moves=moves)
    _next_army(account)


def town_pillaged(state: State, town: str) -> tuple[Move, ...]:
    """Return the move of a neutral into the countryside of the town's province (6.3, 6.7.3).

    The counter in the town stays.
    """
    return placed(NEUTRAL, place=atlas(state).province_of(town).countryside)
