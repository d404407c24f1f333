"""Overflow: surplus population moves to other provinces (rulebook 5.5 and 6.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.flow import not_now
from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.prompts import Plan, Prompt
from games.core.steps import Account, Outcome
from games.revolution.actions import Overflow, Stream
from games.revolution.board import Province, River, settlement_name
from games.revolution.factions import NEUTRAL, allies_of
from games.revolution.pieces import COUNTER, taken
from games.revolution.provinces import province_name
from games.revolution.rounds import advance, end_turn, refuse_unless_turn, section, turn_of
from games.revolution.state import (
    State,
    alliances,
    atlas,
    countable,
    counters,
    holder,
    open_places,
    option,
)

RULE = "6.13"
DISPLACES = "overflow_displaces_neutrals"  # the option Q-10 is about
ALLY_BLOCKS = "ally_blocks_river"  # the option Q-11 is about


def rule_of(state: State) -> str:
    return section(state, "5.5", RULE)


# Surplus and room


def surplus(state: State, province: Province, faction: str) -> int:
    """6.13: what a faction has above the limit, besieged cities left out."""
    return max(0, countable(state, province)[faction] - province.limit)


def surpluses(state: State, faction: str) -> dict[str, int]:
    found = {p.slug: surplus(state, p, faction) for p in atlas(state).provinces.values()}
    return {slug: count for slug, count in found.items() if count}


def room(state: State, province: Province) -> int:
    """6.13: up to the limit, counting all players' counters but no neutrals (Q-18)."""
    here = countable(state, province)
    return max(0, province.limit - sum(n for f, n in here.items() if f != NEUTRAL))


# Reach


def is_open(state: State, settlement: str, faction: str) -> bool:
    """6.13: nobody else holds it; an ally does, unless the table says otherwise (Q-11)."""
    held_by = holder(state, settlement)
    friends = {faction} if option(state, ALLY_BLOCKS) else {faction, *allies_of(faction, alliances(state))}
    return held_by is None or held_by in friends


def can_pass(state: State, river: River, province: str, faction: str) -> bool:
    """6.13: one branch of the river has no settlement of a rival."""
    channels = river.channels.get(province)
    return not channels or any(all(is_open(state, s, faction) for s in channel) for channel in channels)


def along(state: State, river: River, source: str, faction: str) -> list[str]:
    """6.13: the provinces of one river that can be reached; one may enter where one may not pass (Q-50)."""
    seen = [source]
    for province in seen:
        if province == source or can_pass(state, river, province, faction):
            seen += [other for other in river.next_to(province) if other not in seen]
    return seen[1:]


def reach(state: State, source: str, faction: str) -> list[str]:
    """6.13: neighbours, and what one river joins; sorted as on the board."""
    land = atlas(state)
    found = set(land.provinces[source].neighbours)
    for river in land.rivers.values():
        if source in river.course:
            found.update(along(state, river, source, faction))
    return [slug for slug in land.provinces if slug in found and slug != source]


def blocking(state: State, source: str, target: str, faction: str) -> list[str]:
    """Settlements of rivals that keep a river closed on the way to a province."""
    found: list[str] = []
    for river in atlas(state).rivers.values():
        if {source, target} <= set(river.course):
            a, b = sorted((river.course.index(source), river.course.index(target)))
            for province in river.course[a + 1 : b]:
                if not can_pass(state, river, province, faction):
                    settlements = [s for channel in river.channels[province] for s in channel]
                    found += [s for s in settlements if not is_open(state, s, faction)]
    return found


def blocked(state: State, source: str, faction: str) -> dict[str, list[str]]:
    """Provinces on a river through ``source`` that are out of reach, and the settlements in the way."""
    land = atlas(state)
    rivers = [river for river in land.rivers.values() if source in river.course]
    beyond = {slug for river in rivers for slug in river.course} - {source, *reach(state, source, faction)}
    return {slug: blocking(state, source, slug, faction) for slug in land.provinces if slug in beyond}


