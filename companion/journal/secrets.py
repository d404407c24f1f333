"""Secrets of a table: which entries are hidden from whom. All output of the server is masked by this module.

An entry whose type is hidden (``Action.hidden``) is visible to its own seat only, until the rules reveal
all of it (``Game.is_hidden``). Its steps are visible to everybody, so they must not contain the secret.
Nobody else may read it, not even the host, who may enter it for a seat.

An entry that was undone before it was revealed, by undo, a mend or a position, shows what its seat intended.
It stays hidden until the seat has made another entry of the same type and that one is revealed.

A seat that another phone took over (``Seat.taken_over_after``) may not see what was hidden before the
takeover: otherwise the host could read a plan by moving the seat to their own phone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from companion import wording
from companion.errors import Refusal
from companion.journal.states import State, game_of, memoised, state_at
from companion.models import Entry, Seat, Table
from games.core.actions import Position
from games.core.codec import Json
from games.core.errors import Refused

Hidden = Mapping[int, str]  # numbers of hidden entries, with their factions


@dataclass(frozen=True, slots=True)
class _Line:
    """An entry of a hidden type."""

    number: int
    faction: str
    action: Any
    undone: bool

    @property
    def kind(self) -> tuple[str, str]:
        return self.faction, self.action["type"]

    @property
    def text(self) -> str:
        return json.dumps([self.faction, self.action], sort_keys=True)


def hidden_entries(table: Table) -> Hidden:
    """Return the hidden entries of a table. Games without secrets need no query."""
    if not game_of(table).secrets or table.setup is None:
        return {}
    lines = _lines(table)
    ends = _ends(table) if lines else []
    hidden: dict[int, str] = {}
    revealed: set[tuple[str, str]] = set()  # kinds of which a later entry is revealed
    # The rules cannot distinguish equal entries: only the newest is still hidden, earlier ones were revealed.
    newest: set[str] = set()
    for line in reversed(lines):
        end = next((end for end in ends if end[0] > line.number), None)
        if line.undone or (end and _is_hidden(table, line, end[1])):
            if line.kind not in revealed:
                hidden[line.number] = line.faction
        elif end is None and line.text not in newest and _is_hidden(table, line, table.head):
            hidden[line.number] = line.faction
            newest.add(line.text)
        else:
            revealed.add(line.kind)
    return hidden


def _lines(table: Table) -> list[_Line]:
    rows = Entry.objects.filter(table=table, action__type__in=sorted(game_of(table).secrets))
    return [
        _Line(*row) for row in rows.order_by("number").values_list("number", "faction", "action", "undone")
    ]


def _ends(table: Table) -> list[tuple[int, int]]:
    """Return the positions that count, each with its parent, where the game before it ended."""
    rows = Entry.objects.filter(table=table, action__type=Position.type, undone=False)
    return list(rows.order_by("number").values_list("number", "parent"))


def _is_hidden(table: Table, line: _Line, at: int) -> bool:
    """Return whether an entry is hidden in the state after another; True if that cannot be determined."""
    if line.number > at:
        return True
    game = game_of(table)
    try:
        return game.is_hidden(state_at(table, at), game.read_action(line.action, line.faction))
    except (Refusal, Refused):
        return True


# Views


def hidden_from(table: Table, seats: Iterable[Seat]) -> Hidden:
    """Return the entries that are hidden from the holder of these seats."""
    hidden = hidden_entries(table)
    visible_after = {seat.faction: seat.taken_over_after or 0 for seat in seats}
    first = _first_numbers(table, hidden) if any(visible_after.values()) else {}
    return {
        n: faction
        for n, faction in hidden.items()
        if faction not in visible_after or first.get(n, n) <= visible_after[faction]
    }


def _first_numbers(table: Table, numbers: Iterable[int]) -> dict[int, int]:
    """Map entries to the number they had before any mend rewrote them."""
    origins = dict(table.entries.exclude(origin=None).values_list("number", "origin"))
    first_numbers = {}
    for number in numbers:
        first = number
        while (origin := origins.get(first)) is not None:
            first = origin
        first_numbers[number] = first
    return first_numbers


def _sealed(table: Table, seat: Seat) -> set[int]:
    """Return the hidden entries that a seat made before it was taken over."""
    if not seat.taken_over_after:
        return set()
    return {n for n, faction in hidden_from(table, [seat]).items() if faction == seat.faction}


def viewer_of(table: Table, seat: Seat | None, at: int) -> str | None:
    """Return the faction whose view of the state after an entry a seat gets; None is the public view."""
    if seat is None:
        return None
    sealed = _sealed(table, seat)
    return None if sealed and sealed & _leading_to(table, at) else seat.faction


def _leading_to(table: Table, number: int) -> set[int]:
    """Return the entries that the state after an entry depends on, back to the start or the last position."""
    entries = table.entries.exclude(action__type=Position.type)
    parents = dict(entries.values_list("number", "parent"))
    path = set()
    while number in parents:
        path.add(number)
        number = parents[number]
    return path


def taken_over(table: Table, seats: Iterable[Seat]) -> list[Seat]:
    """Return the seats whose takeover is shown: until the next entry, and while they have sealed entries."""
    return [
        seat
        for seat in seats
        if seat.taken_over_after is not None
        and (seat.taken_over_after == table.latest or _sealed(table, seat))
    ]


def visible_action(entry: Entry, hidden: Hidden) -> Json:
    """Return the action of an entry; only its type if it is hidden from the viewer."""
    return {"type": entry.action["type"], "hidden": True} if entry.number in hidden else entry.action


def public(table: Table, at: int) -> State:
    """Return the public view of the state after an entry."""
    return memoised(game_of(table).view, state_at(table, at), None)


# Refusals


def refuse_export(table: Table) -> None:
    """Raise ``Refusal`` while an entry is hidden, since a document contains all entries."""
    hidden = hidden_entries(table)
    if hidden:
        sentence = _("What %(names)s entered is still hidden. The game can be exported once it is revealed.")
        raise Refusal("hidden", sentence % {"names": ", ".join(_names(table, set(hidden.values())))})


def refuse_to_change(table: Table, seats: Sequence[Seat], entry: Entry) -> None:
    """Raise ``Refusal`` if an entry is hidden from these seats: they may drop it, but not change it."""
    if entry.number not in hidden_from(table, seats):
        return
    if any(seat.faction == entry.faction for seat in seats):
        sealed = _("This was hidden before this seat was taken over. It can be left out, but not changed.")
        raise Refusal("hidden", sealed)
    sentence = _("Only %(name)s may change this before it is revealed. It can be left out instead.")
    raise Refusal("hidden", sentence % {"name": _names(table, {entry.faction})[0]})


def _names(table: Table, factions: Collection[str]) -> Sequence[str]:
    game = game_of(table)
    return [wording.name(game, "faction", faction) for faction in game.factions if faction in factions]
