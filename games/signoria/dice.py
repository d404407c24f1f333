"""Action dice: the price of placing one (digest 5.1), and the threshold for a reward (5.12)."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.errors import BadInput, Illegal
from games.core.messages import Message, say

FACES = range(1, 7)
SPACES = range(1, 7)  # above 6 a space could never be free; the dearest known, turquoise, shows 5
MOST_DICE = 4

LIMIT = 13
PER_MEMBER = 3
MOST_MEMBERS = 3


def price(space: int, die: int) -> int:
    """Return the florins a die falls short of its space; a higher die costs 0 and gives no change (5.1)."""
    return max(0, space - die)


def refuse_space(space: int) -> None:
    """Raise `BadInput` if no action space can show this number (2.1)."""
    if space not in SPACES:
        raise BadInput(say("space-number", least=SPACES[0], most=SPACES[-1]), rule="5.1")


def refuse_face(die: int) -> None:
    """Raise `BadInput` if an action die has no such face (5.1)."""
    if die not in FACES:
        raise BadInput(say("die-face", least=FACES[0], most=FACES[-1]), rule="5.1")


def refuse_dice(dice: Sequence[int]) -> None:
    """Raise if a face is invalid or a player has more than four dice (5.1)."""
    for die in dice:
        refuse_face(die)
    if len(dice) > MOST_DICE:
        raise Illegal(say("four-dice", count=MOST_DICE), rule="5.1")


def limit(members: int) -> int:
    """Return the limit of the dice total with this many figures on the threshold space (5.12, 3.3)."""
    return LIMIT + PER_MEMBER * members


def limit_message(members: int) -> Message:
    """Return the message that explains the limit."""
    return say("limit", base=LIMIT, each=PER_MEMBER, count=members, limit=limit(members))


def why_not_members(members: int, *, above_22: bool) -> Message | None:
    """Return why there are too many figures on the threshold space: more than three, unless allowed (R-03)."""
    if members <= MOST_MEMBERS or above_22:
        return None
    return say("threshold-full", most=MOST_MEMBERS, limit=limit(MOST_MEMBERS))


def refuse_members(members: int, *, above_22: bool = False) -> None:
    """Raise `Illegal` for too many figures on the threshold space (5.12, R-03)."""
    message = why_not_members(members, above_22=above_22)
    if message:
        raise Illegal(message, rule="5.12")


def is_rewarded(total: int, members: int) -> bool:
    """Return whether a sum of faces (not prices) is within the limit, inclusive (5.12, 3.3)."""
    return total <= limit(members)
