"""Random games for the conformance tests, each played once and cached."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from companion.registry import games, titles
from games.core.actions import action_json
from games.core.errors import Refused
from games.core.game import AnyGame, Setup
from games.core.options import AnyOption, Numbers
from games.core.pads import Amounts
from games.core.prompts import Allocation, Choices, Field, Plan, Prompt
from games.core.steps import Outcome
from players.randomly import Played, play_out


@dataclass(frozen=True)
class Walk:
    """A whole game of random play."""

    game: AnyGame
    setup: Setup
    start: Outcome[Any]
    played: tuple[Played, ...]

    @property
    def states(self) -> list[Any]:
        return [self.start.state, *(entry.outcome.state for entry in self.played)]

    @property
    def outcomes(self) -> list[Outcome[Any]]:
        return [self.start, *(entry.outcome for entry in self.played)]

    @property
    def journal(self) -> list[tuple[str, dict[str, Any]]]:
        """Pairs of faction and action, as they are stored."""
        return [
            (entry.action.faction, json.loads(json.dumps(action_json(entry.action)))) for entry in self.played
        ]


# Every game by slug, and every score pad by ``<slug>-pad``.
PLAYED: dict[str, AnyGame] = games() | {f"{slug}-pad": title.pad.game for slug, title in titles().items()}


def tables() -> list[tuple[str, int]]:
    """Return every game and pad with every number of players."""
    return [(slug, n) for slug, g in PLAYED.items() for n in range(g.min_players, g.max_players + 1)]


# Long games (several hundred entries) and score pads (which are alike) run one of a few seeds per number of
# players, or every eighth of many. Long games with other than 3 players are marked ``long``.
LENGTHY = frozenset({"revolution", "signoria", "wallenstein"})
SHORT = frozenset(titles()) - LENGTHY
FEW, EIGHTH = 3, 8
USUAL = 3


def is_long(slug: str, players: int) -> bool:
    return slug in LENGTHY and players != USUAL


def case(slug: str, players: int, *more: int) -> Any:
    marks = [pytest.mark.long] if is_long(slug, players) else []
    return pytest.param(slug, players, *more, id="-".join(map(str, (slug, players, *more))), marks=marks)


def every_table() -> pytest.MarkDecorator:
    """Parametrise a test with every game and number of players."""
    return pytest.mark.parametrize(("slug", "players"), [case(*table) for table in tables()])


def seeds(*numbers: int) -> pytest.MarkDecorator:
    """Parametrise a test with every game, number of players and seed; seed 0 uses the default options."""
    cases = [
        case(slug, players, seed)
        for slug, players in tables()
        for seed in (numbers if slug in SHORT else fewer(numbers, players))
    ]
    return pytest.mark.parametrize(("slug", "players", "seed"), cases)


def fewer(numbers: Sequence[int], players: int) -> Sequence[int]:
    return numbers[players % 2 :][:1] if len(numbers) <= FEW else numbers[players % EIGHTH :: EIGHTH]


@lru_cache(maxsize=32)
def walk(slug: str, players: int, seed: int) -> Walk:
    game = PLAYED[slug]
    generator = random.Random(f"{slug} {players} {seed}")
    setup = random_setup(game, players, generator, default=seed == 0)
    return Walk(game, setup, game.start(setup), tuple(play_out(game, setup, generator)))


def random_setup(game: AnyGame, players: int, generator: random.Random, *, default: bool = False) -> Setup:
    factions = seating(game, players, generator)
    options = {} if default else {o.name: random_value(o, generator) for o in game.options}
    first = generator.choice(factions)
    return game.prepare(factions, players=players, first=first, options=options)


def seating(game: AnyGame, players: int, generator: random.Random) -> list[str]:
    """Return random factions, clockwise, that are legal for this number of people."""
    sizes = range(players, len(game.factions) + 1)
    sets = [set_ for size in sizes for set_ in itertools.combinations(game.factions, size)]
    allowed = [set_ for set_ in sets if can_sit(game, players, set_)]
    return generator.sample(generator.choice(allowed), len(allowed[0]))


def can_sit(game: AnyGame, players: int, factions: Sequence[str]) -> bool:
    try:
        game.prepare(factions, players=players)
    except Refused:
        return False
    return True


def random_value(option: AnyOption, generator: random.Random) -> Any:
    if not isinstance(option, Numbers):
        return generator.choice(option.values)
    numbers = dict(option.default)
    for _ in range(3):
        giver = generator.choice([name for name, count in numbers.items() if count])
        taker = generator.choice(list(numbers))
        numbers[giver] -= 1
        numbers[taker] += 1
    return numbers


# Domains


def plain(value: Any) -> Any:
    """Return data as parsed from JSON: with lists in place of tuples."""
    return json.loads(json.dumps(value))


def key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def is_offered(prompts: list[Prompt], faction: str, data: dict[str, Any]) -> bool:
    """Return True if an action is an element of the domain of one of the prompts."""
    matching = [p for p in prompts if (p.faction, p.action) == (faction, data.get("type"))]
    return any(is_element(prompt, data) for prompt in matching)


def is_element(prompt: Prompt, data: dict[str, Any]) -> bool:
    named = {name for field in prompt.fields for name in field.names}
    defaults = {field.name: {} for field in prompt.fields if isinstance(field, Allocation | Amounts)}
    data = defaults | {name: value for name, value in data.items() if value != {} or name in named}
    if set(data) != named | {"type"}:
        return False
    return all(holds(field, [data[name] for name in field.names]) for field in prompt.fields)


LARGEST_LISTED = 5_000


def holds(field: Field, values: list[Any]) -> bool:
    """Return True if values are an element of a field: by enumeration if small, by its bounds if large."""
    if isinstance(field, Allocation | Amounts):
        return holds_numbers(field, values[0])
    if isinstance(field, Choices):
        return holds_choices(field, values[0])
    if isinstance(field, Plan):
        return False  # its elements cannot be listed; see ``is_planned``
    assert field.size() <= LARGEST_LISTED
    return key(values) in {key(list(field.element(i))) for i in range(field.size())}


def holds_choices(field: Choices, chosen: Any) -> bool:
    if not isinstance(chosen, dict) or not set(chosen) <= set(field.options):
        return False
    return all(any(key(value) == key(v) for v in field.options[k]) for k, value in chosen.items())


def is_planned(prompts: list[Prompt], faction: str, data: dict[str, Any]) -> bool:
    """Return True if a prompt for this action has a ``Plan``, where only the rules decide membership."""
    matching = [p for p in prompts if (p.faction, p.action) == (faction, data.get("type"))]
    return any(isinstance(field, Plan) for p in matching for field in p.fields)


def holds_numbers(field: Allocation | Amounts, numbers: Any) -> bool:
    """Return True if the numbers are within the field's bounds; explicit zeros are allowed."""
    if not isinstance(numbers, dict) or not set(numbers) <= set(field.most):
        return False
    by = field.by if isinstance(field, Amounts) else Fraction(1)
    if not all(is_multiple(number, by) and number <= field.most[k] for k, number in numbers.items()):
        return False
    if isinstance(field, Amounts):
        return True
    groups = [sum(numbers.get(k, 0) for k in group.keys) <= group.most for group in field.groups]
    return all(groups) and field.low <= sum(numbers.values()) <= field.high


def is_multiple(number: Any, by: Fraction) -> bool:
    """Return True for a multiple of ``by``; multiples of 1 must be integers."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number < 10**9:
        return False
    return (isinstance(number, int) or by != 1) and not Fraction(str(number)) % by


def explored(prompt: Prompt, generator: random.Random, most: int, samples: int) -> list[dict[str, Any]]:
    """Return all elements of a small domain, or samples of a large one."""
    if prompt.size() <= most:
        return list(prompt.elements())
    return [prompt.sample(generator.randrange) for _ in range(samples)]
