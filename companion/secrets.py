"""What is secret at a table, and from whom. Whatever leaves the server is masked by what is said here.

An entry whose type is hidden (``Action.hidden``) is known to its own seat alone, until the rules say
that all of it is revealed (``Game.is_hidden``). Its steps are told to everybody, so they say
nothing of it. Nobody else may read it, the host included, who may enter it for a seat.

An entry that was taken back before it was revealed, by undo, a mend or a position, says what its
seat thought of doing. It is kept until the seat has entered the like again and that is revealed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from companion import wording
from companion.errors import Refusal
from companion.models import Entry, Table
from companion.states import State, answered, game_of, state_at
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
        elif end is None and line.text not in newest and _is_hidden(table, line, table.tip):
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


def hidden_from(table: Table, factions: Collection[str]) -> Hidden:
    """The entries that the holder of these seats may not know."""
    return {n: faction for n, faction in hidden_entries(table).items() if faction not in factions}


def action_told(entry: Entry, hidden: Hidden) -> Json:
    """The action of an entry; of one that the reader may not know only its type."""
    return {"type": entry.action["type"], "hidden": True} if entry.number in hidden else entry.action


def public(table: Table, at: int) -> State:
    """The state after an entry, as everybody may see it."""
    return answered(game_of(table).view, state_at(table, at), None)


# What is refused


def refuse_export(table: Table) -> None:
    """A document would tell everything. Raises ``Refusal``."""
    hidden = hidden_entries(table)
    if hidden:
        sentence = _("What %(names)s entered is still hidden. The game can be exported once it is revealed.")
        raise Refusal("hidden", sentence % {"names": ", ".join(_names(table, set(hidden.values())))})


def refuse_to_change(table: Table, factions: Collection[str], entry: Entry) -> None:
    """Who may not know an entry may take it back, but not say what it should have been. Raises ``Refusal``."""
    if entry.number in hidden_from(table, factions):
        sentence = _("Only %(name)s may change this before it is revealed. It can be left out instead.")
        raise Refusal("hidden", sentence % {"name": _names(table, {entry.faction})[0]})


def _names(table: Table, factions: Collection[str]) -> Sequence[str]:
    game = game_of(table)
    return [wording.name(game, "faction", one) for one in game.factions if one in factions]
