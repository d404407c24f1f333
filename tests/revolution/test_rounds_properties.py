"""What holds in every game (digest part 9), looked for in whole games played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import pytest

from games.core.options import Option
from games.core.steps import Step
from games.revolution import conflict
from games.revolution.bishoprics import COLUMNS
from games.revolution.factions import NEUTRAL
from games.revolution.state import State, atlas, countable, holder, supply, treasury
from games.revolution.status import score_now
from players.randomly import Played, play_out
from tests.revolution.campaigns import GAME, SEATS, flat

TABLES = pytest.mark.parametrize("players", sorted(SEATS))
EVERY_OPTION = (
    4  # a seed for which every option is played either way, and with two players rivers past allies
)
LONG = pytest.mark.parametrize(("players", "seed"), [(p, s) for p in SEATS for s in range(11, 19)])


@lru_cache(maxsize=8)
def played(players: int, seed: int = EVERY_OPTION) -> tuple[Played, ...]:
    """A game with options drawn by lot."""
    generator = random.Random(f"{players} {seed}")
    values = {o.name: generator.choice(o.values) for o in GAME.options if isinstance(o, Option)}
    setup = GAME.prepare(SEATS[players], players=players, options=values)
    return tuple(play_out(GAME, setup, generator))


def test_every_option_is_played_otherwise_somewhere() -> None:
    """A property of the default options alone would say little."""
    setups = {players: played(players)[0].state.setup.options for players in SEATS}
    for option in GAME.options:
        assert {options[option.name] for options in setups.values()} - {option.default}, option.name
    assert not setups[2]["ally_blocks_river"]


def entries_with(game: tuple[Played, ...], kind: str) -> Iterator[Played]:
    return (entry for entry in game if entry.action.type == kind)


def told(entry: Played, code: str) -> list[Step]:
    return [step for step in flat(entry.outcome.steps) if step.message.code == code]


@TABLES
def test_a_game_goes_through_six_rounds(players: int) -> None:
    states = [entry.outcome.state for entry in played(players)]
    rounds = [state.round for state in states]
    assert rounds == sorted(rounds)
    assert set(rounds) == set(range(6))
    assert set(states[-1].scores) == {str(round_) for round_ in range(6)}


@TABLES
def test_9_and_10_conflicts_keep_the_limit_or_leave_one_faction(players: int) -> None:
    """From the steps: what a province had, what it has; told totals are those of the counters."""
    fought = 0
    for entry in played(players):
        for step in flat(entry.outcome.steps):
            if step.message.code == "conflict-in":
                fought += 1
                removed = sum(move.count for move in step.all_moves())
                assert removed > 0
                assert all(move.target == "supply" for move in step.all_moves())
                slug = (step.key or "").partition(":")[2]
                limit = atlas(entry.state).provinces[slug].limit
                left = {f: n for f, n in step.result.items() if n}
                assert sum(left.values()) <= limit or len(left) == 1
                assert not conflict.is_conflict(left, limit)
    assert fought


@TABLES
def test_12_after_overflow_no_faction_is_above_a_limit(players: int) -> None:
    seen = 0
    for entry in played(players):
        before, after = entry.state.frames[0].phase, entry.outcome.state.frames[0].phase
        if after == "movement" and before != "movement":
            seen += 1
            state = entry.outcome.state
            for province in atlas(state).provinces.values():
                here = countable(state, province)
                assert sum(n for f, n in here.items() if f != NEUTRAL) <= province.limit
    assert seen


@TABLES
def test_12_nobody_overflows_below_a_limit(players: int) -> None:
    for entry in entries_with(played(players), "overflow"):
        faction = entry.action.faction
        for step in told(entry, "overflows"):
            for move in step.moves:
                source = atlas(entry.state).province_of(move.source)
                before = countable(entry.state, source)[faction]
                gone = sum(
                    m.count
                    for s in flat(entry.outcome.steps)
                    for m in s.moves
                    if m.owner == faction and m.source in source.places
                )
                assert before - gone >= source.limit


@TABLES
def test_13_movement_keeps_the_totals_of_every_province(players: int) -> None:
    for kind in ("layout", "step", "dispute"):
        for entry in entries_with(played(players), kind):
            if entry.outcome.state.frames[0].phase == "movement":
                assert totals(entry.state) == totals(entry.outcome.state)


def totals(state: State) -> list[dict[str, int]]:
    return [countable(state, province) for province in atlas(state).provinces.values()]


@TABLES
def test_17_markers_move_three_columns_at_most(players: int) -> None:
    for entry in entries_with(played(players), "influence"):
        before, after = entry.state.allegiance, entry.outcome.state.allegiance
        assert all(abs(after[city] - before[city]) <= 3 and 1 <= after[city] <= 7 for city in before)


@TABLES
def test_20_bishoprics_move_one_column_at_most(players: int) -> None:
    """The option to put what nobody controls on Catholic at once is excepted."""
    for entry in played(players):
        state = entry.outcome.state
        before, after = entry.state.bishoprics, state.bishoprics
        snaps = state.setup.options["bishop_uncontrolled"] == "snap_to_catholic"
        for p in before:
            if not (snaps and state.provinces[p] is None):
                assert abs(COLUMNS.index(after[p]) - COLUMNS.index(before[p])) <= 1
        if state.frames[0].phase == "draft":  # they have just been moved
            for p, column in after.items():
                assert state.provinces[p] in ALLOWED.get(column, (state.provinces[p],)), (p, column)


ALLOWED = {
    "strongly-catholic": ("catholics", "nobility"),
    "strongly-reformed": ("reformers", "nobility"),
}
"""9.20: who can control a province whose bishopric is strongly one or the other."""


@TABLES
def test_21_universities_change_as_their_holders_make_them(players: int) -> None:
    for entry in played(players):
        for place, before in entry.state.universities.items():
            after = entry.outcome.state.universities[place]
            if before != after:
                held_by = holder(entry.outcome.state, place)
                assert (after == "reformed") == (held_by == "reformers"), (place, before, after, held_by)
                assert (before, after) != ("absent", "catholic")


@TABLES
def test_22_taxes_only_turn_counters_into_coins(players: int) -> None:
    for entry in entries_with(played(players), "tax"):
        if entry.outcome.state.frames[0].phase != "taxes":
            continue
        for faction in entry.state.order:
            before = supply(entry.state, faction) + treasury(entry.state, faction)
            after = supply(entry.outcome.state, faction) + treasury(entry.outcome.state, faction)
            assert before == after


@TABLES
def test_24_the_order_is_a_permutation_and_cards_that_lie_keep_theirs(players: int) -> None:
    for one, other in pairwise(entries_with(played(players), "draft")):
        row = [str(f) for f in one.outcome.state.frames[-1].data.get("row", ())]
        grown = [str(f) for f in other.outcome.state.frames[-1].data.get("row", ())]
        if row and len(grown) == len(row) + 1:
            assert [f for f in grown if f in row] == row
    for entry in played(players):
        assert sorted(entry.outcome.state.order) == sorted(entry.state.order)


@TABLES
def test_25_points_are_halves_until_small_provinces_count(players: int) -> None:
    last = played(players)[-1].outcome.state
    for round_, scored in last.scores.items():
        for parts in scored.values():
            assert round_ == "5" or sum(parts.values()) * 2 == int(sum(parts.values()) * 2)
            assert round_ == "5" or parts["minor_provinces"] == 0


@TABLES
def test_25_points_follow_from_the_state_alone(players: int) -> None:
    last = played(players)[-1].outcome.state
    for faction in last.order:
        assert score_now(last, faction).parts == last.scores["5"][faction]


@TABLES
def test_standings_are_those_of_now_until_the_round_is_scored(players: int) -> None:
    for entry in played(players):
        state = entry.outcome.state
        points = {s.faction: s.points for s in GAME.standings(state)}
        if state.frames[-1].phase in ("draft", "finished"):
            scored = state.scores[str(state.round)]
            assert points == {f: sum(scored[f].values(), Fraction(0)) for f in scored}
        else:
            assert points == {f: score_now(state, f).points for f in state.order}


@TABLES
def test_every_automatic_result_has_a_key_of_its_own(players: int) -> None:
    kinds = set()
    for entry in played(players):
        keys = [step.key for step in flat(entry.outcome.steps) if step.key]
        assert len(keys) == len(set(keys))
        kinds |= {key.partition(":")[0] for key in keys}
    assert {"conflict", "neutrals", "influence", "control", "bishopric", "university", "score"} <= kinds


@pytest.mark.long
@LONG
def test_long_games_with_random_options(players: int, seed: int) -> None:
    for entry in played(players, seed):
        assert GAME.invariants(entry.outcome.state) == []
    assert GAME.result(played(players, seed)[-1].outcome.state)
