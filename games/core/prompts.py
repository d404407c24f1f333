"""Prompts: who may enter what now. A prompt describes a domain, not a list of actions.

Its fields are independent of each other; what belongs together (a direction and the
knights left along it) is one ``Joint`` field. Every element of the domain is accepted by
``apply``; ``example`` is one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
