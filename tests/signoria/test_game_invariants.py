"""Digest part 9, by number, over random games.

The tests read the ledger and the steps directly, not the engine's own queries.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from games.core.steps import Step
from games.signoria.game import SIGNORIA
from games.signoria.rewards import restacked
from games.signoria.state import State
from tests.signoria.walking import Entry, Walk, journal, plain, walk

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[int] = {
    9,  # covered by the tests of the initiative calculator
    27,  # covered by the tests of the end-score calculator
}
TILES = {2: 7, 3: 8, 4: 9}  # per house, by number of players
# Players and seed; together these games enter every type of action, and a bonus die.
SHORT = ((2, 1), (2, 5), (3, 0), (3, 3), (4, 1), (4, 2))


def invariant(*numbers: int) -> Callable[[F], F]:
    """Run a test on games of every number of players, with the digest number in its id."""
    COVERED.update(numbers)
    name = ",".join(f"9.{number}" for number in numbers)
    cases = [pytest.param(players, seed, id=f"{name}-{players}-players-{seed}") for players, seed in SHORT]
    return pytest.mark.parametrize(("players", "seed"), cases)


_LINES: dict[int, tuple[State, list[tuple[str, str, list[str], int]]]] = {}


def lines(state: State) -> list[tuple[str, str, list[str], int]]:
    """Return holdings as owner, piece, parts of the place, count; cached per state."""
    if id(state) not in _LINES:
        read = [(h.owner, h.piece, h.place.split(":"), h.count) for h in state.ledger.holdings()]
        _LINES[id(state)] = (state, read)
    return _LINES[id(state)][1]


def total(state: State, owner: str, piece: str, *kinds: str) -> int:
    return sum(
        n for o, p, place, n in lines(state) if (o, p) == (owner, piece) and (not kinds or place[0] in kinds)
    )


def discs(state: State) -> dict[int, list[str]]:
    return {
        int(p.split(":")[1]): [owner for owner, _ in pile] for p, pile in state.ledger.piles("initiative")
    }


def steps(entry: Entry) -> Iterator[Step]:
    for step in entry.outcome.steps:
        yield from step.all_steps()


def params_of(entry: Entry, code: str) -> list[dict[str, Any]]:
    return [dict(step.message.params) for step in steps(entry) if step.message.code == code]


def figures(game: Walk) -> Any:
    return game.setup.figures


# Figures, florins, points


@invariant(1)
def test_number_of_figures_is_constant(players: int, seed: int) -> None:
    for state in walk(players, seed).states:
        for faction in state.order:
            men = total(state, faction, "man", "reserve", "supply", "threshold", "track", "city")
            women = total(state, faction, "woman", "reserve", "supply", "threshold", "city")
            assert (men, women) == (12, 11)
            assert (total(state, faction, "man"), total(state, faction, "woman")) == (12, 11)


@invariant(2)
def test_no_holding_falls_below_zero(players: int, seed: int) -> None:
    """Moves are applied one by one, so each price is checked separately."""
    for entry in walk(players, seed).entries:
        ledger = entry.state.ledger
        for step in entry.outcome.steps:
            for move in step.all_moves():
                ledger = ledger.move(move)  # raises if pieces are missing
                assert all(h.count > 0 for h in ledger.at(move.source))
        assert ledger == entry.outcome.state.ledger


@invariant(3)
def test_points_never_fall_and_equal_the_sum_of_sources(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        before = {s.faction: s for s in SIGNORIA.standings(entry.state)}
        for standing in SIGNORIA.standings(entry.outcome.state):
            assert all(standing.parts[p] >= before[standing.faction].parts[p] for p in standing.parts)
            assert standing.points == total(entry.outcome.state, standing.faction, "point")


@invariant(14)
def test_mission_and_marriage_points_are_in_range(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        assert all(1 <= params["count"] <= 13 for params in params_of(entry, "mission"))
        assert all(params["count"] in (2, 4, 6, 8) for params in params_of(entry, "marriage"))


# Dice


@invariant(4)
def test_number_of_dice_is_constant(players: int, seed: int) -> None:
    for state in walk(players, seed).states:
        dice = Counter(
            piece.split("-")[0]
            for owner, piece, _, n in lines(state)
            for _ in range(n)
            if owner == "neutral"
            and piece.split("-")[0] in figures(walk(players, seed))["actions"]
            and "-" in piece
        )
        assert set(dice.values()) == {players}
        on_boards = [
            (place[1], place[2]) for _, _, place, n in lines(state) if place[0] == "action" for _ in range(n)
        ]
        assert len(set(on_boards)) == len(on_boards)
        assert all(count <= 4 for count in Counter(who for who, _ in on_boards).values())


@invariant(4)
def test_bonus_die_is_alone_on_its_board(players: int, seed: int) -> None:
    taken: Counter[tuple[int, str]] = Counter()
    for entry in walk(players, seed).entries:
        if entry.action.type == "take":
            who = entry.action.faction
            taken[entry.state.round, who] += 1
            on_board = [n for _, _, place, n in lines(entry.outcome.state) if place[:2] == ["action", who]]
            later = entry.outcome.state.round > entry.state.round  # the dice have been collected
            if entry.state.frames[-1].phase == "bonus-die" and not later:
                assert on_board == [1]
    assert all(count <= 5 for count in taken.values())


@invariant(5)
def test_die_prices_match_the_action_space(players: int, seed: int) -> None:
    game = walk(players, seed)
    for entry in game.entries:
        if entry.action.type == "take":
            (paid,) = [*params_of(entry, "takes"), *({"count": 0} for _ in params_of(entry, "takes-free"))]
            number = figures(game)["actions"][entry.action.colour]["number"]
            free = entry.state.frames[-1].phase == "bonus-die"
            assert paid["count"] == (0 if free else max(0, number - entry.action.die))


def holdings_of(state: State, faction: str) -> list[tuple[str, str, list[str], int]]:
    """Return a player's pieces and the pieces on their board.

    Dice areas are excluded because a die colour may have the name of a faction.
    """
    return [
        line
        for line in lines(state)
        if faction == line[0] or (line[2][0] != "dice" and line[2][1:2] == [faction])
    ]


@invariant(6)
def test_at_most_four_dice_and_no_change_after_a_pass(players: int, seed: int) -> None:
    taken: Counter[tuple[int, str]] = Counter()
    for entry in walk(players, seed).entries:
        before, after = entry.state, entry.outcome.state
        if entry.action.type == "take" and before.frames[-1].phase == "turn":
            taken[before.round, entry.action.faction] += 1
            assert entry.action.faction not in before.passed
        if before.frames[0].phase == "turn" == after.frames[0].phase and before.round == after.round:
            for faction in before.passed:
                assert holdings_of(before, faction) == holdings_of(after, faction)
    assert all(count <= 4 for count in taken.values())


# Tracks


@invariant(7)
def test_only_the_moving_disc_changes_its_stack(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        before, after = discs(entry.state), discs(entry.outcome.state)
        if not before:
            continue
        assert sorted(d for pile in after.values() for d in pile) == sorted(entry.state.order)
        if params_of(entry, "stack-anew"):
            continue
        moved = {d for s, pile in before.items() for d in pile if d not in after.get(s, [])}
        assert len(moved) <= 1
        assert {s: [d for d in pile if d not in moved] for s, pile in before.items()} == {
            s: [d for d in after.get(s, []) if d not in moved] for s in before
        }
        for disc in moved:
            assert next(pile for pile in after.values() if disc in pile)[-1] == disc


@invariant(8)
def test_new_order_matches_the_stack(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        for params in params_of(entry, "stack-anew"):
            order = [name.slug for name in params["order"]]
            assert sorted(order) == sorted(entry.state.order)
            assert [name.slug for name in params["stack"]] == order[::-1]
            state = entry.outcome.state
            assert list(state.order) == order
            if discs(state) == {0: order[::-1]}:
                assert restacked(state, order[::-1]) == []


@invariant(10, 11)
def test_progress_points_and_track_bonuses(players: int, seed: int) -> None:
    used = 0
    for entry in walk(players, seed).entries:
        if entry.action.type != "progress":
            assert not [m for s in steps(entry) for m in s.moves if m.target.startswith("track:")]
            continue
        action = entry.action
        climbs = [(c.at, c.to) for c in action.climbs]
        points = sum(to - at for at, to in climbs) + action.initiative
        assert 1 <= points <= entry.state.frames[-1].data["points"]
        fourth = sum(at < 4 <= to for at, to in climbs)
        sixth = sum(at < 6 <= to for at, to in climbs)
        # Count only this step: automatic effects (a helper with florins) may follow it.
        gained = sum(m.count for s in steps(entry) if s.message.code == "track-bonus" for m in s.moves)
        assert gained == 2 * fourth
        space = next(s for s, pile in discs(entry.state).items() if action.faction in pile)
        top = entry.state.setup.figures["initiative"]["top"]
        wanted = action.initiative + (0 if action.stay else sixth)
        moved = [m for s in steps(entry) for m in s.moves if m.piece == "disc" and m.owner == action.faction]
        if not params_of(entry, "stack-anew"):
            expected = [(f"initiative:{space}", f"initiative:{min(top, space + wanted)}")]
            assert [(m.source, m.target) for m in moved] == (expected if wanted and space < top else [])
        used += 1
    assert used


@invariant(10)
def test_men_only_climb_or_leave_for_a_city(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        for step in steps(entry):
            for move in step.moves:
                if move.source.startswith("track:"):
                    kind, *slugs = move.target.split(":")
                    assert kind in ("track", "city")
                    if kind == "track":
                        assert slugs[0] == move.source.split(":")[1]
                        assert int(slugs[1]) > int(move.source.split(":")[2])


# Cities and tiles


@invariant(12, 13, 18)
def test_cities_fill_from_the_lowest_number(players: int, seed: int) -> None:
    game = walk(players, seed)
    shared = figures(game)["city_spaces"]["shared"]
    for state in game.states:
        for city, spaces in figures(game)["cities"].items():
            for members in [("man", "woman")] if shared else [("man",), ("woman",)]:
                held = Counter()
                for _, piece, place, n in lines(state):
                    if place[:2] == ["city", city] and piece in members:
                        held[place[2]] += n
                assert all(held[n] <= spaces[n] for n in held)
                free = [n for n in "1234" if held[n] < spaces[n]]
                assert max(held, default="0") <= min(free, default="9")
            occupied = [place for _, _, place, _ in lines(state) if city in place]
            assert city in state.cities or not occupied
    for entry in game.entries:
        if entry.action.type == "mission":
            rank = figures(game)["tracks"][entry.action.career]["ranks"][str(entry.action.at)]
            assert all(rank >= params["space"] for params in params_of(entry, "mission"))
        if entry.action.type == "marriage":
            assert all(params["space"] <= params["dowry"] <= 4 for params in params_of(entry, "marriage"))


@invariant(15, 16, 17)
def test_alliance_tiles_are_conserved_and_fit(players: int, seed: int) -> None:
    game = walk(players, seed)
    before: Counter[tuple[str, str]] = Counter()
    for state in game.states:
        seen = [
            (p, place, n)
            for o, p, place, n in lines(state)
            if o == "neutral" and p[:2] in {f"{h}-" for h in "abcdef"}
        ]
        hidden = sum(n for o, p, _, n in lines(state) if (o, p) == ("neutral", "tile"))
        assert hidden + sum(n for _, _, n in seen) == 6 * TILES[players]
        houses = Counter(p[0] for p, _, n in seen for _ in range(n))
        assert all(count <= TILES[players] for count in houses.values())
        beside = Counter((":".join(place), p) for p, place, n in seen if place[0] == "plan" for _ in range(n))
        assert not before - beside, "placed tiles never move"
        before = beside
        for faction in state.order:
            for field in ("political", "church", "military", "marriage"):
                plan = figures(game)["plans"][state.boards[faction]]
                shields = Counter("abcdef" if field == "marriage" else plan[field])
                mine = Counter(
                    p[0] for p, place, n in seen if place == ["plan", faction, field] for _ in range(n)
                )
                assert not mine - shields


# Helpers, brides, members


@invariant(19, 20)
def test_helpers_and_brides_are_conserved(players: int, seed: int) -> None:
    game = walk(players, seed)
    for state in game.states:
        helpers = [
            place
            for _, p, place, n in lines(state)
            if p == "helper" and place[0] == "helper"
            for _ in range(n)
        ]
        stock = total(state, "neutral", "helper", "supply")
        assert stock + len(helpers) == 48 or game.setup.options["helpers_unlimited"]
        assert len({tuple(place) for place in helpers}) == len(helpers)
        assert total(state, "neutral", "bride") == 16
        assert all(n <= 4 for _, p, place, n in lines(state) if p == "bride" and place[0] == "portraits")
    married: Counter[tuple[int, str]] = Counter()
    for entry in game.entries:
        helpers_before = Counter(
            tuple(place) for _, p, place, _ in lines(entry.state) if p == "helper" and place[0] == "helper"
        )
        helpers_after = Counter(
            tuple(place) for _, p, place, _ in lines(entry.outcome.state) if p == "helper"
        )
        assert not helpers_before - helpers_after
        for params in params_of(entry, "wedding"):
            married[entry.state.round, params["faction"].slug] += 1
    assert all(count == 1 and number <= 5 for (number, _), count in married.items())


@invariant(21)
def test_descendant_dice_match_the_brides(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        if entry.action.type == "descendants":
            brides = total_at(entry.state, "bride", f"portraits:{entry.action.faction}")
            single = entry.state.frames[-1].data["dice"] == 1
            assert len(entry.action.dice) == (1 if single else 1 + brides)
            gained = next(step for step in steps(entry) if step.message.code == "members-gained")
            assert sum(move.count for move in gained.moves) <= len(entry.action.dice)


def total_at(state: State, piece: str, place: str) -> int:
    return sum(h.count for h in state.ledger.at(place) if h.piece == piece)


# Rounds


@invariant(22, 23)
def test_rewards_respect_the_limit(players: int, seed: int) -> None:
    game = walk(players, seed)
    above = game.setup.options["threshold_above_22"]
    for entry in game.entries:
        for params in params_of(entry, "gets-reward"):
            assert params["total"] <= params["limit"]
            assert params["limit"] in (13, 16, 19, 22) or above
        for params in params_of(entry, "gets-no-reward"):
            assert params["total"] > params["limit"]
    for state in game.states:
        if state.frames[0].phase == "preparation":
            assert not [place for _, _, place, _ in lines(state) if place == ["threshold"]]


@invariant(24)
def test_tasks_are_a_permutation_for_the_round(players: int, seed: int) -> None:
    game = walk(players, seed)
    for entry in game.entries:
        state = entry.outcome.state
        if state.frames[0].phase == "turn" and not game.setup.options["light_entry"]:
            assert len(state.tasks) == len(set(state.tasks.values())) == 10
            if entry.state.frames[0].phase == "turn":
                assert state.tasks == entry.state.tasks


@invariant(25, 26)
def test_florin_rewards_and_bought_points(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        round_ = entry.state.round
        if entry.action.type == "reward":
            faction = entry.action.faction
            assert faction in entry.state.frames[0].data["eligible"]
            florins = [params["count"] for params in params_of(entry, "florins-gained")]
            if entry.action.take == "florins":
                assert florins == ([3] if round_ == 1 else [3, 2])
                assert len(params_of(entry, "wedding")) + len(params_of(entry, "all-married")) == 1
        if entry.action.type == "buy" and entry.action.buy:
            assert round_ in (6, 7)
            faction = entry.action.faction
            paid = [m for s in steps(entry) for m in s.moves if m.owner == faction and m.piece == "florin"]
            assert [(m.source, m.target, m.count) for m in paid] == [("reserve", "bank", 5)]
            assert [m.count for s in steps(entry) for m in s.moves if m.target == "score:buy"] == [5]


@invariant(25)
def test_players_above_the_limit_get_nothing(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        before, after = entry.state, entry.outcome.state
        data = before.frames[0].data
        if before.frames[0].phase != "rewards" or after.frames[0].phase != "rewards":
            continue
        for faction in set(before.order) - set(data["eligible"]):
            assert holdings_of(before, faction) == holdings_of(after, faction)


@invariant(25)
def test_bonus_tile_includes_a_wedding_and_round_florins(players: int, seed: int) -> None:
    codes_by_reward: dict[tuple[int, str], list[str]] = {}
    for entry in walk(players, seed).entries:
        for step in steps(entry):
            rewarded = step.rule == "5.12" and entry.state.frames[0].phase == "rewards"
            if rewarded and step.message.code in ("takes-tile", "wedding", "all-married", "florins-gained"):
                key = entry.state.round, step.message.params["faction"].slug
                codes_by_reward.setdefault(key, []).append(step.message.code)
    for (number, _), codes in codes_by_reward.items():
        if "takes-tile" in codes:
            assert codes.count("wedding") + codes.count("all-married") == 1
            assert codes.count("florins-gained") == (number > 1)


@invariant(26)
def test_points_are_bought_at_most_once_a_round(players: int, seed: int) -> None:
    game = walk(players, seed)
    bought = Counter(
        (e.state.round, e.action.faction) for e in game.entries if e.action.type == "buy" and e.action.buy
    )
    assert all(count == 1 for count in bought.values())
    if game.setup.options["buy_once_a_game"]:
        assert all(count == 1 for count in Counter(who for _, who in bought).values())


@invariant(28, 29)
def test_game_has_seven_rounds_and_a_strict_ranking(players: int, seed: int) -> None:
    game = walk(players, seed)
    rounds = [state.round for state in game.states]
    assert rounds == sorted(rounds)
    assert set(rounds) == set(range(8))
    result = SIGNORIA.result(game.last)
    assert result is not None
    assert sorted(itertools.chain(*result.ranking)) == sorted(game.last.order)
    assert all(len(place) == 1 for place in result.ranking)
    points = {s.faction: s.points for s in SIGNORIA.standings(game.last)}
    ranked = [points[faction] for (faction,) in result.ranking]
    assert ranked == sorted(ranked, reverse=True)
    assert sum(len(params_of(entry, "clean-up")) for entry in game.entries) == 7


@invariant(30)
def test_replaying_the_journal_rebuilds_the_game(players: int, seed: int) -> None:
    game = walk(players, seed)
    state = game.start.state
    for (faction, data), entry in zip(journal(game), game.entries, strict=True):
        outcome = SIGNORIA.apply(state, SIGNORIA.read_action(data, faction))
        assert outcome == entry.outcome
        state = SIGNORIA.read_state(plain(SIGNORIA.state_json(outcome.state)))
    assert state == game.last


@invariant(31)
def test_pass_is_offered_in_every_turn(players: int, seed: int) -> None:
    for entry in walk(players, seed).entries:
        if entry.state.frames[-1].phase == "turn":
            assert "pass" in {prompt.action for prompt in entry.prompts}


@invariant(32)
def test_renaming_factions_changes_no_number(players: int, seed: int) -> None:
    """The same game with every faction replaced by the next one."""
    game = walk(players, seed)
    colours = SIGNORIA.factions
    swap = {a: colours[(i + 1) % 4] for i, a in enumerate(colours)}
    renamed = [swap[faction] for faction in game.setup.factions]
    setup = SIGNORIA.prepare(renamed, options=game.setup.options, figures=game.setup.figures)
    state = SIGNORIA.start(setup).state
    for faction, data in journal(game):
        other = dict(data)
        if data["type"] == "order":
            other["order"] = [swap[f] for f in data["order"]]
        if data["type"] == "boards":
            other["boards"] = {swap[f]: board for f, board in data["boards"].items()}
        state = SIGNORIA.apply(state, SIGNORIA.read_action(other, swap[faction])).state
    before = {swap[s.faction]: s.parts for s in SIGNORIA.standings(game.last)}
    assert before == {s.faction: s.parts for s in SIGNORIA.standings(state)}


def test_game_invariants_hold_in_every_state() -> None:
    for players, seed in SHORT:
        assert not [message for state in walk(players, seed).states for message in SIGNORIA.invariants(state)]


def test_walks_enter_every_action_type() -> None:
    entries = [entry for players, seed in SHORT for entry in walk(players, seed).entries]
    assert {kind.type for kind in SIGNORIA.actions} == {entry.action.type for entry in entries}
    assert "bonus-die" in {entry.state.frames[-1].phase for entry in entries}


def test_every_digest_invariant_is_covered() -> None:
    assert set(range(1, 33)) == COVERED


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4, 14))
def test_invariants_hold_in_more_games(players: int, seed: int) -> None:
    checks = [check for name, check in globals().items() if name.startswith("test_") and _is_for_games(check)]
    assert len(checks) > 20
    for check in checks:
        check(players, seed)
    assert not [message for state in walk(players, seed).states for message in SIGNORIA.invariants(state)]


def _is_for_games(check: Any) -> bool:
    marks = getattr(check, "pytestmark", [])
    return any(m.name == "parametrize" and m.args[0] == ("players", "seed") for m in marks)
