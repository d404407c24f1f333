"""Action dice: what placing one costs (digest 5.1), and the sum that still earns a reward (5.12)."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.errors import BadInput, Illegal
from games.core.messages import say

FACES = range(1, 7)
SPACES = range(1, 7)  # a space above 6 could never be free; turquoise, the dearest known, shows 5
MOST_DICE = 4

LIMIT = 13
PER_MEMBER = 3
MOST_MEMBERS = 3


def price(space: int, die: int) -> int:
    """5.1: what the die falls short of the space is paid; a higher one is free and gives no change."""
    return max(0, space - die)


def refuse_space(space: int) -> None:
    """2.1: an action space shows the number of a die."""
    if space not in SPACES:
        raise BadInput(say("space-number", least=SPACES[0], most=SPACES[-1]), rule="5.1")


def refuse_face(die: int) -> None:
    """5.1: an action die has six faces."""
    if die not in FACES:
        raise BadInput(say("die-face", least=FACES[0], most=FACES[-1]), rule="5.1")


def refuse_dice(dice: Sequence[int]) -> None:
    """5.1: a player takes at most four dice in a round."""
    for die in dice:
        refuse_face(die)
    if len(dice) > MOST_DICE:
        raise Illegal(say("four-dice", count=MOST_DICE), rule="5.1")


def limit(members: int) -> int:
    """5.12, 3.3: each own figure on the threshold space raises the limit."""
    return LIMIT + PER_MEMBER * members


def refuse_members(members: int, *, above_22: bool = False) -> None:
    """5.12: three figures on the threshold space at most, so a limit of 22, unless the table says more (R-03)."""
    if members > MOST_MEMBERS and not above_22:
        raise Illegal(say("threshold-full", most=MOST_MEMBERS, limit=limit(MOST_MEMBERS)), rule="5.12")


def is_rewarded(total: int, members: int) -> bool:
    """5.12, 3.3: the sum of the faces, not of the prices; exactly the limit is still within it."""
    return total <= limit(members)
