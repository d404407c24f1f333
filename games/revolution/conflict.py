"""Conflict: provinces with more counters than their limit (rulebook 5.3 and 6.11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeAlias

from games.core.actions import Action
from games.core.codec import Count
from games.core.errors import Illegal
from games.core.flow import goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, faction_names, say
from games.core.prompts import Allocation, Group, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.revolution.actions import Losses
from games.revolution.board import Province
from games.revolution.checks import refuse_more_than, refuse_unknown
from games.revolution.factions import NEUTRAL, Counts
from games.revolution.overflow import outlets
from games.revolution.pieces import COUNTER, SUPPLY, taken
from games.revolution.provinces import province_name
from games.revolution.rounds import advance, end_turn, refuse_unless, section, still_to_act
from games.revolution.state import State, atlas, countable, counters, open_places

RULE = "6.11"


class Loss(NamedTuple):
    """Simultaneous loss of one counter each by one faction, or by all that are tied."""

    factions: tuple[str, ...]
    had: int  # counters of each before the loss
    total: int  # counters in the province before the loss


Pass: TypeAlias = tuple[Loss, ...]
Fights: TypeAlias = Mapping[str, "Conflict"]  # by province


class Conflict(NamedTuple):
    """Course of a conflict; the remaining counters follow from the losses."""

    counters: Counts
    limit: int
    passes: tuple[Pass, ...]

    @property
    def removed(self) -> dict[str, int]:
        losses = [loss for losses in self.passes for loss in losses]
        return {f: sum(f in loss.factions for loss in losses) for f in self.counters}

    @property
    def left(self) -> dict[str, int]:
        removed = self.removed
        return {f: count - removed[f] for f, count in self.counters.items()}


def is_conflict(counters: Counts, limit: int) -> bool:
    """Return whether counters of at least two factions, neutrals included, exceed the limit (6.11)."""
    return sum(counters.values()) > limit and len(present(counters)) > 1


def present(counters: Counts) -> tuple[str, ...]:
    """Return the factions with at least one counter."""
    return tuple(f for f, count in counters.items() if count)


def resolve(counters: Counts, limit: int) -> Conflict:
    """Resolve passes until the limit is kept or one faction is alone (6.11).

    `counters` must not include those in besieged cities.
    """
    conflict = Conflict(counters, limit, ())
    while is_conflict(conflict.left, limit):
        conflict = conflict._replace(passes=(*conflict.passes, _pass(conflict.left, limit)))
    return conflict


def _pass(counters: Counts, limit: int) -> Pass:
    """Take one counter per faction, fewest first and ties together, while the conflict lasts (6.11)."""
    losses: list[Loss] = []
    left = dict(counters)
    for had in sorted({counters[f] for f in present(counters)}):
        if not is_conflict(left, limit):
            break
        tied = tuple(f for f in counters if counters[f] == had)
        losses.append(Loss(tied, had, sum(left.values())))
        left |= dict.fromkeys(tied, had - 1)
    return tuple(losses)


# Steps


def steps(
    conflict: Conflict, rule: str = RULE, take: Callable[[str], Collection[Move]] = taken
) -> tuple[Step, ...]:
    """Return the steps of a conflict; `take` returns the moves that remove one counter of a faction."""
    if not conflict.passes:
        return (Step(rule, _no_conflict(conflict)),)
    return (
        Step(rule, _begin(conflict)),
        *(_pass_step(number, losses, rule, take) for number, losses in enumerate(conflict.passes, 1)),
        Step(rule, _end(conflict)),
    )


def _no_conflict(conflict: Conflict) -> Message:
    total = sum(conflict.counters.values())
    if total <= conflict.limit:
        return say("conflict-none", count=total, limit=conflict.limit)
    return _alone("conflict-none-alone", conflict)


def _begin(conflict: Conflict) -> Message:
    total = sum(conflict.counters.values())
    return say(
        "conflict", count=total, limit=conflict.limit, factions=faction_names(present(conflict.counters))
    )


def _pass_step(number: int, losses: Pass, rule: str, take: Callable[[str], Collection[Move]]) -> Step:
    finer = tuple(
        Step(rule, _loss(loss, first=i == 0), tuple(move for f in loss.factions for move in take(f)))
        for i, loss in enumerate(losses)
    )
    return Step(rule, say("conflict-pass", number=number), steps=finer)


def _loss(loss: Loss, *, first: bool) -> Message:
    """Return a message such as "Fewest: Reformers 1 -> 0, 14 -> 13."."""
    code = ("conflict-fewest" if first else "conflict-next") + ("-level" if len(loss.factions) > 1 else "")
    after = loss.total - len(loss.factions)
    return say(
        code,
        factions=faction_names(loss.factions),
        had=loss.had,
        left=loss.had - 1,
        before=loss.total,
        after=after,
    )


def _end(conflict: Conflict) -> Message:
    total = sum(conflict.left.values())
    if not total:
        return say("conflict-nobody")
    if total <= conflict.limit:
        return say("conflict-limit", count=total, limit=conflict.limit)
    return _alone("conflict-alone", conflict)


def _alone(code: str, conflict: Conflict) -> Message:
    """Return the message for a single faction, whose surplus overflows or is removed if neutral (6.13)."""
    faction = present(conflict.left)[0]
    surplus = conflict.left[faction] - conflict.limit
    then = say("surplus-neutral" if faction == NEUTRAL else "surplus", count=surplus)
    return say(code, faction=faction_name(faction), limit=conflict.limit, then=then)


# Conflicts of a state


def counter_places(state: State, owner: str, places: Iterable[str]) -> list[str]:
    """Return the places of an owner's counters, one entry per counter."""
    return [place for place in places for _ in range(counters(state, owner, place))]


