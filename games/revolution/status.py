"""End of a round: clean-up, points, the next play order, and the end of the game (5.8 and 6.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.core.actions import Action
from games.core.errors import Illegal
from games.core.flow import FINISHED, Automatic, Frame, goto, is_over, not_now
from games.core.game import Result, Standing
from games.core.ledger import Move
from games.core.messages import Message, faction_name, faction_names, say
from games.core.prompts import Number, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome
from games.revolution import bishoprics, scoring, universities
from games.revolution.actions import Draft
from games.revolution.factions import BURGHERS, CATHOLICS, HABSBURGS, NOBILITY, sides_of
from games.revolution.pieces import ARMY, COUNTER, SUPPLY
from games.revolution.play_order import inserted, laid, laying, laying_step, new_order
from games.revolution.regions import region_name
from games.revolution.rounds import ROUND, advance, refuse_unless, section
from games.revolution.scoring import Held
from games.revolution.state import (
    HUGUENOTS,
    LAST_ROUND,
    State,
    active_armies,
    alliances,
    armies_at,
    atlas,
    cities_held,
    counters,
    holder,
    outside_cities,
    provinces_held,
    used_place,
)

RULE = "6.20"
RULING = "ruling"  # part of a score that comes from a ruling


# Points


def objective(state: State, faction: str) -> int:
    """Return the count of the faction's special goal (4.3)."""
    land = atlas(state)
    if faction == CATHOLICS:
        catholic = (bishoprics.STRONGLY_CATHOLIC, bishoprics.CATHOLIC)
        return sum(column in catholic for column in state.bishoprics.values())
    if faction == HABSBURGS:
        return sum(HABSBURGS in active_armies(state, region) for region in land.regions)
    if faction == NOBILITY:
        return sum(outside_cities(state, province)[NOBILITY] for province in land.provinces.values())
    if faction == BURGHERS:
        return sum(holder(state, place) == BURGHERS for place in land.commercial)
    return sum(university == universities.REFORMED for university in state.universities.values())


def held_by(state: State, faction: str) -> Held:
    """Return the holdings that the faction would score with now."""
    cards = [atlas(state).provinces[slug] for slug in provinces_held(state, faction)]
    return Held(
        cities=len(cities_held(state, faction)),
        provinces=[
            card.points for card in cards if card.limit > 1
        ],  # 4.3.1: small provinces score at the end of the game
        small=[card.minor for card in cards if card.limit == 1],
        objective=objective(state, faction),
    )


def score_now(state: State, faction: str) -> Standing:
    """Return the faction's points, counted from zero; small provinces count in round 5 (5.8, 6.20)."""
    final = state.round == LAST_ROUND
    return scoring.score(faction, held_by(state, faction), state.setup.players, final=final)


def standings(state: State) -> list[Standing]:
    """Return the points of this round in play order: as scored, or as they would be scored now."""
    scored = state.scores.get(str(state.round))
    if scored is None or state.frames[-1].phase not in ("draft", FINISHED):
        return [score_now(state, faction) for faction in state.order]
    return [Standing.of(faction, scored[faction]) for faction in state.order]


def provisional(state: State) -> Message | None:
    """Return why the standings are not final, or None."""
    if is_over(state):
        return None
    if state.frames[-1].phase == "draft":
        return say("provisional-scored", round=state.round, last=LAST_ROUND)
    return say("provisional", round=state.round, last=LAST_ROUND)


# The phase


def end_round(account: Account[State]) -> None:
    """Remove released armies, turn Huguenots up, and count points from zero (5.8, 6.20)."""
    _released_go(account)
    _huguenots_up(account)
    account.set(hirer=None, driven_back={})
    _score(account)
    if account.state.round == LAST_ROUND:
        account.set(frames=goto(account.state, Frame(FINISHED)))
        _declare(account)
    else:
        advance(account)


STATUS: Automatic[State] = Automatic("status", RULE, end_round)


def _released_go(account: Account[State]) -> None:
    """Remove face-down armies from the board (6.20)."""
    for region in atlas(account.state).regions.values():
        released = armies_at(account.state, region.released)
        if released:
            moves = [Move(f, ARMY, region.released, SUPPLY, count) for f, count in released.items()]
            message = say("released-go", count=sum(released.values()), region=region_name(region.slug))
            account.step(RULE, message, moves=moves)


def _huguenots_up(account: Account[State]) -> None:
    """Turn used Huguenots face up (6.20)."""
    state = account.state
    cells = atlas(state).support[HUGUENOTS].places
    moves = [
        Move(f, COUNTER, used_place(cell), cell, count)
        for cell in cells
        for f in state.order
        if (count := counters(state, f, used_place(cell)))
    ]
    if moves:
        account.step(RULE, say("huguenots-up", count=sum(move.count for move in moves)), moves=moves)


