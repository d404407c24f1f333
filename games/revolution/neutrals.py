"""Neutral counters fill the provinces (rulebook 5.4 and 6.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.core.errors import Illegal
from games.core.messages import Message, Param, faction_name, say
from games.core.steps import Step
from games.revolution.factions import CATHOLICS, NEUTRAL, Counts
from games.revolution.pieces import placed
from games.revolution.provinces import countryside, province_name

RULES: Mapping[bool, str] = {True: "5.4", False: "6.12"}  # in round 0, later


class Layer(NamedTuple):
    """Provinces that get one neutral each."""

    provinces: tuple[str, ...]
    chosen: bool = False  # by the first player, as there were too few for all


class Filling(NamedTuple):
    """How neutrals are handed out; what each province gets follows from the layers."""

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
        """Provinces that need more."""
        placed = self.placed
        return tuple(p for p, need in self.needs.items() if placed[p] < need)

    @property
    def rule(self) -> str:
        return RULES[self.round == 0]


def target(limit: int, round_: int) -> int:
    """5.4: one below the limit in round 0; 6.12: the limit."""
    return limit - 1 if round_ == 0 else limit


def need(limit: int, counters: int, round_: int) -> int:
    """5.4, 6.12: how many neutrals a province lacks; counters in besieged cities do not count."""
    return max(0, target(limit, round_) - counters)


def fill(needs: Counts, supply: int, choice: Sequence[str], round_: int) -> Filling:
    """6.12: one to each province in need, then a second, and so on; the first player splits the last few.

    ``choice`` is asked for only where the neutrals do not go round, and only for the last layer.
    """
    filling = Filling(needs, supply, round_, ())
    while filling.left and filling.open:
        filling = filling._replace(layers=(*filling.layers, _layer(filling, choice)))
    return filling


def _layer(filling: Filling, choice: Sequence[str]) -> Layer:
    if filling.left >= len(filling.open):
        return Layer(filling.open)
    wanted = tuple(dict.fromkeys(p for p in choice if p in filling.open))
    if len(wanted) < filling.left:
        raise Illegal(filling.rule, say("choose-provinces", count=filling.left))
    return Layer(wanted[: filling.left], chosen=True)


# Told


def steps(filling: Filling) -> tuple[Step, ...]:
    """What each province needs, and what it gets: at once if there are enough, else layer by layer."""
    needed = sum(filling.needs.values())
    if not needed:
        return (Step(filling.rule, say("no-neutrals-needed")),)
    if filling.supply >= needed:
        return _enough(filling, needed)
    short = Step(
        filling.rule, say("neutrals-short", count=needed, supply=filling.supply), steps=_needs(filling)
    )
    return (short, *(_layer_step(filling, i) for i in range(len(filling.layers))))


def _enough(filling: Filling, needed: int) -> tuple[Step, ...]:
    finer = tuple(
        Step(filling.rule, _said("province-gets", p, count), placed(NEUTRAL, count, place=countryside(p)))
        for p, count in filling.placed.items()
        if count
    )
    return (Step(filling.rule, say("neutrals-enough", count=needed, supply=filling.supply), steps=finer),)


def _needs(filling: Filling) -> tuple[Step, ...]:
    return tuple(
        Step(filling.rule, _said("province-needs", p, count)) for p, count in filling.needs.items() if count
    )


def _said(code: str, province: str, count: int) -> Message:
    return say(code, province=province_name(province), count=count)


def _layer_step(filling: Filling, index: int) -> Step:
    layer = filling.layers[index]
    moves = tuple(move for p in layer.provinces for move in placed(NEUTRAL, place=countryside(p)))
    here: Param = tuple(province_name(p) for p in layer.provinces)
    if not layer.chosen:
        return Step(filling.rule, say("layer", number=index + 1, provinces=here), moves)
    # 5.4 in round 0 the Catholics are first, later whoever begins the round.
    chooser: Param = faction_name(CATHOLICS) if filling.round == 0 else say("first-player")
    return Step(filling.rule, say("layer-chosen", count=len(moves), chooser=chooser, provinces=here), moves)