def fights(state: State) -> Fights:
    """Return the resolved conflict of each province that has one (5.3, 6.11)."""
    return {
        province.slug: _fight(state, province)
        for province in atlas(state).provinces.values()
        if is_conflict(countable(state, province), province.limit)
    }


def _fight(state: State, province: Province) -> Conflict:
    return resolve({f: n for f, n in countable(state, province).items() if n}, province.limit)


# The owner chooses which counters are lost, but counters move freely inside provinces later (6.14). In
# between, the choice matters only for towns: an empty town lets a rival's surplus pass on its river (6.13).


def losing(state: State, faction: str, conflicts: Fights) -> dict[str, int]:
    """Return the losses of a faction in the provinces where the choice of its counters matters."""
    return {
        slug: lost
        for slug, fight in conflicts.items()
        if (lost := fight.removed.get(faction, 0)) and _matters(state, conflicts, slug, faction)
    }


def _matters(state: State, conflicts: Fights, slug: str, faction: str) -> bool:
    """Return whether leaving or keeping the faction's towns changes where a rival's surplus can go (6.13)."""
    order = _loss_order(state, faction, atlas(state).provinces[slug])
    towns = [place for place in order if place.startswith("town:")]
    others = [place for place in order if place not in towns]
    if not towns:
        return False
    kept, left = (
        _state_after(state, conflicts, {(slug, faction): choice})
        for choice in ([*others, *towns], [*towns, *others])
    )
    return any(outlets(kept, rival) != outlets(left, rival) for rival in state.order)


def _state_after(state: State, conflicts: Fights, orders: Mapping[tuple[str, str], Sequence[str]]) -> State:
    """Return the state after all conflicts; `orders` overrides the loss order by (province, faction)."""
    moves = [
        Move(faction, COUNTER, place, SUPPLY)
        for slug, fight in conflicts.items()
        for faction, lost in fight.removed.items()
        for place in (
            orders.get((slug, faction)) or _loss_order(state, faction, atlas(state).provinces[slug])
        )[:lost]
    ]
    return replace(state, ledger=state.ledger.move(*moves))


def to_choose(state: State) -> str | None:
    """Return the next faction in play order that has to choose its losses."""
    conflicts = fights(state)
    return next((faction for faction in still_to_act(state) if losing(state, faction, conflicts)), None)


def _default_losses(state: State, faction: str, slug: str) -> list[str]:
    """Return the default order of losses: countryside, then towns, then cities; one entry per counter."""
    return counter_places(state, faction, open_places(state, atlas(state).provinces[slug]))


