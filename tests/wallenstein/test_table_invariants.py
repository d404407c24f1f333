"""Invariants of part 9 of the digest, by number, over random games for two to five players.

They are checked on the ledger and the steps, not with queries of the engine.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from games.core.steps import Step
from games.wallenstein.board import BOARD, figures_wrong
from games.wallenstein.cards import ACTIONS, EVENTS
from games.wallenstein.ending import scores_now
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.hunger import row_of
from games.wallenstein.scoring import Region, majorities
from games.wallenstein.state import State
from tests.wallenstein.games import PLAYERS, game
from tests.wallenstein.positions import flat, table

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[int] = set()
TILES = {"palace": 28, "church": 26, "trading-house": 26}


def invariant(*numbers: int) -> Callable[[F], F]:
    """Parametrize a test over games of every number of players; ids carry the number in the digest."""
    COVERED.update(numbers)
    name = ",".join(f"9.{number}" for number in numbers)
    cases = [
        pytest.param(players, seed, id=f"{name}-{players}-players-{seed}")
        for players in PLAYERS
        for seed in (0, 1)
    ]
    return pytest.mark.parametrize(("players", "seed"), cases)


def static_invariant(number: int) -> Callable[[F], F]:
    """Mark a test of an invariant that needs no game."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=f"9.{number}")])


def test_every_invariant_of_the_digest_is_covered() -> None:
    assert set(range(1, 21)) == COVERED


def lines(state: State) -> list[tuple[str, str, str, int]]:
    """Return owner, piece, place and count of every holding."""
    return [
        (owner, piece, place, count)
        for place, rows in state.ledger.to_json().items()
        for owner, piece, count in rows
    ]


def cubes(state: State, *kinds: str) -> Counter[str]:
    counts = Counter[str]()
    for owner, piece, place, count in lines(state):
        if piece == "army" and place.partition(":")[0] in kinds:
            counts[owner] += count
    return counts


def provinces(state: State) -> dict[str, Counter[tuple[str, str]]]:
    pieces: dict[str, Counter[tuple[str, str]]] = {}
    for owner, piece, place, count in lines(state):
        if place.startswith("province:"):
            pieces.setdefault(place.removeprefix("province:"), Counter())[owner, piece] += count
    return pieces


def steps_of(outcome: Any) -> Iterator[Step]:
    yield from flat(outcome.steps)


# Pieces


