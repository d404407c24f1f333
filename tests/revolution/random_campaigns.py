"""Random states with armies, sieges, Water Beggars and counters."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

from games.revolution.board import BOARD, Atlas, atlas_of
from games.revolution.state import State, atlas
from tests.revolution.asking import LETTERS
from tests.revolution.campaigns import GAME, SEATS, position
from tests.revolution.slow_campaign import BEGGAR_PROVINCES, Army, Beggar, Table

LETTER_OF = {faction: letter for letter, faction in LETTERS.items()}
OPTIONS = (
    "beggar_relief_scope",
    "beggar_target_scope",
    "beggar_commitment",
    "beggar_double_block",
    "siege_converts_neutrals",
)
AFTER_HIRING = ("beggars", "army-movement", "military-influence")
BEGGAR_FIELD = ("holland", "utrecht", "north", "gelderland", "zeeland-generality")


def random_state(phase: str, generator: random.Random, **facts: Any) -> State:
    """Return a random state of a phase; most armies and beggars are in one or two regions."""
    players = generator.choice((2, 3, 4, 5))
    board = atlas_of(BOARD.figures)
    crowded = generator.sample(BEGGAR_FIELD, 1 if phase == "beggars" else 2)
    pieces: dict[str, Counter[str]] = defaultdict(Counter)
    for faction in SEATS[players]:
        letter = LETTER_OF[faction]
        for _ in range(generator.randrange(12)):
            pieces[_counter_place(board, generator)][letter] += 1
        pieces["treasury"][letter] += generator.randrange(9)
    for _ in range(generator.randrange(1, 3 if phase == "beggars" else 7)):
        region = generator.choice([*crowded * 30, *board.regions])
        letter = LETTER_OF[generator.choice(SEATS[players])]
        pieces[_army_place(board, phase, region, generator)][letter] += 1
    for _ in range(generator.randrange(20)):
        pieces[_counter_place(board, generator)]["X"] += 1
    if phase in AFTER_HIRING:
        region = generator.choice(crowded)
        for _ in range(generator.choice((0, 1, 2, 3, 3, 3))):
            pieces[f"region:{generator.choice((*[region] * 15, *BEGGAR_FIELD))}"]["W"] += 1
    if generator.randrange(4) == 0:
        pieces["supply"]["X"] = generator.randrange(2)
    short = {place: ", ".join(f"{k} {n}" for k, n in counts.items()) for place, counts in pieces.items()}
    options = {o.name: generator.choice(o.values) for o in GAME.options if o.name in OPTIONS}
    order = generator.sample(SEATS[players], len(SEATS[players]))
    return position(phase, short, players=players, options=options, order=order, **facts)


def _army_place(board: Atlas, phase: str, region: str, generator: random.Random) -> str:
    places = [f"strip:{region}"] * 3
    if phase != "maintenance":
        places.append(f"released:{region}")
    if phase in AFTER_HIRING:
        cities = [city for p in board.regions[region].provinces for city in board.provinces[p].cities]
        places += [city.replace("city:", "siege:") for city in cities] * 2
    return generator.choice(places)


def _counter_place(board: Atlas, generator: random.Random) -> str:
    province = board.provinces[generator.choice([*board.provinces, "holland", "gelderland", "utrecht"])]
    return generator.choice((province.countryside, *province.cities))


def to_slow_table(state: State) -> Table:
    """Convert a state for the brute-force rules, which model every piece as an object."""
    board = atlas(state)
    armies, beggars = [], []
    driven_back_counts = {(r, f): n for r, here in state.driven_back.items() for f, n in here.items()}
    for owner, piece, place, count in state.ledger.holdings():
        kind, _, slug = place.partition(":")
        region = board.region_of(f"city:{slug}").slug if kind == "siege" else slug
        city = slug if kind == "siege" else None
        for i in range(count):
            if piece == "army" and kind != "supply":
                driven = kind == "strip" and i < driven_back_counts.get((region, owner), 0)
                armies.append(Army(owner, region, city, face_down=kind == "released", driven=driven))
            if piece == "beggar" and kind in ("region", "siege"):
                stopped = kind == "region" and i < state.stopped.get(region, 0)
                beggars.append(Beggar(region, city, stopped_one=stopped))
    assert set(board.beggars) == BEGGAR_PROVINCES
    return Table(
        regions=state.setup.figures["regions"],
        provinces=state.setup.figures["provinces"],
        armies=armies,
        beggars=beggars,
        neutrals_left=state.ledger.count("neutral", "counter", "supply"),
        options=dict(state.setup.options),
    )
