"""Movement inside provinces (rulebook 5.6 and 6.14).

Provinces are independent, so all are open at once: any faction with counters in a province enters its
final layout. In a disputed province factions move one after the other, the strongest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, faction_names, say
from games.core.prompts import Choice, Plan, Prompt
from games.core.steps import Account, Outcome, Step
from games.revolution.actions import Dispute, LayOut, Layout, Settled, StepBy
from games.revolution.board import Province, settlement_name
from games.revolution.factions import NEUTRAL
from games.revolution.pieces import COUNTER
from games.revolution.provinces import province_name, refuse_provinces
from games.revolution.rounds import advance, refuse_unless, section
from games.revolution.state import State, atlas, countable, counters, everybody, is_besieged, open_places

RULE = "6.14"
IN_TOWN = 1  # 6.14: a town holds one counter
FILLED = {"city": 2, "town": 1}  # 6.14: neutrals that move into an empty place

Lay: TypeAlias = dict[str, dict[str, int]]  # place -> owner -> counters, without zeros


def rule_of(state: State) -> str:
    return section(state, "5.6", RULE)


# Layouts


def layout_of(state: State, province: Province) -> Lay:
    """Return the current layout, besieged cities excluded."""
    lay = {
        place: {f: n for f in everybody(state) if (n := counters(state, f, place))}
        for place in open_places(state, province)
    }
    return {place: lines for place, lines in lay.items() if lines}


def plain(layout: Layout) -> Lay:
    """Return the layout without zeros and empty places."""
    lay = {place: {f: n for f, n in lines.items() if n} for place, lines in layout.items()}
    return {place: lines for place, lines in lay.items() if lines}


def totals(lay: Layout) -> Counter[str]:
    total: Counter[str] = Counter()
    for lines in lay.values():
        total.update(lines)
    return total


def moves_between(before: Lay, after: Lay, places: Iterable[str], owners: Iterable[str]) -> list[Move]:
    """Return the fewest moves from one layout to another."""
    moves = []
    order = list(places)
    for owner in owners:
        change = {p: after.get(p, {}).get(owner, 0) - before.get(p, {}).get(owner, 0) for p in order}
        leaving = [p for p in order for _ in range(-change[p])]
        arriving = [p for p in order for _ in range(change[p])]
        pairs = Counter(zip(leaving, arriving, strict=True))
        moves += [Move(owner, COUNTER, source, target, count) for (source, target), count in pairs.items()]
    return moves


# Movers


def movers(state: State, province: Province) -> list[str]:
    """Return the factions with counters there, strongest first, ties in play order (6.14)."""
    here = countable(state, province)
    return sorted((f for f in state.order if here[f]), key=lambda f: -here[f])


def is_choice(state: State, province: Province) -> bool:
    """Return whether a player's counters could have another layout."""
    return len(open_places(state, province)) > 1 and bool(movers(state, province))


def open_provinces(state: State) -> list[Province]:
    """Return the provinces with a choice for which no layout has been entered."""
    closed = (*_closed(state), *_disputes(state))
    return [p for p in atlas(state).provinces.values() if p.slug not in closed and is_choice(state, p)]


def _closed(state: State) -> Sequence[str]:
    entered: Sequence[str] = state.frames[-1].data.get("closed", ())
    return entered


def _disputes(state: State) -> Mapping[str, Sequence[str]]:
    """Return the disputed provinces, with the factions that have moved there."""
    disputed: Mapping[str, Sequence[str]] = state.frames[-1].data.get("disputes", {})
    return disputed


def to_move(state: State, slug: str) -> str | None:
    """Return the next faction to move in a disputed province."""
    moved = _disputes(state)[slug]
    return next((f for f in movers(state, atlas(state).provinces[slug]) if f not in moved), None)


# The phase


