"""Conflict: a province with more counters than its limit (rulebook 5.3 and 6.11)."""

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
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Allocation, Group, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.revolution.actions import Losses
from games.revolution.board import Province
from games.revolution.factions import NEUTRAL, Counts, names
from games.revolution.overflow import outlets
from games.revolution.pieces import COUNTER, SUPPLY, taken
from games.revolution.provinces import province_name
from games.revolution.rounds import advance, end_turn, refuse_unless, section, still_to_act
from games.revolution.ruled import refuse_more_than, refuse_unknown
from games.revolution.state import State, atlas, countable, counters, open_places

RULE = "6.11"


class Loss(NamedTuple):
    """One faction, or all that are level, lose a counter each at the same moment."""

    factions: tuple[str, ...]
    had: int  # each of them
    total: int  # in the province, before


Pass: TypeAlias = tuple[Loss, ...]
Fights: TypeAlias = Mapping[str, "Conflict"]  # by province


class Conflict(NamedTuple):
    """How a conflict went; what is left follows from the losses."""

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
    """6.11: more counters than the limit, of at least two factions; neutrals are one."""
    return sum(counters.values()) > limit and len(present(counters)) > 1


def present(counters: Counts) -> tuple[str, ...]:
    """Who has a counter at all."""
    return tuple(f for f, count in counters.items() if count)


def resolve(counters: Counts, limit: int) -> Conflict:
    """6.11: pass after pass, until the limit is kept or one faction is alone.

    ``counters`` are those that count: nothing of a besieged city is among them.
    """
    conflict = Conflict(counters, limit, ())
    while is_conflict(conflict.left, limit):
        conflict = conflict._replace(passes=(*conflict.passes, _pass(conflict.left, limit)))
    return conflict


def _pass(counters: Counts, limit: int) -> Pass:
    """6.11: from the fewest to the most each faction loses one, level ones together; tested after each."""
    losses: list[Loss] = []
    left = dict(counters)
    for had in sorted({counters[f] for f in present(counters)}):
        if not is_conflict(left, limit):
            break
        level = tuple(f for f in counters if counters[f] == had)
        losses.append(Loss(level, had, sum(left.values())))
        left |= dict.fromkeys(level, had - 1)
    return tuple(losses)


# Told


def steps(
    conflict: Conflict, rule: str = RULE, take: Callable[[str], Collection[Move]] = taken
) -> tuple[Step, ...]:
    """A conflict step by step. ``take`` says from where a faction takes its counter."""
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
    return say("conflict", count=total, limit=conflict.limit, factions=names(present(conflict.counters)))


def _pass_step(number: int, losses: Pass, rule: str, take: Callable[[str], Collection[Move]]) -> Step:
    finer = tuple(
        Step(rule, _loss(loss, first=i == 0), tuple(move for f in loss.factions for move in take(f)))
        for i, loss in enumerate(losses)
    )
    return Step(rule, say("conflict-pass", number=number), steps=finer)


def _loss(loss: Loss, *, first: bool) -> Message:
    """“Fewest: Reformers 1 → 0, 14 → 13.”"""
    code = ("conflict-fewest" if first else "conflict-next") + ("-level" if len(loss.factions) > 1 else "")
    after = loss.total - len(loss.factions)
    return say(
        code, factions=names(loss.factions), had=loss.had, left=loss.had - 1, before=loss.total, after=after
    )


def _end(conflict: Conflict) -> Message:
    total = sum(conflict.left.values())
    if not total:
        return say("conflict-nobody")
    if total <= conflict.limit:
        return say("conflict-limit", count=total, limit=conflict.limit)
    return _alone("conflict-alone", conflict)


def _alone(code: str, conflict: Conflict) -> Message:
    """6.13: who is alone keeps everything for now; the surplus overflows, or is taken away if it is neutral."""
    faction = present(conflict.left)[0]
    surplus = conflict.left[faction] - conflict.limit
    then = say("surplus-neutral" if faction == NEUTRAL else "surplus", count=surplus)
    return say(code, faction=faction_name(faction), limit=conflict.limit, then=then)


# In a game


def lying(state: State, owner: str, places: Iterable[str]) -> list[str]:
    """The places of an owner's counters, one for each counter."""
    return [place for place in places for _ in range(counters(state, owner, place))]


def fights(state: State) -> Fights:
    """5.3, 6.11: the provinces with too many counters of several factions, and what the rules make of them."""
    return {
        province.slug: _fight(state, province)
        for province in atlas(state).provinces.values()
        if is_conflict(countable(state, province), province.limit)
    }


def _fight(state: State, province: Province) -> Conflict:
    return resolve({f: n for f, n in countable(state, province).items() if n}, province.limit)


# Which counters go. It is the owner's to say, but counters move inside provinces later (6.14). Between the
# two only a town makes a difference: once it is empty, a rival's surplus may pass on its river (6.13).


