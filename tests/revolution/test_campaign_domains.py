"""What armies and Water Beggars are asked for: everything offered is accepted, nothing else is."""

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
from tests.revolution.random_campaigns import scattered

LARGEST_ENUMERATED = 2_000
Entry = dict[str, Any]


# Everything that people might enter in a phase, allowed or not


def _maps(keys: list[str], most: int) -> Iterator[dict[str, int]]:
    """Numbers for keys, so many in all at most."""
    for total in range(most + 1):
        for chosen in combinations_with_replacement(keys, total):
            yield {k: chosen.count(k) for k in sorted(set(chosen))}


def maintaining(state: State, faction: str) -> Iterator[Entry]:
    regions = [
        slug
        for slug, region in atlas(state).regions.items()
        if state.ledger.count(faction, "army", region.strip)
    ][:2]
    for stay, go in product(_maps(regions, 3), repeat=2):
        yield {"maintain": stay, "disband": go}


def recruiting(state: State, faction: str) -> Iterator[Entry]:
    yield from ({"regions": regions} for regions in _maps(list(atlas(state).regions), 4))


def besieging(state: State, faction: str) -> Iterator[Entry]:
    yield from ({"cities": cities} for cities in _maps(list(atlas(state).cities), 2))


def hiring(state: State, faction: str) -> Iterator[Entry]:
    yield from ({"regions": regions} for regions in _maps(list(atlas(state).regions), 4))


def using(state: State, faction: str) -> Iterator[Entry]:
    places: list[str | None] = [None, *sorted(atlas(state).home), "siege:leiden", "siege:utrecht"]
    places += [region.strip for region in atlas(state).regions.values()]
    regions = ["holland", "utrecht", "gelderland", "flanders"]
    for region, do, count, target in product(regions, USES, range(4), places):
        yield {"region": region, "do": do, "count": count, "target": target}


def marching(state: State, faction: str) -> Iterator[Entry]:
    regions = list(atlas(state).regions)
    ways = [[a, b] for a, b in product(regions, repeat=2)]
    generator = random.Random(1)
    yield {"moves": []}
    yield from ({"moves": [way]} for way in ways)
    for _ in range(300):
        yield {"moves": generator.choices(ways, k=2)}


def converting(state: State, faction: str) -> Iterator[Entry]:
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
    "maintain": maintaining,
    "recruit": recruiting,
    "besiege": besieging,
    "hire": hiring,
    "beggars": using,
    "march": marching,
    "convert": converting,
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
    """Why the phase alone refuses an entry, or None."""
    try:
        action = GAME.read_action(plain(data), faction)
        GAME.machine.phase_of(state).act(state, action)
    except Refused as refusal:
        return refusal
    return None


def asked_for(action: str, seed: int) -> tuple[State, Prompt] | None:
    """A random position in which somebody is asked for this."""
    generator = random.Random(f"{action} {seed}")
    facts = {"hirer": "reformers"} if action == "beggars" else {}
    for _ in range(40):
        state = settled(scattered(PHASES[action], generator, **facts)).state
        found = [prompt for prompt in GAME.prompts(state) if prompt.action == action]
        if found:
            return state, found[0]
    return None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("action", CANDIDATES)
def test_what_is_offered_is_accepted_and_nothing_else(action: str, seed: int) -> None:
    found = asked_for(action, seed)
    assert found, "nobody is ever asked"
    state, prompt = found
    generator = random.Random(seed)
    drawn = prompt.size() > LARGEST_ENUMERATED
    entries = [prompt.sample(generator.randrange) for _ in range(100)] if drawn else list(prompt.elements())
    assert without_defaults(prompt) in [plain(entry) for entry in entries] or drawn
    for entry in entries:
        assert refusal_of(state, prompt.faction, entry) is None, entry
    offered = {key(plain(entry)) for entry in entries}
    assert len(offered) == len(entries) or drawn
    for candidate in CANDIDATES[action](state, prompt.faction):
        data = plain({"type": action, **candidate})
        refusal = refusal_of(state, prompt.faction, data)
        if not drawn:
            assert (refusal is None) == (key(data) in offered), (data, refusal)
        if refusal:
            assert is_known_rule(GAME, refusal.rule), data
            assert not list(faults(GAME, refusal.message))


# Large domains are drawn


def test_a_large_movement_is_drawn_and_can_be_made() -> None:
    lying = {f"strip:{region}": "H 1" for region in ("holland", "brabant", "liege", "gelderland", "flanders")}
    state = settled(position("army-movement", lying)).state
    (prompt,) = GAME.prompts(state)
    assert isinstance(prompt.fields[0], Plan)
    generator = random.Random(3)
    for _ in range(200):
        entry = prompt.sample(generator.randrange)
        assert refusal_of(state, prompt.faction, entry) is None, entry
    assert GAME.prompts(state) == [prompt]
    assert GAME.why_not(state, prompt.example) is None


def test_large_maintenance_and_influence_are_drawn() -> None:
    regions = ("holland", "brabant", "liege", "gelderland", "flanders", "north", "utrecht")
    lying = {f"strip:{region}": "C 1" for region in regions}
    lying |= {"treasury": "C 14", "countryside:holland": "N 2, X 2, R 2", "countryside:flanders": "N 3, R 1"}
    lying |= {
        "countryside:brabant": "N 1, R 1, X 1",
        "countryside:liege": "N 1, X 1, R 1",
        "countryside:gelderland": "N 1, X 1",
        "countryside:utrecht": "N 1, X 1",
        "town:mons": "X 1",
    }
    for phase in ("maintenance", "military-influence"):
        state = settled(position(phase, lying, players=3)).state
        (prompt,) = GAME.prompts(state)
        assert isinstance(prompt.fields[0], Plan), phase
        generator = random.Random(3)
        for _ in range(200):
            entry = prompt.sample(generator.randrange)
            assert refusal_of(state, prompt.faction, entry) is None, entry


def test_badly_formed_entries_are_refused() -> None:
    state = settled(position("army-movement", {"strip:holland": "H 1"})).state
    for moves in ([["holland"]], [["holland", "utrecht", "north"]], "holland", [[1, 2]], None, {}):
        assert isinstance(refusal_of(state, "habsburgs", {"type": "march", "moves": moves}), BadInput)
