"""Prompts: the actions that a faction may enter. A prompt describes a domain, not a list of actions.

Its fields are independent of each other; values that depend on each other (a direction and the knights
left along it) form one ``Joint`` field. ``apply`` accepts every element of the domain; ``example`` is one.
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
    """One named value of an action, or several that depend on each other."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def size(self) -> int: ...
    def element(self, index: int) -> tuple[Json, ...]: ...
    def bounds(self) -> Json: ...


def _mixed_radix_digits(options: Mapping[str, int], index: int) -> dict[str, int]:
    """Return the digits of ``index`` in the mixed-radix system given by the sizes in ``options``."""
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
    """One of its values, or none, for each key independently."""

    name: str
    options: Mapping[str, tuple[Json, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def size(self) -> int:
        return prod(len(values) + 1 for values in self.options.values())

    def element(self, index: int) -> tuple[Json, ...]:
        digits = _mixed_radix_digits({key: len(values) + 1 for key, values in self.options.items()}, index)
        return ({key: self.options[key][digit - 1] for key, digit in digits.items() if digit},)

    def bounds(self) -> Json:
        return {"kind": "choices", "options": {key: list(values) for key, values in self.options.items()}}


@dataclass(frozen=True, slots=True)
class Group:
    """Keys of an allocation that share a limit, such as the places of a province."""

    keys: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Allocation:
    """A number for each key, with a maximum per key and per group, and a total from ``low`` to ``high``.

    Zeros are omitted. Groups have no key in common.
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
        """Return the groups, with each ungrouped key as a group of its own."""
        grouped = {key for group in self.groups for key in group.keys}
        alone = [Group((key,), most) for key, most in self.most.items() if key not in grouped]
        return (*self.groups, *alone)

    def _ways(self) -> list[list[int]]:
        """Return ``ways[i][n]``: the number of ways to distribute n over the groups from the i-th on."""
        return _ways_of(self._all_groups(), tuple(self.most.items()), self.high)


@lru_cache(maxsize=64)
def _ways_of(groups: tuple[Group, ...], most: tuple[tuple[str, int], ...], high: int) -> list[list[int]]:
    """Compute ``Allocation._ways``; cached because every element of an allocation needs it."""
    ways = [[1] + [0] * high]
    for group in reversed(groups):
        ways.insert(0, _combined(_ways_within(group, dict(most))[0], ways[0], high))
    return ways


def _ways_within(group: Group, most: Mapping[str, int]) -> list[list[int]]:
    """Return ``ways[i][n]``: the number of ways to distribute n over the group's keys from the i-th on."""
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
    """Return the ``index``-th way to distribute ``total`` over the keys of a group."""
    chosen = {}
    for at, key in enumerate(group.keys):
        count = 0
        while index >= ways[at + 1][total - count]:
            index -= ways[at + 1][total - count]
            count += 1
        chosen[key] = count
        total -= count
    return chosen


# Nominal size of a ``Plan``, whose elements cannot be counted: each index seeds one draw.
UNCOUNTED = 2**40


@dataclass(frozen=True, slots=True)
class Plan:
    """Values with joint constraints: too many combinations to count, but each can be drawn at random.

    ``draw(below)`` returns one element, where ``below(n)`` picks a number from 0 to n-1.
    """

    names: tuple[str, ...]
    draw: Callable[[Callable[[int], int]], tuple[Json, ...]] = dataclass_field(compare=False)
    described: Json  # bounds for the form

    def size(self) -> int:
        return UNCOUNTED

    def element(self, index: int) -> tuple[Json, ...]:
        return self.draw(_digits_of(index))

    def bounds(self) -> Json:
        return {"kind": "plan", "names": list(self.names), **self.described}


def _digits_of(seed: int) -> Callable[[int], int]:
    """Return a deterministic generator ``below(n)``, so that an index always gives the same element."""
    value = seed

    def below(n: int) -> int:
        nonlocal value
        value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
        return (value >> 33) % n

    return below


@dataclass(frozen=True, slots=True)
class Prompt:
    """An action that a faction may enter now, with the domain of its fields."""

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
        """Yield every action of the domain as JSON."""
        for indexes in itertools.product(*(range(field.size()) for field in self.fields)):
            yield self._filled(indexes)

    def sample(self, below: Callable[[int], int]) -> dict[str, Json]:
        """Return a random action of the domain as JSON; ``below(n)`` picks a number from 0 to n-1."""
        return self._filled([below(field.size()) for field in self.fields])

    def _filled(self, indexes: Sequence[int]) -> dict[str, Json]:
        data: dict[str, Json] = {"type": self.action}
        for field, index in zip(self.fields, indexes, strict=True):
            data.update(zip(field.names, field.element(index), strict=True))
        return data

    def choices(self) -> dict[str, Json]:
        """Return the bounds of each field; the key of a joint field is its names joined by ``+``."""
        return {"+".join(field.names): field.bounds() for field in self.fields}

    def example_json(self) -> dict[str, Json]:
        return action_json(self.example)