def _score(account: Account[State]) -> None:
    """Record each faction's points with their parts, independent of earlier rounds (5.8, 4.4)."""
    state = account.state
    rule = section(state, "5.8", RULE)
    final = state.round == LAST_ROUND
    parts: dict[str, Mapping[str, Fraction]] = {}
    for faction in state.order:
        standing = score_now(state, faction)
        verdict = judge(state, f"score:{faction}", standing.points, Fraction)
        finer = scoring.steps(standing, held_by(state, faction), state.setup.players, final=final)
        ruled = {RULING: verdict.result - standing.points} if verdict.ruling else {}
        parts[faction] = {**standing.parts, **ruled}
        points = verdict.result
        act = Act(faction, say("points-hand", points=points))
        message = say("points-of", faction=faction_name(faction), points=points, round=state.round)
        account.step(rule, message, acts=[act], steps=finer, verdict=verdict)
    account.set(scores={**state.scores, str(state.round): parts})


# The end


def result(state: State) -> Result | None:
    """Return the ranking by points, ties sharing a place; with two players by sums of pairs (4.5)."""
    if not is_over(state):
        return None
    sides = sides_of(state.setup.players, state.order)
    sums = scoring.side_points({s.faction: s.points for s in standings(state)}, sides)
    ranking = [
        tuple(f for side in sides if sums[side] == total for f in side)
        for total in sorted(set(sums.values()), reverse=True)
    ]
    best = [side for side in sums if sums[side] == max(sums.values())]
    reason = None
    if len(best) > 1:
        reason = say("shared", points=sums[best[0]])
    elif alliances(state):
        reason = say("sum-decides", factions=faction_names(best[0]), points=sums[best[0]])
    return Result(tuple(ranking), reason)


def _declare(account: Account[State]) -> None:
    """Record the winner (4.5)."""
    ended = result(account.state)
    if ended and ended.reason:
        account.step("4.5", ended.reason)
    if ended:
        account.step("4.5", say("won", factions=faction_names(ended.winners)))


# Draft of the play order


def row_of(state: State) -> tuple[str, ...]:
    """Return the cards in the row, from left to right."""
    return tuple(f for f in state.frames[-1].data.get("row", ()) if f in state.order)


def laying_of(state: State) -> tuple[str, ...]:
    return laying({s.faction: s.points for s in standings(state)}, state.order)


def to_lay(state: State) -> str | None:
    """Return the faction that lays the next card."""
    return next((f for f in laying_of(state) if f not in row_of(state)), None)


@dataclass(frozen=True, slots=True)
class Drafting:
    """Draft of the play order: from most points to fewest, each faction inserts its card into the row."""

    name = "draft"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = to_lay(state)
        if faction is None:
            return []
        row = row_of(state)
        return [
            Prompt(
                faction=faction,
                title=say("prompt-draft", row=faction_names(row)),
                rule=section(state, "5.8", RULE),
                example=Draft(faction=faction, position=len(row)),
                fields=(Number("position", 0, len(row)),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        rule = section(state, "5.8", RULE)
        if not isinstance(action, Draft):
            raise not_now(action, rule=rule)
        refuse_unless(to_lay(state) or "", action)
        row = row_of(state)
        if action.position > len(row):
            raise Illegal(say("place-in-row", most=len(row) + 1), rule=rule)
        return _lay(state, action.faction, action.position)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Lay the first card without a prompt; begin the next round after the last one."""
        faction = to_lay(state)
        if faction is None:
            return _next_round(state)
        return None if row_of(state) else _first_card(state, faction)


def _first_card(state: State, faction: str) -> Outcome[State]:
    account = Account(state)
    points = {s.faction: s.points for s in standings(state)}
    account.add(laying_step(laying_of(state), points))
    account.follow(_lay(account.state, faction, 0))
    return account.outcome()


def _lay(state: State, faction: str, position: int) -> Outcome[State]:
    account = Account(state)
    row = inserted(row_of(state), faction, position)
    act = Act(faction, say("card-lay", place=position + 1))
    account.step(section(state, "5.8", RULE), laid(faction, row), acts=[act])
    account.set(frames=goto(state, state.frames[-1].with_data(row=list(row))))
    return account.outcome()


def _next_round(state: State) -> Outcome[State]:
    account = Account(state)
    row = row_of(state)
    account.step(section(state, "5.8", RULE), new_order(row))
    act = Act(None, say("round-hand", round=state.round + 1))
    account.set(order=row, round=state.round + 1, frames=(Frame(ROUND[0]),))
    account.step("4.0", say("round-begins", round=state.round + 1), acts=[act])
    return account.outcome()
