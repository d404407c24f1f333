"""Draft of the next round's play order (rulebook 5.8 and 6.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from games.core.errors import BadInput
from games.core.messages import Message, Param, faction_name, faction_names, say
from games.core.steps import Step

RULE = "6.20"


def laying(points: Mapping[str, Fraction], order: Sequence[str]) -> tuple[str, ...]:
    """Return the order of laying cards: most points first, ties in current play order (6.20).

    In round 0 the current order is the fixed one (5.8).
    """
    return tuple(sorted(order, key=lambda faction: -points.get(faction, Fraction(0))))


def rows(cards: Sequence[str], choices: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return the row after each card; `choices` are the positions of all cards but the first (6.20)."""
    if len(choices) != max(0, len(cards) - 1):
        raise BadInput(say("one-place-each", count=max(0, len(cards) - 1)), rule=RULE)
    row: tuple[str, ...] = ()
    grown = []
    for card, position in zip(cards, (0, *choices), strict=False):
        row = inserted(row, card, position)
        grown.append(row)
    return tuple(grown)


def inserted(row: tuple[str, ...], card: str, position: int) -> tuple[str, ...]:
    """Return the row with the card inserted before, after or between the others (6.20)."""
    if not 0 <= position <= len(row):
        raise BadInput(say("place-in-row", most=len(row) + 1), rule=RULE)
    return (*row[:position], card, *row[position:])


# Steps


def laying_step(cards: Sequence[str], points: Mapping[str, Fraction]) -> Step:
    """Return the step that explains the order of laying cards by points."""
    finer = tuple(Step(RULE, _lays(i, cards, points)) for i in range(len(cards)))
    return Step(RULE, say("laying"), steps=finer)


def _lays(index: int, cards: Sequence[str], points: Mapping[str, Fraction]) -> Message:
    scores = [points.get(faction, Fraction(0)) for faction in cards]
    tied = index > 0 and scores[index - 1] == scores[index]
    params: dict[str, Param] = {
        "number": index + 1,
        "faction": faction_name(cards[index]),
        "points": scores[index],
    }
    return say("lays-level" if tied else "lays", **params)


def row_steps(cards: Sequence[str], grown: Sequence[tuple[str, ...]]) -> tuple[Step, ...]:
    """Return a step per card laid, and one for the resulting order."""
    cards_laid = (Step(RULE, laid(card, row)) for card, row in zip(cards, grown, strict=True))
    return (*cards_laid, Step(RULE, new_order(grown[-1] if grown else ())))


def laid(card: str, row: Sequence[str]) -> Message:
    """Return the message for a card that was laid into the row."""
    return say("laid", faction=faction_name(card), place=row.index(card) + 1, row=faction_names(row))


def new_order(row: Sequence[str]) -> Message:
    """Return the message for a complete row."""
    return say("order", row=faction_names(row))
