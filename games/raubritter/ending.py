"""The end: final scoring, tie-break and provisional standings (digest 5.5 and 6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from games.core.codec import Count
from games.core.errors import BadInput
from games.core.flow import FINISHED, Frame, is_over
from games.core.game import Result, Standing
from games.core.messages import Message, say
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.raubritter.scoring import RULE, Controlled, rank, score, scored, tie_break, winner_steps
from games.raubritter.state import State, knights_left, knights_on, land_of, tile_at, tiles_left
from games.raubritter.tiles import TYPES

FINAL = "score:final"


def standings(state: State) -> list[Standing]:
    """Return each player's points from the buildings controlled now, in play order (6)."""
    cells = [(tile_at(state, cell), knights_on(state, cell)) for cell in land_of(state)]
    tiles = [Controlled(TYPES[tile].building, knights) for tile, knights in cells if tile]
    points = score(tiles, state.order)
    if state.ruled is not None:
        for faction, parts in points.items():
            parts["ruling"] = state.ruled[faction] - sum(parts.values())
    return [
        Standing.of(faction, {part: Fraction(p) for part, p in points[faction].items()})
        for faction in state.order
    ]


def provisional(state: State) -> Message | None:
    """Return why the standings are not final (tiles or knights still to place), or None if they are."""
    if is_over(state):
        return None
    count = sum(tiles_left(state, faction) for faction in state.order)
    return say("provisional", count=count) if count else say("provisional-knights")


def result(state: State) -> Result | None:
    """Return the final ranking and its tie-break; None before the end of the game (6)."""
    if not is_over(state):
        return None
    points = {s.faction: int(s.points) for s in standings(state)}
    reserve = {faction: knights_left(state, faction) for faction in state.order}
    ranking = tuple(rank(points, reserve))
    return Result(ranking, tie_break(points, reserve, ranking[0]))


def finish(state: State) -> Outcome[State]:
    """Apply the final scoring: record each player's points and the winner, and end the game (6)."""
    account = Account(state)
    for standing in standings(state):
        account.add(_score_step(standing))
    computed = {standing.faction: int(standing.points) for standing in standings(state)}
    verdict = judge(
        state, FINAL, computed, Mapping[str, Count], lambda points: _refuse_unless_all(points, computed)
    )
    points = {faction: verdict.result[faction] for faction in computed}
    reserve = {faction: knights_left(state, faction) for faction in state.order}
    *reasons, last = winner_steps(points, reserve, rank(points, reserve)[0])
    for step in (*reasons, last.settles(verdict)):
        account.add(step)
    account.set(frames=(Frame(FINISHED),), ruled=points if verdict.ruling else None)
    return account.outcome()


def _refuse_unless_all(points: Mapping[str, int], factions: Collection[str]) -> None:
    if set(points) != set(factions):
        raise BadInput(say("core.factions", known=tuple(factions)), rule=RULE)


def _score_step(standing: Standing) -> Step:
    return Step(RULE, scored(standing.faction, {part: int(n) for part, n in standing.parts.items()}))
