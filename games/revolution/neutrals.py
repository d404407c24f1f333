"""Neutral units: neutral counters fill up the provinces (rulebook 5.4 and 6.12)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import NamedTuple

from games.core.actions import Action
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import not_now
from games.core.messages import Message, Param, faction_name, say
from games.core.prompts import Choice, Field, Plan, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.revolution.actions import Shortage
from games.revolution.factions import CATHOLICS, NEUTRAL, Counts
from games.revolution.pieces import placed
from games.revolution.provinces import countryside, province_name, refuse_provinces
from games.revolution.rounds import advance, refuse_unless
from games.revolution.state import State, atlas, countable, supply

POOL = "neutral_pool"  # number of neutrals that the table plays with
RULES: Mapping[bool, str] = {True: "5.4", False: "6.12"}  # by whether it is round 0


class Layer(NamedTuple):
    """Provinces that get one neutral each."""

    provinces: tuple[str, ...]
    chosen: bool = False  # chosen by the first player, because neutrals ran short


class Filling(NamedTuple):
    """Distribution of neutrals; the number per province follows from the layers."""

    needs: Counts
    supply: int
    round: int
    layers: tuple[Layer, ...]

    @property
    def placed(self) -> dict[str, int]:
        return {p: sum(p in layer.provinces for layer in self.layers) for p in self.needs}

    @property
    def left(self) -> int:
        return self.supply - sum(self.placed.values())

    @property
    def open(self) -> tuple[str, ...]:
        """Return the provinces that need more neutrals."""
        placed = self.placed
        return tuple(p for p, need in self.needs.items() if placed[p] < need)

    @property
    def rule(self) -> str:
        return RULES[self.round == 0]


def target(limit: int, round_: int) -> int:
    """Return the total to fill up to: one below the limit in round 0 (5.4), the limit later (6.12)."""
    return limit - 1 if round_ == 0 else limit


def need(limit: int, counters: int, round_: int) -> int:
    """Return how many neutrals a province lacks; `counters` excludes besieged cities (5.4, 6.12)."""
    return max(0, target(limit, round_) - counters)


def fill(needs: Counts, supply: int, choice: Sequence[str], round_: int) -> Filling:
    """Give each province in need one neutral per layer (6.12).

    The first player assigns an incomplete last layer: raise `Illegal` if `choice` is too short for it.
    `choice` is ignored while neutrals suffice.
    """
    filling = Filling(needs, supply, round_, ())
    while filling.left and filling.open:
        filling = filling._replace(layers=(*filling.layers, _layer(filling, choice)))
    return filling


def _layer(filling: Filling, choice: Sequence[str]) -> Layer:
    left, open_ = filling.left, filling.open
    if left >= len(open_):
        return Layer(open_)
    wanted = tuple(dict.fromkeys(p for p in choice if p in open_))
    if len(wanted) < left:
        raise Illegal(say("choose-provinces", count=left), rule=filling.rule)
    return Layer(wanted[:left], chosen=True)


# Steps


def steps(filling: Filling) -> tuple[Step, ...]:
    """Return what each province needs and gets: in one step if neutrals suffice, else layer by layer."""
    needed = sum(filling.needs.values())
    if not needed:
        return (Step(filling.rule, say("no-neutrals-needed")),)
    if filling.supply >= needed:
        return _sufficient_steps(filling, needed)
    short = Step(
        filling.rule,
        say("neutrals-short", count=needed, supply=filling.supply),
        steps=_needs(filling),
        options=(POOL,),
    )
    return (short, *(_layer_step(filling, i) for i in range(len(filling.layers))))


def _sufficient_steps(filling: Filling, needed: int) -> tuple[Step, ...]:
    finer = tuple(
        Step(
            filling.rule,
            _province_message("province-gets", p, count),
            placed(NEUTRAL, count, place=countryside(p)),
        )
        for p, count in filling.placed.items()
        if count
    )
    return (Step(filling.rule, say("neutrals-enough", count=needed, supply=filling.supply), steps=finer),)


def _needs(filling: Filling) -> tuple[Step, ...]:
    return tuple(
        Step(filling.rule, _province_message("province-needs", p, count))
        for p, count in filling.needs.items()
        if count
    )


def _province_message(code: str, province: str, count: int) -> Message:
    return say(code, province=province_name(province), count=count)


def _layer_step(filling: Filling, index: int) -> Step:
    layer = filling.layers[index]
    moves = tuple(move for p in layer.provinces for move in placed(NEUTRAL, place=countryside(p)))
    here: Param = tuple(province_name(p) for p in layer.provinces)
    if not layer.chosen:
        return Step(filling.rule, say("layer", number=index + 1, provinces=here), moves)
    # 5.4: the Catholics choose in round 0, later the first player of the round.
    chooser: Param = faction_name(CATHOLICS) if filling.round == 0 else say("first-player")
    return Step(filling.rule, say("layer-chosen", count=len(moves), chooser=chooser, provinces=here), moves)


# The phase

KEY = "neutrals"
LARGEST_CHOICE = 2_000  # more combinations than this are sampled, not listed


def needs_of(state: State) -> dict[str, int]:
    """Return the number of neutrals that each province lacks now."""
    return {
        p.slug: need(p.limit, sum(countable(state, p).values()), state.round)
        for p in atlas(state).provinces.values()
    }


def before_choice(state: State) -> Filling:
    """Return the filling with all complete layers, before the first player has to choose."""
    filling = Filling(needs_of(state), supply(state, NEUTRAL), state.round, ())
    while filling.open and filling.left >= len(filling.open):
        filling = filling._replace(layers=(*filling.layers, Layer(filling.open)))
    return filling


def to_choose(state: State) -> tuple[int, tuple[str, ...]]:
    """Return how many provinces the first player picks, and from which; (0, ()) without a shortage (6.12)."""
    filling = before_choice(state)
    return (filling.left, filling.open) if filling.open else (0, ())


@dataclass(frozen=True, slots=True)
class Neutrals:
    """Phases 5.4 and 6.12: neutrals fill up the provinces; the first player assigns them in a shortage."""

    name = "neutrals"
    rule = "6.12"

    def prompts(self, state: State) -> Sequence[Prompt]:
        count, open_ = to_choose(state)
        if not count:
            return []
        first = state.order[0]
        return [
            Prompt(
                faction=first,
                title=say("prompt-shortage", count=count),
                rule=RULES[state.round == 0],
                example=Shortage(faction=first, provinces=open_[:count]),
                fields=(_picks(count, open_),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        rule = RULES[state.round == 0]
        if not isinstance(action, Shortage):
            raise not_now(action, rule=rule)
        refuse_unless(state.order[0], action)
        count, open_ = to_choose(state)
        if len(action.provinces) != count or len(set(action.provinces)) != count:
            raise Illegal(say("choose-provinces", count=count), rule=rule)
        closed = sorted(set(action.provinces) - set(open_))
        if closed:
            refuse_provinces(state, closed[:1], rule)
            raise Illegal(say("needs-no-more", province=province_name(closed[0])), rule=rule)
        return _fill(state, action.provinces)

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if to_choose(state)[0] else _fill(state, ())


def _picks(count: int, open_: Sequence[str]) -> Field:
    if comb(len(open_), count) <= LARGEST_CHOICE:
        return Choice("provinces", tuple(itertools.combinations(open_, count)))
    described = {"count": count, "provinces": list(open_)}
    return Plan(("provinces",), partial(_draw_provinces, open_, count), described)


def _draw_provinces(open_: Sequence[str], count: int, below: Callable[[int], int]) -> tuple[Json]:
    left = list(open_)
    chosen = {left.pop(below(len(left))) for _ in range(count)}
    return ([p for p in open_ if p in chosen],)


def _fill(state: State, choice: Sequence[str]) -> Outcome[State]:
    filling = fill(needs_of(state), supply(state, NEUTRAL), choice, state.round)
    by_province = {p: n for p, n in filling.placed.items() if n}
    verdict = judge(state, KEY, by_province, Mapping[str, Count], lambda ruled: _refuse_ruling(state, ruled))
    account = Account(state)
    message = say("neutrals-placed", count=sum(verdict.result.values()))
    if verdict.ruling:
        moves = [move for p, n in verdict.result.items() for move in placed(NEUTRAL, n, place=countryside(p))]
        account.step(filling.rule, message, moves=moves, verdict=verdict)
    else:
        account.step(filling.rule, message, steps=steps(filling), verdict=verdict)
    advance(account)
    return account.outcome()


def _refuse_ruling(state: State, ruled: Mapping[str, int]) -> None:
    rule = RULES[state.round == 0]
    refuse_provinces(state, ruled, rule)
    if sum(ruled.values()) > supply(state, NEUTRAL):
        raise Illegal(say("ruling-neutrals", count=supply(state, NEUTRAL)), rule=rule)
