"""Prompts for armies and Water Beggars: exactly the offered actions are accepted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from games.core.errors import BadInput, Refused
from games.core.prompts import Plan, Prompt
from games.revolution.beggars import USES
from games.revolution.state import State, atlas
from tests.conformance.test_games import without_defaults
from tests.conformance.walks import key, plain
from tests.core.rendering import faults, is_known_rule
from tests.revolution.campaigns import GAME, position, settled
from tests.revolution.random_campaigns import random_state

LARGEST_ENUMERATED = 2_000
Entry = dict[str, Any]


# Candidate actions per phase, legal or not


def _maps(keys: list[str], most: int) -> Iterator[dict[str, int]]:
    """Yield all counts for the keys with a total of at most ``most``."""
    for total in range(most + 1):
        for chosen in combinations_with_replacement(keys, total):
            yield {k: chosen.count(k) for k in sorted(set(chosen))}


def maintain_candidates(state: State, faction: str) -> Iterator[Entry]:
    regions = [
        slug
        for slug, region in atlas(state).regions.items()
        if state.ledger.count(faction, "army", region.strip)
    ][:2]
    for maintain, disband in product(_maps(regions, 3), repeat=2):
        yield {"maintain": maintain, "disband": disband}


def recruit_candidates(state: State, faction: str) -> Iterator[Entry]:
    yield from ({"regions": regions} for regions in _maps(list(atlas(state).regions), 4))


def besiege_candidates(state: State, faction: str) -> Iterator[Entry]:
    yield from ({"cities": cities} for cities in _maps(list(atlas(state).cities), 2))


def hire_candidates(state: State, faction: str) -> Iterator[Entry]:
    yield from ({"regions": regions} for regions in _maps(list(atlas(state).regions), 4))


def beggar_candidates(state: State, faction: str) -> Iterator[Entry]:
    places: list[str | None] = [None, *sorted(atlas(state).home), "siege:leiden", "siege:utrecht"]
    places += [region.strip for region in atlas(state).regions.values()]
    regions = ["holland", "utrecht", "gelderland", "flanders"]
    for region, do, count, target in product(regions, USES, range(4), places):
        yield {"region": region, "do": do, "count": count, "target": target}


def march_candidates(state: State, faction: str) -> Iterator[Entry]:
    regions = list(atlas(state).regions)
    moves = [[a, b] for a, b in product(regions, repeat=2)]
    generator = random.Random(1)
    yield {"moves": []}
    yield from ({"moves": [move]} for move in moves)
    for _ in range(300):
        yield {"moves": generator.choices(moves, k=2)}


def convert_candidates(state: State, faction: str) -> Iterator[Entry]:
    places = [p for p in sorted(atlas(state).places) if p.startswith(("town:", "countryside:", "city:"))]
    regions = list(atlas(state).regions)
    for place, owner in product(places, (*state.order, "neutral")):
        region = atlas(state).region_of(place).slug
        yield {"targets": [{"region": region, "place": place, "owner": owner}]}
    generator = random.Random(1)
    for _ in range(200):
        target = {
            "region": generator.choice(regions),
            "place": generator.choice(places),
            "owner": generator.choice(state.order),
        }
        yield {"targets": [target]}


CANDIDATES: dict[str, Callable[[State, str], Iterator[Entry]]] = {
    "maintain": maintain_candidates,
    "recruit": recruit_candidates,
    "besiege": besiege_candidates,
    "hire": hire_candidates,
    "beggars": beggar_candidates,
    "march": march_candidates,
    "convert": convert_candidates,
}
PHASES = {
    "maintain": "maintenance",
    "recruit": "recruiting",
    "besiege": "sieges",
    "hire": "beggars",
    "beggars": "beggars",
    "march": "army-movement",
    "convert": "military-influence",
}


def refusal_of(state: State, faction: str, data: Entry) -> Refused | None:
    """Return the phase's refusal of an action, or None."""
    try:
        action = GAME.read_action(plain(data), faction)
        GAME.machine.phase_of(state).act(state, action)
    except Refused as refusal:
        return refusal
    return None


def prompted_state(action: str, seed: int) -> tuple[State, Prompt] | None:
    """Return a random state with a prompt for this action."""
    generator = random.Random(f"{action} {seed}")
    facts = {"hirer": "reformers"} if action == "beggars" else {}
    for _ in range(40):
        state = settled(random_state(PHASES[action], generator, **facts)).state
        prompts = [prompt for prompt in GAME.prompts(state) if prompt.action == action]
        if prompts:
            return state, prompts[0]
    return None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("action", CANDIDATES)
def test_exactly_the_offered_actions_are_accepted(action: str, seed: int) -> None:
    prompted = prompted_state(action, seed)
    assert prompted, "no random state prompts for this action"
    state, prompt = prompted
    generator = random.Random(seed)
    sampled = prompt.size() > LARGEST_ENUMERATED
    entries = [prompt.sample(generator.randrange) for _ in range(100)] if sampled else list(prompt.elements())
    assert without_defaults(prompt) in [plain(entry) for entry in entries] or sampled
    for entry in entries:
        assert refusal_of(state, prompt.faction, entry) is None, entry
    offered = {key(plain(entry)) for entry in entries}
    assert len(offered) == len(entries) or sampled
    for candidate in CANDIDATES[action](state, prompt.faction):
        data = plain({"type": action, **candidate})
        refusal = refusal_of(state, prompt.faction, data)
        if not sampled:
            assert (refusal is None) == (key(data) in offered), (data, refusal)
        if refusal:
            assert is_known_rule(GAME, refusal.rule), data
            assert not list(faults(GAME, refusal.message))


# Large domains are sampled


def test_large_movement_domain_is_sampled() -> None:
    pieces = {
        f"strip:{region}": "H 1" for region in ("holland", "brabant", "liege", "gelderland", "flanders")
    }
    state = settled(position("army-movement", pieces)).state
    (prompt,) = GAME.prompts(state)
    assert isinstance(prompt.fields[0], Plan)
    generator = random.Random(3)
    for _ in range(200):
        entry = prompt.sample(generator.randrange)
        assert refusal_of(state, prompt.faction, entry) is None, entry
    assert GAME.prompts(state) == [prompt]
    assert GAME.why_not(state, prompt.example) is None


def test_large_maintenance_and_influence_domains_are_sampled() -> None:
    regions = ("holland", "brabant", "liege", "gelderland", "flanders", "north", "utrecht")
    pieces = {f"strip:{region}": "C 1" for region in regions}
    pieces |= {"treasury": "C 14", "countryside:holland": "N 2, X 2, R 2", "countryside:flanders": "N 3, R 1"}
    pieces |= {
        "countryside:brabant": "N 1, R 1, X 1",
        "countryside:liege": "N 1, X 1, R 1",
        "countryside:gelderland": "N 1, X 1",
        "countryside:utrecht": "N 1, X 1",
        "town:mons": "X 1",
    }
    for phase in ("maintenance", "military-influence"):
        state = settled(position(phase, pieces, players=3)).state
        (prompt,) = GAME.prompts(state)
        assert isinstance(prompt.fields[0], Plan), phase
        generator = random.Random(3)
        for _ in range(200):
            entry = prompt.sample(generator.randrange)
            assert refusal_of(state, prompt.faction, entry) is None, entry


def test_malformed_moves_are_bad_input() -> None:
    state = settled(position("army-movement", {"strip:holland": "H 1"})).state
    for moves in ([["holland"]], [["holland", "utrecht", "north"]], "holland", [[1, 2]], None, {}):
        assert isinstance(refusal_of(state, "habsburgs", {"type": "march", "moves": moves}), BadInput)
