"""Plans are visible to their own seat only until their cards are turned over."""

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


def steps_text(entry: Played) -> str:
    """Return everything that an entry says and moves, as text."""
    contents = [(step.message, step.moves, step.acts, step.result) for step in flat(entry.outcome.steps)]
    return repr(contents)


def facts_seen(state: State, faction: str | None) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(WALLENSTEIN.facts(WALLENSTEIN.view(state, faction))))
    return data


def plans_made(players: int, seed: int) -> list[Played]:
    return [entry for entry in game(players, seed).played if entry.action.type == "plan"]


def test_only_plans_are_hidden() -> None:
    assert [kind.type for kind in (*ACTIONS, *CORE_ACTIONS) if kind.hidden] == ["plan"]


@seeds(0)
def test_seat_sees_only_its_own_plan(players: int, seed: int) -> None:
    for state in game(players, seed).states:
        for faction in (None, *state.order):
            plans = facts_seen(state, faction)["plans"]
            assert set(plans) == set(state.plans)  # it is public who has planned
            assert all(not cards for player, cards in plans.items() if player != faction)
            if faction in state.plans:
                assert plans[faction] == state.plans[faction]


@seeds(0)
def test_view_does_not_depend_on_plans_of_others(players: int, seed: int) -> None:
    """With another plan of another seat, nothing in the view differs."""
    for entry in plans_made(players, seed)[::3]:
        state, planner = entry.outcome.state, entry.action.faction
        other = WALLENSTEIN.apply(
            entry.state, WALLENSTEIN.read_action(entry.prompt.sample(lambda n: n // 2), planner)
        ).state
        for faction in (None, *(f for f in state.order if f != planner)):
            assert facts_seen(state, faction) == facts_seen(other, faction)


@seeds(0)
def test_steps_of_a_plan_reveal_nothing(players: int, seed: int) -> None:
    for entry in plans_made(players, seed):
        codes = [step.message.code for step in flat(entry.outcome.steps)]
        assert set(codes) <= {"planned", "all-planned"}
        assert "province" not in steps_text(entry)
        assert not [move for step in entry.outcome.steps for move in step.all_moves()]


@seeds(0)
def test_plan_entry_is_hidden_until_the_tenth_card(players: int, seed: int) -> None:
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
    """The public part of a plan is exactly the cards turned over."""
    for state in game(players, seed).states:
        for faction, turned in state.turned.items():
            assert list(turned) == list(state.row[: len(turned)])
            assert not set(turned) & set(state.plans.get(faction, {}))


@pytest.mark.long
@seeds(*range(1, 6))
def test_long_seat_sees_only_its_own_plan(players: int, seed: int) -> None:
    test_seat_sees_only_its_own_plan(players, seed)


def test_plan_changes_only_the_plans_field() -> None:
    entry = plans_made(3, 0)[0]
    assert isinstance(entry.action, Plan)
    data = WALLENSTEIN.state_json(entry.outcome.state)
    plans = data.pop("plans")
    assert plans[entry.action.faction] == dict(entry.action.cards)
    before = WALLENSTEIN.state_json(entry.state)
    before.pop("plans")
    assert data == before


# Foresight


@seeds(0)
def test_foresee_stops_before_a_card_is_turned_over(players: int, seed: int) -> None:
    """Foresight is independent of face-down cards: it follows from public knowledge."""
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
            assert foreseen_steps(blank, entry) == foreseen_steps(entry.state, entry)


def foreseen_steps(state: State, entry: Played) -> str:
    return repr(WALLENSTEIN.foresee(state, entry.action).steps)


@seeds(0)
def test_reveals_detects_turned_over_plan_cards(players: int, seed: int) -> None:
    """A step reveals something exactly if plan cards are turned over."""
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
