"""Builders for small positions on the real map, and helpers to inspect them.

Blue usually starts in Regensburg and fights for Passau, a neighbour with one city, 5 gold and 3 grain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.core.actions import Action
from games.core.errors import Refused
from games.core.flow import Frame
from games.core.ledger import Ledger
from games.core.steps import Outcome, Step
from games.wallenstein.actions import Defend, March, Throw
from games.wallenstein.cards import ACTIONS, EventCard
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.state import PLACES, State
from tests.core.rendering import sentence

HERE, THERE = "regensburg", "passau"
Armies = Mapping[str, tuple[str, int]]


def table(
    armies: Armies,
    *,
    factions: tuple[str, ...] = ("blue", "red", "yellow"),
    unrest: Mapping[str, int] | None = None,
    buildings: Mapping[str, Sequence[str]] | None = None,
    gold: Mapping[str, int] | None = None,
    grain: Mapping[str, int] | None = None,
    tower: Mapping[str, int] | None = None,
    cup: Mapping[str, int] | None = None,
    supply: Mapping[str, int] | None = None,
    event: str | None = None,
    options: Mapping[str, Any] | None = None,
    figures: Mapping[str, Any] | None = None,
    round: int = 1,  # noqa: A002 - named like the field of the state
) -> State:
    """Return a position in a season before planning; pieces not named are in the supply."""
    lines = [(owner, "army", f"province:{province}", n) for province, (owner, n) in armies.items()]
    lines += [(owner, "army", "tower", n) for owner, n in (tower or {}).items()]
    lines += [(owner, "army", "cup", n) for owner, n in (cup or {}).items()]
    lines += [("peasants", "unrest", f"province:{p}", n) for p, n in (unrest or {}).items()]
    lines += [
        ("peasants", tile, f"province:{p}", 1) for p, tiles in (buildings or {}).items() for tile in tiles
    ]
    lines += [(owner, "gold", "supply", n) for owner, n in (gold or {}).items()]
    lines += [(owner, "grain", "supply", n) for owner, n in (grain or {}).items()]
    lines += _supplies(lines, factions, supply or {})
    left = 4 - (round - 1) % 4
    return State(
        setup=WALLENSTEIN.prepare(factions, options=options, figures=figures),
        ledger=Ledger.of(PLACES, lines),
        frames=(Frame("row"),),
        round=round,
        order=factions,
        events=tuple(EventCard(event or "church-peace", 3) for _ in range(left)),
        current=event,
    )


def _supplies(
    lines: list[tuple[str, str, str, int]], factions: tuple[str, ...], supply: Mapping[str, int]
) -> list[tuple[str, str, str, int]]:
    """Return the pieces that remain in the supplies, unless `supply` overrides the number of armies."""
    left = {(faction, "army"): 61 for faction in factions}
    left |= {("peasants", "army"): 20, ("peasants", "palace"): 28}
    left |= {("peasants", "church"): 26, ("peasants", "trading-house"): 26}
    for owner, piece, _, count in lines:
        if (owner, piece) in left:
            left[owner, piece] -= count
    left |= {(owner, "army"): count for owner, count in supply.items()}
    return [(owner, piece, "supply", count) for (owner, piece), count in left.items()]


def turning(state: State, faction: str, action: str, province: str) -> Outcome[State]:
    """Turn over a player's card on an action; nobody else has planned anything."""
    others = [f for f in state.order if f != faction]
    row = (action, *(a for a in ACTIONS if a != action))
    hands = {f: _provinces_of(state, f) for f in state.order}
    begun = replace(
        state,
        order=(faction, *others),
        row=row,
        events=state.events[1:],
        hands=hands,
        plans={faction: {action: province}, **{f: {} for f in others}},
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    return WALLENSTEIN.machine.settle(Outcome(begun, ()))


def _provinces_of(state: State, faction: str) -> tuple[str, ...]:
    places = sorted(p for p in state.ledger.occupied("province") if state.ledger.count(faction, "army", p))
    return tuple(p.removeprefix("province:") for p in places)


# Battles


def thrown(
    attackers: int,
    defenders: int | None = None,
    commit: int | None = None,
    *,
    here: str = HERE,
    there: str = THERE,
    **position: Any,
) -> State:
    """Return a state in which Blue has attacked Red (or an empty province) and all cubes are in the tower."""
    armies = {here: ("blue", attackers + 1)}
    if defenders is not None:
        armies[there] = ("red", defenders)
    state = turning(table(armies, **position), "blue", "movement-a", here).state
    if state.frames[-1].phase == "move":
        state = enter(state, March(faction="blue", target=there, armies=attackers)).state
    if state.frames[-1].phase == "battle":
        state = enter(state, Defend(faction="red", armies=defenders if commit is None else commit or 0)).state
    assert state.frames[-1].phase == "throw"
    return state


def fallen(state: State, **cubes: int) -> Outcome[State]:
    """Enter the fallen cubes of the pending throw."""
    (prompt,) = WALLENSTEIN.prompts(state)
    return enter(state, Throw(faction=prompt.faction, fallen=cubes))


def enter(state: State, action: Action) -> Outcome[State]:
    return WALLENSTEIN.apply(state, action)


def rejection(state: State, action: Action) -> tuple[str | None, str]:
    """Return section and sentence with which an entry is rejected; assert that the state is unchanged."""
    before = WALLENSTEIN.state_json(state)
    refusal = WALLENSTEIN.why_not(state, action)
    assert isinstance(refusal, Refused), f"{action} is accepted"
    assert WALLENSTEIN.state_json(state) == before
    return refusal.rule, sentence(WALLENSTEIN, refusal.message)


# Inspection


def returned_cubes(outcome: Outcome[State]) -> dict[str, int]:
    """Return the cubes that returned to the supplies, by owner."""
    returned: dict[str, int] = {}
    for move in moves(outcome):
        if (move.piece, move.target) == ("army", "supply"):
            returned[move.owner] = returned.get(move.owner, 0) + move.count
    return returned


def moves(outcome: Outcome[State]) -> list[Any]:
    return [move for step in outcome.steps for move in step.all_moves()]


def pieces_at(state: State, place: str, piece: str = "army") -> dict[str, int]:
    """Return the number of pieces of a kind at a place, by owner."""
    return {h.owner: h.count for h in state.ledger.at(place) if h.piece == piece}


def armies_at(state: State, province: str = THERE) -> dict[str, int]:
    return pieces_at(state, f"province:{province}")


def unrest(state: State, province: str = THERE) -> int:
    return pieces_at(state, f"province:{province}", "unrest").get("peasants", 0)


def supply_count(state: State, faction: str, piece: str) -> int:
    return state.ledger.count(faction, piece, "supply")


def texts(outcome: Outcome[State]) -> list[str]:
    """Return every sentence of an outcome, nested steps after their parent."""
    return [sentence(WALLENSTEIN, step.message) for step in flat(outcome.steps)]


def flat(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from flat(step.steps)
