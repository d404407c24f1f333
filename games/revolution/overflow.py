"""Overflow: surplus population moves to other provinces (rulebook 5.5 and 6.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import not_now
from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.prompts import Plan, Prompt
from games.core.steps import Account, Outcome
from games.revolution.actions import Overflow, Stream
from games.revolution.board import Province, River, settlement_name
from games.revolution.factions import NEUTRAL, allies_of
from games.revolution.pieces import COUNTER, taken
from games.revolution.provinces import province_name, refuse_provinces
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
DISPLACES = "overflow_displaces_neutrals"
ALLY_BLOCKS = "ally_blocks_river"


def rule_of(state: State) -> str:
    return section(state, "5.5", RULE)


# Surplus and room


def surplus(state: State, province: Province, faction: str) -> int:
    """Return a faction's counters above the limit, besieged cities excluded (6.13)."""
    return max(0, countable(state, province)[faction] - province.limit)


def surpluses(state: State, faction: str) -> dict[str, int]:
    by_province = {p.slug: surplus(state, p, faction) for p in atlas(state).provinces.values()}
    return {slug: count for slug, count in by_province.items() if count}


def room(state: State, province: Province) -> int:
    """Return the room up to the limit; counters of all players count, neutrals do not (6.13, Q-18)."""
    here = countable(state, province)
    return max(0, province.limit - sum(n for f, n in here.items() if f != NEUTRAL))


# Reach


def is_open(state: State, settlement: str, faction: str) -> bool:
    """Return whether no rival holds the settlement (6.13).

    An ally counts as a rival unless the table option says otherwise (Q-11).
    """
    held_by = holder(state, settlement)
    friends = {faction} if option(state, ALLY_BLOCKS) else {faction, *allies_of(faction, alliances(state))}
    return held_by is None or held_by in friends


def can_pass(state: State, river: River, province: str, faction: str) -> bool:
    """Return whether at least one branch of the river has no rival settlement in the province (6.13)."""
    channels = river.channels.get(province)
    return not channels or any(all(is_open(state, s, faction) for s in channel) for channel in channels)


def along(state: State, river: River, source: str, faction: str) -> list[str]:
    """Return the provinces reachable on one river (6.13).

    A province whose settlements block the river can be entered, but not passed (Q-50).
    """
    reached = [source]
    for province in reached:
        if province == source or can_pass(state, river, province, faction):
            reached += [other for other in river.next_to(province) if other not in reached]
    return reached[1:]


def reach(state: State, source: str, faction: str) -> list[str]:
    """Return neighbours and provinces reachable on a single river, in board order (6.13)."""
    land = atlas(state)
    reached = set(land.provinces[source].neighbours)
    for river in land.rivers.values():
        if source in river.course:
            reached.update(along(state, river, source, faction))
    return [slug for slug in land.provinces if slug in reached and slug != source]


def blocking(state: State, source: str, target: str, faction: str) -> list[str]:
    """Return the rival settlements that block the rivers to a province."""
    settlements: list[str] = []
    for river in atlas(state).rivers.values():
        if {source, target} <= set(river.course):
            a, b = sorted((river.course.index(source), river.course.index(target)))
            for province in river.course[a + 1 : b]:
                if not can_pass(state, river, province, faction):
                    passed = [s for channel in river.channels[province] for s in channel]
                    settlements += [s for s in passed if not is_open(state, s, faction)]
    return settlements


def blocked(state: State, source: str, faction: str) -> dict[str, list[str]]:
    """Return the unreachable provinces on rivers through `source`, and the settlements that block them."""
    land = atlas(state)
    rivers = [river for river in land.rivers.values() if source in river.course]
    beyond = {slug for river in rivers for slug in river.course} - {source, *reach(state, source, faction)}
    return {slug: blocking(state, source, slug, faction) for slug in land.provinces if slug in beyond}


def outlets(state: State, faction: str) -> dict[str, list[str]]:
    """Return the provinces with room that each surplus can reach."""
    land = atlas(state).provinces
    return {
        source: [q for q in reach(state, source, faction) if room(state, land[q])]
        for source in surpluses(state, faction)
    }


# The phase


