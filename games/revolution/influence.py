"""Influence: effect of coins on the allegiance of citizens (rulebook 6.16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.core.errors import BadInput
from games.core.messages import Message, faction_name, say
from games.core.steps import Step
from games.revolution.board import FIRST_COLUMN, LAST_COLUMN
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NOBILITY, REFORMERS, Counts
from games.revolution.pieces import HERE, taken

RULE = "6.16"
CATHOLIC_END, CENTRE, REFORMED_END = FIRST_COLUMN, 4, LAST_COLUMN  # columns of the chart
SPACES = range(CATHOLIC_END, REFORMED_END + 1)
FARTHEST = 3  # columns from the marker's start

AIMS = {
    CATHOLICS: CATHOLIC_END,
    HABSBURGS: CATHOLIC_END,
    NOBILITY: CENTRE,
    BURGHERS: REFORMED_END,
    REFORMERS: REFORMED_END,
}
"""Column towards which each faction's coins push the marker, never past it (6.16)."""


def refuse_column(space: int, rule: str) -> None:
    """Raise `BadInput` unless the chart has this column."""
    if space not in SPACES:
        raise BadInput(say("columns", least=CATHOLIC_END, most=REFORMED_END), rule=rule)


class Pull(NamedTuple):
    """Effect of one faction's coins."""

    faction: str
    coins: int
    start: int
    end: int

    @property
    def wasted(self) -> int:
        return self.coins - abs(self.end - self.start)


class Influence(NamedTuple):
    """Movement of a marker; its end follows from the pulls."""

    start: int
    pulls: tuple[Pull, ...]

    @property
    def temporary(self) -> int:
        """Return the column of the temporary marker after all pulls."""
        return self.pulls[-1].end if self.pulls else self.start

    @property
    def end(self) -> int:
        """Return the marker's final column: at most three from its start, measured once at the end (6.16)."""
        return _towards(self.start, self.temporary, FARTHEST)


def resolve(start: int, order: Sequence[str], coins: Counts) -> Influence:
    """Apply the pulls in play order, Nobility last; each coin is worth a column (6.16)."""
    influence = Influence(start, ())
    for faction in _turns(order, coins):
        pull = _pull(faction, coins[faction], influence.temporary)
        influence = influence._replace(pulls=(*influence.pulls, pull))
    return influence


def _turns(order: Sequence[str], coins: Counts) -> list[str]:
    payers = [faction for faction in order if coins.get(faction)]
    return sorted(payers, key=lambda faction: faction == NOBILITY)


def _pull(faction: str, coins: int, at: int) -> Pull:
    return Pull(faction, coins, at, _towards(at, AIMS[faction], coins))


def _towards(start: int, aim: int, most: int) -> int:
    """Return the column at most `most` columns from `start` towards `aim`, not past it."""
    return start + max(-most, min(most, aim - start))


# Steps


def steps(influence: Influence, place: str = HERE) -> tuple[Step, ...]:
    """Return each pull, the marker's final column, and the return of the coins."""
    result = [Step(RULE, _pulled(pull)) for pull in influence.pulls]
    result.append(Step(RULE, _end(influence)))
    if influence.pulls:
        moves = tuple(m for pull in influence.pulls for m in taken(pull.faction, pull.coins, place=place))
        result.append(Step(RULE, say("coins-return", count=sum(p.coins for p in influence.pulls)), moves))
    return tuple(result)


def _pulled(pull: Pull) -> Message:
    code = "pulled-wasted" if pull.wasted else "pulled"
    wasted = {"wasted": pull.wasted} if pull.wasted else {}
    return say(
        code, faction=faction_name(pull.faction), count=pull.coins, start=pull.start, end=pull.end, **wasted
    )


def _end(influence: Influence) -> Message:
    start, end, temporary = influence.start, influence.end, influence.temporary
    if not influence.pulls:
        return say("nobody-pays", space=start)
    if end != temporary:
        return say("marker-held", start=start, temporary=temporary, most=FARTHEST, end=end)
    return say("marker-moves", start=start, end=end) if end != start else say("marker-stays", space=end)
