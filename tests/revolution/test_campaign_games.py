"""Invariants 3, 7, 14, 15 and 16 of the digest, checked after every step of random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

from games.core.ledger import Ledger
from games.core.options import Option
from games.core.steps import Step
from games.revolution.board import Atlas, atlas_of
from games.revolution.factions import ALLIANCES, BOXES
from players.randomly import play_out
from tests.revolution.campaigns import GAME, SEATS

PLAYERS = (2, 3, 4, 5)


class Change(NamedTuple):
    """A step of a game, with the ledger before and after it."""

    step: Step
    before: Ledger
    after: Ledger
    faction: str  # author of the action


class Played(NamedTuple):
    board: Atlas
    players: int
    factions: tuple[str, ...]
    changes: list[Change]
    states: list[Any]


@lru_cache
def played(players: int, seed: int) -> Played:
    """Play a random game; seed 0 uses the default options, others random ones."""
    generator = random.Random(f"campaign {players} {seed}")
    values = {o.name: generator.choice(o.values) for o in GAME.options if isinstance(o, Option)}
    options = values if seed else {}
    setup = GAME.prepare(SEATS[players], players=players, options=options)
    changes, states = [], []
    for entry in play_out(GAME, setup, generator):
        ledger = entry.state.ledger
        for step in entry.outcome.steps:
            after = ledger.move(*step.all_moves())
            changes.append(Change(step, ledger, after, entry.action.faction))
            ledger = after
        states.append(entry.outcome.state)
    return Played(atlas_of(setup.figures), players, setup.factions, changes, states)


GAMES = [(players, seed) for players in PLAYERS for seed in (0, 1)]


@pytest.fixture(scope="module", params=GAMES, ids=lambda param: f"{param[0]}-{param[1]}")
def game(request: pytest.FixtureRequest) -> Played:
    return played(*request.param)


def at(ledger: Ledger, place: str, piece: str) -> Counter[str]:
    return Counter({line.owner: line.count for line in ledger.at(place) if line.piece == piece})


def allied(players: int, factions: set[str]) -> bool:
    return players == 2 and any(factions <= set(pair) for pair in ALLIANCES)


def test_3_armies_and_beggars_are_conserved(game: Played) -> None:
    for state in game.states:
        armies: Counter[str] = Counter()
        beggars: Counter[str] = Counter()
        for line in state.ledger.holdings():
            armies[line.owner] += line.count * (line.piece == "army")
            beggars[line.place.partition(":")[0]] += line.count * (line.piece == "beggar")
        assert +armies == Counter(dict.fromkeys(game.factions, BOXES[game.players].armies))
        assert set(+beggars) <= {"beggars", "region", "siege"}
        assert beggars.total() == 3


def test_7_strips_have_no_more_armies_than_boxes(game: Played) -> None:
    for change in game.changes:
        for region in game.board.regions.values():
            cities = [c for p in region.provinces for c in game.board.provinces[p].cities]
            places = [region.strip, region.released, *(c.replace("city:", "siege:") for c in cities)]
            assert sum(at(change.after, place, "army").total() for place in places) <= region.boxes


def changes_with_key(game: Played, kind: str) -> Iterator[tuple[str, Change]]:
    for change in game.changes:
        name, _, slug = (change.step.key or "").partition(":")
        if name == kind:
            yield slug, change


def test_14_siege_results_are_consistent(game: Played) -> None:
    for city, change in changes_with_key(game, "siege"):
        before, after = (at(ledger, f"city:{city}", "counter") for ledger in (change.before, change.after))
        besiegers = at(change.before, f"siege:{city}", "army")
        assert dict(after) == {f: n for f, n in change.step.result.items() if n}
        assert after.total() <= before.total()
        if not besiegers:  # Water Beggars
            assert set(after) <= {"neutral"}
            continue
        (besieger,) = [f for f in besiegers if not at(change.after, f"siege:{city}", "army")[f]]
        friends = {besieger, "neutral", *(f for f in game.factions if allied(game.players, {f, besieger}))}
        assert set(after) <= friends
        assert 0 <= after[besieger] - before[besieger] <= 2
        supplies = [change.before.count(owner, "counter", "supply") for owner in (besieger, "neutral")]
        if min(supplies) >= before.total():
            assert after.total() == before.total()


def test_15_no_counter_enters_or_leaves_a_besieged_city(game: Played) -> None:
    for change in game.changes:
        if (change.step.key or "").startswith("siege:"):
            continue
        for siege in set(change.before.occupied("siege")) & set(change.after.occupied("siege")):
            city = siege.replace("siege:", "city:")
            assert at(change.before, city, "counter") == at(change.after, city, "counter"), change.step


def test_16_battle_results_are_consistent(game: Played) -> None:
    for region, change in changes_with_key(game, "battle"):
        before, after = (at(ledger, f"strip:{region}", "army") for ledger in (change.before, change.after))
        assert len(after) <= 1 or after.total() == 2 or allied(game.players, set(after))
        assert (before.total() - after.total()) % 2 == 0
        for clash in change.step.steps[:-1]:
            one, other = clash.moves
            assert (one.count, other.count) == (1, 1)
            assert one.owner != other.owner
            assert not allied(game.players, {one.owner, other.owner})


def test_random_games_contain_every_kind_of_event() -> None:
    """The random games cover every kind of event; otherwise the invariants would hold vacuously."""
    codes: Counter[str] = Counter()
    for players in PLAYERS:
        for change in played(players, 1).changes:
            codes.update(step.message.code for step in change.step.all_steps())
    for code in ("maintained", "released", "recruited", "clash", "besieges", "hires", "marches", "converts"):
        assert codes[code] > 5, code
    assert codes["siege-ends"]
