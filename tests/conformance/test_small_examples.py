"""Conformance properties with Hypothesis, which shrinks failures to the smallest game."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.test_games import (
    FAR_PLACES,
    check_offered_actions,
    check_playable,
    corrected,
    random_correction,
    reloaded,
)
from tests.conformance.walks import PLAYED, every_table, plain, random_setup

SETTINGS = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
EVERY_TABLE = every_table()
GENERATOR = st.randoms(use_true_random=False)


@EVERY_TABLE
@SETTINGS
@given(generator=GENERATOR, entries=st.integers(0, 20))
def test_play_can_continue_from_every_state(
    slug: str, players: int, generator: random.Random, entries: int
) -> None:
    game = PLAYED[slug]
    state = game.start(random_setup(game, players, generator)).state
    for _ in range(entries):
        prompts = game.prompts(state)
        if not prompts:  # a score pad is complete after a few entries
            break
        prompt = generator.choice(prompts)
        state = game.apply(
            state, game.read_action(plain(prompt.sample(generator.randrange)), prompt.faction)
        ).state
    assert game.invariants(state) == []
    assert reloaded(game, state) == state
    check_offered_actions(game, state, 3, 3, generator)


@EVERY_TABLE
@SETTINGS
@given(generator=GENERATOR, plan=st.lists(st.booleans(), max_size=15))
def test_play_can_continue_after_any_correction(
    slug: str, players: int, generator: random.Random, plan: list[bool]
) -> None:
    """``plan``: True is an entry, False a correction."""
    game = PLAYED[slug]
    state = game.start(random_setup(game, players, generator)).state
    for is_entry in plan:
        prompts = game.prompts(state)
        if is_entry and prompts:
            prompt = generator.choice(prompts)
            data = plain(prompt.sample(generator.randrange))
            state = game.apply(state, game.read_action(data, prompt.faction)).state
        else:
            places = [*state.ledger.occupied(), *FAR_PLACES.get(slug, [])]
            state = corrected(game, state, random_correction(game, state, places, generator)) or state
        check_playable(game, state)