@dataclass(frozen=True, slots=True)
class Movement:
    """Phases 5.6 and 6.14: layouts are entered per province, until the first player ends the phase."""

    name = "movement"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        open_ = {p: movers(state, p) for p in open_provinces(state)}
        turns = {slug: to_move(state, slug) for slug in _disputes(state)}
        prompts = [] if turns else [_settled_prompt(state, len(open_))]
        for faction in state.order:
            disputed = [slug for slug, mover in turns.items() if mover == faction]
            own = [p for p, here in open_.items() if faction in here]
            disputable = [p for p in own if len(open_[p]) > 1]
            prompts += [_step_prompt(state, faction, disputed)] if disputed else []
            prompts += [_layout_prompt(state, faction, own)] if own else []
            prompts += [_dispute_prompt(state, faction, disputable)] if disputable else []
        return prompts

    def act(self, state: State, action: Action) -> Outcome[State]:
        match action:
            case LayOut():
                return _lay_out(state, action)
            case Dispute():
                return _dispute(state, action)
            case StepBy():
                return _step(state, action)
            case Settled():
                return _settle(state, action)
        raise not_now(action, rule=rule_of(state))

    def resolve(self, state: State) -> Outcome[State] | None:
        """End disputes in which all have moved, and the phase once no province is left to enter."""
        account = Account(state)
        over = [slug for slug in _disputes(state) if to_move(state, slug) is None]
        for slug in over:
            _close(account, slug)
        if over:
            return account.outcome()
        return None if _disputes(state) or open_provinces(state) else _finish(state)


def _settled_prompt(state: State, count: int) -> Prompt:
    first = state.order[0]
    title = say("prompt-settled", count=count)
    return Prompt(faction=first, title=title, rule=rule_of(state), example=Settled(faction=first))


def _layout_prompt(state: State, faction: str, provinces: Sequence[Province]) -> Prompt:
    now = layout_of(state, provinces[0])
    described = {"provinces": {p.slug: _described(state, p) for p in provinces}}
    return Prompt(
        faction=faction,
        title=say("prompt-layout", count=len(provinces)),
        rule=rule_of(state),
        example=LayOut(faction=faction, province=provinces[0].slug, layout=now),
        fields=(Plan(("province", "layout"), partial(_draw_layout, state, provinces), described),),
    )


def _dispute_prompt(state: State, faction: str, provinces: Sequence[Province]) -> Prompt:
    slugs = tuple(p.slug for p in provinces)
    return Prompt(
        faction=faction,
        title=say("prompt-dispute"),
        rule=rule_of(state),
        example=Dispute(faction=faction, province=slugs[0]),
        fields=(Choice("province", slugs),),
    )


def _step_prompt(state: State, faction: str, slugs: Sequence[str]) -> Prompt:
    provinces = [atlas(state).provinces[slug] for slug in slugs]
    described = {"provinces": {p.slug: _described(state, p) for p in provinces}}
    return Prompt(
        faction=faction,
        title=say("prompt-step", province=province_name(slugs[0])),
        rule=rule_of(state),
        example=StepBy(faction=faction, province=slugs[0], layout=layout_of(state, provinces[0])),
        fields=(Plan(("province", "layout"), partial(_draw_step, state, faction, provinces), described),),
    )


def _described(state: State, province: Province) -> Json:
    """Return the data for a form: places, layout, order of movers, factions that have moved."""
    return {
        "places": list(open_places(state, province)),
        "layout": layout_of(state, province),
        "movers": movers(state, province),
        "moved": list(_disputes(state).get(province.slug, ())),
    }


# Random entries


def _draw_layout(
    state: State, provinces: Sequence[Province], below: Callable[[int], int]
) -> tuple[str, Json]:
    """Return a random layout of one of the provinces."""
    province = provinces[below(len(provinces))]
    loose = [(owner, n) for owner, n in countable(state, province).items() if n]
    return province.slug, _scattered({}, loose, open_places(state, province), below)


def _draw_step(
    state: State, faction: str, provinces: Sequence[Province], below: Callable[[int], int]
) -> tuple[str, Json]:
    """Return a random step of a dispute.

    Own counters and neutrals go anywhere; some counters of factions yet to move are pushed out.
    """
    province = provinces[below(len(provinces))]
    moved = _disputes(state)[province.slug]
    lay: Lay = {}
    for place, lines in layout_of(state, province).items():
        for owner, n in lines.items():
            if owner in (faction, NEUTRAL):
                continue
            pushed = 0 if owner in moved or place == province.countryside else below(n + 1)
            put(lay, place, owner, n - pushed)
            put(lay, province.countryside, owner, pushed)
    here = countable(state, province)
    loose = [(owner, here[owner]) for owner in (faction, NEUTRAL) if here[owner]]
    return province.slug, _scattered(lay, loose, open_places(state, province), below)


