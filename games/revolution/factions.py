"""The five factions and their pieces (rulebook 2.2, 3.1 to 3.5, 4.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from games.core.errors import BadInput, Illegal
from games.core.game import one_each
from games.core.messages import say

Counts: TypeAlias = Mapping[str, int]  # faction -> pieces

CATHOLICS, HABSBURGS, NOBILITY, BURGHERS, REFORMERS = FACTIONS = (
    "catholics",
    "habsburgs",
    "nobility",
    "burghers",
    "reformers",
)
"""Fixed order: play order of round 0 (4.2.1) and alignment of the factions (6.5)."""

NEUTRAL = "neutral"
EVERYBODY = (*FACTIONS, NEUTRAL)
ALLIANCES = ((CATHOLICS, HABSBURGS), (BURGHERS, REFORMERS))  # 3.1: one pair per player, with 2 players


class Box(NamedTuple):
    """Pieces that a faction takes from the box."""

    counters: int
    armies: int


BOXES: Mapping[int, Box] = {2: Box(40, 6), 3: Box(56, 8), 4: Box(40, 6), 5: Box(32, 6)}  # 3.5
NEUTRALS = 47  # 2.2.3
TWO, THREE = 2, 3  # numbers of players with rules of their own
WITHOUT_NOBILITY = (2, 4)  # 3.1, 3.3: numbers of players


def refuse_players(players: int) -> None:
    """Raise `BadInput` unless there are two to five players (3.0)."""
    if players not in BOXES:
        raise BadInput(say("players", least=min(BOXES), most=max(BOXES)), rule="3.0")


def plays(faction: str, players: int) -> bool:
    """Return whether the faction can be in a game of `players`; with 3 players factions are chosen."""
    return faction != NOBILITY or players not in WITHOUT_NOBILITY


def refuse_absent(faction: str, players: int) -> None:
    """Raise `Illegal` for the Nobility with 2 or 4 players (3.1, 3.3)."""
    if not plays(faction, players):
        raise Illegal(say("no-nobility"), rule="3.1" if players == TWO else "3.3")


def refuse_seating(players: int, factions: Sequence[str]) -> None:
    """Raise `Illegal` unless `players` can play these factions; with two, each has two (3.1 to 3.4)."""
    for faction in factions:
        refuse_absent(faction, players)
    if players == TWO and len(factions) != sum(map(len, ALLIANCES)):
        raise Illegal(say("two-each", count=len(factions)), rule="3.1")
    if players != TWO:
        one_each("3.0", players, factions)
    if players == THREE and CATHOLICS not in factions:
        raise Illegal(say("catholics-missing"), rule="3.2")


def alliances_of(players: int) -> tuple[tuple[str, ...], ...]:
    """Return the allied pairs: with two players each player has two factions (3.1)."""
    return ALLIANCES if players == TWO else ()


def sides_of(players: int, factions: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the factions that win together: pairs with two players, else each faction alone (3.1)."""
    return alliances_of(players) or tuple((faction,) for faction in factions)


def in_fixed_order(factions: Collection[str]) -> tuple[str, ...]:
    """Return the factions in fixed order (4.2.1)."""
    return tuple(f for f in FACTIONS if f in factions)


def allies_of(faction: str, allies: Sequence[Collection[str]]) -> set[str]:
    """Return the other faction of the same player (3.1)."""
    return {other for pair in allies if faction in pair for other in pair if other != faction}


def are_allied(factions: Collection[str], allies: Sequence[Collection[str]]) -> bool:
    """Return whether all factions belong to one player (3.1)."""
    return any(set(factions) <= set(pair) for pair in allies)
