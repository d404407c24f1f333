"""Points of a winter, majorities and the winner (6)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.core.messages import Message, Name, faction_name, faction_names, say
from games.core.steps import Step
from games.wallenstein.pieces import BUILDINGS, CHURCH, PALACE, PROVINCES_PER_REGION, TRADING_HOUSE

RULE = "6"

# Points for the majority in a region; shared majorities bring one point less each (6).
MAJORITY: Mapping[str, int] = {PALACE: 3, CHURCH: 2, TRADING_HOUSE: 1}

# Tie-breaks in order, with the building each of them counts (6).
CRITERIA: Mapping[str, str] = {"palaces": PALACE, "churches": CHURCH, "trading_houses": TRADING_HOUSE}

Counts = Mapping[str, int]  # player -> count


class Majority(NamedTuple):
    """Players with most buildings of a kind in a region, and the points each of them gets."""

    building: str
    leaders: tuple[str, ...]
    most: int
    points: int


@dataclass(frozen=True, slots=True)
class Region:
    """Provinces and buildings per player in a region; a building belongs to the owner of its province."""

    provinces: Counts = field(default_factory=dict)
    buildings: Mapping[str, Counts] = field(default_factory=dict)  # building -> player -> count

    def built(self, building: str, player: str) -> int:
        return self.buildings.get(building, {}).get(player, 0)


@dataclass(frozen=True, slots=True)
class Score:
    """A player's points of one winter by source."""

    provinces: int
    buildings: int
    majorities: int

    @property
    def points(self) -> int:
        return self.provinces + self.buildings + self.majorities


# Majorities


def majority(region: Region, building: str, players: Sequence[str]) -> Majority:
    """Return the leaders in one kind of building; no second places, none without a building (6)."""
    counts = {player: region.built(building, player) for player in players}
    most = max(counts.values(), default=0)
    leaders = tuple(player for player in players if most and counts[player] == most)
    return Majority(building, leaders, most, MAJORITY[building] - (len(leaders) > 1) if leaders else 0)


def majorities(region: Region, players: Sequence[str]) -> list[Majority]:
    """Return the three majorities of a region (6)."""
    return [majority(region, building, players) for building in BUILDINGS]


def majority_points(leads: Iterable[Majority], player: str) -> int:
    """Return the points of a player for these majorities (6)."""
    return sum(m.points for m in leads if player in m.leaders)


# A winter


def score(regions: Mapping[str, Region], players: Sequence[str]) -> dict[str, Score]:
    """Return the points of all players for one winter (6)."""
    leads = [m for region in regions.values() for m in majorities(region, players)]
    return {
        player: Score(
            provinces=sum(region.provinces.get(player, 0) for region in regions.values()),
            buildings=sum(region.built(b, player) for region in regions.values() for b in BUILDINGS),
            majorities=majority_points(leads, player),
        )
        for player in players
    }


# The winner


def rank(criteria: Sequence[Counts], players: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the places from first to last; each criterion breaks the ties of those before (6)."""
    strength = {player: tuple(counts.get(player, 0) for counts in criteria) for player in players}
    order = sorted(set(strength.values()), reverse=True)
    return [tuple(player for player in players if strength[player] == s) for s in order]


# Explanation


def majority_steps(leads: Iterable[Majority]) -> tuple[Step, ...]:
    """Explain who leads in each kind of building (6)."""
    return tuple(Step(RULE, _majority_message(m)) for m in leads)


def score_steps(regions: Mapping[str, Region], scores: Mapping[str, Score]) -> tuple[Step, ...]:
    """Explain the majorities of each region, then the total of each player (6)."""
    players = list(scores)
    if not players:
        return (Step(RULE, say("nobody-scores")),)
    return (
        *(region_step(name, region, players) for name, region in regions.items()),
        *(score_step(player, scores[player]) for player in players),
    )


def winner_steps(criteria: Mapping[str, Counts], players: Sequence[str]) -> Iterator[Step]:
    """Explain the criteria one by one, until one player is left or none decides (6)."""
    left: Sequence[str] = players
    for name, counts in criteria.items():
        most = max(counts.get(player, 0) for player in left)
        left = [player for player in left if counts.get(player, 0) == most]
        what = Name("criterion", name)
        if len(left) == 1:
            yield Step(RULE, say("wins", faction=faction_name(left[0]), what=what, most=most))
            return
        yield Step(RULE, say("level-at", factions=faction_names(left), what=what, most=most))
    yield Step(RULE, say("shared-victory", factions=faction_names(left)))


def tie_break(criteria: Mapping[str, Counts], players: Sequence[str]) -> Message | None:
    """Return the message for the criterion that decided, or None if it was the points (6)."""
    level = rank([criteria["points"]], players)[0]
    return None if len(level) == 1 else list(winner_steps(criteria, level))[-1].message


def _majority_message(lead: Majority) -> Message:
    buildings = Name("buildings", lead.building)
    if not lead.leaders:
        return say("no-majority", buildings=buildings)
    code = "majority" if len(lead.leaders) == 1 else "majority-shared"
    return say(
        code, factions=faction_names(lead.leaders), buildings=buildings, most=lead.most, count=lead.points
    )


def region_step(name: str, region: Region, players: Sequence[str]) -> Step:
    """Explain the majorities of one region (6)."""
    leads = [m for m in majorities(region, players) if m.leaders]
    code = "region" if leads else "region-without-buildings"
    doubts = tuple(_doubts(name, region, players))
    return Step(RULE, say(code, region=Name("region", name)), steps=(*majority_steps(leads), *doubts))


def _doubts(name: str, region: Region, players: Sequence[str]) -> Iterator[Step]:
    """Yield warnings for counts that no board can show (2.2, 5.3).

    They are scored nevertheless, since the real table has precedence.
    """
    where = Name("region", name)
    total = sum(region.provinces.values())
    if total > PROVINCES_PER_REGION:
        yield Step("2.2", say("too-many-provinces", region=where, owned=total))
    for building, player in itertools.product(BUILDINGS, players):
        built, owned = region.built(building, player), region.provinces.get(player, 0)
        if built > owned:
            named = {
                "region": where,
                "buildings": Name("buildings", building),
                "faction": faction_name(player),
            }
            yield Step("5.3", say("too-many-buildings", **named, built=built, owned=owned))


def score_step(player: str, score: Score) -> Step:
    """Explain the total of one player (6)."""
    parts = {"provinces": score.provinces, "buildings": score.buildings, "majorities": score.majorities}
    return Step(RULE, say("scored", faction=faction_name(player), count=score.points, **parts))