def _scattered(
    lay: Lay, loose: Sequence[tuple[str, int]], places: Sequence[str], below: Callable[[int], int]
) -> Lay:
    for owner, count in loose:
        for _ in range(count):
            free = [p for p in places if not (is_town(p) and lay.get(p))]
            put(lay, free[below(len(free))], owner, 1)
    return {place: lay[place] for place in places if place in lay}


def put(lay: Lay, place: str, owner: str, count: int) -> None:
    """Add counters to a layout."""
    if count:
        lines = lay.setdefault(place, {})
        lines[owner] = lines.get(owner, 0) + count


def is_town(place: str) -> bool:
    return place.startswith("town:")


# Entries


def _checked_province(state: State, action: LayOut | Dispute | StepBy) -> Province:
    """Return the province; raise unless it exists and the faction may make this entry there."""
    rule = rule_of(state)
    refuse_provinces(state, [action.province], rule)
    province = atlas(state).provinces[action.province]
    if not countable(state, province)[action.faction]:
        raise Illegal(say("no-counter-in", province=province_name(province.slug)), rule=rule)
    if province.slug in _closed(state):
        raise Illegal(say("laid-out-already", province=province_name(province.slug)), rule=rule)
    if isinstance(action, StepBy):
        return province
    if province.slug in _disputes(state):
        raise Illegal(say("disputed", province=province_name(province.slug)), rule=rule)
    if not is_choice(state, province):
        raise Illegal(say("nothing-to-lay-out", province=province_name(province.slug)), rule=rule)
    return province


def refuse_layout(state: State, province: Province, layout: Layout) -> None:
    """Raise `Illegal` unless the totals stay, towns hold one counter and sieges are untouched (6.14)."""
    rule = rule_of(state)
    for place in layout:
        if place not in province.places:
            raise Illegal(_totals_stay(state, province), rule=rule)
        if place not in open_places(state, province) and is_besieged(state, place):
            raise Illegal(say("under-siege", place=settlement_name(place)), rule=rule)
    lay = plain(layout)
    if totals(lay) != totals(layout_of(state, province)):
        raise Illegal(_totals_stay(state, province), rule=rule)
    before = layout_of(state, province)
    if any(_size(lay, p) > max(IN_TOWN, _size(before, p)) for p in lay if is_town(p)):
        raise Illegal(say("town-one"), rule=rule)


def _size(lay: Lay, place: str) -> int:
    return sum(lay.get(place, {}).values())


def _totals_stay(state: State, province: Province) -> Message:
    here = tuple(
        say("so-many", count=n, faction=Name("colour", f)) for f, n in countable(state, province).items() if n
    )
    return say("totals-stay", province=province_name(province.slug), totals=here)


def _lay_out(state: State, action: LayOut) -> Outcome[State]:
    """Apply the agreed layout (6.14)."""
    province = _checked_province(state, action)
    refuse_layout(state, province, action.layout)
    account = Account(state)
    _rearrange(
        account, province, plain(action.layout), say("laid-out", province=province_name(province.slug))
    )
    _close(account, province.slug)
    return account.outcome()


def _rearrange(account: Account[State], province: Province, lay: Lay, message: Message) -> None:
    state = account.state
    before = layout_of(state, province)
    moves = moves_between(before, lay, open_places(state, province), everybody(state))
    account.step(rule_of(state), message, moves=moves)


def _dispute(state: State, action: Dispute) -> Outcome[State]:
    """Start moves in turn in this province (6.14)."""
    province = _checked_province(state, action)
    order = movers(state, province)
    name = province_name(province.slug)
    if len(order) < 2:  # noqa: PLR2004 - a dispute needs two factions
        raise Illegal(say("nobody-to-dispute", province=name), rule=rule_of(state))
    account = Account(state)
    account.step(rule_of(state), say("dispute", province=name, order=faction_names(order)))
    top = state.frames[-1]
    account.set(frames=goto(state, top.with_data(disputes={**_disputes(state), province.slug: []})))
    return account.outcome()


