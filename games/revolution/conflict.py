"""Conflict: a province with more counters than its limit (rulebook 5.3 and 6.11)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from games.core.actions import Action
from games.core.codec import Count
from games.core.flow import refuse_now
from games.core.ledger import Move
from games.core.messages import Message, faction_name, say
from games.core.prompts import Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.revolution.board import Province
from games.revolution.factions import NEUTRAL, Counts, names
from games.revolution.pieces import COUNTER, SUPPLY, taken
from games.revolution.provinces import province_name
from games.revolution.rounds import advance, section
from games.revolution.ruled import refuse_more_than
from games.revolution.state import State, atlas, countable, counters, open_places

RULE = "6.11"


class Loss(NamedTuple):
    """One faction, or all that are level, lose a counter each at the same moment."""

    factions: tuple[str, ...]
    had: int  # each of them
    total: int  # in the province, before


Pass: TypeAlias = tuple[Loss, ...]


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


# The phase


def lying(state: State, owner: str, places: Iterable[str]) -> list[str]:
    """The places of an owner's counters, one for each counter."""
    return [place for place in places for _ in range(counters(state, owner, place))]


def sent_home(state: State, owner: str, places: Sequence[str], count: int) -> list[Move]:
    """So many counters of an owner go to supply, from the first places first.

    Of a province these are countryside, then towns, then cities: which ones go is the owner's to say
    (Q-35), and this is what mostly suits.
    """
    moves: list[Move] = []
    for place in places:
        here = min(count, counters(state, owner, place))
        moves += taken(owner, here, place=place)
        count -= here
    return moves


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Every province with too many counters of several factions, one after the other."""

    name = "conflict"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise refuse_now(RULE, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        account = Account(state)
        fought = [
            province
            for province in atlas(state).provinces.values()
            if is_conflict(countable(state, province), province.limit)
        ]
        for province in fought:
            account.add(conflict_step(account.state, province))
        if not fought:
            account.step(section(state, "5.3", RULE), say("no-conflicts"))
        advance(account)
        return account.outcome()


def conflict_step(state: State, province: Province) -> Step:
    """5.3, 6.11: the conflict of a province, or what the table ruled is left there."""
    rule = section(state, "5.3", RULE)
    here = countable(state, province)
    fight = resolve({f: n for f, n in here.items() if n}, province.limit)
    found = {f: n for f, n in fight.left.items() if n}
    verdict = judge(
        state,
        f"conflict:{province.slug}",
        found,
        Mapping[str, Count],
        lambda left: refuse_more_than(left, here, rule),
    )
    told = Step(rule, say("conflict-in", province=province_name(province.slug)))
    places = open_places(state, province)
    if verdict.ruling:
        gone = {f: n - verdict.result.get(f, 0) for f, n in here.items()}
        moves = [move for f, count in gone.items() for move in sent_home(state, f, places, count)]
        return Step(rule, told.message, tuple(moves)).settles(verdict)
    queues = {f: iter(lying(state, f, places)) for f in here}
    finer = steps(fight, rule, lambda f: (Move(f, COUNTER, next(queues[f]), SUPPLY),))
    return Step(rule, told.message, steps=finer).settles(verdict)
