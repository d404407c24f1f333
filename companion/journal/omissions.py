"""Entries that mends dropped, and the reasons.

Notices name the dropped entries, but not the refusal of the rules, since rendered text is never stored. The
refusal is computed again by applying the entry to the same state as the mend did.
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
    """An entry that a mend dropped: on purpose, or because it was not legal any more."""

    entry: Entry
    at: datetime  # the time of the mend
    mended: int  # the entry that was changed or dropped on purpose: this one or an earlier one
    changed: bool  # whether that entry was changed, not dropped
    reason: str  # of that mend
    why: Refusal | None  # the refusal; None if dropped on purpose, secret, or not reproducible

    @property
    def on_purpose(self) -> bool:
        return self.mended == self.entry.number


@dataclass(frozen=True, slots=True)
class _Omission:
    """The mend that dropped an entry, as its notices describe it."""

    at: datetime
    mended: int
    changed: bool
    reason: str
    version: int = 0  # of the table after the mend; 0 if the entry was dropped on purpose
    dropped: frozenset[int] = frozenset()  # all entries that this mend dropped


def left_out_of(table: Table) -> list[LeftOut]:
    """Return the entries of a started table that mends dropped, oldest first."""
    omissions = _omissions(table)
    if not omissions:
        return []
    rewritten = table.entries.exclude(origin=None).values("origin")
    dropped = table.entries.filter(number__in=omissions, undone=True).exclude(number__in=rewritten)
    parents, new_numbers = _links(table)
    left_out = []
    for entry in dropped.order_by("number"):
        mend = omissions[entry.number]
        why = _why(table, entry, _tried_on(entry, mend, parents, new_numbers)) if mend.version else None
        left_out.append(LeftOut(entry, mend.at, mend.mended, mend.changed, mend.reason, why))
    return left_out


def entry_numbers(notice: Notice) -> list[int]:
    """Return the numbers of the entries that a notice names."""
    text = notice.params.get("numbers") or notice.params.get("number", "")
    return [int(number) for number in _NUMBER.findall(text)]


def _omissions(table: Table) -> dict[int, _Omission]:
    """Map dropped entries to their mend; the last one counts, since redo can restore an entry."""
    omissions: dict[int, _Omission] = {}
    mended, changed, reason = 0, False, ""
    on_purpose: frozenset[int] = frozenset()
    for notice in table.notices.filter(code__in=("mended", "left-out", "no-longer-held")):
        numbers = entry_numbers(notice)
        if notice.code == "no-longer-held":
            version = next(iter(_NUMBER.findall(notice.params["version"])), "0")
            dropped = on_purpose.union(numbers)
            mend = _Omission(notice.created_at, mended, changed, reason, int(version), dropped)
            omissions |= dict.fromkeys(numbers, mend)
            continue
        mended, changed = next(iter(numbers), 0), notice.code == "mended"
        reason = notice.params["reason"]
        on_purpose = frozenset(() if changed else numbers)
        omissions |= {number: _Omission(notice.created_at, number, changed, reason) for number in on_purpose}
    return omissions


def _links(table: Table) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Return the parent of each entry, and the new numbers of rewritten entries by version and old number."""
    rows = list(table.entries.values_list("number", "parent", "origin", "version"))
    parents = {number: parent for number, parent, _origin, _version in rows}
    new_numbers = {
        (version, origin): number for number, _parent, origin, version in rows if origin is not None
    }
    return parents, new_numbers


def _tried_on(
    entry: Entry,
    mend: _Omission,
    parents: Mapping[int, int],
    new_numbers: Mapping[tuple[int, int], int],
) -> int:
    """Return the entry after which the mend tried this one: its nearest ancestor that was not dropped."""
    for number in _ancestors(entry.parent, parents):
        if number not in mend.dropped:
            return new_numbers.get((mend.version, number), number)
    return 0


def _ancestors(number: int, parents: Mapping[int, int]) -> Iterator[int]:
    while number:
        yield number
        number = parents[number]


def _why(table: Table, entry: Entry, tried_on: int) -> Refusal | None:
    """Return the refusal of an entry; None if it might disclose a secret, or if the rules have changed."""
    try:
        outcome_of(table, state_at(table, tried_on), entry.faction, entry.action)
    except Refusal as refusal:
        return None if refusal.code == "gone" or _may_be_secret(table, entry) else refusal
    except NOT_FOLDING:
        return None
    return None


def _may_be_secret(table: Table, entry: Entry) -> bool:
    return any(kind.hidden for kind in game_of(table).actions if kind.type == entry.action["type"])
