"""Properties that hold for every game, checked in states reached by random play."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.core import wording as core_wording
from games.core.actions import Correct, SetOption, action_json
from games.core.errors import BadInput
from games.core.game import AnyGame
from games.core.prompts import Plan, Prompt
from games.core.steps import Step
from players.randomly import play_on
from tests.conformance.mutants import Pool, mutants
from tests.conformance.walks import (
    LARGEST_LISTED,
    LENGTHY,
    PLAYED,
    Walk,
    every_table,
    explored,
    is_offered,
    is_planned,
    key,
    plain,
    random_setup,
    seeds,
    walk,
)
from tests.core.rendering import faults, is_known_rule, sentence

SEEDS = seeds(0, 1)
LARGEST_ENUMERATED = 2_000
EVERY_GAME = pytest.mark.parametrize("slug", list(PLAYED))
EVERY_TABLE = every_table()


def all_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from all_steps(step.steps)


def reloaded(game: AnyGame, state: Any) -> Any:
    """Return the state after a round trip through JSON."""
    return game.read_state(json.loads(json.dumps(game.state_json(state))))


# Prompts


@SEEDS
def test_prompts_are_deterministic(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for state in walk(slug, players, seed).states:
        prompts = game.prompts(state)
        assert game.prompts(state) == prompts
        assert game.prompts(reloaded(game, state)) == prompts


@SEEDS
def test_prompts_are_unique_and_in_play_order(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for state in walk(slug, players, seed).states:
        prompts = game.prompts(state)
        places = [state.order.index(prompt.faction) for prompt in prompts]
        assert places == sorted(places)
        keys = [(prompt.faction, prompt.action) for prompt in prompts]
        assert len(set(keys)) == len(keys)
        assert game.waiting_for(state) == tuple(f for f in state.order if f in dict(keys))


@SEEDS
def test_domains_are_not_empty_and_have_unique_elements(slug: str, players: int, seed: int) -> None:
    for entry in walk(slug, players, seed).played:
        assert entry.prompt.size() > 0
        for field in entry.prompt.fields:
            indexes = sample_indexes(field.size()) if not isinstance(field, Plan) else []
            elements = [key(list(field.element(i))) for i in indexes]
            assert len(set(elements)) == len(elements)
            assert key(field.bounds())  # serialisable as JSON


def sample_indexes(size: int) -> list[int]:
    """Return all indexes of a small field, some of a large one."""
    if size <= LARGEST_ENUMERATED:
        return list(range(size))
    return sorted({0, 1, size // 2, size - 2, size - 1, *range(0, size, size // 20)})


@SEEDS
def test_example_is_an_accepted_element_of_its_domain(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for state in walk(slug, players, seed).states:
        prompts = game.prompts(state)
        for prompt in prompts:
            assert game.read_action(plain(prompt.example_json()), prompt.faction) == prompt.example
            data = without_defaults(prompt)
            assert is_planned(prompts, prompt.faction, data) or is_offered(prompts, prompt.faction, data)
            assert game.why_not(state, prompt.example) is None


def without_defaults(prompt: Prompt) -> dict[str, Any]:
    """Return the example as an element: fields outside the prompt are dropped if they have their default."""
    named = {"type", *(name for field in prompt.fields for name in field.names)}
    data = plain(prompt.example_json())
    defaults = {f.name: default_of(f) for f in dataclasses.fields(prompt.example)}
    return {name: value for name, value in data.items() if name in named or value != defaults[name]}


def default_of(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def check_offered_actions(
    game: AnyGame, state: Any, most: int, samples: int, generator: random.Random
) -> int:
    """Check that offered actions are accepted; return how many were tried."""
    tried = 0
    for prompt in game.prompts(state):
        for data in explored(prompt, generator, most, samples):
            refusal = game.why_not(state, game.read_action(plain(data), prompt.faction))
            assert refusal is None, (data, refusal)
            tried += 1
    return tried


@SEEDS
def test_offered_actions_are_accepted(slug: str, players: int, seed: int) -> None:
    """Small domains are enumerated in every 20th state (60th for long games), others sampled."""
    game = PLAYED[slug]
    generator = random.Random(seed)
    states = walk(slug, players, seed).states[:-1]
    every = 60 if slug in LENGTHY else 20
    tried = 0
    for i, state in enumerate(states):
        most = LARGEST_ENUMERATED if i % every == seed else 3
        tried += check_offered_actions(game, state, most, 3, generator)
    assert tried > len(states)


@SEEDS
def test_actions_not_offered_are_rejected_with_a_section(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    game_played = walk(slug, players, seed)
    refused = sum(check_mutants(game, game_played, random.Random(seed), every=3))
    assert refused > len(game_played.played) or len(game_played.played) == 1


def check_mutants(game: AnyGame, played: Walk, generator: random.Random, every: int) -> Iterator[int]:
    """Enter nearly valid actions into every n-th state; yield 1 for each that the rules rejected."""
    pool = Pool(played)
    for i, state in enumerate(played.states[:-1]):
        if i % every:
            continue
        prompts = game.prompts(state)
        prompt = generator.choice(prompts)
        before = key(game.state_json(state))
        for faction, data in mutants(pool, prompt, state.setup.factions, generator):
            if not is_offered(prompts, faction, data):
                yield check_rejected(game, state, prompts, faction, data)
        assert key(game.state_json(state)) == before


def check_rejected(
    game: AnyGame, state: Any, prompts: list[Prompt], faction: str, data: dict[str, Any]
) -> int:
    """Return 1 if the rules reject it; 0 if it is malformed or equivalent to an offered action."""
    action = read_or_refusal(game, faction, data)
    refusal = action if isinstance(action, BadInput) else game.why_not(state, action)
    if refusal:
        assert not list(faults(game, refusal.message))
        assert sentence(game, refusal.message)
        well_formed = not isinstance(action, BadInput)
        assert is_known_rule(game, refusal.rule) or not well_formed, (data, refusal)
        return int(well_formed)
    if is_offered(prompts, faction, plain(action_json(action))):
        return 0  # it only omitted a field with a default
    if is_planned(prompts, faction, data):
        assert game.invariants(game.apply(state, action).state) == []
        return 0
    equivalent = (
        game.apply(state, game.read_action(plain(element), prompt.faction)).state
        for prompt in prompts
        if (prompt.faction, prompt.action) == (faction, data["type"])
        if prompt.size() <= LARGEST_LISTED
        for element in prompt.elements()
    )
    assert game.apply(state, action).state in equivalent, f"{faction} may enter {data}, which is not offered"
    return 0


def read_or_refusal(game: AnyGame, faction: str, data: dict[str, Any]) -> Any:
    try:
        return game.read_action(data, faction)
    except BadInput as refusal:
        return refusal


@SEEDS
def test_unseated_faction_is_rejected(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    state = walk(slug, players, seed).states[len(walk(slug, players, seed).played) // 2]
    action = dataclasses.replace(game.prompts(state)[0].example, faction="stranger")
    refusal = game.why_not(state, action)
    assert isinstance(refusal, BadInput)
    assert sentence(game, refusal.message) == "Nobody at this table plays “stranger”."


# Playing


@SEEDS
def test_apply_leaves_its_input_unchanged(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for entry in walk(slug, players, seed).played:
        before = key(game.state_json(entry.state))
        again = game.apply(entry.state, entry.action)
        assert key(game.state_json(entry.state)) == before
        assert again == entry.outcome


@SEEDS
def test_play_continues_from_a_state_reloaded_from_json(slug: str, players: int, seed: int) -> None:
    """States and actions go through JSON after every entry; outcomes stay the same."""
    game_played = walk(slug, players, seed)
    game = game_played.game
    state = reloaded(game, game_played.start.state)
    for entry, (faction, data) in zip(game_played.played, game_played.journal, strict=True):
        outcome = game.apply(state, game.read_action(data, faction))
        assert outcome == entry.outcome
        state = reloaded(game, outcome.state)


@SEEDS
def test_stored_journal_folds_to_the_same_state(slug: str, players: int, seed: int) -> None:
    game_played = walk(slug, players, seed)
    game = game_played.game
    state = game.start(game_played.setup).state
    for faction, data in game_played.journal:
        state = game.apply(state, game.read_action(data, faction)).state
    assert game.state_json(state) == game.state_json(game_played.states[-1])


@SEEDS
def test_actions_round_trip_through_json(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for entry in walk(slug, players, seed).played:
        data = plain(action_json(entry.action))
        assert game.read_action(data, entry.action.faction) == entry.action
        assert "faction" not in data


@SEEDS
def test_moves_of_the_steps_explain_every_ledger_change(slug: str, players: int, seed: int) -> None:
    for entry in walk(slug, players, seed).played:
        moves = [move for step in entry.outcome.steps for move in step.all_moves()]
        assert entry.state.ledger.move(*moves) == entry.outcome.state.ledger
        assert all(move.count > 0 for move in moves)


@SEEDS
def test_every_state_satisfies_the_invariants(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for state in walk(slug, players, seed).states:
        assert game.invariants(state) == []


@SEEDS
def test_points_are_the_sum_of_their_parts(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    for state in walk(slug, players, seed).states:
        standings = game.standings(state)
        assert sorted(s.faction for s in standings) == sorted(state.order)
        assert all(s.points == sum(s.parts.values()) for s in standings)


@SEEDS
def test_game_ends_once_and_ranks_every_faction(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    *before, last = walk(slug, players, seed).states
    assert all(game.result(state) is None for state in before)
    assert all(game.provisional(state) is not None for state in before)
    result = game.result(last)
    assert result is not None
    assert sorted(itertools.chain(*result.ranking)) == sorted(last.order)
    assert game.provisional(last) is None
    points = {s.faction: s.points for s in game.standings(last)}
    if last.setup.players == len(last.order):  # otherwise the factions of a person count together
        assert all(points[winner] == max(points.values()) for winner in result.winners)


# Games in which a seat knows what others must not see; tested separately.
WITH_SECRETS = frozenset({"wallenstein"})


@SEEDS
def test_every_seat_sees_the_whole_state_of_an_open_game(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    if slug in WITH_SECRETS:
        pytest.skip("it has secrets")
    for state in walk(slug, players, seed).states[::10]:
        for faction in (None, *state.order):
            assert game.view(state, faction) == state


# Messages


@SEEDS
def test_every_step_has_a_known_rule_and_known_options(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    options = {option.name for option in game.options}
    for outcome in walk(slug, players, seed).outcomes:
        assert outcome.steps
        for step in all_steps(outcome.steps):
            assert is_known_rule(game, step.rule), step
            assert set(step.options) <= options


@SEEDS
def test_every_message_can_be_rendered(slug: str, players: int, seed: int) -> None:
    """Every message has a wording whose placeholders match its parameters, and every name is known."""
    game = PLAYED[slug]
    game_played = walk(slug, players, seed)
    steps = [step for o in game_played.outcomes for step in all_steps(o.steps)]
    messages = [step.message for step in steps] + [act.message for step in steps for act in step.acts]
    for state in game_played.states:
        messages += [prompt.title for prompt in game.prompts(state)]
        messages += [message for message in [game.provisional(state)] if message]
    result = game.result(game_played.states[-1])
    messages += [result.reason] if result and result.reason else []
    wrong = {fault for message in messages for fault in faults(game, message)}
    assert not wrong
    assert all(sentence(game, message) for message in messages)


@SEEDS
def test_acts_belong_to_seated_factions(slug: str, players: int, seed: int) -> None:
    for outcome in walk(slug, players, seed).outcomes:
        for step in all_steps(outcome.steps):
            assert all(act.hand in (None, *outcome.state.order) for act in step.acts)


@EVERY_GAME
def test_everything_selectable_has_a_name(slug: str) -> None:
    game = PLAYED[slug]
    names = game.texts.names
    assert {f"faction:{faction}" for faction in (*game.factions, *game.neutrals)} <= set(names)
    assert {f"piece:{piece}" for piece in game.pieces} <= set(names)
    assert {f"phase:{phase}" for phase in game.machine._phases} <= {*names, *core_wording.NAMES}
    assert {f"option.{option.name}" for option in game.options} <= set(game.texts.messages)
    assert "players" in game.texts.messages


@EVERY_TABLE
def test_point_sources_have_a_name(slug: str, players: int) -> None:
    game = PLAYED[slug]
    for standing in game.standings(walk(slug, players, 0).states[-1]):
        assert {f"part:{part}" for part in standing.parts} <= set(game.texts.names)


# Playing with the examples alone


@EVERY_TABLE
@pytest.mark.parametrize("which", ["first", "last", "random"])
def test_posting_examples_finishes_the_game(slug: str, players: int, which: str) -> None:
    game = PLAYED[slug]
    generator = random.Random(players)
    state = game.start(random_setup(game, players, generator, default=True)).state
    for _ in range(5_000):
        prompts = game.prompts(state)
        if not prompts:
            break
        prompt = {"first": prompts[0], "last": prompts[-1], "random": generator.choice(prompts)}[which]
        state = game.apply(state, game.read_action(plain(prompt.example_json()), prompt.faction)).state
    assert game.result(state) is not None


# Changing table options during the game


@SEEDS
def test_play_continues_after_changing_an_option(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    state = walk(slug, players, seed).states[len(walk(slug, players, seed).played) // 2]
    for option in game.options:
        action = SetOption(faction=state.order[0], name=option.name, value=option.default)
        refusal = game.why_not(state, action)
        assert (refusal is not None) == option.fixed
        if refusal:
            assert refusal.rule == "option"
            assert not list(faults(game, refusal.message))
            continue
        outcome = game.apply(state, action)
        assert outcome.state.setup.options[option.name] == option.default
        assert not [fault for step in outcome.steps for fault in faults(game, step.message)]
        assert list(play_on(game, outcome.state, random.Random(seed)))


# Corrections


def random_correction(game: AnyGame, state: Any, places: list[str], generator: random.Random) -> Correct:
    place = generator.choice(places or ["supply"])  # an empty score sheet has no occupied place
    owner = generator.choice((*state.order, *game.neutrals))
    piece = generator.choice(sorted(game.pieces))
    held = state.ledger.at(place)
    if held and generator.randrange(2):
        owner, piece, _, _ = generator.choice(held)
    count = max(0, state.ledger.count(owner, piece, place) + generator.choice((-30, -2, -1, 0, 1, 1, 2, 5)))
    against = generator.choice((None, None, *places))
    return Correct(
        faction=state.order[0],
        owner=owner,
        piece=piece,
        place=place,
        count=count,
        reason="counted again",
        against=against,
    )


def corrected(game: AnyGame, state: Any, correction: Correct) -> Any:
    """Return the state after a correction, checking its steps; None if it was rejected."""
    refusal = game.why_not(state, correction)
    if refusal:
        assert not list(faults(game, refusal.message))
        return None
    outcome = game.apply(state, correction)
    moves = [move for step in outcome.steps for move in step.all_moves()]
    assert state.ledger.move(*moves) == outcome.state.ledger
    # The first step is the correction itself, before any automatic phase.
    after = state.ledger.move(*outcome.steps[0].all_moves())
    assert after.count(correction.owner, correction.piece, correction.place) == correction.count
    assert not [fault for step in all_steps(outcome.steps) for fault in faults(game, step.message)]
    return outcome.state


def check_playable(game: AnyGame, state: Any) -> None:
    """Check that the game is over, or that there are prompts whose examples are accepted."""
    prompts = game.prompts(state)
    assert prompts or game.result(state)
    assert reloaded(game, state) == state
    assert game.standings(state)
    assert not [fault for wrong in game.invariants(state) for fault in faults(game, wrong)]
    for prompt in prompts:
        assert prompt.size() > 0
        assert game.why_not(state, prompt.example) is None
        assert not list(faults(game, prompt.title))


def play_with_corrections(slug: str, players: int, seed: int, *, often: int) -> int:
    """Play a game with random corrections in between; return how many were accepted."""
    game = PLAYED[slug]
    game_played = walk(slug, players, seed)
    generator = random.Random(f"corrections {seed}")
    places = sorted({place for state in game_played.states[::5] for place in state.ledger.occupied()})
    places += [
        place for place in FAR_PLACES.get(slug, []) if game.knows_place(game_played.start.state, place)
    ]
    state = game_played.start.state
    accepted = 0
    for _ in range(2_000):
        prompts = game.prompts(state)
        if not prompts:
            break
        if accepted < 60 and not generator.randrange(often):
            after = corrected(game, state, random_correction(game, state, places, generator))
            if after is not None:
                accepted += 1
                state = after
                check_playable(game, state)
            continue
        prompt = generator.choice(prompts)
        action = game.read_action(plain(prompt.sample(generator.randrange)), prompt.faction)
        state = game.apply(state, action).state
    assert game.result(state)
    return accepted


# Distant cells, to which corrections can extend the landscape.
FAR_PLACES = {"raubritter": ["cell:10,10", "cell:-10,-10", "cell:-10,10", "cell:5,-10", "cell:10,0"]}


@seeds(0, 1, 2)
def test_play_continues_after_corrections(slug: str, players: int, seed: int) -> None:
    accepted = play_with_corrections(slug, players, seed, often=3)
    accepted += play_with_corrections(slug, players, seed, often=2)
    assert accepted >= min(10, len(walk(slug, players, seed).played) // 3)


@EVERY_TABLE
def test_counts_can_be_corrected_after_the_end(slug: str, players: int) -> None:
    game = PLAYED[slug]
    state = walk(slug, players, 0).states[-1]
    generator = random.Random(players)
    accepted = 0
    for _ in range(200):
        after = corrected(game, state, random_correction(game, state, state.ledger.occupied(), generator))
        if after is not None:
            accepted += 1
            state = after
            check_playable(game, state)
    assert accepted > 10 or not state.ledger.occupied()


# Long runs


@pytest.mark.long
@seeds(*range(2, 5))
def test_long_offered_and_rejected_actions(slug: str, players: int, seed: int) -> None:
    game = PLAYED[slug]
    generator = random.Random(seed)
    game_played = walk(slug, players, seed)
    for state in game_played.states[seed % 4 :: 4]:
        check_offered_actions(game, state, LARGEST_ENUMERATED, 100, generator)
    assert sum(check_mutants(game, game_played, generator, every=1)) > len(game_played.played)


@pytest.mark.long
@seeds(*range(3, 12))
def test_long_corrections(slug: str, players: int, seed: int) -> None:
    for often in (2, 3, 5, 10):
        play_with_corrections(slug, players, seed, often=often)


@pytest.mark.long
@seeds(*range(2, 14))
def test_long_whole_games(slug: str, players: int, seed: int) -> None:
    """Run the main properties with more seeds."""
    test_every_state_satisfies_the_invariants(slug, players, seed)
    test_every_message_can_be_rendered(slug, players, seed)
    test_play_continues_from_a_state_reloaded_from_json(slug, players, seed)
    test_moves_of_the_steps_explain_every_ledger_change(slug, players, seed)
