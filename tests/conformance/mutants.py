"""Nearly valid actions: allowed earlier, just out of bounds, of another type or faction."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from games.core.prompts import Field, Number, Prompt
from tests.conformance.walks import Walk, plain

WRONG_TYPES: tuple[Any, ...] = (None, "x", "", -1, 1.5, True, [], [None], {}, {"x": 1}, 10**30, "☃" * 50)


class Pool:
    """Values that any prompt of a game allowed at some time, by action and fields."""

    def __init__(self, walk: Walk) -> None:
        self._elements: dict[tuple[str, tuple[str, ...]], list[Any]] = {}
        self._actions: dict[str, list[dict[str, Any]]] = {}
        for entry, (_, data) in zip(walk.played, walk.journal, strict=True):
            self._actions.setdefault(entry.action.type, []).append(data)
            for field in entry.prompt.fields:
                seen = self._elements.setdefault((entry.prompt.action, field.names), [])
                seen.extend(field.element(i) for i in range(0, field.size(), 1 + field.size() // 10))

    def elements(self, prompt: Prompt, field: Field) -> list[Any]:
        return self._elements.get((prompt.action, field.names), [])

    def actions(self) -> Iterator[list[dict[str, Any]]]:
        yield from self._actions.values()


def mutants(
    pool: Pool, prompt: Prompt, factions: tuple[str, ...], generator: random.Random
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield pairs of faction and action data; some may be allowed after all, which the caller checks."""
    valid = plain(prompt.sample(generator.randrange))
    for field in prompt.fields:
        for values in _other_elements(pool, prompt, field, generator):
            yield prompt.faction, {**valid, **plain(dict(zip(field.names, values, strict=True)))}
        for name in field.names:
            yield from ((prompt.faction, {**valid, name: v}) for v in _variants(valid[name], generator))
            yield prompt.faction, {k: v for k, v in valid.items() if k != name}
    yield prompt.faction, {**valid, "surplus": 1}
    yield from ((faction, valid) for faction in factions if faction != prompt.faction)
    for actions in pool.actions():
        yield generator.choice(factions), generator.choice(actions)
        yield prompt.faction, generator.choice(actions)


def _other_elements(pool: Pool, prompt: Prompt, field: Field, generator: random.Random) -> Iterator[Any]:
    seen = pool.elements(prompt, field)
    yield from generator.sample(seen, min(len(seen), 4))
    if isinstance(field, Number):
        yield (field.low - 1,)
        yield (field.high + 1,)


def _variants(value: Any, generator: random.Random) -> Iterator[Any]:
    """Yield the value with one number changed, one part added or removed, or another type."""
    yield generator.choice(WRONG_TYPES)
    yield from _numbers_changed(value)
    if isinstance(value, list):
        yield [*value, *value[-1:]]
        yield value[:-1]
        yield value[::-1]
    if isinstance(value, str):
        yield f"{value}x"


def _numbers_changed(value: Any) -> Iterator[Any]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (value - 1, value + 1, value + 40)
    if isinstance(value, list):
        for i, part in enumerate(value):
            yield from ([*value[:i], changed, *value[i + 1 :]] for changed in _numbers_changed(part))
    if isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: changed} for changed in _numbers_changed(part))
