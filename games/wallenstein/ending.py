"""Points of the winters, standings on the way, the winner (digest 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import Frame
from games.core.game import Result, Standing
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome
from games.wallenstein.board import in_play, regions_in_play
from games.wallenstein.pieces import BANK, BUILDINGS, PARTS, POINT, score_place
from games.wallenstein.scoring import Region, Score, rank, region_step, score, score_step, winner_steps
from games.wallenstein.state import State, buildings_in, owner_of, region_of, year_of

RULE = "6"

# 6: among equals, the one with most of these.
CRITERIA: Mapping[str, str] = dict(zip(("palaces", "churches", "trading_houses"), BUILDINGS, strict=True))


@dataclass(frozen=True, slots=True)
class Finished:
    """Two winters are over. Only corrections are entered now."""

    name = "finished"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise Illegal(say("game-over"), rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


# What lies on the map


def regions(state: State) -> dict[str, Region]:
    """6: what the players own in each region that is used."""
    provinces: dict[str, dict[str, int]] = {region: {} for region in regions_in_play(state.setup)}
    built: dict[str, dict[str, dict[str, int]]] = {region: {} for region in provinces}
    for province in in_play(state.setup):
        owner, region = owner_of(state, province), region_of(state, province)
        if owner is None or region not in provinces:
            continue
        provinces[region][owner] = provinces[region].get(owner, 0) + 1
        for building in buildings_in(state, province):
            counts = built[region].setdefault(building, {})
            counts[owner] = counts.get(owner, 0) + 1
    return {region: Region(provinces[region], built[region]) for region in provinces}


def scores_now(state: State) -> dict[str, Score]:
    """6 applied to the map as it is."""
    return score(regions(state), state.order)


# Scoring


def score_winter(account: Account[State]) -> None:
    """6: provinces, buildings and majorities; the points are noted."""
    found = regions(account.state)
    for name, region in found.items():
        account.add(region_step(name, region, account.state.order))
    for faction, points in score(found, account.state.order).items():
        verdict = judge(account.state, f"score:{faction}", points, Score, _refuse_score)
        step = score_step(faction, verdict.result)
        account.step(step.rule, step.message, moves=list(_points(faction, verdict.result)), verdict=verdict)


def _refuse_score(ruled: Score) -> None:
    if min(ruled.provinces, ruled.buildings, ruled.majorities) < 0:
        raise Illegal(say("ruling-score"), rule=RULE)


def _points(faction: str, points: Score) -> list[Move]:
    """The app notes them; no hand has anything to do."""
    return [
        Move(faction, POINT, BANK, score_place(part), count, reported=True)
        for part in PARTS
        if (count := getattr(points, part))
    ]


def finish(account: Account[State]) -> None:
    """6: the ranking, with the tie-break that decided."""
    account.set(frames=(Frame("finished"),))
    for step in winner_steps(_criteria(account.state), account.state.order):
        account.add(step)


# Standings


def _noted(state: State, faction: str) -> dict[str, int]:
    return {part: state.ledger.count(faction, POINT, score_place(part)) for part in PARTS}


def standings(state: State) -> list[Standing]:
    """The points noted, and while a year is under way those that its winter would bring now."""
    now = scores_now(state) if _in_a_year(state) else {}
    found = []
    for faction in state.order:
        parts = _noted(state, faction)
        if faction in now:
            parts = {part: count + getattr(now[faction], part) for part, count in parts.items()}
        found.append(Standing.of(faction, parts))
    return found


def _in_a_year(state: State) -> bool:
    return state.frames[0].phase not in ("events", "finished") or state.round == 0


def provisional(state: State) -> Message | None:
    """Why the standings are not final."""
    if state.frames[-1].phase == "finished":
        return None
    if not _in_a_year(state):
        return say("provisional-year", year=year_of(state))
    return say("provisional", year=year_of(state))


# The winner


def _built(state: State, building: str) -> dict[str, int]:
    """A-30: buildings on the board at the end."""
    found = regions(state).values()
    return {faction: sum(r.built(building, faction) for r in found) for faction in state.order}


def _criteria(state: State) -> dict[str, dict[str, int]]:
    points = {standing.faction: int(standing.points) for standing in standings(state)}
    return {"points": points, **{name: _built(state, b) for name, b in CRITERIA.items()}}


def result(state: State) -> Result | None:
    """6: most points, then palaces, churches, trading houses; then they share the victory."""
    if state.frames[-1].phase != "finished":
        return None
    criteria = _criteria(state)
    ranking = tuple(rank(list(criteria.values()), state.order))
    return Result(ranking, _tie_break(criteria, ranking[0]))


def _tie_break(criteria: Mapping[str, Mapping[str, int]], first: tuple[str, ...]) -> Message | None:
    """What decided, if it was not the points."""
    left = list(criteria["points"])
    for name, counts in criteria.items():
        most = max(counts[faction] for faction in left)
        left = [faction for faction in left if counts[faction] == most]
        if len(left) == 1:
            if name == "points":
                return None
            return say("wins", faction=faction_name(left[0]), what=Name("criterion", name), most=most)
    return say("shared-victory", factions=tuple(map(faction_name, first)))
