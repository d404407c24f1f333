"""The initiative track: stacks, moves (digest 5.5), and the order of the next round (5.12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Track: TypeAlias = Mapping[
    int, tuple[str, ...]
]  # space -> its discs from the bottom up; none where there are none


class Advance(NamedTuple):
    """How a disc moved: from where to where, onto which discs (from the bottom up), and the points it lost."""

    source: int
    target: int
    onto: tuple[str, ...]
    lost: int

    @property
    def moved(self) -> int:
        return self.target - self.source


def space_of(track: Track, disc: str) -> int | None:
    """On which space a player's disc lies."""
    return next((space for space, stack in track.items() if disc in stack), None)


def advance(track: Track, disc: str, points: int, top: int) -> tuple[Track, Advance]:
    """5.5: so many steps upward, and on top of the stack there.

    A disc at the top does not move and is not stacked anew; points beyond the top are lost
    (R-17). Stacks that are passed on the way are not disturbed. The disc must be on the track.
    """
    source = space_of(track, disc)
    if source is None:
        raise KeyError(disc)
    target = max(source, min(source + points, top))
    if target == source:
        return track, Advance(source, source, (), points)
    onto = track.get(target, ())
    stacks = {**track, source: tuple(d for d in track[source] if d != disc), target: (*onto, disc)}
    return _tidy(stacks), Advance(source, target, onto, points - (target - source))


def _tidy(stacks: Track) -> Track:
    return {space: stacks[space] for space in sorted(stacks) if stacks[space]}


def ranking(track: Track) -> tuple[str, ...]:
    """5.12, 3.2: a higher space first, on one space the upper disc first."""
    return tuple(disc for space in sorted(track, reverse=True) for disc in reversed(track[space]))


def new_stack(order: Sequence[str]) -> tuple[str, ...]:
    """5.12, 3.2: the stack on the bottom space, from the bottom up: the first player on top."""
    return tuple(reversed(order))
