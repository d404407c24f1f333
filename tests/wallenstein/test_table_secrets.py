"""Plans are known to their own seat alone until their cards are turned over."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.core.actions import CORE_ACTIONS
from games.wallenstein.actions import ACTIONS, Plan
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.state import State
from players.randomly import Played
from tests.wallenstein.games import game, seeds
from tests.wallenstein.positions import flat


def told(entry: Played) -> str:
    """Everything that an entry says and moves, as text."""
    said = [(step.message, step.moves, step.acts, step.result) for step in flat(entry.outcome.steps)]
    return repr(said)


def seen(state: State, faction: str | None) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(WALLENSTEIN.facts(WALLENSTEIN.view(state, faction))))
    return data


def plans_made(players: int, seed: int) -> list[Played]:
    return [entry for entry in game(players, seed).played if entry.action.type == "plan"]


def test_only_plans_are_hidden() -> None:
    assert [kind.type for kind in (*ACTIONS, *CORE_ACTIONS) if kind.hidden] == ["plan"]


@seeds(0)
def test_a_seat_sees_its_own_plan_and_nobody_elses(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        for faction in (None, *state.order):
            plans = seen(state, faction)["plans"]
            assert set(plans) == set(state.plans)  # that somebody has planned is known
            assert all(not cards for who, cards in plans.items() if who != faction)
            if faction in state.plans:
                assert plans[faction] == state.plans[faction]


@seeds(0)
def test_a_view_is_the_same_whatever_others_have_planned(players: int, seed: int) -> None:
    """The strongest form: change the plans of others, and a seat sees no difference anywhere."""
    for entry in plans_made(players, seed)[::3]:
        state, planner = entry.outcome.state, entry.action.faction
        other = WALLENSTEIN.apply(
            entry.state, WALLENSTEIN.read_action(entry.prompt.sample(lambda n: n // 2), planner)
        ).state
        for faction in (None, *(f for f in state.order if f != planner)):
            assert seen(state, faction) == seen(other, faction)


@seeds(0)
def test_the_entry_of_a_plan_tells_nothing_of_it(players: int, seed: int) -> None:
    """Nor do the prompts that others get before the first card is turned over."""
    for entry in plans_made(players, seed):
        codes = [step.message.code for step in flat(entry.outcome.steps)]
        assert set(codes) <= {"planned", "all-planned"}
        assert "province" not in told(entry)
        assert not [move for step in entry.outcome.steps for move in step.all_moves()]


@seeds(0)
def test_an_entry_is_hidden_until_the_tenth_card(players: int, seed: int) -> None:
    walk = game(players, seed)
    (first, *_) = plans_made(players, seed)
    faction = first.action.faction
    hidden = [WALLENSTEIN.is_hidden(state, first.action) for state in walk.states]
    begin = walk.states.index(first.outcome.state)
    end = next(i for i, state in enumerate(walk.states) if state.round == 2)
    assert not any(hidden[:begin])
    assert hidden[begin : begin + 3] == [True] * 3
    assert not any(hidden[end:])
    for state, is_hidden in zip(walk.states[begin:end], hidden[begin:end], strict=True):
        assert is_hidden == (len(state.turned.get(faction, {})) < 10)


@seeds(0)
def test_cards_are_revealed_in_the_order_of_the_row(players: int, seed: int) -> None:
    """What is public of a plan at any time is what has been turned over."""
    for state in game(players, seed).states:
        for faction, turned in state.turned.items():
            assert list(turned) == list(state.row[: len(turned)])
            assert not set(turned) & set(state.plans.get(faction, {}))


@pytest.mark.long
@seeds(*range(1, 6))
def test_long_views(players: int, seed: int) -> None:
    test_a_seat_sees_its_own_plan_and_nobody_elses(players, seed)


def test_a_plan_is_no_part_of_a_frame_or_an_order() -> None:
    """Where else could it hide? Nowhere but in ``plans``."""
    entry = plans_made(3, 0)[0]
    assert isinstance(entry.action, Plan)
    data = WALLENSTEIN.state_json(entry.outcome.state)
    plans = data.pop("plans")
    assert plans[entry.action.faction] == dict(entry.action.cards)
    before = WALLENSTEIN.state_json(entry.state)
    before.pop("plans")
    assert data == before


# Looking ahead


@seeds(0)
def test_looking_ahead_ends_before_a_card_is_turned_over(players: int, seed: int) -> None:
    """And is the same whatever lies there: it follows from what everybody knows."""
    played = game(players, seed).played
    for entry in played[::7]:
        ahead = WALLENSTEIN.foresee(entry.state, entry.action)
        assert not WALLENSTEIN.reveals(entry.state, ahead.state)
        steps = entry.outcome.steps
        assert ahead.steps == steps[: len(ahead.steps)]
        if ahead.steps == steps:
            assert ahead.state == entry.outcome.state
        blank = replace(entry.state, plans={who: {} for who in entry.state.plans})
        if entry.action.type != "plan":
            assert told_ahead(blank, entry) == told_ahead(entry.state, entry)


def told_ahead(state: State, entry: Played) -> str:
    return repr(WALLENSTEIN.foresee(state, entry.action).steps)


@seeds(0)
def test_what_reveals(players: int, seed: int) -> None:
    """From one entry to the next something is revealed where cards of a plan are turned over."""
    for entry in game(players, seed).played:
        now, then = entry.state, entry.outcome.state
        codes = {step.message.code for step in flat(entry.outcome.steps)}
        more = then.round > now.round or any(
            len(cards) > len(now.turned.get(who, {})) for who, cards in then.turned.items()
        )
        down = any(len(now.turned.get(who, {})) < 10 for who in now.plans)
        assert WALLENSTEIN.reveals(now, then) == (more and down)
        assert not WALLENSTEIN.reveals(then, now)
        if "planned" in codes:
            assert not WALLENSTEIN.reveals(now, then)
