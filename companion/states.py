"""The state after an entry: folded from the journal, and kept in this process.

What came before an entry never changes (it points at its parent), so neither does the
state after it; a kept state is never wrong, only perhaps not asked for again. That holds for
committed entries alone: a number that was rolled back is given again, so a state waits in its
transaction until that is committed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.db import connection, transaction

from companion.models import Entry, Table
from games.core.actions import Position
from games.core.codec import from_json
from games.core.game import AnyGame, Setup
from games.core.steps import Outcome
from games.registry import MODES

KEPT = 400

State = Any


class _Kept:
    """The states used last."""

    def __init__(self) -> None:
        self._states: OrderedDict[tuple[int, int], State] = OrderedDict()
        self._lock = Lock()

    def get(self, table: int, number: int) -> State | None:
        with self._lock:
            state = self._states.get((table, number))
            if state is not None:
                self._states.move_to_end((table, number))
            return state

    def put(self, table: int, number: int, state: State) -> None:
        with self._lock:
            self._states[table, number] = state
            while len(self._states) > KEPT:
                self._states.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._states.clear()


kept = _Kept()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A state that is kept when its transaction is committed; Django calls it then, and drops it otherwise."""

    table: int
    number: int
    state: State

    def __call__(self) -> None:
        kept.put(self.table, self.number, self.state)


def keep(table: Table, number: int, state: State) -> None:
    """Remember the state after an entry."""
    transaction.on_commit(_Waiting(table.pk, number, state))


def _found(table: Table, number: int) -> State | None:
    for waiting in reversed(connection.run_on_commit):
        callback = waiting[1]
        if isinstance(callback, _Waiting) and (callback.table, callback.number) == (table.pk, number):
            return callback.state
    return kept.get(table.pk, number)


def game_of(table: Table) -> AnyGame:
    """The rules a table is played by: the game's, or those of its score pad."""
    return MODES[table.options["mode"]][table.game]


def setup_of(table: Table) -> Setup:
    return from_json(Setup, table.setup)


def state_at(table: Table, number: int) -> State:
    """The state after an entry of a started table; 0 is the start. The entry must exist."""
    state = _found(table, number)
    if state is None:
        state = _fold(table, number)
        keep(table, number, state)
    return state


def _fold(table: Table, number: int) -> State:
    """From the nearest kept state forward along the parents of the entry."""
    if not number:
        return game_of(table).start(setup_of(table)).state
    newest = _entries(table).get(number=number)
    before = _found(table, newest["parent"])
    if before is not None:
        return _apply(table, before, newest).state
    entries = {e["number"]: e for e in _entries(table).filter(number__lte=number)}
    path = []
    at, state = number, None
    while at and state is None:
        path.append(entries[at])
        at = 0 if entries[at]["action"]["type"] == Position.type else entries[at]["parent"]
        state = _found(table, at)
    if state is None:
        state = state_at(table, 0)
    for entry in reversed(path):
        state = _apply(table, state, entry).state
    return state


def anew(table: Table) -> Iterator[tuple[int, Outcome[Any]]]:
    """The start (0) and every entry, undone ones too, folded without looking at what is kept.

    Raises what ``apply`` raises, should the rules have become other ones.
    """
    outcome = game_of(table).start(setup_of(table))
    yield 0, outcome
    states = {0: outcome.state}
    for entry in _entries(table).order_by("number"):
        outcome = _apply(table, states[entry["parent"]], entry)
        yield entry["number"], outcome
        states[entry["number"]] = outcome.state


def path_of(table: Table) -> list[int]:
    """The entries that count, from the start (0) to the tip."""
    parents = dict(Entry.objects.filter(table=table).values_list("number", "parent"))
    path = [table.tip]
    while path[-1]:
        path.append(parents[path[-1]])
    return path[::-1]


def _entries(table: Table) -> Any:
    return Entry.objects.filter(table=table).values("number", "parent", "faction", "action")


def _apply(table: Table, state: State, entry: Mapping[str, Any]) -> Outcome[Any]:
    game = game_of(table)
    return game.apply(state, game.read_action(entry["action"], entry["faction"]))
