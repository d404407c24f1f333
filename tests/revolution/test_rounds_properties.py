"""Invariants of the digest (part 9), checked over random complete games."""

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
# With this seed every option differs from its default in some game; with two players allies block no rivers.
EVERY_OPTION = 4
LONG = pytest.mark.parametrize(("players", "seed"), [(p, s) for p in SEATS for s in range(11, 19)])


@lru_cache(maxsize=8)
def played(players: int, seed: int = EVERY_OPTION) -> tuple[Played, ...]:
    """Play a game with random options."""
    generator = random.Random(f"{players} {seed}")
    values = {o.name: generator.choice(o.values) for o in GAME.options if isinstance(o, Option)}
    setup = GAME.prepare(SEATS[players], players=players, options=values)
    return tuple(play_out(GAME, setup, generator))


def test_every_option_is_played_with_another_value() -> None:
    """The properties are checked with other than default options, too."""
    setups = {players: played(players)[0].state.setup.options for players in SEATS}
    for option in GAME.options:
        assert {options[option.name] for options in setups.values()} - {option.default}, option.name
    assert not setups[2]["ally_blocks_river"]


def entries_with(game: tuple[Played, ...], kind: str) -> Iterator[Played]:
    return (entry for entry in game if entry.action.type == kind)


def steps_with_code(entry: Played, code: str) -> list[Step]:
    return [step for step in flat(entry.outcome.steps) if step.message.code == code]


@TABLES
def test_game_has_six_rounds(players: int) -> None:
    states = [entry.outcome.state for entry in played(players)]
    rounds = [state.round for state in states]
    assert rounds == sorted(rounds)
    assert set(rounds) == set(range(6))
    assert set(states[-1].scores) == {str(round_) for round_ in range(6)}


@TABLES
def test_9_and_10_conflicts_end_at_the_limit_or_with_one_faction(players: int) -> None:
    """Check the result and the moves of every conflict step."""
    conflicts = 0
    for entry in played(players):
        for step in flat(entry.outcome.steps):
            if step.message.code == "conflict-in":
                conflicts += 1
                removed = sum(move.count for move in step.all_moves())
                assert removed > 0
                assert all(move.target == "supply" for move in step.all_moves())
                slug = (step.key or "").partition(":")[2]
                limit = atlas(entry.state).provinces[slug].limit
                left = {f: n for f, n in step.result.items() if n}
                assert sum(left.values()) <= limit or len(left) == 1
                assert not conflict.is_conflict(left, limit)
    assert conflicts


@TABLES
def test_12_no_province_is_above_its_limit_after_overflow(players: int) -> None:
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
def test_12_overflow_leaves_no_province_below_its_limit(players: int) -> None:
    for entry in entries_with(played(players), "overflow"):
        faction = entry.action.faction
        for step in steps_with_code(entry, "overflows"):
            for move in step.moves:
                source = atlas(entry.state).province_of(move.source)
                before = countable(entry.state, source)[faction]
                left_source = sum(
                    m.count
                    for s in flat(entry.outcome.steps)
                    for m in s.moves
                    if m.owner == faction and m.source in source.places
                )
                assert before - left_source >= source.limit


@TABLES
def test_13_movement_keeps_the_totals_of_every_province(players: int) -> None:
    for kind in ("layout", "step", "dispute"):
        for entry in entries_with(played(players), kind):
            if entry.outcome.state.frames[0].phase == "movement":
                assert totals(entry.state) == totals(entry.outcome.state)


def totals(state: State) -> list[dict[str, int]]:
    return [countable(state, province) for province in atlas(state).provinces.values()]


@TABLES
def test_17_markers_move_at_most_three_columns(players: int) -> None:
    for entry in entries_with(played(players), "influence"):
        before, after = entry.state.allegiance, entry.outcome.state.allegiance
        assert all(abs(after[city] - before[city]) <= 3 and 1 <= after[city] <= 7 for city in before)


@TABLES
def test_20_bishoprics_move_at_most_one_column(players: int) -> None:
    """Exception: the option that resets uncontrolled bishoprics to Catholic."""
    for entry in played(players):
        state = entry.outcome.state
        before, after = entry.state.bishoprics, state.bishoprics
        snaps = state.setup.options["bishop_uncontrolled"] == "snap_to_catholic"
        for p in before:
            if not (snaps and state.provinces[p] is None):
                assert abs(COLUMNS.index(after[p]) - COLUMNS.index(before[p])) <= 1
        if state.frames[0].phase == "draft":  # the markers have just moved
            for p, column in after.items():
                assert state.provinces[p] in CONTROLLERS.get(column, (state.provinces[p],)), (p, column)


CONTROLLERS = {
    "strongly-catholic": ("catholics", "nobility"),
    "strongly-reformed": ("reformers", "nobility"),
}
"""Possible controllers of a province with a strongly Catholic or reformed bishopric (9.20)."""


@TABLES
def test_21_university_changes_match_their_holders(players: int) -> None:
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
def test_24_draft_keeps_the_order_of_laid_cards(players: int) -> None:
    for earlier, later in pairwise(entries_with(played(players), "draft")):
        row = [str(f) for f in earlier.outcome.state.frames[-1].data.get("row", ())]
        grown = [str(f) for f in later.outcome.state.frames[-1].data.get("row", ())]
        if row and len(grown) == len(row) + 1:
            assert [f for f in grown if f in row] == row
    for entry in played(players):
        assert sorted(entry.outcome.state.order) == sorted(entry.state.order)


@TABLES
def test_25_points_are_halves_before_the_last_round(players: int) -> None:
    last = played(players)[-1].outcome.state
    for round_, scored in last.scores.items():
        for parts in scored.values():
            assert round_ == "5" or sum(parts.values()) * 2 == int(sum(parts.values()) * 2)
            assert round_ == "5" or parts["minor_provinces"] == 0


@TABLES
def test_25_final_points_follow_from_the_state(players: int) -> None:
    last = played(players)[-1].outcome.state
    for faction in last.order:
        assert score_now(last, faction).parts == last.scores["5"][faction]


@TABLES
def test_standings_are_current_until_the_round_is_scored(players: int) -> None:
    for entry in played(players):
        state = entry.outcome.state
        points = {s.faction: s.points for s in GAME.standings(state)}
        if state.frames[-1].phase in ("draft", "finished"):
            scored = state.scores[str(state.round)]
            assert points == {f: sum(scored[f].values(), Fraction(0)) for f in scored}
        else:
            assert points == {f: score_now(state, f).points for f in state.order}


@TABLES
def test_every_automatic_result_has_a_unique_key(players: int) -> None:
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
