"""Prompt domains in both directions: offered actions are accepted, similar ones not offered are rejected."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.core.prompts import Plan, Prompt
from games.signoria.game import SIGNORIA
from games.signoria.state import State
from games.signoria.tasks import TASKS
from tests.core.rendering import faults, is_known_rule
from tests.signoria.scenes import CITIES, COLOURS, TRACKS
from tests.signoria.walking import plain, random_profile, walk

LARGEST = 2_000
GAMES = pytest.mark.parametrize(
    ("players", "seed"),
    [
        (2, 2),
        (3, 0),
        (4, 3),
        *(pytest.param(n, seed, marks=pytest.mark.long) for n in (2, 3, 4) for seed in range(4, 10)),
    ],
)
FIELDS = (*TRACKS[:3], "marriage")


def states_by_prompt(players: int, seed: int, each: int) -> list[tuple[State, Prompt]]:
    """Return up to `each` states per prompt type in which that prompt occurs."""
    generator = random.Random(seed)
    cases_by_action: dict[str, list[tuple[State, Prompt]]] = {}
    for entry in walk(players, seed).entries:
        for prompt in entry.prompts:
            if prompt.faction == entry.action.faction:
                cases_by_action.setdefault(prompt.action, []).append((entry.state, prompt))
    return [
        case for cases in cases_by_action.values() for case in generator.sample(cases, min(each, len(cases)))
    ]


def accepted(state: State, faction: str, data: dict[str, Any]) -> bool:
    refusal = SIGNORIA.why_not(state, SIGNORIA.read_action(plain(data), faction))
    if refusal is not None:
        assert is_known_rule(SIGNORIA, refusal.rule)
        assert not list(faults(SIGNORIA, refusal.message))
    return refusal is None


@GAMES
def test_offered_actions_are_accepted(players: int, seed: int) -> None:
    generator = random.Random(seed)
    for state, prompt in states_by_prompt(players, seed, 4):
        if prompt.size() <= LARGEST:
            offered = list(prompt.elements())
            samples = generator.sample(offered, min(60, len(offered)))
        else:
            samples = [prompt.sample(generator.randrange) for _ in range(30)]
        for data in samples:
            assert accepted(state, prompt.faction, data), data


@GAMES
def test_prompt_examples_are_accepted(players: int, seed: int) -> None:
    for state, prompt in states_by_prompt(players, seed, 20):
        assert accepted(state, prompt.faction, prompt.example_json())


# All conceivable actions of a type, legal or not, where they can be listed


def _takes(state: State) -> Iterator[dict[str, Any]]:
    generator = random.Random(state.round)
    faces = [generator.randint(1, 6) for _ in range(2)]
    for colour, die in itertools.product(COLOURS, faces):
        for action in ("hire", "signoria"):
            yield {"colour": colour, "die": die, "action": action, "task": None, "men": 0, "women": 0}
        for task, n, man in itertools.product(TASKS, (0, 1, 2, 3, 4), (True, False)):
            members = {"men": n if man else 0, "women": 0 if man else n}
            yield {"colour": colour, "die": die, "action": "task", "task": task, **members}


def _missions(state: State) -> Iterator[dict[str, Any]]:
    names = itertools.product(TRACKS[:3], range(14), CITIES)
    blind = state.frames[-1].data["blind"]
    for career, at, city in names:
        for field in (None, *TRACKS[:3]) if blind else (None,):
            for tile in (None, True, False):
                yield {"career": career, "at": at, "city": city, "field": field, "tile": tile}


def _marriages(state: State) -> Iterator[dict[str, Any]]:
    for city, dowry, tile in itertools.product(CITIES, range(6), (None, True, False)):
        yield {"city": city, "dowry": dowry, "tile": tile}


def _errands(state: State) -> Iterator[dict[str, Any]]:
    for task, men, women in itertools.product(TASKS, (0, 1, 2), (0, 1, 2)):
        yield {"task": task, "men": men, "women": women}


def _numbers(*names: str, most: int) -> Callable[[State], Iterator[dict[str, Any]]]:
    def every(_state: State) -> Iterator[dict[str, Any]]:
        for values in itertools.product(range(most + 1), repeat=len(names)):
            yield dict(zip(names, values, strict=True))

    return every


def _hires(_state: State) -> Iterator[dict[str, Any]]:
    for column, row in itertools.product(COLOURS, range(5)):
        yield {"column": column, "row": row}


def _choices(**values: tuple[Any, ...]) -> Callable[[State], Iterator[dict[str, Any]]]:
    def every(_state: State) -> Iterator[dict[str, Any]]:
        for combination in itertools.product(*values.values()):
            yield dict(zip(values, combination, strict=True))

    return every


UNIVERSES: dict[str, Callable[[State], Iterator[dict[str, Any]]]] = {
    "take": _takes,
    "mission": _missions,
    "marriage": _marriages,
    "errand": _errands,
    "gain": _numbers("men", "women", most=4),
    "hire": _hires,
    "draw": _choices(field=(*FIELDS, "naval")),
    "helper": _choices(use=(True, False)),
    "city-action": _choices(action=("mission", "marriage")),
    "reward": _choices(take=("tile", "florins"), bonuses=("before", "after")),
    "buy": _choices(buy=(True, False)),
    "pass": _choices(),
}


@GAMES
def test_actions_are_accepted_if_and_only_if_offered(players: int, seed: int) -> None:
    """An accepted action that is not offered literally must lead to the same state as an offered one."""
    seen = set()
    for state, prompt in states_by_prompt(players, seed, 2):
        if prompt.action not in UNIVERSES:
            continue
        seen.add(prompt.action)
        offered = [SIGNORIA.read_action(plain(e), prompt.faction) for e in prompt.elements()]
        outcomes: list[State] = []
        for data in UNIVERSES[prompt.action](state):
            action = SIGNORIA.read_action({"type": prompt.action, **data}, prompt.faction)
            ok = accepted(state, prompt.faction, {"type": prompt.action, **data})
            if action in offered:
                assert ok, data
            elif ok:
                outcomes = outcomes or [SIGNORIA.apply(state, other).state for other in offered]
                assert SIGNORIA.apply(state, action).state in outcomes, data
    assert {"take", "pass", "reward", "mission", "helper"} <= seen


# Plans


@GAMES
def test_prompts_and_plans_are_deterministic(players: int, seed: int) -> None:
    for state, prompt in states_by_prompt(players, seed, 2):
        assert SIGNORIA.prompts(state) == SIGNORIA.prompts(state)
        for field in prompt.fields:
            if isinstance(field, Plan):
                assert [field.element(i) for i in range(20)] == [field.element(i) for i in range(20)]
                assert plain(field.bounds())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("which", ["first", "last", "random"])
def test_playing_only_examples_finishes_a_game(players: int, which: str) -> None:
    generator = random.Random(players)
    figures = random_profile(generator) if which == "random" else None
    state = SIGNORIA.start(SIGNORIA.prepare(SIGNORIA.factions[:players], figures=figures)).state
    for _ in range(2_000):
        prompts = SIGNORIA.prompts(state)
        if not prompts:
            break
        prompt = {"first": prompts[0], "last": prompts[-1], "random": generator.choice(prompts)}[which]
        state = SIGNORIA.apply(
            state, SIGNORIA.read_action(plain(prompt.example_json()), prompt.faction)
        ).state
    assert SIGNORIA.result(state) is not None
    assert SIGNORIA.invariants(state) == []
