"""The state after an entry: folded from the journal, and kept in this process.

What came before an entry never changes (it points at its parent), so neither does the
state after it; a kept state is never wrong, only perhaps not asked for again. That holds for
committed entries alone: a number that was rolled back is given again, so a state waits in its
transaction until that is committed.

A ``position`` needs nothing of what came before it but the options and figures that were agreed
on. So a game whose earlier entries the rules refuse by now still goes on from its last position.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import get_ident
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from django.db import transaction
from django.utils.translation import gettext as _

from companion.cache import LruCache, register
from companion.errors import Refusal
from companion.models import Entry, Table
from games.core.actions import Position, SetFigure, SetOption
from games.core.codec import from_json
from games.core.errors import NotThere, Refused, Runaway
from games.core.game import AnyGame, Setup
from games.core.steps import Outcome
from games.registry import MODES

KEPT = 2_000  # about 3 kB each: states of one game share most of their parts
KEPT_ANSWERS = 600  # a few for each of those states

T = TypeVar("T")

State = Any
Line = Mapping[str, Any]  # an entry: number, parent, faction, action

# What ``apply`` raises when the rules have become other ones than those an entry was accepted by.
NOT_FOLDING = (Refused, NotThere, Runaway)
AGREED = (SetOption.type, SetFigure.type)


kept: LruCache[State] = register(LruCache("states", KEPT))
_answers: LruCache[tuple[State, Any]] = register(LruCache("rules", KEPT_ANSWERS))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _CacheOnCommit:
    """Callback of a transaction: put a state into the cache once its entry is committed."""

    key: tuple[int, int]
    state: State

    def __call__(self) -> None:
        kept.put(self.key, self.state)


# States of uncommitted entries, per thread. The only strong reference to a callback is Django's, which runs it after
# the commit and drops it on a rollback, also of a savepoint: then the state is gone from here, too.
_uncommitted: WeakValueDictionary[tuple[int, tuple[int, int]], _CacheOnCommit] = WeakValueDictionary()


def keep(table: Table, number: int, state: State) -> None:
    """Cache the state after an entry; if the entry is not committed yet, for this transaction until it is."""
    callback = _CacheOnCommit((table.pk, number), state)
    _uncommitted[get_ident(), callback.key] = callback
    transaction.on_commit(callback)


def _found(table: Table, number: int) -> State | None:
    key = (table.pk, number)
    uncommitted = _uncommitted.get((get_ident(), key))
    return uncommitted.state if uncommitted else kept.get(key)


def memoised(question: Callable[..., T], state: State, *more: Hashable) -> T:
    """What the rules say of a state, worked out once, as neither ever changes.

    The state stays with the answer: as long as it does, no other one can be taken for it.
    """
    key = (question, id(state), *more)
    found = _answers.get(key)
    if found is None:
        found = (state, question(state, *more))
        _answers.put(key, found)
    answer: T = found[1]
    return answer


def game_of(table: Table) -> AnyGame:
    """The rules a table is played by: the game's, or those of its score pad."""
    return MODES[table.options["mode"]][table.game]


def setup_of(table: Table) -> Setup:
    return from_json(Setup, table.setup)


def state_at(table: Table, number: int) -> State:
    """The state after an entry of a started table; 0 is the start. The entry must exist.

    Raises ``Refusal`` where the rules have changed so that it cannot be told any more.
    """
    state = _found(table, number)
    if state is None:
        try:
            state = _fold(table, number)
        except NOT_FOLDING:
            raise Refusal(
                "gone", _("The rules have changed since then; this moment cannot be worked out any more.")
            ) from None
        keep(table, number, state)
    return state


def _fold(table: Table, number: int) -> State:
    """From the nearest kept state, or the nearest position, forward along the parents of the entry."""
    if not number:
        return game_of(table).start(setup_of(table)).state
    newest = _entries(table).get(number=number)
    before = _found(table, newest["parent"])
    if before is not None:
        return _apply(game_of(table), before, newest).state
    entries = {e["number"]: e for e in _entries(table).filter(number__lte=number)}
    path: list[Line] = []
    at, state = number, None
    while state is None:
        path.append(entries[at])
        at = entries[at]["parent"]
        if is_position(path[-1]):
            state = _agreed(game_of(table), setup_of(table), entries, at)
        else:
            state = _found(table, at) if at else state_at(table, 0)
    for entry in reversed(path):
        state = _apply(game_of(table), state, entry).state
    return state


