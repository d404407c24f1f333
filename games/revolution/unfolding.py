"""Prompt domains built choice by choice: enumerated while small, sampled when large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeAlias

from games.core.codec import Json
from games.core.prompts import Field, Joint, Plan

MOST_LISTED = 400  # longer lists are of no use to a form or a program

Path: TypeAlias = tuple[Any, ...]


class Unfolding(Protocol):
    """Entries made of successive choices, each depending on the previous ones.

    Implementations are frozen records, so that prompts compare by value.
    """

    @property
    def names(self) -> tuple[str, ...]: ...
    def branches(self, path: Path) -> Sequence[Any]:
        """Return the options for the next choice; empty if the entry is complete."""

    def entry(self, path: Path) -> tuple[Json, ...]:
        """Return the entry of a complete path, one value per name."""

    def bounds(self) -> dict[str, Json]:
        """Return the bounds that a form needs if there are too many entries to list."""


def field_of(unfolding: Unfolding) -> Field:
    """Return the entries as a field of a prompt."""
    entries = tuple(islice(_entries(unfolding, ()), MOST_LISTED + 1))
    if len(entries) <= MOST_LISTED:
        return Joint(unfolding.names, entries)
    return Plan(unfolding.names, Drawn(unfolding), unfolding.bounds())


def _entries(unfolding: Unfolding, path: Path) -> Iterator[tuple[Json, ...]]:
    branches = unfolding.branches(path)
    if not branches:
        yield unfolding.entry(path)
    for branch in branches:
        yield from _entries(unfolding, (*path, branch))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Sampler of entries: chooses uniformly at each branch."""

    unfolding: Unfolding

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        path: Path = ()
        while branches := self.unfolding.branches(path):
            path = (*path, branches[below(len(branches))])
        return self.unfolding.entry(path)


def first_of(unfolding: Unfolding) -> tuple[Json, ...]:
    """Return the entry that takes the first branch each time: the default if branches are ordered by use."""
    return Drawn(unfolding)(lambda _n: 0)
