"""Random outcomes are fair and are not chosen by players."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from companion.registry import titles
from games.core.game import AnyGame
from games.core.prompts import Prompt
from games.wallenstein.pieces import ARMY, PEASANTS, SUPPLY, TOWER
from players import raubritter, signoria, wallenstein
from players.chance import happened, shuffled
from players.heuristic import Heuristic
from players.party import Entry
from players.randomly import Played
from tests.players.games import match

SHORT = [("wallenstein", 3), ("signoria", 2), ("raubritter", 2)]


def test_random_helpers_follow_their_probabilities() -> None:
    generator = random.Random(1)
    assert 1_900 < happened(3_000, (2, 3), generator) < 2_100
    assert sorted(shuffled("abc", generator)) == ["a", "b", "c"]
    assert len({tuple(shuffled("abc", generator)) for _ in range(200)}) == 6


class Recorder:
    """Wraps a player and records the prompts and states it is given."""

    def __init__(self, player: Heuristic, faction: str) -> None:
        self.player, self.faction = player, faction
        self.prompted: list[str] = []
        self.states: list[Any] = []

    def decide(
        self, game: AnyGame, state: Any, prompts: Sequence[Prompt], generator: random.Random
    ) -> Entry | None:
        self.prompted += [prompt.action for prompt in prompts]
        self.states.append(state)
        assert {prompt.faction for prompt in prompts} == {self.faction}
        return self.player.decide(game, state, prompts, generator)


def recorded_play(slug: str, players: int) -> tuple[list[Recorder], list[Played]]:
    played = match(slug, players, "watched")
    recorders = [Recorder(player, f) for f, player in played.party.players.items()]  # type: ignore[arg-type]
    played.party.players = {recorder.faction: recorder for recorder in recorders}
    return recorders, list(islice(played.play(), 90))


@pytest.mark.parametrize(("slug", "players"), SHORT)
def test_players_get_no_prompts_for_random_outcomes(slug: str, players: int) -> None:
    recorders, entries = recorded_play(slug, players)
    falls = titles()[slug].automaton.chance.falls
    assert not falls or falls.keys() & {entry.action.type for entry in entries}
    assert all(not falls.keys() & set(recorder.prompted) for recorder in recorders)


def test_players_do_not_see_plans_of_others() -> None:
    recorders, _entries = recorded_play("wallenstein", 3)
    for recorder in recorders:
        others = [
            plan for state in recorder.states for f, plan in state.plans.items() if f != recorder.faction
        ]
        assert others
        assert not any(others)


def test_chance_and_heuristics_name_existing_action_types() -> None:
    for slug, title in titles().items():
        chance, sense = title.automaton.chance, title.automaton.sense
        kinds = {kind.type for kind in titles()[slug].game.actions}
        assert chance.falls.keys() | chance.narrowed.keys() | sense.ideas.keys() | sense.tries.keys() <= kinds
        assert not chance.falls.keys() & sense.ideas.keys()


# The cube tower


def throws() -> list[Played]:
    entries = [e for seed in range(3) for e in match("wallenstein", 3, seed, careless=None).play()]
    return [entry for entry in entries if entry.action.type == "throw"]


def test_cubes_fall_out_of_the_tower_at_the_given_rates() -> None:
    """Two in three of the cubes thrown in, one in three of those stuck, over several games."""
    fresh = stuck = fallen = 0
    for entry in throws():
        thrown = entry.state.frames[-1].data["thrown"]
        for colour in (*entry.state.setup.factions, PEASANTS):
            inside = entry.state.ledger.count(colour, ARMY, TOWER)
            new = min(inside, thrown.get(colour, 0))
            fresh, stuck = fresh + new, stuck + inside - new
            fallen += entry.action.fallen.get(colour, 0)  # type: ignore[attr-defined]
    expected = fresh * 2 / 3 + stuck / 3
    spread = ((fresh + stuck) * 2 / 9) ** 0.5
    assert fresh + stuck > 1_000
    assert abs(fallen - expected) < 4 * spread


def test_fallen_cubes_do_not_depend_on_the_throwing_faction() -> None:
    entry = throws()[0]
    prompt = entry.prompt
    other = next(f for f in entry.state.setup.factions if f != prompt.faction)
    falls = [
        wallenstein.CHANCE.falls["throw"](entry.state, variant, random.Random(7))
        for variant in (prompt, _for_faction(prompt, other))
    ]
    assert falls[0] == falls[1]


def _for_faction(prompt: Prompt, faction: str) -> Prompt:
    return Prompt(faction, prompt.title, prompt.rule, prompt.example, prompt.fields)


def test_draft_offers_only_open_cards() -> None:
    for entry in match("wallenstein", 2, "draft").play():
        if entry.action.type == "draft":
            opened = entry.state.frames[-1].data["open"]
            assert entry.action.province in opened  # type: ignore[attr-defined]
        if entry.action.type == "plan":
            return
    raise AssertionError


# Dice and tiles


def test_white_dice_are_rolled_independently() -> None:
    entry = next(e for e in match("signoria", 2, "dice").play() if e.action.type == "descendants")
    generator = random.Random(3)
    fall = signoria.CHANCE.falls["descendants"]
    faces = Counter(face for _ in range(1_200) for face in fall(entry.state, entry.prompt, generator)["dice"])
    rolled = sum(faces.values())
    assert set(faces) == set(range(1, 7))
    assert all(abs(count - rolled / 6) < 4 * (rolled * 5 / 36) ** 0.5 for count in faces.values())


def test_alliance_tiles_are_drawn_in_proportion_to_the_pile() -> None:
    first = next(e for e in match("signoria", 4, "tiles").play() if e.action.type == "refill")
    generator = random.Random(3)
    fall = signoria.CHANCE.falls["refill"]
    drawn = [fall(first.state, first.prompt, generator)["tiles"] for _ in range(200)]
    for tiles in drawn:
        assert first.state.ledger.count("neutral", "tile", SUPPLY) >= len(tiles)
    houses = Counter(tile.partition("-")[0] for tiles in drawn for tile in tiles.values())
    total = sum(houses.values())
    assert all(abs(count - total / 6) < 4 * (total * 5 / 36) ** 0.5 for count in houses.values())


def test_tiles_are_placed_from_the_hand() -> None:
    """Each tile placed is one of the next two of the dealt pile."""
    played = match("raubritter", 3, "hand")
    laid: dict[str, list[str]] = {faction: [] for faction in played.setup.factions}
    for entry in played.play():
        faction, action = entry.action.faction, entry.action
        pile = list(played.party.dealt[faction])
        if action.type == "lay":
            assert set(action.tiles) <= set(pile[:4])  # type: ignore[attr-defined]
            laid[faction] += action.tiles  # type: ignore[attr-defined]
        if action.type == "place":
            for tile in laid[faction]:
                pile.remove(tile)
            assert action.tile in pile[:2]  # type: ignore[attr-defined]
            laid[faction].append(action.tile)  # type: ignore[attr-defined]
    assert {len(tiles) for tiles in laid.values()} == {24}


def test_castle_is_kept_for_the_first_hand() -> None:
    played = match("raubritter", 4, "castle")
    for entry in played.play():
        if entry.action.type != "lay":
            return
        assert not any("castle" in tile for tile in entry.action.tiles)  # type: ignore[attr-defined]


def test_game_with_another_tile_set_reaches_its_end() -> None:
    """The letters of the board file then do not match the tile set."""
    game = titles()["raubritter"].game
    tile_set = {**game.board.figures["tile_set"], "lake": 0, "plain-castle": 7}
    setup = game.prepare(("red", "blue"), options={"tile_set": tile_set})
    piles = raubritter.CHANCE.deal(setup, random.Random(1))
    assert set(piles) == {"red", "blue"}
    entries = list(
        titles()["raubritter"].automaton.party(setup, random.Random(1)).play_on(game.start(setup).state)
    )
    assert game.result(entries[-1].outcome.state) is not None
