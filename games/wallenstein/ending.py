"""Points of the winters, standings during the game, and the winner (6)."""

from __future__ import annotations

from games.core.errors import Illegal
from games.core.flow import FINISHED, Frame, is_over
from games.core.game import Result, Standing
from games.core.ledger import Move
from games.core.messages import Message, say
from games.core.rulings import judge
from games.core.steps import Account
from games.wallenstein.board import in_play, regions_in_play
from games.wallenstein.pieces import BANK, PARTS, POINT, score_place
from games.wallenstein.scoring import (
    CRITERIA,
    RULE,
    Region,
    Score,
    rank,
    region_step,
    score,
    score_step,
    tie_break,
    winner_steps,
)
from games.wallenstein.state import State, buildings_in, owner_of, region_of, year_of

# Ownership


def regions(state: State) -> dict[str, Region]:
    """Return provinces and buildings per player in each region in play (6)."""
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
    """Return the scores that the current board would bring (6)."""
    return score(regions(state), state.order)


# Scoring


def score_winter(account: Account[State]) -> None:
    """Score provinces, buildings and majorities and record the points (6)."""
    owned = regions(account.state)
    for name, region in owned.items():
        account.add(region_step(name, region, account.state.order))
    for faction, points in score(owned, account.state.order).items():
        verdict = judge(account.state, f"score:{faction}", points, Score, _refuse_score)
        step = score_step(faction, verdict.result)
        account.step(
            step.rule, step.message, moves=list(_point_moves(faction, verdict.result)), verdict=verdict
        )


def _refuse_score(ruled: Score) -> None:
    if min(ruled.provinces, ruled.buildings, ruled.majorities) < 0:
        raise Illegal(say("ruling-score"), rule=RULE)


def _point_moves(faction: str, points: Score) -> list[Move]:
    """Return the moves that record the points; marked as reported, since no piece moves at the table."""
    return [
        Move(faction, POINT, BANK, score_place(part), count, reported=True)
        for part in PARTS
        if (count := getattr(points, part))
    ]


def finish(account: Account[State]) -> None:
    """End the game and explain the ranking with its tie-breaks (6)."""
    account.set(frames=(Frame(FINISHED),))
    for step in winner_steps(_criteria(account.state), account.state.order):
        account.add(step)


# Standings


def _recorded_points(state: State, faction: str) -> dict[str, int]:
    return {part: state.ledger.count(faction, POINT, score_place(part)) for part in PARTS}


def standings(state: State) -> list[Standing]:
    """Return the recorded points, plus the points the winter would bring now while a year is under way."""
    now = scores_now(state) if _is_year_under_way(state) else {}
    entries = []
    for faction in state.order:
        parts = _recorded_points(state, faction)
        if faction in now:
            parts = {part: count + getattr(now[faction], part) for part, count in parts.items()}
        entries.append(Standing.of(faction, parts))
    return entries


def _is_year_under_way(state: State) -> bool:
    return state.frames[0].phase not in ("events", FINISHED) or state.round == 0


def provisional(state: State) -> Message | None:
    """Return the message that says why the standings are not final, or None."""
    if is_over(state):
        return None
    if not _is_year_under_way(state):
        return say("provisional-year", year=year_of(state))
    return say("provisional", year=year_of(state))


# The winner


def _built(state: State, building: str) -> dict[str, int]:
    """Return the buildings of a kind per player at the end of the game (A-30)."""
    owned = regions(state).values()
    return {faction: sum(r.built(building, faction) for r in owned) for faction in state.order}


def _criteria(state: State) -> dict[str, dict[str, int]]:
    points = {standing.faction: int(standing.points) for standing in standings(state)}
    return {"points": points, **{name: _built(state, b) for name, b in CRITERIA.items()}}


def result(state: State) -> Result | None:
    """Return the ranking: points, then palaces, churches, trading houses, then a shared victory (6)."""
    if not is_over(state):
        return None
    criteria = _criteria(state)
    return Result(tuple(rank(list(criteria.values()), state.order)), tie_break(criteria, state.order))
