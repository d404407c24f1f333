"""Prompts: who may enter what now. A prompt describes a domain, not a list of actions.

Its fields are independent of each other; what belongs together (a direction and the
knights left along it) is one ``Joint`` field. Every element of the domain is accepted by
``apply``; ``example`` is one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import lru_cache
from math import prod
from typing import Protocol

from games.core.actions import Action, action_json
from games.core.codec import Json
from games.core.messages import Message


class Field(Protocol):
    """One named part of what is entered, or several that depend on each other."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def size(self) -> int: ...
    def element(self, index: int) -> tuple[Json, ...]: ...
    def bounds(self) -> Json: ...


def _key_by_key(options: Mapping[str, int], index: int) -> dict[str, int]:
    """The digits of a number whose places have these sizes."""
    digits = {}
    for key, size in options.items():
        index, digits[key] = divmod(index, size)
    return digits


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these values."""

    name: str
    options: tuple[Json, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def size(self) -> int:
        return len(self.options)

    def element(self, index: int) -> tuple[Json, ...]:
        return (self.options[index],)

    def bounds(self) -> Json:
        return {"kind": "choice", "options": list(self.options)}


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from ``low`` to ``high``."""

    name: str
    low: int
    high: int

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def size(self) -> int:
        return self.high - self.low + 1

    def element(self, index: int) -> tuple[Json, ...]:
        return (self.low + index,)

    def bounds(self) -> Json:
        return {"kind": "number", "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Joint:
    """One of these combinations of values that depend on each other."""

    names: tuple[str, ...]
    options: tuple[tuple[Json, ...], ...]

    def size(self) -> int:
        return len(self.options)

    def element(self, index: int) -> tuple[Json, ...]:
        return self.options[index]

    def bounds(self) -> Json:
        return {"kind": "joint", "names": list(self.names), "options": [list(o) for o in self.options]}


@dataclass(frozen=True, slots=True)
class Choices:
    """For each key one of its values, or none; the keys are independent of each other."""

    name: str
    options: Mapping[str, tuple[Json, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def size(self) -> int:
        return prod(len(values) + 1 for values in self.options.values())

    def element(self, index: int) -> tuple[Json, ...]:
        digits = _key_by_key({key: len(values) + 1 for key, values in self.options.items()}, index)
        return ({key: self.options[key][digit - 1] for key, digit in digits.items() if digit},)

    def bounds(self) -> Json:
        return {"kind": "choices", "options": {key: list(values) for key, values in self.options.items()}}


@dataclass(frozen=True, slots=True)
class Group:
    """Keys of an allocation that share a limit of their own: the places of a province, the armies of a region."""

    keys: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Allocation:
    """A number for each key, at most so many for each, for each group, and from ``low`` to ``high`` in all.

    Zeros are left out. Groups have no key in common.
    """

    name: str
    most: Mapping[str, int]
    low: int
    high: int
    groups: tuple[Group, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def size(self) -> int:
        return sum(self._ways()[0][self.low : self.high + 1])

    def element(self, index: int) -> tuple[Json, ...]:
        ways = self._ways()
        total = self.low
        while index >= ways[0][total]:
            index -= ways[0][total]
            total += 1
        chosen: dict[str, int] = {}
        for at, group in enumerate(self._all_groups()):
            inner = _ways_within(group, self.most)
            count = 0
            while True:
                here = inner[0][count] * ways[at + 1][total - count] if count < len(inner[0]) else 0
                if index < here:
                    break
                index -= here
                count += 1
            within, index = divmod(index, ways[at + 1][total - count])
            chosen |= _unranked(group, inner, count, within)
            total -= count
        return ({key: chosen[key] for key in self.most if chosen.get(key)},)

    def bounds(self) -> Json:
        return {
            "kind": "allocation",
            "most": dict(self.most),
            "low": self.low,
            "high": self.high,
            "groups": [{"keys": list(group.keys), "most": group.most} for group in self.groups],
        }

    def _all_groups(self) -> tuple[Group, ...]:
        """The groups, and each key that is in none as a group of its own."""
        grouped = {key for group in self.groups for key in group.keys}
        alone = [Group((key,), most) for key, most in self.most.items() if key not in grouped]
        return (*self.groups, *alone)

    def _ways(self) -> list[list[int]]:
        """``ways[i][n]``: in how many ways the groups from the i-th on take n in all."""
        return _ways_of(self._all_groups(), tuple(self.most.items()), self.high)


@lru_cache(maxsize=64)
def _ways_of(groups: tuple[Group, ...], most: tuple[tuple[str, int], ...], high: int) -> list[list[int]]:
    """Worked out once for all elements of an allocation."""
    ways = [[1] + [0] * high]
    for group in reversed(groups):
        ways.insert(0, _combined(_ways_within(group, dict(most))[0], ways[0], high))
    return ways


def _ways_within(group: Group, most: Mapping[str, int]) -> list[list[int]]:
    """``ways[i][n]``: in how many ways the keys from the i-th on take n."""
    ways = [[1] + [0] * group.most]
    for key in reversed(group.keys):
        ways.insert(0, _combined([1] * (most[key] + 1), ways[0], group.most))
    return ways


def _combined(here: Sequence[int], rest: Sequence[int], most: int) -> list[int]:
    return [
        sum(here[count] * rest[n - count] for count in range(min(n, len(here) - 1) + 1))
        for n in range(most + 1)
    ]


def _unranked(group: Group, ways: list[list[int]], total: int, index: int) -> dict[str, int]:
    """The ``index``-th way in which the keys of a group take ``total``."""
    chosen = {}
    for at, key in enumerate(group.keys):
        count = 0
        while index >= ways[at + 1][total - count]:
            index -= ways[at + 1][total - count]
            count += 1
        chosen[key] = count
        total -= count
    return chosen


# An index that stands for a way to draw, where the ways themselves cannot be counted.
UNCOUNTED = 2**40


@dataclass(frozen=True, slots=True)
class Plan:
    """What only a few rules together bound: too many ways to count them, but each can be drawn.

    ``draw(below)`` gives one element, where ``below(n)`` picks a number from 0 to n-1.
    """

    names: tuple[str, ...]
    draw: Callable[[Callable[[int], int]], tuple[Json, ...]] = dataclass_field(compare=False)
    described: Json  # the bounds a form needs

    def size(self) -> int:
        return UNCOUNTED

    def element(self, index: int) -> tuple[Json, ...]:
        return self.draw(_digits_of(index))

    def bounds(self) -> Json:
        return {"kind": "plan", "names": list(self.names), **self.described}


def _digits_of(seed: int) -> Callable[[int], int]:
    """Picks numbers by a fixed rule from a seed, so that one index is always the same element."""
    value = seed

    def below(n: int) -> int:
        nonlocal value
        value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
        return (value >> 33) % n

    return below


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a faction may enter now."""

    faction: str
    title: Message
    rule: str
    example: Action
    fields: tuple[Field, ...] = ()

    @property
    def action(self) -> str:
        return self.example.type

    def size(self) -> int:
        return prod(field.size() for field in self.fields)

    def elements(self) -> Iterator[dict[str, Json]]:
        """Every action of the domain, as JSON data."""
        for indexes in itertools.product(*(range(field.size()) for field in self.fields)):
            yield self._filled(indexes)

    def sample(self, below: Callable[[int], int]) -> dict[str, Json]:
        """An action of the domain; ``below(n)`` picks a number from 0 to n-1."""
        return self._filled([below(field.size()) for field in self.fields])

    def _filled(self, indexes: Sequence[int]) -> dict[str, Json]:
        data: dict[str, Json] = {"type": self.action}
        for field, index in zip(self.fields, indexes, strict=True):
            data.update(zip(field.names, field.element(index), strict=True))
        return data

    def choices(self) -> dict[str, Json]:
        """The bounds a form needs, by field; joint fields under their names joined with ``+``."""
        return {"+".join(field.names): field.bounds() for field in self.fields}

    def example_json(self) -> dict[str, Json]:
        return action_json(self.example)
