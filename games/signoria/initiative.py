"""The initiative track: stacks and moves (digest 5.5), and the order of the next round (5.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from games.core.ledger import Move
from games.core.messages import Name, faction_name, faction_names, say
from games.core.steps import Step
from games.signoria.pieces import DISC, initiative_place

RULE = "5.5"

# Discs by space, each stack from the bottom up; empty spaces are left out.
Track: TypeAlias = Mapping[int, tuple[str, ...]]


class Advance(NamedTuple):
    """The move of a disc: source, target, the discs it lands on (from the bottom up), and the points lost."""

    source: int
    target: int
    onto: tuple[str, ...]
    lost: int

    @property
    def moved(self) -> int:
        return self.target - self.source


def space_of(track: Track, disc: str) -> int | None:
    """Return the space of a player's disc, or None if it is not on the track."""
    return next((space for space, stack in track.items() if disc in stack), None)


def advance(track: Track, disc: str, points: int, top: int) -> tuple[Track, Advance]:
    """Move a disc up by `points` spaces and put it on top of the stack there (5.5).

    A disc at the top keeps its position in the stack; points beyond the top are lost (R-17). Stacks
    in between do not change. Raise `KeyError` if the disc is not on the track.
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
    """Return the discs in play order: higher space first, then upper disc first (5.12, 3.2)."""
    return tuple(disc for space in sorted(track, reverse=True) for disc in reversed(track[space]))


def new_stack(order: Sequence[str]) -> tuple[str, ...]:
    """Return the stack on the bottom space from the bottom up: the first player on top (5.12, 3.2)."""
    return tuple(reversed(order))


def advance_step(faction: str, points: int, moved: Advance) -> Step:
    """Return the step of a disc that has points: where it goes, the stack there and the points lost (5.5)."""
    name = faction_name(faction)
    if not moved.moved:
        return Step(RULE, say("disc-at-top", faction=name, space=moved.source, count=points))
    move = Move(faction, DISC, initiative_place(moved.source), initiative_place(moved.target))
    message = say("disc-moved", faction=name, source=moved.source, target=moved.target, count=points)
    return Step(RULE, message, (move,), steps=tuple(_reasons(name, moved)))


def _reasons(name: Name, moved: Advance) -> Iterator[Step]:
    if moved.onto:
        below = faction_names(moved.onto)
        yield Step(RULE, say("disc-on-top", space=moved.target, faction=name, below=below))
    if moved.lost:
        yield Step(RULE, say("points-lost", space=moved.target, faction=name, count=moved.lost))
