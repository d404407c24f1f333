"""The five factions and their pieces (rulebook 2.2, 3.1 to 3.5, 4.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from games.core.errors import BadInput, Illegal
from games.core.game import one_each
from games.core.messages import Name, faction_name, say

Counts: TypeAlias = Mapping[str, int]  # faction -> pieces

CATHOLICS, HABSBURGS, NOBILITY, BURGHERS, REFORMERS = FACTIONS = (
    "catholics",
    "habsburgs",
    "nobility",
    "burghers",
    "reformers",
)
"""4.2.1 and 6.5: at once the order of round 0 and the alignment of the factions."""

NEUTRAL = "neutral"
EVERYBODY = (*FACTIONS, NEUTRAL)
ALLIANCES = ((CATHOLICS, HABSBURGS), (BURGHERS, REFORMERS))  # 3.1: each a player's, with 2 players


class Box(NamedTuple):
    """What a faction takes from the box."""

    counters: int
    armies: int


BOXES: Mapping[int, Box] = {2: Box(40, 6), 3: Box(56, 8), 4: Box(40, 6), 5: Box(32, 6)}  # 3.5
NEUTRALS = 47  # 2.2.3
THREE = 3
WITHOUT_NOBILITY = (2, 4)  # 3.1, 3.3: so many players


def refuse_players(players: int) -> None:
    """3.0: two to five people."""
    if players not in BOXES:
        raise BadInput(say("players", least=min(BOXES), most=max(BOXES)), rule="3.0")


def plays(faction: str, players: int) -> bool:
    """Whether a faction can be in a game of so many; with 3 players the others are chosen."""
    return faction != NOBILITY or players not in WITHOUT_NOBILITY


def refuse_absent(faction: str, players: int) -> None:
    """3.1, 3.3: the Nobility sits out with 2 or 4 players."""
    if not plays(faction, players):
        raise Illegal(say("no-nobility"), rule="3.1" if players == min(BOXES) else "3.3")


def refuse_seating(players: int, factions: Sequence[str]) -> None:
    """3.1 to 3.4: which factions so many people play; with two, each of them plays two."""
    for faction in factions:
        refuse_absent(faction, players)
    if players == min(BOXES) and len(factions) != sum(map(len, ALLIANCES)):
        raise Illegal(say("two-each", count=len(factions)), rule="3.1")
    if players != min(BOXES):
        one_each("3.0", players, factions)
    if players == THREE and CATHOLICS not in factions:
        raise Illegal(say("catholics-missing"), rule="3.2")


def allies_of(faction: str, allies: Sequence[Collection[str]]) -> set[str]:
    """3.1: the other faction of the same player."""
    return {other for pair in allies if faction in pair for other in pair if other != faction}


def are_allied(factions: Collection[str], allies: Sequence[Collection[str]]) -> bool:
    """3.1: whether all of these belong to one player."""
    return any(set(factions) <= set(pair) for pair in allies)


def names(factions: Collection[str]) -> tuple[Name, ...]:
    """Factions as a part of a sentence."""
    return tuple(faction_name(faction) for faction in factions)