def _prompt(state: State, faction: str) -> Prompt:
    lost = losing(state, faction, fights(state))
    places = {slug: _default_losses(state, faction, slug) for slug in lost}
    groups = tuple(Group(tuple(dict.fromkeys(places[slug])), lost[slug]) for slug in lost)
    most = {p: min(group.most, counters(state, faction, p)) for group in groups for p in group.keys}
    total = sum(lost.values())
    default = Counter(place for slug in lost for place in places[slug][: lost[slug]])
    return Prompt(
        faction=faction,
        title=say("prompt-losses", count=total),
        rule=rule_of(state),
        example=Losses(faction=faction, places=dict(default)),
        fields=(Allocation("places", most, total, total, groups),),
    )


def _refuse_losses(state: State, action: Losses) -> None:
    rule = rule_of(state)
    land = atlas(state)
    losses = losing(state, action.faction, fights(state))
    known = [place for slug in losses for place in open_places(state, land.provinces[slug])]
    refuse_unknown(action.places, known, rule)
    for place, count in action.places.items():
        if count > counters(state, action.faction, place):
            raise Illegal(say("no-counter-there", place=Name("place", place)), rule=rule)
    for slug, lost in losses.items():
        if sum(action.places.get(place, 0) for place in land.provinces[slug].places) != lost:
            raise Illegal(say("losses-count", province=province_name(slug), count=lost), rule=rule)


def _choose(state: State, action: Losses) -> Outcome[State]:
    _refuse_losses(state, action)
    account = Account(state)
    account.step(rule_of(state), say("losses-chosen", faction=faction_name(action.faction)))
    end_turn(account, action.faction)
    top = account.state.frames[-1]
    chosen = {**top.data.get("chosen", {}), action.faction: dict(action.places)}
    account.set(frames=goto(account.state, top.with_data(chosen=chosen)))
    return account.outcome()


def _loss_order(state: State, faction: str, province: Province) -> list[str]:
    """Return the places that the faction's counters leave, in order: chosen ones, then the default."""
    chosen: Mapping[str, int] = state.frames[-1].data.get("chosen", {}).get(faction, {})
    first = Counter({place: chosen[place] for place in province.places if chosen.get(place)})
    others = Counter(_default_losses(state, faction, province.slug)) - first
    return [*first.elements(), *others.elements()]


# The phase


def rule_of(state: State) -> str:
    return section(state, "5.3", RULE)


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Phases 5.3 and 6.11: factions choose losses where it matters, then all conflicts are resolved."""

    name = "conflict"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = to_choose(state)
        return [_prompt(state, faction)] if faction else []

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Losses):
            raise not_now(action, rule=rule_of(state))
        refuse_unless(to_choose(state) or "", action)
        return _choose(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        if to_choose(state):
            return None
        account = Account(state)
        provinces = [atlas(state).provinces[slug] for slug in fights(state)]
        for province in provinces:
            account.add(conflict_step(account.state, province))
        if not provinces:
            account.step(rule_of(state), say("no-conflicts"))
        advance(account)
        return account.outcome()


def conflict_step(state: State, province: Province) -> Step:
    """Return the step that resolves a province's conflict, or applies the table's ruling (5.3, 6.11)."""
    rule = rule_of(state)
    here = countable(state, province)
    fight = _fight(state, province)
    remaining = {f: n for f, n in fight.left.items() if n}
    verdict = judge(
        state,
        f"conflict:{province.slug}",
        remaining,
        Mapping[str, Count],
        lambda left: refuse_more_than(left, here, rule),
    )
    message = say("conflict-in", province=province_name(province.slug))
    queues = {f: iter(_loss_order(state, f, province)) for f in here}
    if verdict.ruling:
        losses = {f: n - verdict.result.get(f, 0) for f, n in here.items()}
        lost_places = [(f, Counter(islice(queues[f], count))) for f, count in losses.items()]
        moves = [m for f, places in lost_places for p, n in places.items() for m in taken(f, n, place=p)]
        return Step(rule, message, tuple(moves)).settles(verdict)
    finer = steps(fight, rule, lambda f: (Move(f, COUNTER, next(queues[f]), SUPPLY),))
    return Step(rule, message, steps=finer).settles(verdict)