@invariant(1, 2)
def test_cubes_are_conserved(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        everywhere = cubes(state, "supply", "province", "tower", "cup")
        assert {f: everywhere[f] + 1 for f in state.order} == dict.fromkeys(state.order, 62)
        assert everywhere["peasants"] == 20
        assert not cubes(state, "province")["peasants"]


@invariant(3)
def test_buildings_are_conserved_and_fit_their_cities(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        total = Counter[str]()
        for _, piece, _, count in lines(state):
            total[piece] += count
        assert {tile: total[tile] for tile in TILES} == TILES
        for name, pieces in provinces(state).items():
            built = [pieces["peasants", tile] for tile in TILES]
            assert max(built) <= 1
            assert sum(built) <= state.setup.figures["provinces"][name]["cities"]


@invariant(4, 5)
def test_occupied_province_has_exactly_one_owner(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        for name, pieces in provinces(state).items():
            owners = [owner for owner, piece in pieces if piece == "army"]
            assert len(owners) == 1 or (not owners and name in state.kept)
        standing = provinces(state)
        in_battle = {frame.data.get("province") for frame in state.frames}
        for name in set(state.kept) - in_battle:
            armies = any(piece == "army" for _, piece in standing.get(name, ()))
            options = state.setup.options
            # A 0 to 0 battle with all defenders in the tower leaves no army.
            spared = options["nothing_fell"] == "attack-fails"
            assert armies or spared or options["saved_by_peasants"] != "destroy"


@invariant(6)
def test_no_count_is_negative(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        assert all(count > 0 for *_, count in lines(state))


# Battles


@invariant(7, 8)
def test_winner_loses_the_strength_of_the_loser(players: int, seed: int) -> None:
    fights = 0
    for entry in game(players, seed).played:
        if entry.action.type != "throw":
            continue
        data = entry.state.frames[-1].data
        fallen = Counter(entry.action.fallen)
        unrest = provinces(entry.state).get(data["province"], Counter())["peasants", "unrest"]
        settled = next(s for s in steps_of(entry.outcome) if s.key and s.key.endswith(f":{data['province']}"))
        sides = _sides(data, fallen, unrest)
        guards = entry.state.setup.options["guards_fight"]
        if sides is None or guards:
            continue
        fights += 1
        own, other, peasants = sides
        if settled.result["province"] in ("held", "conquered"):
            win, lose = (own, other) if settled.result["province"] == "conquered" else (other, own)
            helpers = peasants if settled.result["province"] == "held" else 0
            green_left = max(0, helpers - lose)
            assert settled.result["armies"] + green_left == abs(win - lose)
        else:
            assert settled.result["armies"] == 0
    assert fights or seed


def _sides(data: dict[str, Any], fallen: Counter[str], unrest: int) -> tuple[int, int, int] | None:
    """Return attack, defence, and the peasants within the defence."""
    green = fallen["peasants"]
    if data["kind"] == "revolt":
        return green, fallen[data["defender"]], 0
    if data["kind"] == "neutral":
        return fallen[data["attacker"]], green, green
    helpers = green if unrest <= 1 else 0
    return fallen[data["attacker"]], fallen[data["defender"]] + helpers, helpers


@invariant(8)
def test_fighters_have_no_cubes_left_in_the_cup(players: int, seed: int) -> None:
    for entry in game(players, seed).played:
        if entry.action.type == "throw" and entry.outcome.state.frames[-1].phase != "throw":
            data = entry.state.frames[-1].data
            left = cubes(entry.outcome.state, "cup")
            fighters = {data["attacker"], data["defender"]} - {"peasants"}
            assert not any(left[faction] for faction in fighters)
            unrest = provinces(entry.state).get(data["province"], Counter())["peasants", "unrest"]
            if data["kind"] != "player" or unrest <= 1:
                assert not left["peasants"]


# Actions


@invariant(9)
def test_a_cancelled_action_moves_nothing(players: int, seed: int) -> None:
    for outcome in game(players, seed).outcomes:
        for step in steps_of(outcome):
            if step.message.code in ("cancelled", "lost-province", "blank-card", "empty-space"):
                assert not list(step.all_moves())


@invariant(10)
def test_every_player_turns_over_ten_cards_each_season(players: int, seed: int) -> None:
    ends = list(ends_of_seasons(players, seed))
    assert [last.round for last in ends] == [1, 2, 3, 5, 6, 7]
    for last in ends:
        assert sorted(last.row) == sorted(ACTIONS)
        assert set(last.turned) == set(last.order)
        for faction, turned in last.turned.items():
            assert list(turned) == list(last.row)
            cards = [card for card in turned.values() if card]
            assert len(set(cards)) == len(cards)
            assert set(cards) <= set(last.hands[faction])
            blanks = [
                a for a, card in turned.items() if card is None and a not in last.empty.get(faction, ())
            ]
            assert len(blanks) <= 5 or not last.hands[faction]
    codes = Counter[tuple[str, ...]]()
    for outcome in game(players, seed).outcomes:
        codes.update(step.message.code for step in steps_of(outcome) if step.message.code == "turned-up")
    assert codes["turned-up"] == 6 * 5


def ends_of_seasons(players: int, seed: int) -> Iterator[State]:
    """Yield the state after the last action of each season, before the cards are cleared."""
    for entry in game(players, seed).played:
        now = entry.state.round
        if entry.state.row and entry.outcome.state.round > now:
            yield WALLENSTEIN.machine.act(
                entry.state, entry.action, lambda then, now=now: then.round > now
            ).state


@invariant(11)
def test_the_event_row_shrinks_to_one(players: int, seed: int) -> None:
    walk = game(players, seed)
    left = [
        len(entry.outcome.state.events) for entry in walk.played if entry.action.type in ("events", "event")
    ]
    assert left == [4, 3, 2, 1] * 2
    cards = [card.event for e in walk.played if e.action.type == "events" for card in e.action.cards]
    if not walk.setup.options["reshuffle_events"]:
        assert all(cards.count(event) <= EVENTS[event] for event in cards)


@invariant(12)
def test_unrest_is_removed_only_by_destruction_and_winter(players: int, seed: int) -> None:
    for outcome in game(players, seed).outcomes:
        for step in steps_of(outcome):
            removed = [move for move in step.moves if move.piece == "unrest" and move.target == "bank"]
            assert not removed or step.message.code in ("destroyed", "unrest-cleared")
    for state in game(players, seed).states:
        if state.round in (4, 8) and state.frames[0].phase in ("events", "finished"):
            assert not any(pieces["peasants", "unrest"] for pieces in provinces(state).values())


# Scoring


@static_invariant(13)
def test_total_points_of_a_majority() -> None:
    generator = random.Random(13)
    players = ("red", "blue", "yellow", "black")
    for _ in range(300):
        kinds = ("palace", "church", "trading_house")
        built = {kind: {p: generator.randrange(4) for p in players} for kind in kinds}
        for majority, most in zip(majorities(Region({}, built), players), (3, 2, 1), strict=True):
            shared = len(majority.leaders) * (most - 1) if len(majority.leaders) > 1 else most
            assert majority.points * len(majority.leaders) == (shared if majority.leaders else 0)


@invariant(14)
def test_points_do_not_depend_on_player_colours(players: int, seed: int) -> None:
    state = game(players, seed).states[-1]
    names = dict(zip(state.order, (*state.order[1:], state.order[0]), strict=True))
    renamed = [(names.get(owner, owner), piece, place, count) for owner, piece, place, count in lines(state)]
    kept = {province: names[owner] for province, owner in state.kept.items()}
    other = replace(state, ledger=type(state.ledger).of(state.ledger.places, renamed), kept=kept)
    mine, theirs = scores_now(state), scores_now(other)
    assert {names[faction]: score for faction, score in mine.items()} == theirs


@invariant(14)
def test_points_do_not_depend_on_provinces_within_a_region(players: int, seed: int) -> None:
    state = game(players, seed).states[-1]
    generator = random.Random(seed)
    permutation: dict[str, str] = {}
    rows = state.setup.figures["provinces"]
    used = [p for p in rows if WALLENSTEIN.knows_place(state, f"province:{p}")]
    for region in {rows[p]["region"] for p in used}:
        inside = sorted(p for p in used if rows[p]["region"] == region)
        permutation |= dict(zip(inside, generator.sample(inside, len(inside)), strict=True))
    places = {f"province:{p}": f"province:{q}" for p, q in permutation.items()}
    moved = [(owner, piece, places.get(at, at), count) for owner, piece, at, count in lines(state)]
    kept = {permutation[province]: owner for province, owner in state.kept.items()}
    shuffled = replace(state, ledger=type(state.ledger).of(state.ledger.places, moved), kept=kept)
    assert scores_now(shuffled) == scores_now(state)


@invariant(15)
def test_extra_building_or_province_adds_at_least_one_point(players: int, seed: int) -> None:
    state = game(players, seed).states[-1]
    before = scores_now(state)
    faction = state.order[0]
    taken = provinces(state)
    free = [p for p in state.setup.figures["provinces"] if p not in taken and p not in state.kept]
    usable = [p for p in free if WALLENSTEIN.knows_place(state, f"province:{p}")]
    here = f"province:{usable[0]}"
    extra = [(faction, "army", here, 1)]
    for piece in (None, *TILES):
        extra += [("peasants", piece, here, 1)] if piece else []
        after = scores_now(
            replace(state, ledger=type(state.ledger).of(state.ledger.places, [*lines(state), *extra]))
        )
        assert after[faction].points >= before[faction].points + 1
        others = [f for f in state.order if f != faction]
        assert all(after[f].points <= before[f].points for f in others)
        before = after


@invariant(16)
def test_a_peaceful_move_keeps_all_armies(players: int, seed: int) -> None:
    walked = 0
    for entry in game(players, seed).played:
        ledger = entry.state.ledger
        for step in entry.outcome.steps:
            if step.message.code == "moves":
                (move,) = step.moves
                assert move.source.startswith("province:")
                assert move.target.startswith("province:")
                stood, there = (ledger.count(move.owner, "army", p) for p in (move.source, move.target))
                assert 1 <= move.count == step.message.params["count"] <= stood - 1
                after = ledger.move(move)
                assert after.count(move.owner, "army", move.source) == stood - move.count
                assert after.count(move.owner, "army", move.target) == there + move.count
                walked += 1
            ledger = ledger.move(*step.all_moves())
        assert ledger == entry.outcome.state.ledger
    assert walked


@static_invariant(17)
def test_map_matches_the_digest() -> None:
    rows = BOARD.figures["provinces"]
    assert figures_wrong(BOARD.figures) == []
    assert len(rows) == 45
    assert sum(len(row["neighbours"]) for row in rows.values()) == 2 * 114
    assert all(name in rows[other]["neighbours"] for name, row in rows.items() for other in row["neighbours"])
    assert Counter(row["region"] for row in rows.values()) == dict.fromkeys(
        ("brandenburg", "kurpfalz", "bayern", "oesterreich", "sachsen"), 9
    )
    assert set(BOARD.figures["map"]) == set(rows)
    totals = [sum(row[what] for row in rows.values()) for what in ("cities", "gold", "grain")]
    assert totals == [88, 216, 135]


@invariant(18)
def test_replayed_journal_gives_the_same_states(players: int, seed: int) -> None:
    walk = game(players, seed)
    state = WALLENSTEIN.start(walk.setup).state
    for (faction, data), entry in zip(walk.journal, walk.played, strict=True):
        state = WALLENSTEIN.read_state(json.loads(json.dumps(WALLENSTEIN.state_json(state))))
        state = WALLENSTEIN.apply(state, WALLENSTEIN.read_action(data, faction)).state
        assert state == entry.outcome.state


@static_invariant(19)
def test_larger_shortage_is_never_milder() -> None:
    rows = [row_of(shortage)[1:] for shortage in range(30)]
    assert rows[0] == (0, 0)
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in itertools.pairwise(rows))


@invariant(20)
def test_final_points_are_the_sum_of_two_winters(players: int, seed: int) -> None:
    walk = game(players, seed)
    scored = Counter[str]()
    winters = 0
    for outcome in walk.outcomes:
        scores = [s for s in steps_of(outcome) if s.key and s.key.startswith("score:")]
        winters += bool(scores)
        for step in scores:
            scored[step.key.removeprefix("score:")] += sum(step.result.values())
    assert winters == 2
    assert {s.faction: s.points for s in WALLENSTEIN.standings(walk.states[-1])} == dict(scored)


# Long runs


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 20))
@pytest.mark.parametrize("players", PLAYERS)
def test_long_invariants_hold_in_every_state(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        assert WALLENSTEIN.invariants(state) == []
    for test in (
        test_cubes_are_conserved,
        test_occupied_province_has_exactly_one_owner,
        test_winner_loses_the_strength_of_the_loser,
        test_fighters_have_no_cubes_left_in_the_cup,
        test_final_points_are_the_sum_of_two_winters,
    ):
        test(players, seed)


def test_constructed_test_position_satisfies_the_invariants() -> None:
    assert WALLENSTEIN.invariants(table({"passau": ("blue", 3)}, tower={"red": 2}, cup={"peasants": 1})) == []
