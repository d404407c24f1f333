"""What mends left out: entries that do not count any more and were not written again, and why.

The notices say which; they hold no sentence of the rules, since finished text is never stored. Why an
entry no longer held is asked of the rules again, on the very state that the mend tried it on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from companion.errors import Refusal
from companion.journal.states import NOT_FOLDING, game_of, state_at
from companion.journal.submit import outcome_of
from companion.models import Entry, Notice, Table

_NUMBER = re.compile(r"\b[0-9]{1,9}\b")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry that a mend left out: on purpose, for a reason, or since it no longer held."""

    entry: Entry
    at: datetime  # when it was left out
    mended: int  # the entry that was changed or left out on purpose; itself, or one before it
    changed: bool  # whether that entry was changed, not left out
    reason: str  # of that mend
    why: Refusal | None  # what no longer held; None: on purpose, not to be told, or not to be found any more

    @property
    def on_purpose(self) -> bool:
        return self.mended == self.entry.number


@dataclass(frozen=True, slots=True)
class _Told:
    """What notices tell of an entry that was left out."""

    at: datetime
    mended: int
    changed: bool
    reason: str
    version: int = 0  # of the table after the mend, where it no longer held; 0: on purpose
    together: frozenset[int] = frozenset()  # all that this mend left out


def left_out_of(table: Table) -> list[LeftOut]:
    """The entries of a started table that mends left out, the oldest first."""
    told = _told(table)
    if not told:
        return []
    again = table.entries.exclude(origin=None).values("origin")
    gone = table.entries.filter(number__in=told, undone=True).exclude(number__in=again).order_by("number")
    parents, rewritten = _ways(table)
    found = []
    for entry in gone:
        one = told[entry.number]
        why = _why(table, entry, _tried_on(entry, one, parents, rewritten)) if one.version else None
        found.append(LeftOut(entry, one.at, one.mended, one.changed, one.reason, why))
    return found


def numbers_told(notice: Notice) -> list[int]:
    """The entries that a notice names."""
    named = notice.params.get("numbers") or notice.params.get("number", "")
    return [int(number) for number in _NUMBER.findall(named)]


def _told(table: Table) -> dict[int, _Told]:
    """By the number of the entry; what was told last counts, since redo brings back what was left out last."""
    found: dict[int, _Told] = {}
    mended, changed, reason = 0, False, ""
    on_purpose: frozenset[int] = frozenset()
    for notice in table.notices.filter(code__in=("mended", "left-out", "no-longer-held")):
        numbers = numbers_told(notice)
        if notice.code == "no-longer-held":
            version = next(iter(_NUMBER.findall(notice.params["version"])), "0")
            together = on_purpose.union(numbers)
            one = _Told(notice.created_at, mended, changed, reason, int(version), together)
            found |= dict.fromkeys(numbers, one)
            continue
        mended, changed = next(iter(numbers), 0), notice.code == "mended"
        reason = notice.params["reason"]
        on_purpose = frozenset(() if changed else numbers)
        found |= {number: _Told(notice.created_at, number, changed, reason) for number in on_purpose}
    return found


def _ways(table: Table) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """The parent of each entry; and what each became, by the version that the mend led to."""
    lines = list(table.entries.values_list("number", "parent", "origin", "version"))
    parents = {number: parent for number, parent, _origin, _version in lines}
    rewritten = {
        (version, origin): number for number, _parent, origin, version in lines if origin is not None
    }
    return parents, rewritten


def _tried_on(
    entry: Entry,
    told: _Told,
    parents: Mapping[int, int],
    rewritten: Mapping[tuple[int, int], int],
) -> int:
    """The entry after which the mend tried this one: the nearest before it that the mend did not leave out."""
    for number in _before(entry.parent, parents):
        if number not in told.together:
            return rewritten.get((told.version, number), number)
    return 0


def _before(number: int, parents: Mapping[int, int]) -> Iterator[int]:
    while number:
        yield number
        number = parents[number]


def _why(table: Table, entry: Entry, tried_on: int) -> Refusal | None:
    """What the rules say against it. None where that might tell a secret, or where the rules have changed."""
    try:
        outcome_of(table, state_at(table, tried_on), entry.faction, entry.action)
    except Refusal as refusal:
        return None if refusal.code == "gone" or _may_be_secret(table, entry) else refusal
    except NOT_FOLDING:
        return None
    return None


def _may_be_secret(table: Table, entry: Entry) -> bool:
    return any(kind.hidden for kind in game_of(table).actions if kind.type == entry.action["type"])
