"""Marches: knights entering on a new castle and the knights they leave on each tile (digest 5.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.core.errors import Illegal
from games.core.messages import Message, Name, say
from games.raubritter.tiles import LEAVE_COST

RULE = "5.3"
STACK_LIMIT = 4
DEPLOY_MAX = 5


class Ground(NamedTuple):
    """A tile on the path of a march: its terrain and the number of knights of all colours on it."""

    terrain: str
    height: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Table options for the open questions A-03 and A-04."""

    must_move: bool = False  # at least one knight must leave the castle if it can
    lone_knight: bool = False  # a single knight may stay on a forest castle


USUAL = Reading()


def why_not_march(
    knights: int,
    line: Sequence[Ground | None],
    left: Sequence[int],
    supply: int,
    reading: Reading = USUAL,
    *,
    elsewhere: bool = False,
) -> Message | None:
    """Return why ``knights`` cannot be left like this along a line starting at the castle; None if they can.

    ``None`` in the line is a cell without a tile; the line may be longer than the march.
    ``elsewhere`` says that the knights could march in another direction, which matters to A-03.
    """
    if not sum(left) and not knights:
        return None if len(left) <= 1 else say("left-nothing")
    message = _why_not_count(knights, left, supply)
    if message is None:
        message = _why_not_path(line, left, reading)
    if message is None and len(left) == 1 and reading.must_move and (elsewhere or can_move(knights, line)):
        message = say("must-move")
    return message


def _why_not_count(knights: int, left: Sequence[int], supply: int) -> Message | None:
    if knights > DEPLOY_MAX:
        return say("too-many-knights", most=DEPLOY_MAX)
    if knights > supply:
        return say("few-knights-left", count=supply)
    if sum(left) == knights - 1:
        missing = Name("ordinal", str(knights))
        return say("knight-missing", knights=some(knights), left=sum(left), missing=missing)
    if sum(left) != knights:
        return say("knights-differ", knights=some(knights), left=sum(left))
    return None


def some(knights: int) -> Message:
    """Return "n knights" as a message to embed in another."""
    return say("knights", count=knights)


def _why_not_path(line: Sequence[Ground | None], left: Sequence[int], reading: Reading) -> Message | None:
    """Return the violation on the first tile of the march that has one."""
    for i, stay in enumerate(left):
        ground = line[i] if i < len(line) else None
        message = _why_not_tile(
            ground, stay, sum(left[i:]), is_castle=i == 0, alone=len(left) == 1, reading=reading
        )
        if message:
            return message
    return None


def _why_not_tile(  # noqa: PLR0911 - one return per error message
    ground: Ground | None, stay: int, arriving: int, *, is_castle: bool, alone: bool, reading: Reading
) -> Message | None:
    """Return why ``stay`` of ``arriving`` knights cannot be left on a tile."""
    if ground is None:
        return say("no-tile")
    if ground.terrain == "lake":
        return say("lake")
    cost = LEAVE_COST[ground.terrain]
    terrain = Name("terrain", ground.terrain)
    if arriving < cost and not is_castle:
        return say("cannot-enter", terrain=terrain, count=cost, arriving=arriving)
    if stay < cost and not (is_castle and alone and stay == 1 and reading.lone_knight):
        return say("leave-more", terrain=terrain, count=cost, left=stay)
    if is_castle and stay > STACK_LIMIT:
        return say("one-must-move", most=STACK_LIMIT)
    room = STACK_LIMIT - ground.height
    if stay > room:
        there = some(ground.height)
        return say("tile-full", count=room, knights=there) if room > 0 else say("tile-closed", knights=there)
    return None


def can_move(knights: int, line: Sequence[Ground | None]) -> bool:
    """Return whether this many knights can march beyond the castle along a line."""
    return any(len(left) > 1 for left in _ways(knights, line, USUAL))


def marches(
    knights: int,
    line: Sequence[Ground | None],
    reading: Reading = USUAL,
    *,
    elsewhere: bool = False,
) -> list[tuple[int, ...]]:
    """Return every legal way to leave ``knights`` along a line, sorted; each is a value for ``left``."""
    if not knights:
        return [(0,)]
    ways = sorted(_ways(knights, line, reading))
    if reading.must_move and (elsewhere or any(len(left) > 1 for left in ways)):
        return [left for left in ways if len(left) > 1]
    return ways


def _ways(
    knights: int, line: Sequence[Ground | None], reading: Reading, at: int = 0
) -> Iterator[tuple[int, ...]]:
    """Yield the ways to leave ``knights`` from tile ``at`` onward; the last tile takes all that remain."""
    ground = line[at] if at < len(line) else None
    if ground is None or ground.terrain == "lake" or knights > DEPLOY_MAX:
        return
    cost, room = LEAVE_COST[ground.terrain], STACK_LIMIT - ground.height
    alone = at == 0 and knights == 1 and reading.lone_knight
    if (cost <= knights or alone) and knights <= room:
        yield (knights,)
    for stay in range(cost, min(room, knights - 1) + 1):
        for onward in _ways(knights - stay, line, reading, at + 1):
            yield (stay, *onward)


def refuse_march(message: Message | None) -> None:
    if message:
        raise Illegal(message, rule=RULE)