def is_position(entry: Line) -> bool:
    return bool(entry["action"]["type"] == Position.type)


def agreed_at(table: Table, number: int) -> State:
    """All that a position made on an entry needs of the past, whether or not that entry still folds."""
    return _agreed(game_of(table), setup_of(table), {e["number"]: e for e in _entries(table)}, number)


def _agreed(game: AnyGame, setup: Setup, entries: Mapping[int, Line], number: int) -> State:
    """The start, with the options and figures that were agreed on up to an entry."""
    agreed = []
    while number:
        if entries[number]["action"]["type"] in AGREED:
            agreed.append(entries[number])
        number = entries[number]["parent"]
    state = game.start(setup).state
    for entry in reversed(agreed):
        with contextlib.suppress(*NOT_FOLDING):
            state = _apply(game, state, entry).state
    return state


def refold(table: Table) -> Iterator[tuple[int, Outcome[Any] | None]]:
    """The start (0) and every entry, undone ones too, folded without looking at what is kept."""
    entries = {entry["number"]: entry for entry in _entries(table).order_by("number")}
    return fold_all(game_of(table), setup_of(table), entries, path_of(table))


def fold_all(
    game: AnyGame, setup: Setup, entries: Mapping[int, Line], counting: Collection[int]
) -> Iterator[tuple[int, Outcome[Any] | None]]:
    """The start (0) and every entry of a journal, in the order of their numbers.

    None is an entry that does not fold any more, where a position counts that came later: the game
    goes on from that. Otherwise raises what ``apply`` raises, should the rules have become other ones.
    """
    start = game.start(setup)
    yield 0, start
    last = max((n for n in counting if n and is_position(entries[n])), default=0)
    states = {0: start.state}
    for number, entry in entries.items():
        outcome = None
        before = states.get(entry["parent"])
        if before is None and is_position(entry):
            before = _agreed(game, setup, entries, entry["parent"])
        try:
            outcome = _apply(game, before, entry) if before is not None else None
        except NOT_FOLDING:
            if number >= last:
                raise
        if outcome is not None:
            states[number] = outcome.state
        yield number, outcome


def foldable_suffix(path: Sequence[int], states: Mapping[int, State]) -> list[State]:
    """The states of the entries that count, as far back as they fold without a gap."""
    lost = max((at for at, number in enumerate(path) if number not in states), default=-1)
    return [states[number] for number in path[lost + 1 :]]


def course_of(table: Table) -> list[tuple[int, State]]:
    """The entries that count, from the start (0) to the tip, each with the state after it.

    What does not fold any more is left out, with all that came before the position that followed.
    """
    entries = {entry["number"]: entry for entry in _entries(table)}
    course: list[tuple[int, State]] = []
    state: State | None = None
    for number in path_of(table):
        found = _found(table, number)
        if found is None:
            found = _next(table, entries, number, state)
        if found is None:
            course.clear()
        else:
            course.append((number, found))
        state = found
    return course


def _next(table: Table, entries: Mapping[int, Line], number: int, before: State | None) -> State | None:
    """The state after an entry; None if it, or what came before it, does not fold any more."""
    if not number:
        return game_of(table).start(setup_of(table)).state
    if before is None:
        if not is_position(entries[number]):
            return None
        before = _agreed(game_of(table), setup_of(table), entries, entries[number]["parent"])
    with contextlib.suppress(*NOT_FOLDING):
        return _apply(game_of(table), before, entries[number]).state
    return None


def path_of(table: Table) -> list[int]:
    """The entries that count, from the start (0) to the tip."""
    parents = dict(Entry.objects.filter(table=table).values_list("number", "parent"))
    path = [table.head]
    while path[-1]:
        path.append(parents[path[-1]])
    return path[::-1]


def _entries(table: Table) -> Any:
    return Entry.objects.filter(table=table).values("number", "parent", "faction", "action")


def _apply(game: AnyGame, state: State, entry: Line) -> Outcome[Any]:
    return game.apply(state, game.read_action(entry["action"], entry["faction"]))