def outlets(state: State, faction: str) -> dict[str, list[str]]:
    """From each province with a surplus, where it can go."""
    land = atlas(state).provinces
    return {
        source: [q for q in reach(state, source, faction) if room(state, land[q])]
        for source in surpluses(state, faction)
    }


# The phase


@dataclass(frozen=True, slots=True)
class Overflowing:
    """In play order each faction moves its surplus; what is left returns to supply."""

    name = "overflow"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = turn_of(state)
        if faction is None:
            return []
        have = surpluses(state, faction)
        described = {
            "surplus": have,
            "targets": _targets(state, faction),
            "blocked": {source: blocked(state, source, faction) for source in have},
        }
        return [
            Prompt(
                faction=faction,
                title=say("prompt-overflow", count=sum(have.values())),
                rule=rule_of(state),
                example=Overflow(faction=faction, moves=tuple(_first_streams(state, faction))),
                fields=(Plan(("moves",), partial(_drawn, state, faction), described),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Overflow):
            raise not_now(action, rule=rule_of(state))
        refuse_unless_turn(state, action)
        _refuse_streams(state, action)
        account = Account(state)
        for stream in action.moves:
            if stream.count:
                _flow(account, action.faction, stream)
        _return_rest(account, action.faction)
        end_turn(account, action.faction)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Who has no surplus, or nowhere to go with it, is not asked."""
        faction = turn_of(state)
        account = Account(state)
        if faction is None:
            _neutrals_home(account)
            advance(account)
            return account.outcome()
        if any(outlets(state, faction).values()):
            return None
        _return_rest(account, faction)
        end_turn(account, faction)
        return account.outcome()


def _targets(state: State, faction: str) -> dict[str, dict[str, int]]:
    land = atlas(state).provinces
    return {
        source: {q: room(state, land[q]) for q in where} for source, where in outlets(state, faction).items()
    }


def _first_streams(state: State, faction: str) -> list[Stream]:
    """As much as possible to the first province with room."""
    streams = []
    left = {q: n for where in _targets(state, faction).values() for q, n in where.items()}
    for source, where in _targets(state, faction).items():
        rest = surpluses(state, faction)[source]
        for target in where:
            count = min(rest, left[target])
            if count:
                streams.append(Stream(source=source, target=target, count=count))
                left[target] -= count
                rest -= count
    return streams


def _drawn(state: State, faction: str, below: Callable[[int], int]) -> tuple[Json]:
    """Some surplus goes somewhere."""
    left = {q: n for where in _targets(state, faction).values() for q, n in where.items()}
    streams = []
    for source, where in _targets(state, faction).items():
        rest = surpluses(state, faction)[source]
        for target in where:
            count = below(min(rest, left[target]) + 1)
            if count:
                streams.append({"source": source, "target": target, "count": count})
                left[target] -= count
                rest -= count
    return (streams,)


def _refuse_streams(state: State, action: Overflow) -> None:
    rule = rule_of(state)
    land = atlas(state).provinces
    have = surpluses(state, action.faction)
    leaving: Counter[str] = Counter()
    arriving: Counter[str] = Counter()
    for stream in action.moves:
        for slug in (stream.source, stream.target):
            if slug not in land:
                raise BadInput(say("unknown-province", province=slug[:40]), rule=rule)
        leaving[stream.source] += stream.count
        arriving[stream.target] += stream.count
        if leaving[stream.source] > have.get(stream.source, 0):
            raise Illegal(say("above-the-limit", count=have.get(stream.source, 0)), rule=rule)
        if stream.target not in reach(state, stream.source, action.faction):
            raise Illegal(_why_unreachable(state, stream, action.faction), rule=rule)
        if arriving[stream.target] > room(state, land[stream.target]):
            raise Illegal(_why_full(state, land[stream.target]), rule=rule)


def _why_unreachable(state: State, stream: Stream, faction: str) -> Message:
    name = province_name(stream.target)
    blocked = blocking(state, stream.source, stream.target, faction)
    if not blocked:
        return say("not-reached", province=name)
    held_by = faction_name(holder(state, blocked[0]) or NEUTRAL)
    return say("reach-blocked", province=name, place=settlement_name(blocked[0]), faction=held_by)


def _why_full(state: State, province: Province) -> Message:
    left = room(state, province)
    name = province_name(province.slug)
    return say("room-for", province=name, count=left) if left else say("province-full", province=name)


def _flow(account: Account[State], faction: str, stream: Stream) -> None:
    """6.13: surplus counters go to the countryside of the other province."""
    state = account.state
    land = atlas(state).provinces
    source, target = land[stream.source], land[stream.target]
    moves = _taken_from(state, faction, source, stream.count, target.countryside)
    account.step(
        rule_of(state),
        say(
            "overflows",
            faction=faction_name(faction),
            count=stream.count,
            source=province_name(source.slug),
            target=province_name(target.slug),
        ),
        moves=moves,
        options=_options(state, target, stream.count),
    )
    if option(state, DISPLACES):
        _displace(account, target, stream.count)


def _options(state: State, target: Province, arriving: int) -> list[str]:
    """The table options that matter: with allies, and where neutrals fill the province."""
    here = countable(state, target)
    crowded = bool(here[NEUTRAL]) and sum(here.values()) + arriving > target.limit
    return [name for name, matters in ((ALLY_BLOCKS, alliances(state)), (DISPLACES, crowded)) if matters]


def _taken_from(state: State, faction: str, province: Province, count: int, to: str) -> list[Move]:
    moves = []
    for place in open_places(state, province):
        here = min(count, counters(state, faction, place))
        if here:
            moves.append(Move(faction, COUNTER, place, to, here))
        count -= here
    return moves


def _displace(account: Account[State], province: Province, arrived: int) -> None:
    """Q-10: for each arrival a neutral leaves, while the province is above its limit."""
    here = countable(account.state, province)
    over = max(0, sum(here.values()) - province.limit)
    count = min(arrived, over, here[NEUTRAL])
    if count:
        moves = _sent_home(account.state, NEUTRAL, open_places(account.state, province), count)
        said = say("displaced", count=count, province=province_name(province.slug))
        account.step(rule_of(account.state), said, moves=moves, options=(DISPLACES,))


def _sent_home(state: State, owner: str, places: Sequence[str], count: int) -> list[Move]:
    """So many counters of an owner go to supply: from countryside, then towns, then cities, as places are given."""
    moves: list[Move] = []
    for place in places:
        here = min(count, counters(state, owner, place))
        moves += taken(owner, here, place=place)
        count -= here
    return moves


def _return_rest(account: Account[State], faction: str) -> None:
    """6.13: what is above the limit and did not move returns to supply."""
    for slug, count in surpluses(account.state, faction).items():
        state = account.state
        moves = _sent_home(state, faction, open_places(state, atlas(state).provinces[slug]), count)
        said = say("surplus-home", faction=faction_name(faction), count=count, province=province_name(slug))
        account.step(rule_of(state), said, moves=moves, options=(ALLY_BLOCKS,) if alliances(state) else ())


def _neutrals_home(account: Account[State]) -> None:
    """Q-38: neutrals alone above the limit do not overflow; the excess returns to supply."""
    for province in atlas(account.state).provinces.values():
        here = countable(account.state, province)
        alone = not any(count for owner, count in here.items() if owner != NEUTRAL)
        over = here[NEUTRAL] - province.limit
        if alone and over > 0:
            moves = _sent_home(account.state, NEUTRAL, open_places(account.state, province), over)
            said = say("neutrals-home", count=over, province=province_name(province.slug))
            account.step(rule_of(account.state), said, moves=moves)
