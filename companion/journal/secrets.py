"""What is secret at a table, and from whom. Whatever leaves the server is masked by what is said here.

An entry whose type is hidden (``Action.hidden``) is known to its own seat alone, until the rules say
that all of it is revealed (``Game.is_hidden``). Its steps are told to everybody, so they say
nothing of it. Nobody else may read it, the host included, who may enter it for a seat.

An entry that was taken back before it was revealed, by undo, a mend or a position, says what its
seat thought of doing. It is kept until the seat has entered the like again and that is revealed.

A seat that another phone took over (``Seat.taken_over_after``) may not know what it had hidden before:
otherwise the host could read a plan by moving the seat to a phone of their own.
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

Hidden = Mapping[int, str]  # the numbers of entries, and whose they are


@dataclass(frozen=True, slots=True)
class _Line:
    """An entry that others must not know at once."""

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
    """The entries of a table that still tell what others must not know. Games without secrets pay nothing."""
    if not game_of(table).secrets or table.setup is None:
        return {}
    lines = _lines(table)
    ends = _ends(table) if lines else []
    hidden: dict[int, str] = {}
    told: set[tuple[str, str]] = set()  # whose are revealed, going back
    newest: set[str] = set()  # the rules cannot tell one from an equal one before it, which was told
    for line in reversed(lines):
        end = next((end for end in ends if end[0] > line.number), None)
        if line.undone or (end and _is_hidden(table, line, end[1])):
            if line.kind not in told:
                hidden[line.number] = line.faction
        elif end is None and line.text not in newest and _is_hidden(table, line, table.head):
            hidden[line.number] = line.faction
            newest.add(line.text)
        else:
            told.add(line.kind)
    return hidden


def _lines(table: Table) -> list[_Line]:
    rows = Entry.objects.filter(table=table, action__type__in=sorted(game_of(table).secrets))
    return [
        _Line(*row) for row in rows.order_by("number").values_list("number", "faction", "action", "undone")
    ]


def _ends(table: Table) -> list[tuple[int, int]]:
    """The positions that count, each with the entry it was made on: where what came before it ended."""
    rows = Entry.objects.filter(table=table, action__type=Position.type, undone=False)
    return list(rows.order_by("number").values_list("number", "parent"))


def _is_hidden(table: Table, line: _Line, at: int) -> bool:
    """Whether an entry is hidden after another; also where that cannot be told (any more, or yet)."""
    if line.number > at:
        return True
    game = game_of(table)
    try:
        return game.is_hidden(state_at(table, at), game.read_action(line.action, line.faction))
    except (Refusal, Refused):
        return True


# What somebody may see


def hidden_from(table: Table, seats: Iterable[Seat]) -> Hidden:
    """The entries that the holder of these seats may not know."""
    hidden = hidden_entries(table)
    known_after = {seat.faction: seat.taken_over_after or 0 for seat in seats}
    first = _first_numbers(table, hidden) if any(known_after.values()) else {}
    return {
        n: faction
        for n, faction in hidden.items()
        if faction not in known_after or first.get(n, n) <= known_after[faction]
    }


def _first_numbers(table: Table, numbers: Iterable[int]) -> dict[int, int]:
    """Map entries to the number they had before any mend wrote them again."""
    origins = dict(table.entries.exclude(origin=None).values_list("number", "origin"))
    found = {}
    for number in numbers:
        first = number
        while (origin := origins.get(first)) is not None:
            first = origin
        found[number] = first
    return found


def _sealed(table: Table, seat: Seat) -> set[int]:
    """Return the hidden entries that a seat made before it was taken over."""
    if not seat.taken_over_after:
        return set()
    return {n for n, faction in hidden_from(table, [seat]).items() if faction == seat.faction}


def viewer_of(table: Table, seat: Seat | None, at: int) -> str | None:
    """Return the faction whose view of the state after an entry a seat gets; None is the view of everybody."""
    if seat is None:
        return None
    sealed = _sealed(table, seat)
    return None if sealed and sealed & _leading_to(table, at) else seat.faction


def _leading_to(table: Table, number: int) -> set[int]:
    """Return the entries that make up the state after an entry, back to the start or the last position."""
    entries = table.entries.exclude(action__type=Position.type)
    parents = dict(entries.values_list("number", "parent"))
    path = set()
    while number in parents:
        path.add(number)
        number = parents[number]
    return path


def taken_over(table: Table, seats: Iterable[Seat]) -> list[Seat]:
    """Return the seats whose takeover is to be shown: until the next entry, and while something stays sealed."""
    return [
        seat
        for seat in seats
        if seat.taken_over_after is not None
        and (seat.taken_over_after == table.latest or _sealed(table, seat))
    ]


def action_told(entry: Entry, hidden: Hidden) -> Json:
    """The action of an entry; of one that the reader may not know only its type."""
    return {"type": entry.action["type"], "hidden": True} if entry.number in hidden else entry.action


def public(table: Table, at: int) -> State:
    """The state after an entry, as everybody may see it."""
    return memoised(game_of(table).view, state_at(table, at), None)


# What is refused


def refuse_export(table: Table) -> None:
    """A document would tell everything. Raises ``Refusal``."""
    hidden = hidden_entries(table)
    if hidden:
        sentence = _("What %(names)s entered is still hidden. The game can be exported once it is revealed.")
        raise Refusal("hidden", sentence % {"names": ", ".join(_names(table, set(hidden.values())))})


def refuse_to_change(table: Table, seats: Sequence[Seat], entry: Entry) -> None:
    """Who may not know an entry may take it back, but not say what it should have been. Raises ``Refusal``."""
    if entry.number not in hidden_from(table, seats):
        return
    if any(seat.faction == entry.faction for seat in seats):
        sealed = _("This was hidden before this seat was taken over. It can be left out, but not changed.")
        raise Refusal("hidden", sealed)
    sentence = _("Only %(name)s may change this before it is revealed. It can be left out instead.")
    raise Refusal("hidden", sentence % {"name": _names(table, {entry.faction})[0]})


def _names(table: Table, factions: Collection[str]) -> Sequence[str]:
    game = game_of(table)
    return [wording.name(game, "faction", one) for one in game.factions if one in factions]
