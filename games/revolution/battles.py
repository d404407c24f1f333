"""Battles between armies in one command strip (rulebook 6.5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from games.core.codec import Count
from games.core.flow import Automatic
from games.core.ledger import Move
from games.core.messages import Message, Param, faction_name, faction_names, say
from games.core.rulings import judge
from games.core.steps import Account, Act, Step
from games.revolution.checks import refuse_more_than
from games.revolution.factions import FACTIONS, Counts, are_allied
from games.revolution.pieces import ARMY, HERE, taken
from games.revolution.regions import region_name
from games.revolution.rounds import advance
from games.revolution.state import State, alliances, armies_at, atlas

RULE = "6.5"
CLEAR, STANDOFF, ALLIED = "clear", "standoff", "allied"
STANDOFF_ARMIES = 2


class Clash(NamedTuple):
    """Loss of one army each by the two most hostile factions."""

    catholic: str  # nearer to the Catholic end
    reformed: str


class Battle(NamedTuple):
    """Battles of a strip; the survivors follow from the clashes."""

    armies: Counts
    clashes: tuple[Clash, ...]
    ending: str

    @property
    def lost(self) -> dict[str, int]:
        return {f: sum(f in clash for clash in self.clashes) for f in self.armies}

    @property
    def left(self) -> dict[str, int]:
        lost = self.lost
        return {f: count - lost[f] for f, count in self.armies.items()}


def resolve(armies: Counts, allies: Sequence[Collection[str]] = ()) -> Battle:
    """Let the two ends of the alignment fight until one faction, two armies or only allies remain (6.5).

    `armies` must not include released armies.
    """
    clashes: list[Clash] = []
    left = dict(armies)
    while (ending := ending_of(left, allies)) is None:
        clash = Clash(*_ends(left))
        clashes.append(clash)
        left |= {f: left[f] - 1 for f in clash}
    return Battle(armies, tuple(clashes), ending)


def ending_of(armies: Counts, allies: Sequence[Collection[str]]) -> str | None:
    """Return why no (further) battle takes place, or None (6.5).

    Two allied armies are in a stand-off as well (6.4).
    """
    here = aligned(armies)
    if len(here) < 2:  # noqa: PLR2004
        return CLEAR
    if sum(armies.values()) == STANDOFF_ARMIES:
        return STANDOFF
    return ALLIED if are_allied(here, allies) else None


def aligned(armies: Counts) -> tuple[str, ...]:
    """Return the factions with an army here, from the Catholic end to the reformed end (6.5)."""
    return tuple(f for f in FACTIONS if armies.get(f))


def _ends(armies: Counts) -> tuple[str, str]:
    here = aligned(armies)
    return here[0], here[-1]


# Steps


def steps(battle: Battle, place: str = HERE) -> tuple[Step, ...]:
    """Return the clashes of a strip one by one, and the reason why they end."""
    return (*(_clash_step(clash, place) for clash in battle.clashes), Step(RULE, _end(battle)))


def _clash_step(clash: Clash, place: str) -> Step:
    moves = tuple(move for f in clash for move in taken(f, place=place, piece=ARMY))
    both = {"one": faction_name(clash.catholic), "other": faction_name(clash.reformed)}
    return Step(RULE, say("clash", **both), moves)


def _end(battle: Battle) -> Message:
    here = aligned(battle.left)
    if battle.ending != CLEAR:
        return say(f"battle-{battle.ending}", factions=faction_names(here))
    if not here:
        return say("battle-nobody")
    return say("battle-clear", faction=faction_name(here[0]), count=battle.left[here[0]])


# The phase


def fight(account: Account[State]) -> None:
    """Resolve all battles region by region (6.5)."""
    for region in atlas(account.state).regions:
        _fight(account, region)
    advance(account)


def _fight(account: Account[State], region: str) -> None:
    """Resolve the battles of one strip; a stand-off is recorded, too (6.5)."""
    state = account.state
    strip = atlas(state).regions[region].strip
    battle = resolve(armies_at(state, strip), alliances(state))
    if len(battle.armies) < 2:  # noqa: PLR2004
        return
    verdict = judge(
        state,
        f"battle:{region}",
        battle.left,
        dict[str, Count],
        lambda left: refuse_more_than(left, battle.armies, RULE),
    )
    lost = {f: n - verdict.result.get(f, 0) for f, n in battle.armies.items()}
    here: dict[str, Param] = {"region": region_name(region), "factions": faction_names(battle.armies)}
    has_losses = any(lost.values())
    account.step(
        RULE,
        say("battle" if has_losses else "no-battle", **here),
        moves=_lost_moves(lost, strip) if verdict.ruling else (),
        acts=[Act(None, say("slide-left", region=region_name(region)))] if has_losses else (),
        steps=() if verdict.ruling else steps(battle, strip),
        verdict=verdict,
    )


def _lost_moves(lost: Counts, strip: str) -> tuple[Move, ...]:
    return tuple(move for f, count in lost.items() for move in taken(f, count, place=strip, piece=ARMY))


BATTLES: Automatic[State] = Automatic("battles", RULE, fight)
