"""Likely causes of differences between the real table and the app: moves of the journal that explain them.

Pure functions. If a player forgot a move, its pieces are missing at its target and still at its source; so a
difference is explained by a move that changed the app's count by the same number with the opposite sign.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from games.core.ledger import Move


@dataclass(frozen=True, slots=True)
class Difference:
    """The number of an owner's pieces that the app expects at a place, and the number counted there.

    ``also`` are further places counted together with it, where players see only the sum, as with points.
    """

    owner: str
    piece: str
    place: str
    expected: int
    counted: int
    also: tuple[str, ...] = ()

    @property
    def surplus(self) -> int:
        """Return how many more pieces were counted than expected; negative if fewer."""
        return self.counted - self.expected

    @property
    def places(self) -> tuple[str, ...]:
        return (self.place, *self.also)


@dataclass(frozen=True, slots=True)
class TrackedMove:
    """A move of an entry, and whether players have not yet ticked it off as done on the real table."""

    move: Move
    is_unticked: bool = False


@dataclass(frozen=True, slots=True)
class EntryMoves:
    """The moves of a journal entry; number 0 is the setup."""

    number: int
    moves: tuple[TrackedMove, ...] = ()
    is_position: bool = False  # it set all pieces of the table


class Kind(Enum):
    """Kinds of causes, the likeliest first."""

    UNTICKED = "unticked"  # a move of exactly this size that nobody has ticked off
    FORGOTTEN = "forgotten"  # a move of exactly this size
    TWICE = "twice"  # a move of exactly this size in the other direction, perhaps made twice
    TOUCHED = "touched"  # the newest entry that moved such pieces to or from the place
    PLACE = "place"  # the newest entry that moved any pieces to or from the place
    WHOLE = "whole"  # the last position entered


@dataclass(frozen=True, slots=True)
class Cause:
    kind: Kind
    number: int
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Pieces that are not where the app expects them: missing at one place, extra at another, or both."""

    owner: str
    piece: str
    count: int
    missing: Difference | None = None
    extra: Difference | None = None
    cause: Cause | None = None

    @property
    def is_shift(self) -> bool:
        """Return whether two differences cancel: pieces missing at one place are extra at another."""
        return self.missing is not None and self.extra is not None


def findings(
    differences: Sequence[Difference], entries: Sequence[EntryMoves], distance: Callable[[str, str], int]
) -> list[Finding]:
    """Return all differences, those that cancel as one finding, each with its likely cause.

    ``entries`` come newest first; ``distance`` returns the distance between two places.
    """
    recent = list(_since_position(entries))
    return [
        replace(finding, cause=cause_of(finding, recent))
        for finding in _paired(differences, recent, distance)
    ]


def _since_position(entries: Iterable[EntryMoves]) -> Iterator[EntryMoves]:
    """Yield the entries back to the last position: earlier ones cannot be the cause."""
    for entry in entries:
        yield entry
        if entry.is_position:
            return


# Differences that cancel


def _paired(
    differences: Sequence[Difference], entries: Sequence[EntryMoves], distance: Callable[[str, str], int]
) -> list[Finding]:
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for difference in differences:
        if difference.surplus:
            groups[difference.owner, difference.piece].append(difference)
    return [finding for group in groups.values() for finding in _pair(group, entries, distance)]


def _pair(
    group: Sequence[Difference], entries: Sequence[EntryMoves], distance: Callable[[str, str], int]
) -> Iterator[Finding]:
    """Pair differences of opposite sign, the likeliest pair first, until only one sign is left."""
    owner, piece = group[0].owner, group[0].piece
    left = {difference: abs(difference.surplus) for difference in group}

    def unlikelihood(missing: Difference, extra: Difference) -> tuple[bool, bool, int]:
        is_equal = left[missing] == left[extra]
        moved = _moved_between(entries, missing, extra, min(left[missing], left[extra]))
        return moved is None, not is_equal, distance(missing.place, extra.place)

    while True:
        pairs = [
            (missing, extra)
            for missing in left
            for extra in left
            if missing.surplus < 0 < extra.surplus and left[missing] and left[extra]
            if not missing.also and not extra.also
        ]
        if not pairs:
            break
        missing, extra = min(pairs, key=lambda pair: unlikelihood(*pair))
        count = min(left[missing], left[extra])
        left[missing] -= count
        left[extra] -= count
        yield Finding(owner, piece, count, missing, extra)
    for difference, count in left.items():
        if count:
            sides = (difference, None) if difference.surplus < 0 else (None, difference)
            yield Finding(owner, piece, count, *sides)


