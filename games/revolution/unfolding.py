"""Domains that unfold choice by choice: listed while they are small, drawn when they are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeAlias

from games.core.codec import Json
from games.core.prompts import Field, Joint, Plan

MOST_LISTED = 400  # more than a form or a program wants to read

Path: TypeAlias = tuple[Any, ...]


class Unfolding(Protocol):
    """Entries made of choices, each of which depends on those before. A frozen record, so that it compares."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def branches(self, path: Path) -> Sequence[Any]:
        """What can be chosen next; nothing: the entry is complete."""

    def entry(self, path: Path) -> tuple[Json, ...]:
        """A complete path as what is entered, a value for each name."""

    def bounds(self) -> dict[str, Json]:
        """What a form needs to know where the entries are too many to list."""


def field_of(unfolding: Unfolding) -> Field:
    """The entries as a field of a prompt."""
    few = tuple(islice(_entries(unfolding, ()), MOST_LISTED + 1))
    if len(few) <= MOST_LISTED:
        return Joint(unfolding.names, few)
    return Plan(unfolding.names, Drawn(unfolding), unfolding.bounds())


def _entries(unfolding: Unfolding, path: Path) -> Iterator[tuple[Json, ...]]:
    branches = unfolding.branches(path)
    if not branches:
        yield unfolding.entry(path)
    for branch in branches:
        yield from _entries(unfolding, (*path, branch))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Draws an entry, choice by choice."""

    unfolding: Unfolding

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        path: Path = ()
        while branches := self.unfolding.branches(path):
            path = (*path, branches[below(len(branches))])
        return self.unfolding.entry(path)


def first_of(unfolding: Unfolding) -> tuple[Json, ...]:
    """The entry of the first choice each time: what most people want, if branches are in that order."""
    return Drawn(unfolding)(lambda _n: 0)
