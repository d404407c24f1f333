"""Random games replayed by the independent referee."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.wallenstein.state import State
from tests.wallenstein.games import game, seeds
from tests.wallenstein.referee import Referee

TILES = ("palace", "church", "trading-house")
PROMPTS = {"plan": "planning", "announce": "planning", "replace": "draft"}


def everything(state: State) -> dict[str, Any]:
    """Return the ledger in the referee's format."""
    provinces = {p: state.ledger.at(p) for p in state.ledger.occupied("province")}
    armies = {
        p.removeprefix("province:"): (h.owner, h.count)
        for p, hs in provinces.items()
        for h in hs
        if h.piece == "army"
    }
    tiles = {p.removeprefix("province:"): {h.piece for h in hs} & set(TILES) for p, hs in provinces.items()}
    unrest = {
        p.removeprefix("province:"): h.count for p, hs in provinces.items() for h in hs if h.piece == "unrest"
    }
    points = Counter[str]()
    for place in state.ledger.occupied("score"):
        points.update({h.owner: h.count for h in state.ledger.at(place)})
    supply = state.ledger.at("supply")
    return {
        "owner": {**state.kept, **{name: owner for name, (owner, _) in armies.items()}},
        "armies": Counter({name: count for name, (_, count) in armies.items()}),
        "unrest": Counter(unrest),
        "buildings": {name: built for name, built in tiles.items() if built},
        "supply": Counter({h.owner: h.count for h in supply if h.piece == "army"}),
        "tower": Counter({h.owner: h.count for h in state.ledger.at("tower")}),
        "cup": Counter({h.owner: h.count for h in state.ledger.at("cup")}),
        "gold": Counter({h.owner: h.count for h in supply if h.piece == "gold"}),
        "grain": Counter({h.owner: h.count for h in supply if h.piece == "grain"}),
        "points": points,
        "tiles": Counter({h.piece: h.count for h in supply if h.piece in TILES}),
    }


def follow(players: int, seed: int) -> int:
    """Send a recorded game to the referee and assert that both agree after every entry."""
    walk = game(players, seed)
    referee = Referee(walk.setup.factions, walk.setup.first, dict(walk.setup.options))
    playing = referee.play()
    waits: tuple[str, str | None] | None = next(playing)
    for entry, (faction, data) in zip(walk.played, walk.journal, strict=True):
        assert waits is not None
        kind = data["type"]
        assert waits in ((PROMPTS.get(kind, kind), faction), (PROMPTS.get(kind, kind), None)), data
        try:
            waits = playing.send({"faction": faction, **data})
        except StopIteration:
            waits = None
        mine, theirs = referee.everything(), everything(entry.outcome.state)
        different = {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
        assert not different, data
    assert waits is None
    return len(walk.played)


@seeds(0, 1, 2)
def test_referee_reaches_the_same_states(players: int, seed: int) -> None:
    assert follow(players, seed) > 50


@pytest.mark.long
@seeds(*range(3, 16))
def test_long_referee_reaches_the_same_states(players: int, seed: int) -> None:
    assert follow(players, seed) > 50
