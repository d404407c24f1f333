"""The end of the game: points for men and alliance tiles, ranking, standings (digest 6)."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.checks import check_all_of, check_order
from games.core.codec import Count
from games.core.flow import FINISHED, Frame, is_over
from games.core.game import Result, Standing
from games.core.messages import Message, faction_name, faction_names, say
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.signoria.pieces import CAREERS, EARLIER, FIELDS, ROUNDS, SOURCES
from games.signoria.scoring import RULE, TIE_BREAK, end_score, field_step, man_step, rank, tie_break
from games.signoria.state import (
    State,
    initiative_order,
    men_on,
    point_disc,
    points_from,
    printed,
    score,
    tiles_beside,
)

END_SOURCES = ("end-men", "end-alliance")


# End points


def numbers_of(state: State, faction: str) -> list[int]:
    """Return the career space number of each of a player's men on career tracks."""
    return [
        printed(state).number(career, index)
        for career in CAREERS
        for index, count in men_on(state, faction, career).items()
        for _ in range(count)
    ]


def end_points(state: State, faction: str) -> dict[str, int]:
    """Return the points for men on tracks and alliance tiles if the game ended now, by source (6.1)."""
    fields = {field: tiles_beside(state, faction, field) for field in FIELDS}
    parts = end_score(numbers_of(state, faction), fields)
    return {"end-men": parts.pop("men"), "end-alliance": sum(parts.values())}


def if_it_ended_now(state: State) -> list[Standing]:
    """Return the standings including end scoring, at any time of the game."""
    if is_over(state):
        return standings(state)
    return [Standing.of(s.faction, {**s.parts, **end_points(state, s.faction)}) for s in standings(state)]


def standings(state: State) -> list[Standing]:
    """Return the points scored so far, by source, in play order (6.1)."""
    is_resumed = any(points_from(state, faction, EARLIER) for faction in state.order)
    sources = (EARLIER, *SOURCES) if is_resumed else SOURCES
    return [
        Standing.of(faction, {source: points_from(state, faction, source) for source in sources})
        for faction in state.order
    ]


def provisional(state: State) -> Message | None:
    """Return the reason why the standings are not final, or None after the last round."""
    return None if is_over(state) else say("provisional", count=ROUNDS - max(state.round, 1) + 1)


def result(state: State) -> Result | None:
    """Return the ranking by points, ties broken by the higher disc, or None before the end (6.2)."""
    if not is_over(state):
        return None
    points = {s.faction: int(s.points) for s in standings(state)}
    ranking = state.ranked or ranked(state, points)
    reason = None if state.ranked else tie_break(points, ranking)
    return Result(tuple((faction,) for faction in ranking), reason)


def ranked(state: State, points: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(rank(points, tuple(reversed(initiative_order(state)))))


# Scoring


def finish(state: State) -> Outcome[State]:
    """Score men and alliance tiles of every player, then rank the players (6)."""
    account = Account(state)
    for faction in state.order:
        _score_end(account, faction)
    points = {s.faction: int(s.points) for s in standings(account.state)}
    computed = ranked(account.state, points)
    verdict = judge(
        state,
        "ranking",
        computed,
        tuple[str, ...],
        lambda ruled: check_order(ruled, computed, rule=TIE_BREAK),
    )
    reason = None if verdict.ruling else tie_break(points, verdict.result)
    steps = [Step(TIE_BREAK, reason)] if reason else []
    names = faction_names(verdict.result)
    message = say("won", faction=names[0], count=points[verdict.result[0]], ranking=names)
    account.step(TIE_BREAK, message, steps=steps, verdict=verdict)
    account.set(frames=(Frame(FINISHED),), ranked=tuple(verdict.result) if verdict.ruling else None)
    return account.outcome()


def _score_end(account: Account[State], faction: str) -> None:
    state = account.state
    computed = end_points(state, faction)
    verdict = judge(state, f"score:{faction}", computed, Mapping[str, Count], _refuse_sources)
    points = {source: verdict.result.get(source, 0) for source in END_SOURCES}
    message = say(
        "end-scores",
        faction=faction_name(faction),
        men=points["end-men"],
        tiles=points["end-alliance"],
        count=sum(points.values()),
    )
    moves = [move for source, count in points.items() for move in score(faction, source, count)]
    steps = [*_reasons(state, faction), *point_disc(state, faction, sum(points.values()))]
    account.step(RULE, message, moves=moves, steps=steps, verdict=verdict)


def _refuse_sources(points: Mapping[str, int]) -> None:
    check_all_of(points, END_SOURCES, "score", rule=RULE)


def _reasons(state: State, faction: str) -> list[Step]:
    """Return one step of arithmetic per man and per field."""
    men = [man_step(number) for number in numbers_of(state, faction)]
    return [*men, *(field_step(name, tiles_beside(state, faction, name)) for name in FIELDS)]
