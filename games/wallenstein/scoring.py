"""Points of a winter, majorities and the winner (digest 6)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.core.messages import Message, Name, faction_name, say
from games.core.steps import Step
from games.wallenstein.pieces import BUILDINGS, CHURCH, PALACE, PROVINCES_PER_REGION, TRADING_HOUSE

RULE = "6"

# 6: for the majority in a region; those who share it get one point less each.
MAJORITY: Mapping[str, int] = {PALACE: 3, CHURCH: 2, TRADING_HOUSE: 1}

Counts = Mapping[str, int]  # player -> how many


class Majority(NamedTuple):
    """Who has most buildings of a kind in a region, and what each of them gets for it."""

    building: str
    leaders: tuple[str, ...]
    most: int
    points: int


@dataclass(frozen=True, slots=True)
class Region:
    """What the players own in a region. Buildings count for who owns their province."""

    provinces: Counts = field(default_factory=dict)
    buildings: Mapping[str, Counts] = field(default_factory=dict)  # building -> player -> how many

    def built(self, building: str, player: str) -> int:
        return self.buildings.get(building, {}).get(player, 0)


@dataclass(frozen=True, slots=True)
class Score:
    """A player's points of one winter, by where they come from."""

    provinces: int
    buildings: int
    majorities: int

    @property
    def points(self) -> int:
        return self.provinces + self.buildings + self.majorities


# Majorities


def majority(region: Region, building: str, players: Sequence[str]) -> Majority:
    """6: the leaders in one kind of building; nobody without a building, no second places."""
    counts = {player: region.built(building, player) for player in players}
    most = max(counts.values(), default=0)
    leaders = tuple(player for player in players if most and counts[player] == most)
    return Majority(building, leaders, most, MAJORITY[building] - (len(leaders) > 1) if leaders else 0)


def majorities(region: Region, players: Sequence[str]) -> list[Majority]:
    """6: the three majorities of a region."""
    return [majority(region, building, players) for building in BUILDINGS]


def majority_points(found: Iterable[Majority], player: str) -> int:
    """6: what a player gets for these majorities."""
    return sum(m.points for m in found if player in m.leaders)


# A winter


def score(regions: Mapping[str, Region], players: Sequence[str]) -> dict[str, Score]:
    """6: everybody's points of one winter."""
    found = [m for region in regions.values() for m in majorities(region, players)]
    return {
        player: Score(
            provinces=sum(region.provinces.get(player, 0) for region in regions.values()),
            buildings=sum(region.built(b, player) for region in regions.values() for b in BUILDINGS),
            majorities=majority_points(found, player),
        )
        for player in players
    }


# The winner


def rank(criteria: Sequence[Counts], players: Sequence[str]) -> list[tuple[str, ...]]:
    """6: places from the first down; each criterion decides among those whom the ones before left level."""
    strength = {player: tuple(counts.get(player, 0) for counts in criteria) for player in players}
    order = sorted(set(strength.values()), reverse=True)
    return [tuple(player for player in players if strength[player] == s) for s in order]


# Saying it


def majority_steps(found: Iterable[Majority]) -> tuple[Step, ...]:
    """6: who leads in each kind of building."""
    return tuple(Step(RULE, _majority_message(m)) for m in found)


def score_steps(regions: Mapping[str, Region], scores: Mapping[str, Score]) -> tuple[Step, ...]:
    """6: the majorities of each region, then everybody's sum."""
    players = list(scores)
    if not players:
        return (Step(RULE, say("nobody-scores")),)
    return (
        *(region_step(name, region, players) for name, region in regions.items()),
        *(score_step(player, scores[player]) for player in players),
    )


def winner_steps(criteria: Mapping[str, Counts], players: Sequence[str]) -> Iterator[Step]:
    """6: one criterion after the other, until one player is left or none decides."""
    left: Sequence[str] = players
    for name, counts in criteria.items():
        most = max(counts.get(player, 0) for player in left)
        left = [player for player in left if counts.get(player, 0) == most]
        what = Name("criterion", name)
        if len(left) == 1:
            yield Step(RULE, say("wins", faction=faction_name(left[0]), what=what, most=most))
            return
        yield Step(RULE, say("level-at", factions=_names(left), what=what, most=most))
    yield Step(RULE, say("shared-victory", factions=_names(left)))


def _majority_message(found: Majority) -> Message:
    buildings = Name("buildings", found.building)
    if not found.leaders:
        return say("no-majority", buildings=buildings)
    code = "majority" if len(found.leaders) == 1 else "majority-shared"
    return say(code, factions=_names(found.leaders), buildings=buildings, most=found.most, count=found.points)


def region_step(name: str, region: Region, players: Sequence[str]) -> Step:
    """6: the majorities of one region."""
    found = [m for m in majorities(region, players) if m.leaders]
    code = "region" if found else "region-without-buildings"
    doubts = tuple(_doubts(name, region, players))
    return Step(RULE, say(code, region=Name("region", name)), steps=(*majority_steps(found), *doubts))


def _doubts(name: str, region: Region, players: Sequence[str]) -> Iterator[Step]:
    """2.2 and 5.3: what no board can show. It is scored all the same, for the real table wins."""
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
    """6: one player's sum."""
    parts = {"provinces": score.provinces, "buildings": score.buildings, "majorities": score.majorities}
    return Step(RULE, say("scored", faction=faction_name(player), count=score.points, **parts))


def _names(players: Iterable[str]) -> tuple[Name, ...]:
    return tuple(faction_name(player) for player in players)