def _step(state: State, action: StepBy) -> Outcome[State]:
    """Move one faction's counters in a dispute (6.14).

    It may also push out factions yet to move, and move neutrals.
    """
    province = _checked_province(state, action)
    disputes = _disputes(state)
    if province.slug not in disputes:
        raise Illegal(say("not-disputed", province=province_name(province.slug)), rule=rule_of(state))
    refuse_unless(to_move(state, province.slug) or "", action)
    refuse_layout(state, province, action.layout)
    lay = plain(action.layout)
    _refuse_touching(state, province, action.faction, lay)
    account = Account(state)
    message = say("moves-inside", faction=faction_name(action.faction), province=province_name(province.slug))
    _rearrange(account, province, lay, message)
    moved = [*disputes[province.slug], action.faction]
    top = state.frames[-1]
    account.set(frames=goto(account.state, top.with_data(disputes={**disputes, province.slug: moved})))
    return account.outcome()


def _refuse_touching(state: State, province: Province, faction: str, lay: Lay) -> None:
    """Raise `Illegal` if another faction's counters move (6.14).

    Factions yet to move may be pushed to the countryside (Q-12).
    """
    rule = rule_of(state)
    before = layout_of(state, province)
    moved = _disputes(state)[province.slug]
    for other in state.order:
        if other == faction:
            continue
        for place in open_places(state, province):
            more = lay.get(place, {}).get(other, 0) - before.get(place, {}).get(other, 0)
            if more and other in moved:
                raise Illegal(say("has-moved", colour=Name("colour", other)), rule=rule)
            if more > 0 and place != province.countryside:
                raise Illegal(say("push-countryside", faction=faction_name(other)), rule=rule)


def _settle(state: State, action: Settled) -> Outcome[State]:
    """End the phase for the first player, who decides the order of provinces (6.14)."""
    refuse_unless(state.order[0], action)
    waiting = [(slug, to_move(state, slug)) for slug in _disputes(state)]
    if waiting:
        slug, faction = waiting[0]
        name = faction_name(faction or NEUTRAL)
        raise Illegal(say("dispute-open", province=province_name(slug), faction=name), rule=rule_of(state))
    return _finish(state)


# Neutrals


def neutral_moves(state: State, province: Province) -> list[Move]:
    """Return the moves of neutrals from countryside into empty cities (two) and towns (one) (6.14, Q-39).

    Cities come first, each kind by name. Players can enter another distribution as a layout.
    """
    left = counters(state, NEUTRAL, province.countryside)
    places = [
        p for p in (*sorted(province.cities), *sorted(province.towns)) if p in open_places(state, province)
    ]
    moves = []
    for place in places:
        count = min(left, FILLED[place.partition(":")[0]])
        if count and not any(counters(state, f, place) for f in everybody(state)):
            moves.append(Move(NEUTRAL, COUNTER, province.countryside, place, count))
            left -= count
    return moves


def _fill_empty(account: Account[State], province: Province) -> None:
    moves = neutral_moves(account.state, province)
    if moves:
        places = tuple(settlement_name(move.target) for move in moves)
        message = say("neutrals-fill", province=province_name(province.slug), places=places)
        account.add(Step(rule_of(account.state), message, tuple(moves)))


def _close(account: Account[State], slug: str) -> None:
    """Close a province in which all have moved: neutrals fill empty settlements."""
    _fill_empty(account, atlas(account.state).provinces[slug])
    top = account.state.frames[-1]
    disputes = {p: moved for p, moved in _disputes(account.state).items() if p != slug}
    frame = top.with_data(closed=[*_closed(account.state), slug], disputes=disputes)
    account.set(frames=goto(account.state, frame))


def _finish(state: State) -> Outcome[State]:
    """End the phase; all other counters stay (6.14)."""
    account = Account(state)
    account.step(rule_of(state), say("settled", count=len(open_provinces(state))))
    for province in atlas(state).provinces.values():
        if province.slug not in _closed(state):
            _fill_empty(account, province)
    advance(account)
    return account.outcome()
