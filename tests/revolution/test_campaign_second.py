"""Comparison of Water Beggars, army movement and military influence with brute force."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from games.core.errors import Refused
from games.revolution.actions import March
from games.revolution.beggars import BEGGAR, use_prompt
from games.revolution.marches import MARCHING
from games.revolution.military import exerting
from games.revolution.state import State, armies_at, atlas
from tests.revolution import slow_campaign as slow
from tests.revolution.random_campaigns import random_state, to_slow_table


def random_driven_back(state: State, generator: random.Random) -> dict[str, dict[str, int]]:
    driven_back: dict[str, dict[str, int]] = {}
    for region in atlas(state).regions.values():
        for faction, count in armies_at(state, region.strip).items():
            if generator.randrange(3) == 0:
                driven_back.setdefault(region.slug, {})[faction] = generator.randrange(1, count + 1)
    return driven_back


def random_stopped(state: State, generator: random.Random) -> dict[str, int]:
    beggars = {r: state.ledger.count("neutral", BEGGAR, f"region:{r}") for r in atlas(state).regions}
    return {r: n for r, count in beggars.items() if (n := generator.randrange(count + 1))}


def disrupted_state(phase: str, seed: int) -> State:
    """Return a random state with armies driven back and moves stopped."""
    generator = random.Random(f"{phase} {seed}")
    state = random_state(phase, generator)
    facts: dict[str, Any] = {
        "driven_back": random_driven_back(state, generator),
        "stopped": random_stopped(state, generator),
    }
    return random_state(phase, random.Random(f"{phase} {seed}"), **facts)


@pytest.mark.parametrize("seed", range(60))
def test_uses_of_beggars_match_brute_force(seed: int) -> None:
    state = random_state("beggars", random.Random(seed), hirer="reformers")
    prompt = use_prompt(state, "reformers")
    offered = (
        [tuple(e[name] for name in ("region", "do", "count", "target")) for e in prompt.elements()]
        if prompt
        else []
    )
    assert len(set(offered)) == len(offered)
    assert set(offered) == slow.beggar_uses(to_slow_table(state))


def random_moves(state: State, faction: str, generator: random.Random) -> list[tuple[str, str]]:
    """Return random moves of a faction's armies, most of them legal."""
    regions = atlas(state).regions
    table = to_slow_table(state)
    moves: list[tuple[str, str]] = []
    for _ in range(generator.randrange(1, 6)):
        here = [army.region for army in table.armies if army.owner == faction] + [m[1] for m in moves]
        source = generator.choice(here or [*regions])
        move = (source, generator.choice([*regions[source].arrows, *regions][: generator.choice((4, 20))]))
        if slow.march(table, faction, [*moves, move]) or generator.randrange(8) == 0:
            moves.append(move)
    return moves


def strips(state: State) -> Counter[tuple[str, str]]:
    return Counter(
        {
            (slug, faction): count
            for slug, region in atlas(state).regions.items()
            for faction, count in armies_at(state, region.strip).items()
        }
    )


@pytest.mark.parametrize("seed", range(30))
def test_army_movement_and_influence_match_brute_force(seed: int) -> None:
    state = disrupted_state("army-movement", seed)
    generator = random.Random(seed)
    for _ in range(12):
        faction = generator.choice(state.order)
        moves = random_moves(state, faction, generator)
        expected = slow.march(to_slow_table(state), faction, moves)
        action = March(faction=faction, moves=tuple(moves))
        acting = replace(state, order=(faction, *(f for f in state.order if f != faction)))
        if expected is None:
            with pytest.raises(Refused):
                MARCHING.act(acting, action)
            continue
        after = MARCHING.act(acting, action).state
        in_strips = [a for a in expected.armies if a.on is None and not a.face_down]
        assert strips(after) == Counter((a.region, a.owner) for a in in_strips)
        driven = Counter((a.region, a.owner) for a in in_strips if a.driven)
        assert driven == Counter(
            {(r, f): n for r, here in after.driven_back.items() for f, n in here.items()}
        )
        stopped = Counter(b.region for b in expected.beggars if b.stopped_one)
        assert stopped == Counter(after.stopped)
        for other in after.order:
            assert exerting(after, other) == slow.influence(expected, other)


@pytest.mark.parametrize("seed", range(40))
def test_military_influence_matches_brute_force(seed: int) -> None:
    state = disrupted_state("military-influence", seed)
    for faction in state.order:
        assert exerting(state, faction) == slow.influence(to_slow_table(state), faction)
