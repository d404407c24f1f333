"""The engine compared with a second, slow implementation of the rules, in states of random games."""

from __future__ import annotations

import random

import pytest

from games.signoria.actions import Climb, Progress
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from tests.signoria import slow_game
from tests.signoria.walking import Walk, walk

SHORT = [(2, 1), (3, 2), (4, 3)]
LONG = [(players, seed) for players in (2, 3, 4) for seed in range(4, 14)]
GAMES = pytest.mark.parametrize(
    ("players", "seed"), [*SHORT, *(pytest.param(*game, marks=pytest.mark.long) for game in LONG)]
)


def sample_states(game: Walk, phases: tuple[str, ...], most: int) -> list[State]:
    """Return a sample of the states in one of these phases."""
    states = [state for state in game.states if state.frames[-1].phase in phases]
    return random.Random(len(states)).sample(states, min(most, len(states)))


@GAMES
def test_offered_takes_match_the_slow_rules(players: int, seed: int) -> None:
    states = sample_states(walk(players, seed), ("turn", "bonus-die"), 12)
    assert states
    for state in states:
        phase, data = state.frames[-1].phase, state.frames[-1].data
        prompts = [prompt for prompt in SIGNORIA.prompts(state) if prompt.action == "take"]
        names = ("colour", "die", "action", "task", "men", "women")
        offered = {tuple(e[name] for name in names) for p in prompts for e in p.elements()}
        table = slow_game.table_of(state)
        assert offered == slow_game.takes(table, data["faction"], free=phase == "bonus-die")


@GAMES
def test_missions_and_marriages_match_the_slow_rules(players: int, seed: int) -> None:
    for state in sample_states(walk(players, seed), ("mission", "marriage"), 30):
        (prompt,) = SIGNORIA.prompts(state)
        table = slow_game.table_of(state)
        if prompt.action == "mission":
            offered = {(e["career"], e["at"], e["city"]) for e in prompt.elements()}
            assert offered == slow_game.missions(table, prompt.faction)
        else:
            assert {(e["city"], e["dowry"]) for e in prompt.elements()} == slow_game.marriages(
                table, prompt.faction
            )


@GAMES
def test_progress_matches_the_slow_rules(players: int, seed: int) -> None:
    """Every way to use single points is accepted and leads to the same men, florins and disc."""
    states = sample_states(walk(players, seed), ("progress",), 12)
    assert states
    for state in states:
        data = state.frames[-1].data
        points = min(data["points"], 4)  # the slow rules take too long for more
        ways = slow_game.progress(slow_game.table_of(state), data["faction"], points, data["tracks"])
        chosen = random.Random(len(ways)).sample(sorted(ways, key=repr), min(40, len(ways)))
        for way in chosen:
            check_progress(state, way, data["faction"])


def check_progress(state: State, way: slow_game.Way, faction: str) -> None:
    climbs = tuple(Climb(career=c, at=at, to=to) for c, at, to in way.men if to > at)
    action = Progress(faction=faction, climbs=climbs, initiative=way.initiative)
    steps = SIGNORIA.apply(state, action).steps
    mine = [m for step in steps[: len(climbs) + 2] for m in step.all_moves() if m.owner == faction]
    moved = sorted((m.source, m.target) for m in mine if m.piece == "man" and m.target.startswith("track"))
    start = {0: "reserve"}
    expected = sorted(
        (start.get(c.at, f"track:{c.career}:{c.at}"), f"track:{c.career}:{c.to}") for c in climbs
    )
    assert moved == expected
    bonus = [move for step in steps if step.message.code == "track-bonus" for move in step.moves]
    assert sum(move.count for move in bonus) == way.florins
    discs = [m.target for m in mine if m.piece == "disc"][:1]
    before = next(s for s, stack in slow_game.table_of(state).stacks.items() if faction in stack)
    assert discs == ([f"initiative:{way.disc}"] if way.disc != before else [])


@GAMES
def test_impossible_progress_is_rejected(players: int, seed: int) -> None:
    """Samples with one number changed are accepted if and only if the slow rules allow them."""
    generator = random.Random(seed)
    refused = 0
    for state in sample_states(walk(players, seed), ("progress",), 8):
        data = state.frames[-1].data
        if data["points"] > 4:
            continue
        ways = slow_game.progress(slow_game.table_of(state), data["faction"], data["points"], data["tracks"])
        known = {(tuple((c, a, t) for c, a, t in way.men if t > a), way.initiative) for way in ways}
        (prompt,) = SIGNORIA.prompts(state)
        for _ in range(25):
            climbs, initiative = with_one_change(prompt.sample(generator.randrange), generator)
            action = Progress(
                faction=data["faction"],
                climbs=tuple(Climb(career=c, at=a, to=t) for c, a, t in climbs),
                initiative=initiative,
            )
            accepted = SIGNORIA.why_not(state, action) is None
            assert accepted == ((tuple(sorted(climbs)), initiative) in known), action
            refused += not accepted
    assert refused or players == 0


def with_one_change(data: dict, generator: random.Random) -> tuple[list[tuple[str, int, int]], int]:  # type: ignore[type-arg]
    climbs = [(c["career"], c["at"], c["to"]) for c in data["climbs"]]
    initiative = data["initiative"]
    if climbs and generator.randrange(3):
        i = generator.randrange(len(climbs))
        career, at, to = climbs[i]
        other = generator.choice(("political", "church", "military"))
        climbs[i] = generator.choice([(other, at, to), (career, max(0, at - 1), to), (career, at, to + 1)])
    else:
        initiative = max(0, initiative + generator.choice((-1, 1)))
    return climbs, initiative