@dataclass(frozen=True, slots=True)
class Overflowing:
    """Phases 5.5 and 6.13: in play order each faction moves its surplus; the remainder returns to supply."""

    name = "overflow"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = turn_of(state)
        if faction is None:
            return []
        by_province = surpluses(state, faction)
        described = {
            "surplus": by_province,
            "targets": _targets(state, faction),
            "blocked": {source: blocked(state, source, faction) for source in by_province},
        }
        return [
            Prompt(
                faction=faction,
                title=say("prompt-overflow", count=sum(by_province.values())),
                rule=rule_of(state),
                example=Overflow(faction=faction, moves=tuple(_first_streams(state, faction))),
                fields=(Plan(("moves",), partial(_draw_streams, state, faction), described),),
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
        _return_surplus(account, action.faction)
        end_turn(account, action.faction)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Skip factions that have no surplus or nowhere to move it."""
        faction = turn_of(state)
        account = Account(state)
        if faction is None:
            _neutrals_home(account)
            advance(account)
            return account.outcome()
        if any(outlets(state, faction).values()):
            return None
        _return_surplus(account, faction)
        end_turn(account, faction)
        return account.outcome()


def _targets(state: State, faction: str) -> dict[str, dict[str, int]]:
    land = atlas(state).provinces
    return {
        source: {q: room(state, land[q]) for q in reachable}
        for source, reachable in outlets(state, faction).items()
    }


def _first_streams(state: State, faction: str) -> list[Stream]:
    """Return streams that move as much as possible to the first provinces with room."""
    streams = []
    left = {q: n for rooms in _targets(state, faction).values() for q, n in rooms.items()}
    for source, rooms in _targets(state, faction).items():
        remaining = surpluses(state, faction)[source]
        for target in rooms:
            count = min(remaining, left[target])
            if count:
                streams.append(Stream(source=source, target=target, count=count))
                left[target] -= count
                remaining -= count
    return streams


def _draw_streams(state: State, faction: str, below: Callable[[int], int]) -> tuple[Json]:
    """Choose at random how many surplus counters flow from each overfull province to each neighbour.

    ``below(n)`` returns a random integer from 0 to n - 1.
    """
    left = {q: n for rooms in _targets(state, faction).values() for q, n in rooms.items()}
    streams = []
    for source, rooms in _targets(state, faction).items():
        remaining = surpluses(state, faction)[source]
        for target in rooms:
            count = below(min(remaining, left[target]) + 1)
            if count:
                streams.append({"source": source, "target": target, "count": count})
                left[target] -= count
                remaining -= count
    return (streams,)


def _refuse_streams(state: State, action: Overflow) -> None:
    rule = rule_of(state)
    land = atlas(state).provinces
    available = surpluses(state, action.faction)
    leaving: Counter[str] = Counter()
    arriving: Counter[str] = Counter()
    for stream in action.moves:
        for slug in (stream.source, stream.target):
            refuse_provinces(state, [slug], rule)
        leaving[stream.source] += stream.count
        arriving[stream.target] += stream.count
        if leaving[stream.source] > available.get(stream.source, 0):
            raise Illegal(say("above-the-limit", count=available.get(stream.source, 0)), rule=rule)
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
    """Move surplus counters to the countryside of the other province (6.13)."""
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
    """Return the options that matter here: with allies, and if neutrals crowd the target."""
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
    """Move one neutral to supply per arrival while the province is above its limit (Q-10)."""
    here = countable(account.state, province)
    over = max(0, sum(here.values()) - province.limit)
    count = min(arrived, over, here[NEUTRAL])
    if count:
        moves = _sent_home(account.state, NEUTRAL, open_places(account.state, province), count)
        message = say("displaced", count=count, province=province_name(province.slug))
        account.step(rule_of(account.state), message, moves=moves, options=(DISPLACES,))


def _sent_home(state: State, owner: str, places: Sequence[str], count: int) -> list[Move]:
    """Return the moves of `count` counters to supply, from the places in order."""
    moves: list[Move] = []
    for place in places:
        here = min(count, counters(state, owner, place))
        moves += taken(owner, here, place=place)
        count -= here
    return moves


def _return_surplus(account: Account[State], faction: str) -> None:
    """Move the remaining surplus to supply (6.13)."""
    for slug, count in surpluses(account.state, faction).items():
        state = account.state
        moves = _sent_home(state, faction, open_places(state, atlas(state).provinces[slug]), count)
        message = say(
            "surplus-home", faction=faction_name(faction), count=count, province=province_name(slug)
        )
        account.step(rule_of(state), message, moves=moves, options=(ALLY_BLOCKS,) if alliances(state) else ())


def _neutrals_home(account: Account[State]) -> None:
    """Move neutrals above the limit to supply where no player has a counter (Q-38)."""
    for province in atlas(account.state).provinces.values():
        here = countable(account.state, province)
        alone = not any(count for owner, count in here.items() if owner != NEUTRAL)
        over = here[NEUTRAL] - province.limit
        if alone and over > 0:
            moves = _sent_home(account.state, NEUTRAL, open_places(account.state, province), over)
            message = say("neutrals-home", count=over, province=province_name(province.slug))
            account.step(rule_of(account.state), message, moves=moves)
