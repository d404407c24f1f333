"""Winter: grain loss and hunger revolts (2.5, 5.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from games.core.messages import Message, say
from games.core.steps import Act, Step
from games.wallenstein.options import DIGEST, Reading

RULE = "5.9"
TABLE_RULE = "2.5"


class Row(NamedTuple):
    """A row of the hunger table printed on the board."""

    shortage: int  # largest shortage covered
    provinces: int
    extra: int


TABLE = (Row(0, 0, 0), Row(1, 1, 1), Row(2, 1, 2), Row(4, 2, 2), Row(6, 2, 3))
WORST = Row(7, 3, 3)  # 7 or more


@dataclass(frozen=True, slots=True)
class Winter:
    """Grain and provinces of one player before winter, and the grain loss of the last event card."""

    grain: int
    loss: int
    provinces: int


@dataclass(frozen=True, slots=True)
class Hunger:
    """Result of the winter for one player."""

    grain: int  # after the loss
    shortage: int
    revolts: int
    extra_rebels: int  # added to the unrest markers of each revolting province


def row_of(shortage: int) -> Row:
    """Return the row of the hunger table for a shortage (2.5)."""
    return next((row for row in TABLE if shortage <= row.shortage), WORST)


def hunger(winter: Winter, reading: Reading = DIGEST) -> Hunger:
    """Return the remaining grain and the revolts if it does not feed all provinces (5.9 a, b)."""
    grain = max(0, winter.grain - winter.loss)
    below_zero = _below_zero(winter) if reading.grain_below_zero else 0
    shortage = max(0, winter.provinces - grain + below_zero)
    row = row_of(shortage)
    revolts = min(row.provinces, winter.provinces)
    return Hunger(grain, shortage, revolts, row.extra if revolts else 0)


def _below_zero(winter: Winter) -> int:
    """Return the part of the grain loss that exceeds the grain (A-09)."""
    return max(0, winter.loss - winter.grain)


def hunger_steps(winter: Winter, result: Hunger, reading: Reading = DIGEST) -> tuple[Step, ...]:
    """Explain the loss, the shortage and the row of the hunger table (5.9 a, b)."""
    options = ("grain_below_zero",) if _below_zero(winter) else ()
    return (
        _loss_step(winter, result),
        Step(RULE, _shortage_message(winter, result, reading), options=options),
        *_revolts_step(result),
    )


def _loss_step(winter: Winter, result: Hunger) -> Step:
    code = "grain-gone" if _below_zero(winter) else "grain-loss"
    message = say(code, grain=winter.grain, loss=winter.loss, left=result.grain)
    moved = result.grain != winter.grain
    return Step(RULE, message, acts=(Act(None, say("move-grain", left=result.grain)),) if moved else ())


def _shortage_message(winter: Winter, result: Hunger, reading: Reading) -> Message:
    provinces, grain, missing = winter.provinces, result.grain, _below_zero(winter)
    if missing and reading.grain_below_zero:
        return say("shortage-below-zero", count=result.shortage, provinces=provinces, missing=missing)
    if result.shortage:
        return say("shortage", count=result.shortage, provinces=provinces, grain=grain)
    return say("no-shortage", provinces=provinces, grain=grain)


def _revolts_step(result: Hunger) -> Iterator[Step]:
    if result.revolts:
        act = Act(None, say("draw-provinces", count=result.revolts))
        extra = say("more-peasants", count=result.extra_rebels)
        message = say("revolts", count=result.revolts, shortage=result.shortage, extra=extra)
        yield Step(TABLE_RULE, message, acts=(act,))