def losing(state: State, faction: str, found: Fights) -> dict[str, int]:
    """The provinces where it matters which of its counters a faction loses, and how many it loses there."""
    return {
        slug: lost
        for slug, fight in found.items()
        if (lost := fight.removed.get(faction, 0)) and _matters(state, found, slug, faction)
    }


def _matters(state: State, found: Fights, slug: str, faction: str) -> bool:
    """6.13: some rival's surplus can go elsewhere when the faction's towns here are left and when they are kept."""
    going = _going(state, faction, atlas(state).provinces[slug])
    towns = [place for place in going if place.startswith("town:")]
    rest = [place for place in going if place not in towns]
    if not towns:
        return False
    kept, left = (_fought(state, found, {(slug, faction): way}) for way in ([*rest, *towns], [*towns, *rest]))
    return any(outlets(kept, rival) != outlets(left, rival) for rival in state.order)


def _fought(state: State, found: Fights, going: Mapping[tuple[str, str], Sequence[str]]) -> State:
    """The state after all conflicts, if the counters of some leave these places, one after the other."""
    moves = [
        Move(faction, COUNTER, place, SUPPLY)
        for slug, fight in found.items()
        for faction, lost in fight.removed.items()
        for place in (going.get((slug, faction)) or _going(state, faction, atlas(state).provinces[slug]))[
            :lost
        ]
    ]
    return replace(state, ledger=state.ledger.move(*moves))


def to_choose(state: State) -> str | None:
    """Who is to say which counters go, in play order."""
    found = fights(state)
    return next((faction for faction in still_to_act(state) if losing(state, faction, found)), None)


def _mostly(state: State, faction: str, slug: str) -> list[str]:
    """What mostly suits: countryside first, then towns, then cities; one place for each counter."""
    return lying(state, faction, open_places(state, atlas(state).provinces[slug]))


def _prompt(state: State, faction: str) -> Prompt:
    lost = losing(state, faction, fights(state))
    places = {slug: _mostly(state, faction, slug) for slug in lost}
    groups = tuple(Group(tuple(dict.fromkeys(places[slug])), lost[slug]) for slug in lost)
    most = {p: min(group.most, counters(state, faction, p)) for group in groups for p in group.keys}
    total = sum(lost.values())
    likely = Counter(place for slug in lost for place in places[slug][: lost[slug]])
    return Prompt(
        faction=faction,
        title=say("prompt-losses", count=total),
        rule=rule_of(state),
        example=Losses(faction=faction, places=dict(likely)),
        fields=(Allocation("places", most, total, total, groups),),
    )


def _refuse_losses(state: State, action: Losses) -> None:
    rule = rule_of(state)
    land = atlas(state)
    asked = losing(state, action.faction, fights(state))
    known = [place for slug in asked for place in open_places(state, land.provinces[slug])]
    refuse_unknown(action.places, known, rule)
    for place, count in action.places.items():
        if count > counters(state, action.faction, place):
            raise Illegal(say("no-counter-there", place=Name("place", place)), rule=rule)
    for slug, lost in asked.items():
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


def _going(state: State, faction: str, province: Province) -> list[str]:
    """The places a faction's counters leave one after the other: those it chose, then what mostly suits."""
    chosen: Mapping[str, int] = state.frames[-1].data.get("chosen", {}).get(faction, {})
    first = Counter({place: chosen[place] for place in province.places if chosen.get(place)})
    rest = Counter(_mostly(state, faction, province.slug)) - first
    return [*first.elements(), *rest.elements()]


# The phase


def rule_of(state: State) -> str:
    return section(state, "5.3", RULE)


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Who loses counters says which, where it matters; then every conflict is fought, one after the other."""

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
        fought = [atlas(state).provinces[slug] for slug in fights(state)]
        for province in fought:
            account.add(conflict_step(account.state, province))
        if not fought:
            account.step(rule_of(state), say("no-conflicts"))
        advance(account)
        return account.outcome()


def conflict_step(state: State, province: Province) -> Step:
    """5.3, 6.11: the conflict of a province, or what the table ruled is left there."""
    rule = rule_of(state)
    here = countable(state, province)
    fight = _fight(state, province)
    found = {f: n for f, n in fight.left.items() if n}
    verdict = judge(
        state,
        f"conflict:{province.slug}",
        found,
        Mapping[str, Count],
        lambda left: refuse_more_than(left, here, rule),
    )
    told = Step(rule, say("conflict-in", province=province_name(province.slug)))
    queues = {f: iter(_going(state, f, province)) for f in here}
    if verdict.ruling:
        gone = {f: n - verdict.result.get(f, 0) for f, n in here.items()}
        leaving = [(f, Counter(islice(queues[f], count))) for f, count in gone.items()]
        moves = [m for f, places in leaving for p, n in places.items() for m in taken(f, n, place=p)]
        return Step(rule, told.message, tuple(moves)).settles(verdict)
    finer = steps(fight, rule, lambda f: (Move(f, COUNTER, next(queues[f]), SUPPLY),))
    return Step(rule, told.message, steps=finer).settles(verdict)
