"""Why the real table may differ from the app: differences, and the moves of the journal that could explain them.

Plain data in, plain data out. What a hand has forgotten is still missing where the app has it, and still lies
where the app took it from; so a difference is explained by a move that changed the app's count by just as
many, the other way round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from games.core.ledger import Move


@dataclass(frozen=True, slots=True)
class Difference:
    """What the app counts of an owner's pieces at a place, and what was found there.

    ``also`` are further places counted together with it, where people see only the sum: points.
    """

    owner: str
    piece: str
    place: str
    told: int
    found: int
    also: tuple[str, ...] = ()

    @property
    def more(self) -> int:
        """How many more lie there than the app has; below 0, how many fewer."""
        return self.found - self.told

    @property
    def places(self) -> tuple[str, ...]:
        return (self.place, *self.also)


@dataclass(frozen=True, slots=True)
class Made:
    """A move that an entry has led to."""

    move: Move
    is_open: bool = False  # a line of the hands list that nobody has ticked


@dataclass(frozen=True, slots=True)
class Deed:
    """An entry of the journal, as far as it moved pieces; 0 is setting up."""

    number: int
    moves: tuple[Made, ...] = ()
    is_whole: bool = False  # a position: it said what lies on the whole table


class Kind(Enum):
    """How an entry explains a difference, the likeliest first."""

    UNTICKED = "unticked"  # exactly that was to be done, and nobody has ticked it
    FORGOTTEN = "forgotten"  # exactly that was to be done
    TWICE = "twice"  # exactly that was to be done, and may have been done twice
    TOUCHED = "touched"  # the newest that moved such pieces to or from there
    PLACE = "place"  # the newest that moved anything to or from there
    WHOLE = "whole"  # the position that the game goes on from


@dataclass(frozen=True, slots=True)
class Cause:
    kind: Kind
    number: int
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Some pieces that do not lie where the app has them: missing there, found here, or both."""

    owner: str
    piece: str
    count: int
    missing: Difference | None = None
    extra: Difference | None = None
    cause: Cause | None = None

    @property
    def is_shift(self) -> bool:
        """Whether two differences cancel: what is missing at one place lies at another."""
        return self.missing is not None and self.extra is not None


def findings(
    differences: Sequence[Difference], deeds: Sequence[Deed], near: Callable[[str, str], int]
) -> list[Finding]:
    """Every difference, those that cancel as one, each with its likely cause.

    ``deeds`` come newest first; ``near`` says how far two places are from each other.
    """
    lately = list(_since_position(deeds))
    return [replace(one, cause=cause_of(one, lately)) for one in _paired(differences, lately, near)]


def _since_position(deeds: Iterable[Deed]) -> Iterator[Deed]:
    """What came before a position explains nothing any more."""
    for deed in deeds:
        yield deed
        if deed.is_whole:
            return


# What cancels


def _paired(
    differences: Sequence[Difference], deeds: Sequence[Deed], near: Callable[[str, str], int]
) -> list[Finding]:
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for one in differences:
        if one.more:
            groups[one.owner, one.piece].append(one)
    return [found for group in groups.values() for found in _pair(group, deeds, near)]


def _pair(
    group: Sequence[Difference], deeds: Sequence[Deed], near: Callable[[str, str], int]
) -> Iterator[Finding]:
    """The best pair first, until only differences of one sign are left."""
    owner, piece = group[0].owner, group[0].piece
    left = {one: abs(one.more) for one in group}

    def unlikely(missing: Difference, extra: Difference) -> tuple[bool, bool, int]:
        same = left[missing] == left[extra]
        moved = _moved_between(deeds, missing, extra, min(left[missing], left[extra]))
        return moved is None, not same, near(missing.place, extra.place)

    while True:
        pairs = [
            (missing, extra)
            for missing in left
            for extra in left
            if missing.more < 0 < extra.more and left[missing] and left[extra]
            if not missing.also and not extra.also
        ]
        if not pairs:
            break
        missing, extra = min(pairs, key=lambda pair: unlikely(*pair))
        count = min(left[missing], left[extra])
        left[missing] -= count
        left[extra] -= count
        yield Finding(owner, piece, count, missing, extra)
    for one, count in left.items():
        if count:
            is_missing = one.more < 0
            yield Finding(owner, piece, count, one if is_missing else None, None if is_missing else one)


def _moved_between(
    deeds: Iterable[Deed], missing: Difference, extra: Difference, count: int
) -> tuple[Deed, Made] | None:
    """The newest move that should have taken these pieces from where they still lie to where they are missing."""
    for deed in deeds:
        for made in deed.moves:
            move = made.move
            ends = (move.owner, move.piece, move.lands_as, move.source, move.target, move.count)
            if ends == (missing.owner, missing.piece, missing.piece, extra.place, missing.place, count):
                return deed, made
    return None


# What explains it


def cause_of(finding: Finding, deeds: Sequence[Deed]) -> Cause | None:
    """The likeliest cause of a finding; None if nothing in the journal explains it. ``deeds``: newest first."""
    if finding.missing and finding.extra:
        between = _moved_between(deeds, finding.missing, finding.extra, finding.count)
        if between:
            deed, made = between
            return Cause(Kind.UNTICKED if made.is_open else Kind.FORGOTTEN, deed.number, made.move)
        return _touched(finding.missing, deeds) or _touched(finding.extra, deeds)
    one = finding.missing or finding.extra
    if one is None:
        return None
    more = finding.count if finding.extra else -finding.count
    return _exactly(one, more, deeds) or _touched(one, deeds)


def _exactly(one: Difference, more: int, deeds: Sequence[Deed]) -> Cause | None:
    """An entry that changed the app's count by just that many: with a line nobody ticked, else any."""
    for deed in deeds:
        for made in deed.moves:
            if made.is_open and _effect(made.move, one) == -more:
                return Cause(Kind.UNTICKED, deed.number, made.move)
    for deed in deeds:
        effects = [(made.move, _effect(made.move, one)) for made in deed.moves]
        named = next((move for move, effect in effects if effect), None)
        whole = sum(effect for _move, effect in effects)
        for kind, wanted in ((Kind.FORGOTTEN, -more), (Kind.TWICE, more)):
            alone = next((move for move, effect in effects if effect == wanted), None)
            if alone or whole == wanted:
                return Cause(kind, deed.number, alone or named)
    return None


def _effect(move: Move, one: Difference) -> int:
    """By how much a move changed the app's count."""
    came = move.count if (move.lands_as, move.target in one.places) == (one.piece, True) else 0
    went = move.count if (move.piece, move.source in one.places) == (one.piece, True) else 0
    return came - went if move.owner == one.owner else 0


def _touched(one: Difference, deeds: Sequence[Deed]) -> Cause | None:
    """The newest entry that moved such pieces there, else anything; else the position that said so."""
    tests: tuple[tuple[Kind, Callable[[Move], bool]], ...] = (
        (Kind.TOUCHED, lambda move: bool(_effect(move, one))),
        (Kind.PLACE, lambda move: not {move.source, move.target}.isdisjoint(one.places)),
    )
    for kind, touches in tests:
        for deed in deeds:
            move = next((made.move for made in deed.moves if touches(made.move)), None)
            if move:
                return Cause(kind, deed.number, move)
    return next((Cause(Kind.WHOLE, deed.number) for deed in deeds if deed.is_whole), None)