def _moved_between(
    entries: Iterable[EntryMoves], missing: Difference, extra: Difference, count: int
) -> tuple[EntryMoves, TrackedMove] | None:
    """Return the newest move of exactly these pieces from where they are extra to where they are missing."""
    for entry in entries:
        for tracked in entry.moves:
            move = tracked.move
            ends = (move.owner, move.piece, move.lands_as, move.source, move.target, move.count)
            if ends == (missing.owner, missing.piece, missing.piece, extra.place, missing.place, count):
                return entry, tracked
    return None


# Causes


def cause_of(finding: Finding, entries: Sequence[EntryMoves]) -> Cause | None:
    """Return the likeliest cause of a finding, or None. ``entries`` come newest first."""
    if finding.missing and finding.extra:
        between = _moved_between(entries, finding.missing, finding.extra, finding.count)
        if between:
            entry, tracked = between
            kind = Kind.UNTICKED if tracked.is_unticked else Kind.FORGOTTEN
            return Cause(kind, entry.number, tracked.move)
        return _touched(finding.missing, entries) or _touched(finding.extra, entries)
    difference = finding.missing or finding.extra
    if difference is None:
        return None
    surplus = finding.count if finding.extra else -finding.count
    return _exactly(difference, surplus, entries) or _touched(difference, entries)


def _exactly(difference: Difference, surplus: int, entries: Sequence[EntryMoves]) -> Cause | None:
    """Return an entry that changed the app's count by exactly this number, preferring unticked moves."""
    for entry in entries:
        for tracked in entry.moves:
            if tracked.is_unticked and _effect(tracked.move, difference) == -surplus:
                return Cause(Kind.UNTICKED, entry.number, tracked.move)
    for entry in entries:
        effects = [(tracked.move, _effect(tracked.move, difference)) for tracked in entry.moves]
        first = next((move for move, effect in effects if effect), None)
        total = sum(effect for _move, effect in effects)
        for kind, wanted in ((Kind.FORGOTTEN, -surplus), (Kind.TWICE, surplus)):
            single = next((move for move, effect in effects if effect == wanted), None)
            if single or total == wanted:
                return Cause(kind, entry.number, single or first)
    return None


def _effect(move: Move, difference: Difference) -> int:
    """Return by how much a move changed the app's count at the places of a difference."""
    piece, places = difference.piece, difference.places
    gained = move.count if (move.lands_as, move.target in places) == (piece, True) else 0
    lost = move.count if (move.piece, move.source in places) == (piece, True) else 0
    return gained - lost if move.owner == difference.owner else 0


def _touched(difference: Difference, entries: Sequence[EntryMoves]) -> Cause | None:
    """Return the newest entry that moved such pieces at the place, else any pieces, else the position."""
    tests: tuple[tuple[Kind, Callable[[Move], bool]], ...] = (
        (Kind.TOUCHED, lambda move: bool(_effect(move, difference))),
        (Kind.PLACE, lambda move: not {move.source, move.target}.isdisjoint(difference.places)),
    )
    for kind, touches in tests:
        for entry in entries:
            move = next((tracked.move for tracked in entry.moves if touches(tracked.move)), None)
            if move:
                return Cause(kind, entry.number, move)
    return next((Cause(Kind.WHOLE, entry.number) for entry in entries if entry.is_position), None)
